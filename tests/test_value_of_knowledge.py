"""The tool that measures what knowledge of hidden pieces is worth."""

import random
from pathlib import Path

import pytest

from junqi_engine.information.worlds import draw
from junqi_engine.players.registry import newest_search
from junqi_engine.players.versions import NEWEST
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.game import GameState
from junqi_engine.rules.pieces import UNKNOWN
from tests.hidden_help import random_game, start
from tools.revisions.repository import ROOT
from tools.training import knowledge, knowledge_pairs
from tools.training.games import play_out, searcher, sensible_lineups
from tools.training.informed import Aid, AidedPlayer, informed_view, play_aided
from tools.training.knowledge_results import RECORD, PairKey, PairResult, Record

NODES = 60


@pytest.fixture(scope="module")
def searches():
    return [newest_search().new_search(1) for _ in range(2)]


def result(pair: int, points: tuple[float, float], told: float = 0.5) -> PairResult:
    """A pair with 100 pieces, at 1.8 nats without and 1.4 nats with the aid."""
    return PairResult(PairKey("luzhanqi", NEWEST, NODES, 1, told, 0.0, pair), points, 100, 180.0, 140.0)


# What is told


def test_without_an_aid_it_is_the_plain_player(searches) -> None:
    lineups = sensible_lineups(LUZHANQI, random.Random(1))
    records = []
    for is_aided in (False, True):
        truth = GameState.start(LUZHANQI, lineups)
        players = [searcher(team_search, 5, NODES) for team_search in searches]
        if is_aided:
            players[1] = AidedPlayer(truth, 1, Aid(), random.Random(1), searches[1], 5, NODES)
        play_out(truth, players)
        records.append(truth.record)
    assert records[0] == records[1]


