"""Openings: positions that games are played from, twice each, and what a match does beside playing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import junqi_engine as junqi
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.playing.openings import read_openings
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.referee import PROTOCOL, SCRIPTS, play, refused, settings

FEN = "1Nl3/Sc1Nh2/5/5/5/5/Na4/Sa4/5/5/5/3Sl1 S SN * 0 0"


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def records(path: Path) -> list[dict[str, Any]]:
    return sorted(map(json.loads, path.read_text(encoding="utf-8").splitlines()), key=lambda game: game["game"])


@pytest.mark.parametrize("variant", BOARDS)
def test_the_packaged_openings(variant: str) -> None:
    openings = read_openings("balanced", variant, 0, Rules.of(BOARDS[variant]))
    assert len(openings) == len(set(openings)) == 200
    assert all(opening.moves and not opening.fen for opening in openings)


def test_each_opening_is_played_twice_with_the_teams_exchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The record tells depths, nodes, date and event; what needs line-ups refuses the games from a FEN."""
    game = junqi.Game("luzhanqi", seed=1)
    for _ in range(10):
        game.push(game.legal_moves[-1])
    lineups = " ".join(f"{seat}:{lineup}" for seat, lineup in game.lineups.items())
    lines = [f"{FEN} moves a5a6", f"startpos lineup {lineups} viewer * moves {' '.join(game.move_stack)}  # as played"]
    openings = written(tmp_path / "openings.txt", "# two", *lines)
    record = tmp_path / "games.jsonl"
    engines = ({"name": name, "cmd": PROTOCOL, "option": {"Player": "2.0"}} for name in ("one", "other"))
    match = {"variant": "luzhanqi", "rounds": 2, "max_plies": 20, "event": "A cup", "each": {"nodes": 50}}
    play(settings(*engines, **match, openings=openings, record=str(record)))
    games = records(record)
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert [one["engines"][seat]["name"] for seat in "SN"] == [other["engines"][seat]["name"] for seat in "NS"]
        assert all(one.get(key) == other.get(key) for key in ("lineups", "first", "fen"))
    for entry in games:
        begun = ["a5a6=!d1!b12"] if "fen" in entry else game.move_stack
        assert entry["moves"][: len(begun)] == begun and entry["times_ms"][: len(begun)] == [0] * len(begun)
        assert verify(GameRecord.from_line(json.dumps(entry))) is None
        assert junqi.Game.from_record(entry).result == entry["result"]
        assert entry["event"] == "A cup" and re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["date"])
        assert len(entry["depths"]) == len(entry["nodes"]) == len(entry["moves"])
        assert all(isinstance(number, int) and number > 0 for number in entry["nodes"][len(begun) :])
    assert {entry.get("fen") for entry in games} == {None, FEN}
    assert run(["replay", str(record)]) == ExitCode.DONE
    capsys.readouterr()
    from_fen = next(entry["game"] for entry in games if "fen" in entry)
    for words in (["stats", str(record)], ["convert", str(record), str(from_fen)]):
        assert run(words) != ExitCode.DONE
        assert "it began from a FEN, without line-ups" in capsys.readouterr().err


def test_a_record_is_a_file_of_openings_and_a_match_from_it_is_resumed(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    play(settings(*SCRIPTS, rounds=2, max_plies=12, record=str(first)))
    chosen = settings(*SCRIPTS, rounds=2, max_plies=20, openings=str(first), opening_ply=8, record=str(second))
    play(chosen)
    whole = records(second)
    assert all(game["moves"][:8] in [begun["moves"][:8] for begun in records(first)] for game in whole)
    second.write_text("".join(second.read_text().splitlines(keepends=True)[:2]))
    play(chosen, resume=True)
    assert [game["moves"] for game in records(second)] == [game["moves"] for game in whole]


# What else a match does


def test_old_records_are_read() -> None:
    """As version 0.1 wrote them: without depths, nodes, date, event and fen."""
    old = {
        "game": 1, "variant": "luzhanqi", "visibility": "partner", "engines": {"S": {"name": "a"}, "N": {"name": "b"}},
        "seed": 1, "rules": {}, "lineups": dict.fromkeys("SN", "cbfahdehgegidcfkjkijgjhli"), "first": "S",
        "moves": ["a6b5"], "times_ms": [3], "scores": [None], "result": "S", "ending": "resigned", "detail": "",
    }  # fmt: skip
    game = GameRecord.from_line(json.dumps(old))
    assert (game.depths, game.date, game.event, game.fen) == ([], "", "", "")
    assert "depths" not in game.as_line() and "fen" not in game.as_line()
    with pytest.raises(ValueError, match="there are 1 moves, but 2 depths"):
        GameRecord.from_line(json.dumps({**old, "depths": [1, 2]}))


def test_transcripts_have_every_line_with_its_time(tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    play(settings(*SCRIPTS, max_plies=4, transcript=str(folder)))
    assert sorted(path.name for path in folder.iterdir()) == ["one-1-0.log", "other-1-0.log"]
    lines = (folder / "one-1-0.log").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"\d\d:\d\d:\d\d\.\d{6} [<>] ", line) for line in lines)
    said = [line[16:] for line in lines]
    assert said[0] == "> uci" and "< uciok" in said and said[-1] == "> quit"
    assert said.count("> go nodes 1") == 4 == sum(line.startswith("< bestmove") for line in said)


# Pondering


@pytest.mark.long
def test_an_engine_ponders_the_answer_that_it_expects(tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    one = {"name": "one", "cmd": PROTOCOL, "ponder": True, "option": {"Player": "2.0"}}
    engines = (one, {"name": "other", "cmd": PROTOCOL, "option": {"Player": "1.0"}})
    chosen = settings(*engines, each={"depth": 2}, variant="luzhanqi", max_plies=16, transcript=str(folder))
    tournament, _ = play(chosen)
    assert not tournament.standings.faults
    [path] = [path for path in folder.iterdir() if path.name.startswith("one")]
    said = [line[16:] for line in path.read_text(encoding="utf-8").splitlines() if line[16] == ">"]
    begun = [at for at, line in enumerate(said) if line.startswith("> go ponder")]
    assert begun and "> setoption name Ponder value true" in said
    for at in begun:
        assert said[at - 1].startswith("> position ")
        assert said[at + 1] in ("> ponderhit", "> stop")
    told = [line for line in said if line.startswith(("> go depth", "> ponderhit"))]
    assert len(told) == 16


def test_in_dark_siguo_nobody_ponders(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "--engine", "name=a", "ponder=true", "--engine", "name=b", "--each", "cmd=x", "st=1"]
    assert "a cannot ponder in dark siguo" in refused(capsys, *words, "--visibility", "dark")
    assert "ponder=maybe is not one of true, false" in refused(capsys, *words[:3], "ponder=maybe", *words[4:])
