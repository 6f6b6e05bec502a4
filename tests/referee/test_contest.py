"""The referee and the contest: engines with its dialect, its records, .jql line-up files."""

import random
from dataclasses import replace

import pytest

from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.options import Rules
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError
from junqi_referee.records.contest import contest_of, game_of, parse_contest
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from junqi_referee.truth import Truth
from tests.helpers.marking import long_after
from tests.helpers.record import seen_by_the_other
from tests.helpers.referee import ENGINES, play, processes_with, scripted, settings

SOUND = {"name": "sound", "cmd": scripted("script"), "nodes": 1}
LUZHANQI_MATCH = {"variant": "luzhanqi", "rounds": 1}


def contest_engine(fault: str = "", name: str = "contest") -> dict:
    return {"name": name, "cmd": scripted("contest_script", fault), "dialect": "contest", "tc": "600"}


@pytest.fixture(autouse=True)
def no_process_remains():
    yield
    assert processes_with(str(ENGINES)) == []


# Engines of the dialect


def test_a_contest_engine_plays_whole_games_against_one_of_the_protocol():
    tournament, _ = play(settings(contest_engine(), SOUND, **LUZHANQI_MATCH | {"rounds": 2}))
    games = list(tournament.finished.values())
    assert [game.ending for game in games] == [Ending.NO_CONTACT] * 4
    assert {game.first for game in games} == {"S", "N"}
    assert all(verify(game) is None for game in games)
    assert games[0].engines["S"]["dialect"] == "contest"


FAULTS = {
    "illegal": (Ending.ILLEGAL_MOVE, "'b1a1' is not legal"),
    "twice": (Ending.PROTOCOL, "second answer"),
    "lineup": (Ending.BAD_LINEUP, "0 pieces 'a'; expected 1"),
}


def test_a_broken_contest_engine_loses():
    engines = [contest_engine(fault, fault) for fault in FAULTS]
    match = LUZHANQI_MATCH | {"format": "gauntlet", "concurrency": 4}
    tournament, _ = play(settings(SOUND, *engines, **match))
    for fault, (ending, message) in FAULTS.items():
        standing = tournament.standings.between(fault, "sound")
        assert (standing.losses, dict(standing.endings)) == (2, {ending: 2})
        assert any(fault in game.detail and message in game.detail for game in tournament.finished.values())


@pytest.mark.parametrize(
    ("engine", "match", "named"),
    [
        ({}, {"variant": "siguo"}, "requires variant=luzhanqi, not siguo"),
        ({}, {"visibility": "open"}, "visibility=open"),
        ({}, {"no_contact_result": "draw"}, "no-contact-result=draw"),
        ({}, {"lineups": "random"}, "chooses its own line-ups"),
        ({"option": {"Seed": 1}}, {}, "put option.Seed in cmd"),
        ({"tc": "2+1"}, {}, "whole seconds without an increment"),
        ({"nodes": 3}, {}, "has no nodes= and depth="),
        ({"dialect": "chess"}, {}, "dialect=chess is not one of protocol, contest"),
    ],
)
def test_what_the_dialect_cannot_say_is_refused(engine, match, named):
    with pytest.raises(RefereeError, match=named):
        settings(contest_engine() | engine, SOUND, **LUZHANQI_MATCH | match)


# Records


def random_game(seed: int, first: str = "S", plies: int = 10_000) -> GameRecord:
    """A game of random moves, to its end or up to a number of plies."""
    rng = random.Random(seed)
    rules = Rules.of(LUZHANQI)
    truth = Truth("luzhanqi", {seat: lineup_choice.sensible(rng) for seat in "SN"}, first, rules)
    while truth.result is None and truth.ply < plies:
        truth.play(rng.choice(truth.legal()))
    is_over = truth.result is not None
    return GameRecord(
        game=1, variant="luzhanqi", visibility="partner", seed=0, rules=vars(rules), lineups=truth.lineups, first=first,
        engines={"S": {"name": "甲队[一]", "limits": {"base_ms": 1_800_000}}, "N": {"name": "乙\\", "limits": {}}},
        moves=truth.moves, times_ms=[0] * truth.ply, scores=[None] * truth.ply, result=truth.result or "N",
        ending=truth.ending if is_over else Ending.TIMEOUT,
    )  # fmt: skip


