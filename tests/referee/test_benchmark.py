"""`junqi-benchmark`: what it measures, on games of known strength, and how it plays, continues and refuses."""

import json
import math
import random
import shlex
import sys
from pathlib import Path

import pytest

from junqi_engine.client.own_program import own_command
from junqi_referee.benchmark import playing
from junqi_referee.benchmark.__main__ import main
from junqi_referee.benchmark.playing import COMMAND, EXPLOITED, PLAYER, PYTHON, Kept, Plan, Row, Subject, play_pair
from junqi_referee.benchmark.run import calibration, exploitability, measure, pairs_of, rating, without_luck
from junqi_referee.exits import RefereeError
from junqi_referee.settings.settings import Seed, is_secret, new_secret
from junqi_referee.sprt import score_of_elo

BOT = """
def lowest(view):
    return view.legal_moves[0]

class Sure:
    def move(self, view):
        return view.legal_moves[-1]
    def belief(self, view):
        return {point: {view.possible(point)[0]: 1.0} for point in view.piece_map() if len(view.possible(point)) > 1}

def cheats(view):
    return "a1a2" if view.ply() > 5 else view.legal_moves[0]
"""


def rows(points: list[float], luck: list[tuple[float, float]] | None = None) -> list[Row]:
    return [
        {
            "part": "against",
            "other": "1.0",
            "pair": number // 2,
            "points": each,
            "attack_luck": luck[number] if luck else (0.0, 0.0),
            "fault": "",
            "belief": [],
        }
        for number, each in enumerate(points)
    ]


def test_the_rating_is_that_of_the_games() -> None:
    rng = random.Random(1)
    scores = {
        anchor: [float(rng.random() < score_of_elo(1100 - anchor)) for _ in range(4000)] for anchor in (900.0, 1200.0)
    }
    found = rating(scores)
    assert found["elo"] == pytest.approx(1100, abs=2 * found["error"]) and 5 < found["error"] < 12
    assert rating({1000.0: [1.0, 1.0]}) == rating({}) == {"elo": None, "error": None}


def test_luck_that_explains_the_points_narrows_the_interval() -> None:
    """Points are skill, which is the same in all games, plus luck and a rest: only the rest remains. The enemy's luck
    counts less than the own, and luck that says nothing takes nothing out.
    """
    rng = random.Random(1)
    luck = [(rng.gauss(0, 0.3), rng.gauss(0, 0.3)) for _ in range(2000)]
    points = [0.6 + own - enemy / 2 + rng.gauss(0, 0.1) for own, enemy in luck]
    found = without_luck(pairs_of(rows(points, luck), "against", "1.0"))
    assert found is not None
    assert found["share_of_luck"] == pytest.approx([1, -0.5], abs=0.03)
    assert found["games_needed"] == pytest.approx(0.1**2 / (0.1**2 + 0.3**2 * 1.25), abs=0.02)
    assert found["score_without_luck"] == pytest.approx(0.6, abs=found["error_without_luck"])
    assert found["error_without_luck"] == pytest.approx(found["error"] * math.sqrt(found["games_needed"]), abs=2e-4)
    found = without_luck(pairs_of(rows(points, luck[::-1]), "against", "1.0"))
    assert found is not None and found["games_needed"] == pytest.approx(1, abs=0.01)
    assert without_luck([]) is None


@pytest.mark.long
def test_the_bound_of_exploitability_is_not_flattered_by_the_choice() -> None:
    """Among many opponents that gain nothing the best seems to gain; a true one is found, and not overstated."""
    rng = random.Random(1)

    def pairs(chance: float, number: int) -> list[tuple[Row, Row]]:
        points = [float(rng.random() < chance) for _ in range(400)]
        return [({**one, "other": str(number)}, two) for one, two in pairs_of(rows(points), "against", "1.0")]

    overstated = 0
    for _ in range(60):
        found = exploitability({str(number): pairs(0.5, number) for number in range(20)})
        assert found is not None and abs(found["gain"]) < 0.2 and found["games"] == 200
        overstated += found["at_least"] > 0
    assert overstated <= 8
    found = exploitability({"even": pairs(0.5, 0), "strong": pairs(0.2, 1)})
    assert found is not None and found["opponent"] == "strong"
    assert found["gain"] == pytest.approx(0.3, abs=0.08) and 0.15 < found["at_least"] < found["gain"]
    assert exploitability({"few": pairs(0.5, 0)[:5]}) is None