def told_pieces(game: GameState, told: float) -> set[int]:
    """The enemy pieces that are certain at the start."""
    view = informed_view(game, 0, told, random.Random(3))
    certain = {piece for piece in range(128) if view.position["kind"][piece] != UNKNOWN}
    assert all(view.position["kind"][piece] == game.position["kind"][piece] for piece in certain)
    return {piece for piece in certain if not view.sees(piece // 32)}


def test_more_is_told_with_a_higher_probability_and_everything_with_1() -> None:
    game = start(4)
    none, some, half, everything = (told_pieces(game, told) for told in (0.0, 0.2, 0.5, 1.0))
    assert none == set()
    assert none < some < half < everything
    assert 3 < len(some) < 20 and 15 < len(half) < 36 and len(everything) == 50


def test_what_is_told_is_certain_in_every_world_and_stays_consistent_with_the_game() -> None:
    view = informed_view(start(7), 0, 0.4, random.Random(2))
    told = [piece for piece in range(128) if view.position["kind"][piece] != UNKNOWN]
    for game, plain in random_game(7, (0, 2)):
        view.observe(game.record[-1])
        assert not (view.masks & ~plain.masks).any(), "the informed view knows at least as much"
    kinds = start(7).position["kind"]
    worlds = draw(view, 8, 1)
    assert (worlds[:, told] == kinds[told]).all()
    assert all(view.masks[piece] >> kinds[piece] & 1 for piece in range(128) if view.masks[piece])


# Belief


def test_all_told_costs_no_nats_and_a_bend_towards_the_truth_saves_some(searches) -> None:
    plain, told, bent = (
        play_aided(LUZHANQI, 0, 1, aid, 1, NODES, searches) for aid in (Aid(), Aid(told=1.0), Aid(bend=1.0))
    )
    assert plain.pieces > 0 and plain.plain_nats == pytest.approx(plain.aided_nats)
    assert told.aided_nats == pytest.approx(0.0, abs=1e-6) and told.plain_nats > told.pieces
    assert 0 < bent.aided_nats < 0.9 * bent.plain_nats
    assert {plain.points, told.points, bent.points} <= {0.0, 0.5, 1.0}


# The command


def run(folder: Path, *words: str) -> int:
    given = ["--variant", "luzhanqi", "--nodes", str(NODES), "--pairs", "1", *words]
    return knowledge.main([str(folder), *given])


def test_a_run_prints_its_curve_and_an_interrupted_one_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--probabilities", "0.5,1") == 0
    printed = capsys.readouterr().out
    assert [line.split("  ")[0] for line in printed.splitlines()[1:4]] == ["aid", "told 0.5", "told 1"]
    assert "Fewer than 500 pairs are a hint only." in printed
    record = tmp_path / RECORD
    whole = record.read_bytes()
    first, second = whole.splitlines(keepends=True)
    record.write_bytes(first + second[:30])
    assert run(tmp_path, "--probabilities", "0.5,1") == 0
    assert capsys.readouterr().out == printed
    assert record.read_bytes() == whole


def test_finished_pairs_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record(tmp_path)
    for pair in range(3):
        record.add(result(pair, (1.0, 0.5)))
    played: list[PairKey] = []

    def play_pair(key: PairKey) -> PairResult:
        played.append(key)
        return result(key.pair, (1.0, 0.0))

    monkeypatch.setattr(knowledge_pairs, "play_pair", play_pair)
    assert run(tmp_path, "--probabilities", "0.5", "--pairs", "5") == 0
    assert [key.pair for key in played] == [3, 4]
    assert len(Record(tmp_path).results) == 5


def test_the_table_by_hand() -> None:
    """6 points of 8: 75%, 191 Elo; 0.4 nats less, so 48 Elo for each 0.1."""
    results = [result(pair, points) for pair, points in enumerate([(1, 1), (1, 0.5), (1, 0), (0.5, 1)])]
    head, row = knowledge_pairs.table(results)
    assert head.startswith("aid")
    assert row.split()[:5] == ["told", "0.5", "4", "75.0%", "5-1-2"]
    assert "+191 [" in row
    assert row.split()[-4:] == ["-191", "1.800", "1.400", "48"]


@pytest.mark.parametrize(
    "words, said",
    [
        (("--probabilities", "0.5,1.5"), "'1.5' is not a number from 0 to 1"),
        (("--probabilities", "0.5,,1"), "'' is not a number from 0 to 1"),
        (("--probabilities", "nan"), "'nan' is not a number from 0 to 1"),
        (("--bend", "much"), "'much' is not a number from -20 to 20"),
        (("--nodes", "0"), "'0' is not a whole number from 1 to 999999999"),
        (("--pairs", "-1"), "'-1' is not a whole number from 1 to 999999999"),
        (("--concurrency", "two"), "'two' is not a whole number from 1 to 999999999"),
        (("--variant", "chess"), "invalid choice: 'chess'"),
    ],
)
def test_bad_words_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], words, said: str) -> None:
    with pytest.raises(SystemExit) as ended:
        run(tmp_path / "new", *words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "new").exists()


def test_a_folder_in_the_checkout_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    folder = ROOT / "knowledge_record"
    assert run(folder) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"folder {folder}: it is inside the checkout" in line
    assert not folder.exists()


@pytest.mark.parametrize(
    "line, said",
    [
        ("{}", "its fields must be variant, player"),
        ("no json", "Expecting value"),
        (result(0, (1, 0)).as_line().replace("[1, 0]", "[1, 7]").strip(), "points 7 are not 0, 0.5 or 1"),
    ],
)
def test_a_damaged_record_is_refused_and_not_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    text = result(0, (1, 0)).as_line() + line + "\n"
    (tmp_path / RECORD).write_text(text, encoding="utf-8")
    assert run(tmp_path) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert f"{RECORD}: line 2: {said}" in error
    assert (tmp_path / RECORD).read_text(encoding="utf-8") == text


def test_two_processes_play_what_one_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = []
    for processes in ("1", "2"):
        assert run(tmp_path / processes, "--bend", "0.5,1", "--concurrency", processes) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    assert "bend 0.5" in tables[0]