@pytest.mark.parametrize("first", ["S", "N"])
@pytest.mark.parametrize("seed", long_after(2, range(6)))
def test_a_game_is_written_and_read_from_either_side(seed, first):
    game = random_game(seed, first)
    ours, theirs = contest_of(game, "S"), contest_of(game, "N")
    assert seen_by_the_other(ours) == replace(theirs, seconds=ours.seconds)
    for record in (ours, theirs):
        (again,) = parse_contest(record.as_text())
        assert again == record
    back = game_of(ours, 1)
    for name in ("moves", "lineups", "first", "result", "ending"):
        assert getattr(back, name) == getattr(game, name)
    assert verify(back) is None
    assert contest_of(back, "S") == ours
    turned_back = game_of(theirs, 1)
    assert (turned_back.result == "S") == (game.result == "N")


def test_a_record_as_it_is_written():
    lineups = {"S": lineup.DEFAULT, "N": lineup.DEFAULT}
    game = GameRecord(
        game=1, variant="luzhanqi", visibility="partner", seed=0, rules=vars(Rules.of(LUZHANQI)), first="S",
        engines={"S": {"name": "one", "limits": {"base_ms": 1_800_000}}, "N": {"name": "other", "limits": {}}},
        lineups=lineups, moves=["a6b5", "e7e6x", "c6c7="], result="S", ending=Ending.DISCONNECT,
    )  # fmt: skip
    assert contest_of(game, "S").as_text() == (
        f"(;INFO[1.0]PA[one]PB[other]TL[1800]SL[31];AA[{lineup.DEFAULT}];AB[{lineup.DEFAULT}]"
        ";MA[G0H1]RA[3]FA[00];MB[F4G4]RB[1]FB[00];MA[G2F2]RA[2]FA[00];EA[1]EB[0])"
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
def test_both_encodings_are_read(tmp_path, capfdbinary, encoding):
    game = random_game(1)
    text = contest_of(game, "S").as_text()
    path = tmp_path / "game.txt"
    path.write_bytes(f"{text}\n\n{text}".encode(encoding))
    assert run(["convert", str(path)]) == ExitCode.DONE
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert [GameRecord.from_line(line).engines["S"]["name"] for line in lines] == ["甲队[一]"] * 2
    jsonl = tmp_path / "games.jsonl"
    jsonl.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert run(["replay", str(jsonl)]) == ExitCode.DONE
    capfdbinary.readouterr()
    assert run(["convert", str(jsonl), "2", "--encoding", "gb18030"]) == ExitCode.DONE
    assert capfdbinary.readouterr().out == f"{text}\n".encode("gb18030")
    assert run(["convert", str(jsonl), "2", "--side", "N"]) == ExitCode.DONE
    (found,) = parse_contest(capfdbinary.readouterr().out.decode())
    assert seen_by_the_other(found) == replace(parse_contest(text)[0], seconds=1800)


HEAD = f"(;INFO[1.0]PA[x]PB[y]TL[1800]SL[31];AA[{lineup.DEFAULT}];AB[{lineup.DEFAULT}]"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("(", "game 1: expected NAME[value] or ')'"),
        (f"{HEAD}) tail", "game 2: expected '(', not"),
        (f"{HEAD.replace('AB', 'AC')})", "'AC' is not allowed"),
        (f"(;AA[{lineup.DEFAULT}])", "AB is missing"),
        (f"{HEAD};AA[x])", "AA is given twice"),
        (f"{HEAD.replace('1800', 'long')})", "TL['long'] is not a whole number"),
        (f"{HEAD.replace('jhli', 'jhil', 1)})", "headquarters"),
        (f"{HEAD};MA[0000])", "MA: 0000 is not a move"),
        (f"{HEAD};MA[G0H1]RA[4])", "not an outcome"),
        (f"{HEAD};MA[G0H1]RA[3]FA[Z9])", "not a square"),
        (f"{HEAD};EA[3])", "EA"),
        (f"{HEAD};MA[G0H1]RA[1]FA[00])", "move 1, MA[G0H1]: outcome 1 is recorded, 3 was played"),
        (f"{HEAD};MA[G0H1]RA[3];MA[H1G0]RA[3])", "move 2, MA[H1G0]: it is the other side's turn"),
        (f"{HEAD};MA[G0E0])", "game 1: move 1, MA[G0E0]: 'a6a8' is not legal"),
    ],
)
def test_a_damaged_record_is_refused_with_the_place(tmp_path, capsys, text, named):
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    assert run(["convert", str(path)]) == ExitCode.FAILED
    captured = capsys.readouterr()
    assert named in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