def test_three_pairs_prove_little() -> None:
    found = exploitability({"strong": pairs_of(rows([0.0] * 12), "against", "1.0")})
    assert found is not None and (found["gain"], found["at_least"]) == (0.5, 0.0)
    assert rating({1000.0: [0.5] * 3}) == {"elo": 1000.0, "error": None}
    few, many = (rating({1000.0: [0.25, 0.5, 0.75] * count})["error"] for count in (1, 100))
    assert few > 2.5 * 10 * many


@pytest.mark.long
def test_an_exploiter_is_any_engine(bots: Path) -> None:
    """Its games count for the bound alone."""
    command = f"{shlex.join(own_command('protocol'))} Player=1.1"
    plan = Plan(Subject("python", "bots:lowest"), "luzhanqi", "partner", 100, 1, 1, 0, False, command)
    assert plan.parts() == [("against", "1.0"), (EXPLOITED, command)]
    found = play_pair(plan, EXPLOITED, command, 0)
    assert [row["fault"] for row in found] == ["", ""]
    assert measure(found, plan.parts(), {"1.0": 876})["against"]["1.0"]["games"] == 0


def test_calibration_counts_what_came_true() -> None:
    row: Row = {"belief": [(0.25, True), (0.75, False), (1.0, True)]}
    found = calibration([row])
    assert found is not None and found["pieces"] == 2
    assert found["log_loss"] == pytest.approx(math.log(4) / 2, abs=1e-4)
    assert [(tenth["told"], tenth["came_true"]) for tenth in found["tenths"]] == [(0.25, 1), (0.75, 0), (1, 1)]
    assert calibration([{"belief": []}]) is None


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of players; the only anchor is the quickest."""
    (tmp_path / "bots.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(playing, "ANCHORS", ("1.0",))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "bots", raising=False)
    return tmp_path


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(str(ended.value.code))


def test_a_function_of_python_from_games_to_report(bots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("report", "--python", "bots:Sure", "--pairs")
    assert run(*words, "1") == 0
    table = json.loads(Path("report/report.json").read_text())
    assert table["against"]["1.0"]["games"] == 2 and table["subject"] == "bots:Sure"
    assert table["belief"]["tenths"][-1]["told"] == 1
    assert "against 1.0" in Path("report/report.html").read_text()
    # The same command plays nothing; more pairs continue; a line that was not finished is played again.
    games = Path("report/games.jsonl")
    before = games.read_text()
    assert run(*words, "1") == 0 and games.read_text() == before
    games.write_text(before[:-9])
    assert run(*words, "2") == 0 and games.read_text().startswith(before)
    assert json.loads(Path("report/report.json").read_text())["against"]["1.0"]["games"] == 4
    assert "against 1.0  4 games" in capsys.readouterr().out


def test_a_run_continues_wherever_its_file_was_cut(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    plan = Plan(Subject("python", "bots:lowest"), "luzhanqi", "partner", 9, 1, 3, 0, False)
    pairs = [[{"part": "against", "other": "1.0", "pair": number, "points": 1.0}] for number in range(3)]
    kept = Kept(file, plan)
    for rows in pairs[:2]:
        kept.add(rows)
    whole = file.read_bytes()
    for end in (*range(20), whole.index(b"\n"), *range(whole.index(b"\n") + 1, len(whole) + 1, 7), len(whole) - 1):
        file.write_bytes(whole[:end])
        kept = Kept(file, plan)
        assert len(kept.known) == max(0, whole[:end].count(b"\n") - 1)
        kept.add(pairs[2])
        assert Kept(file, plan).rows == [*kept.rows]
        assert file.read_bytes().count(b"\n") == len(kept.rows) + 1
    for damage in (b"5\n", b"[[]]\n", b"[\n"):
        file.write_bytes(whole + damage)
        with pytest.raises(RefereeError, match="line 4: "):
            Kept(file, plan)
    file.write_bytes(b"\xef\xbb\xbf" + whole.replace(b"\n", b"\r\n"))
    assert len(Kept(file, plan).known) == 2


def test_a_player_that_fails_loses_the_game_by_it(bots: Path) -> None:
    plan = Plan(Subject("python", "bots:cheats"), "luzhanqi", "partner", 100, 1, 1, 0, False)
    found = play_pair(plan, "against", "1.0", 0)
    assert [row["points"] for row in found] == [0, 0] and all("a1a2" in row["fault"] for row in found)


@pytest.mark.long
def test_beside_a_stranger_and_with_luck(bots: Path) -> None:
    plan = Plan(Subject("python", "bots:lowest"), "siguo", "partner", 100, 1, 1, 1000, True)
    assert ("beside", "1.2") in plan.parts()
    assert {row["points"] for row in play_pair(plan, "beside", "1.1", 0)} <= {0, 0.5, 1}
    plan = Plan(Subject("python", "bots:lowest"), "luzhanqi", "partner", 100, 1, 1, 1000, True)
    assert all(any(row["attack_luck"]) for row in play_pair(plan, "against", "1.0", 0))


@pytest.mark.long
def test_an_engine_with_a_belief(bots: Path) -> None:
    command = f"{shlex.join(own_command('protocol'))} Player=2.0"
    plan = Plan(Subject(COMMAND, command), "luzhanqi", "partner", 100, 1, 1, 0, False)
    found = play_pair(plan, "against", "1.0", 0)
    assert all(not row["fault"] and row["belief"] for row in found)


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("report", "--player", "9.9"), 2, "player '9.9' is not one of"),
        (("report", "--python", "no_such:bot"), 2, "No module named 'no_such'"),
        (("report", "--python", "bots:nobody"), 2, "nobody"),
        (("report", "--player", "1.0", "--pairs", "0"), 2, "'0' is not a whole number"),
        (("report", "--player", "1.0", "--python", "bots:lowest"), 2, "not allowed with"),
    ],
)
def test_what_is_refused(
    words: tuple[str, ...], code: int, text: str, bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == code
    assert text in capsys.readouterr().err and not Path("report").exists()


def test_another_plan_needs_another_folder(bots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("report", "--python", "bots:lowest", "--pairs", "1") == 0
    # The seed is a secret that the folder keeps, so the same command continues.
    assert is_secret(json.loads(Path("report/report.json").read_text())["seed"])
    assert run("report", "--python", "bots:lowest", "--pairs", "1") == 0
    assert run("report", "--python", "bots:lowest", "--pairs", "1", "--seed", "2") == 2
    assert "games.jsonl belongs to other settings" in capsys.readouterr().err


def test_a_player_cannot_compute_line_ups_from_the_seed_that_it_is_told(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, int] = {}
    dealt: list[int] = []
    start, game = Subject.start, playing.Game
    monkeypatch.setattr(
        Subject, "start", lambda self, seed, nodes: told.update({self.kind: seed}) or start(self, seed, nodes)
    )
    monkeypatch.setattr(playing, "Game", lambda variant, seed: dealt.append(seed) or game(variant, seed=seed))

    def is_computed(seed: Seed) -> bool:
        told.clear(), dealt.clear()
        plan = Plan(Subject(PYTHON, "bots:cheats"), "luzhanqi", "partner", 10, seed, 1, 0, False)
        play_pair(plan, "against", "1.0", 0)
        return told[PYTHON] * playing.MOST_PAIRS in dealt or told[PYTHON] == told[PLAYER]

    assert is_computed(7), "the attack works where the seed is a number"
    assert not is_computed(new_secret())
