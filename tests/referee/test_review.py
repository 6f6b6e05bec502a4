"""`junqi-referee review`: what it writes, what it refuses."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import junqi_engine as junqi
from junqi_engine.rules.lineup import DEFAULT
from junqi_referee.cli import run
from junqi_referee.exit_codes import ExitCode
from junqi_referee.jobs import open_pool
from tests.helpers.jgs import DRAW, SLOTS, event, game_file, move
from tests.helpers.review import NODES, record_of, short_game

PASS_OF_EAST = (0xF5, 2, SLOTS["E"])


GAMES = [("luzhanqi", 1), ("siguo", 2)]
PLIES = 4


def review(*words: object, in_processes: bool = False) -> int:
    """Run `review`, by default in this process, because others would load the kernels first."""
    with pytest.MonkeyPatch.context() as patch:
        if not in_processes:
            patch.setattr("junqi_referee.review.process_pool", lambda _: open_pool(1))
        return run(["review", "--nodes", str(NODES), *map(str, words)])


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of two short games."""
    path = tmp_path / "games.jsonl"
    path.write_text(record_of(*(short_game(variant, seed, PLIES) for variant, seed in GAMES)))
    return path


def games_in(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))["games"]


# Reports


def test_json_report_equals_library_review(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "review.json"
    assert review(record, "--out", out, in_processes=True) == ExitCode.DONE
    expected = [junqi.review(short_game(variant, seed, PLIES), nodes=NODES) for variant, seed in GAMES]
    for found, one in zip(games_in(out), expected, strict=True):
        table = json.loads(json.dumps(asdict(one)))
        for player, named in zip(table["players"], found["players"], strict=True):
            assert player | {"name": named["name"]} == named
        assert {key: value for key, value in found.items() if key in table and key != "players"} == {
            key: value for key, value in table.items() if key != "players"
        }


def test_move_before_a_fall_is_searched_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A battle that seems bad luck. The first answer, on stdout, has all steps."""
    games, out, deep = tmp_path / "games.jsonl", tmp_path / "review.json", 20_000
    games.write_text(record_of(short_game("luzhanqi", 12, 24)))
    assert review(games, "--out", out, "--key-nodes", deep, "--live") == ExitCode.DONE
    first = json.loads(capfd.readouterr().out.splitlines()[-1])
    [found] = games_in(out)
    fall = min(first["steps"], key=lambda step: step["luck"]["S"])["step"]
    expected = junqi.review(short_game("luzhanqi", 12, 24), nodes=deep).steps[fall]
    assert len(first["steps"]) == len(found["steps"]) and expected.seat == "S"
    assert first["steps"][fall]["verdict"] is None
    assert first["steps"][fall]["truth"] != found["steps"][fall]["truth"] == expected.truth


def test_game_with_passes_is_reviewed(tmp_path: Path) -> None:
    """A `.jgs` file: South moves, East's clock runs out, North moves; then the players agree on a draw."""
    game = junqi.Game("siguo", dict.fromkeys("SENW", DEFAULT))
    moves = [game.push(text or _quiet_move(game)) for text in ("", "pass:E", "")]
    south, _, north = moves
    path, out = tmp_path / "people.jgs", tmp_path / "review.json"
    path.write_bytes(
        game_file(
            move(south.from_point, south.to_point),
            event(*PASS_OF_EAST),
            move(north.from_point, north.to_point, seat="N"),
            event(*DRAW),
        )
    )
    assert review(path, "--out", out) == ExitCode.DONE
    [found] = games_in(out)
    assert [step["text"] for step in found["steps"]] == [*moves, "end"]
    passed = found["steps"][1]
    assert (passed["seat"], passed["best"], found["result"]) == ("E", "", "draw")
    for player in found["players"]:
        total = player["start"] + player["luck"] + player["enemy_loss"] - player["loss"]
        assert total == pytest.approx(0.5, abs=1e-9)


def _quiet_move(game: junqi.Game) -> junqi.Move:
    return next(move for move in game.legal_moves if game.piece_at(move.to_point) is None)


# Refusals


REFUSED = [
    ("{games}", ExitCode.USAGE, "the following arguments are required: --out"),
    (
        "{games} --out {folder}/x.json --nodes 5",
        ExitCode.USAGE,
        "--nodes: '5' is not a whole number of at least 1000",
    ),
    (
        "{games} --out {folder}/x.json --key-nodes 5",
        ExitCode.USAGE,
        "--key-nodes: '5' is not a whole number of at least 1000",
    ),
    ("{games} --out {folder}/x.html", ExitCode.USAGE, "the report is JSON; name it x.json"),
    ("{games} 9 --out {folder}/x.json", ExitCode.FAILED, "there is no game 9"),
    ("{folder}/none.jsonl --out {folder}/x.json", ExitCode.USAGE, "No such file or directory"),
    ("{folder}/damaged.jsonl --out {folder}/x.json", ExitCode.USAGE, "damaged.jsonl, line 1: "),
    ("{folder}/fen.jsonl --out {folder}/x.json", ExitCode.FAILED, "game 1: it has no line-ups; a game from a FEN"),
    (
        "{folder}/unfinished.jsonl --out {folder}/x.json",
        ExitCode.FAILED,
        "game 1: it is unfinished, interrupted after 3",
    ),
    ("{folder}/illegal.jsonl --out {folder}/x.json", ExitCode.FAILED, "game 1: it breaks the rules: move 2"),
    ("{folder}/empty.jsonl --out {folder}/x.json", ExitCode.FAILED, "there are no games"),
    ("{games} --out {folder}/is.json", ExitCode.USAGE, "is.json exists; --overwrite replaces it"),
    ("{games} --out {folder}/no/x.json", ExitCode.USAGE, "there is no folder {folder}/no"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSED)
def test_wrong_arguments_are_refused(
    words: str, code: ExitCode, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    games, whole = tmp_path / "games.jsonl", record_of(short_game("luzhanqi", 1, 4))
    games.write_text(whole)
    (tmp_path / "is.json").write_text("mine")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "damaged.jsonl").write_text(whole[:-9] + "\n" + whole)
    table = json.loads(whole)
    (tmp_path / "fen.jsonl").write_text(json.dumps(table | {"lineups": {}, "fen": "5/5"}) + "\n")
    unfinished = table | {name: table[name][:3] for name in ("moves", "times_ms", "scores")} | {"ending": "interrupted"}
    (tmp_path / "unfinished.jsonl").write_text(json.dumps(unfinished) + "\n")
    illegal = table | {"moves": [table["moves"][0], "a1a2", *table["moves"][2:]]}
    (tmp_path / "illegal.jsonl").write_text(json.dumps(illegal) + "\n")
    before = sorted(tmp_path.iterdir())
    assert run(["review", *(word.format(games=games, folder=tmp_path) for word in words.split())]) == code
    errors = capfd.readouterr().err.strip().splitlines()
    assert len(errors) == 1 and message.format(folder=tmp_path) in errors[0]
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "is.json").read_text() == "mine"
