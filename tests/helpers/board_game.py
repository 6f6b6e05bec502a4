"""Shared by the tests of the board's game: games, and transcripts of their inputs and of what these change.

A transcript has a line per input: the time in seconds, the input, and behind `|` what is another than before.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from junqi_board.engines import Program
from junqi_board.game.game import BoardGame, Phase
from junqi_board.game.seating import Seating, Setup
from junqi_board.saving import SavedGame
from junqi_engine.errors import Refused
from junqi_engine.rules import lineup

PROGRAMS = (Program("one", ("one",)), Program("two", ("two",)))
AGAINST_ENGINE = {"S": "me", "N": "me", "E": "engine", "W": "engine"}
TWO_PERSONS = {"S": "me", "N": "me", "E": "guest", "W": "guest"}
FOUR_PERSONS = {"S": "me", "E": "guest", "N": "guest", "W": "guest"}
ENGINES = dict.fromkeys("SENW", "engine")

PASSES = {"time_out": "passes", "clock": {"base_s": 20, "increment_s": 0}}
START = """
 0.0  SN lineups | SN set
 1.0  EW starts  | EW ready; started
"""
FIRST_MOVE = """
 3.0  SN move 0 i6i7           | S i6i7 2000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
"""
MOVES = (
    FIRST_MOVE
    + """
 4.0  #1 answers l7m8 after 700 cp 20 | E l7m8 700 ms
 5.0  SN move 2 i12i11         | N i12i11 1000 ms; ask EW #2 go time 60300 inc 1000 movetime 1000
"""
)


def new_game(seats: dict[str, str], rules: dict[str, int] | None = None, **changes: Any) -> BoardGame:
    """A game of persons and the engine `one`; by default Siguo, partners see each other, 60 s + 1 s."""
    programs = {"engine": "one"}
    fields = {
        "variant": "siguo",
        "visibility": "partner",
        "seats": {seat: {"who": who, "program": programs.get(who, ""), "elo": None} for seat, who in seats.items()},
        "clock": {"base_s": 60, "increment_s": 1},
    }
    seating = Seating.read(msgspec.convert(fields | changes, Setup), PROGRAMS, ("siguo", "luzhanqi"))
    seating = replace(seating, rules=replace(seating.rules, **rules or {}))
    return BoardGame(seating, 7, dict.fromkeys(seating.board.seats, lineup.DEFAULT))


def changes(before: dict[str, Any], game: BoardGame, words: list[str]) -> str:
    """The effects of an input, as lines of a transcript."""
    found = []
    old, new = before["search"], game.search
    is_answered = old is not None and words[0] == f"#{old.question}"
    if old is not None and old != new and not is_answered:
        found.append(f"cancel {old.seats}")
    match words:
        case [seats, "lineups"]:
            found.append(f"{seats} set")
        case [seats, "starts"]:
            found.append(f"{seats} ready")
        case [seats, "hurry"]:
            found.append("hurried")
        case [seats, "offer"]:
            found.append(f"{seats} offer")
        case [seats, "accept" | "decline" as answer]:
            found.append(f"{seats} {answer} {before['offer'].by}")
        case [_, "take", "back"]:
            found.append(f"back to {len(game.history)}")
    moves = game.full.moves if game.full is not None else []
    for number in range(len(before["history"]), len(game.history)):
        ply = game.history[number]
        found.append(f"{ply.seat} {moves[number]} {ply.time_ms} ms")
    found += [f"{seats} failed {fault.code}" for seats, fault in game.faults.items() if seats not in before["faults"]]
    found += [f"{seats} restarts" for seats in before["faults"] if seats not in game.faults]
    if before["moves"] is None and game.full is not None:
        found.append("started")
    if new is not None and new != old:
        found.append(f"ask {new.seats} #{new.question} {new.go}")
    if game.result is not None and (before["moves"] is None or before["result"] is None):
        found.append(f"end {game.result} {game.verdict.ending}")
    return "; ".join(found)


def lineups(seats: str) -> dict[str, str]:
    return dict.fromkeys(seats, lineup.DEFAULT)


def apply(game: BoardGame, words: list[str], now_s: float) -> None:
    """Carry out an input of a transcript."""
    match words:
        case [seats, "lineups"]:
            game.set_lineups(seats, lineups(seats), now_s)
        case [seats, "starts"]:
            game.engine_ready(seats, lineups(seats) if game.phase == Phase.ARRANGING else {}, now_s)
        case [seats, "cannot", "start", code]:
            game.start_failed(seats, code, "text", now_s)
        case [seats, "move", ply, move]:
            game.move(seats, int(ply), move, now_s)
        case [question, "answers", move, "after", time_ms, "chance", chance]:
            game.engine_answered(int(question[1:]), move, float(time_ms), None, float(chance), now_s)
        case [question, "answers", move, "after", time_ms, *score]:
            game.engine_answered(int(question[1:]), move, float(time_ms), " ".join(score) or None, None, now_s)
        case [question, "fails", code]:
            game.search_failed(int(question[1:]), code, "text", now_s)
        case [seats, "restarted"]:
            game.restart_engine(seats)
        case [seats, "resign"]:
            game.resign(seats, now_s)
        case [seats, "hurry"]:
            game.hurry(seats, now_s)
        case [seats, "offer"]:
            game.offer_draw(seats, now_s)
        case [seats, "accept" | "decline" as answer]:
            game.answer_draw(seats, answer == "accept", now_s)
        case [seats, "take", "back"]:
            game.take_back(seats, now_s)
        case ["tick"]:
            game.tick(now_s)
        case _:
            raise ValueError(words)


def follow(game: BoardGame, transcript: str) -> None:
    """Carry out a transcript and compare what changes; a refused input has `refused CODE`."""
    for line in filter(str.strip, transcript.splitlines()):
        left, _, expected = line.partition("|")
        now_s, *words = left.split()
        before = snapshot(game)
        try:
            apply(game, words, float(now_s))
            changed = "" if snapshot(game) == before and not expected.strip() else changes(before, game, words)
        except Refused as error:
            changed = f"refused {error.code}"
        assert changed == expected.strip(), line


def assert_refused(game: BoardGame, code: str, action: Callable[[], None]) -> None:
    before = snapshot(game)
    with pytest.raises(Refused) as refusal:
        action()
    assert refusal.value.code == code and "\n" not in str(refusal.value)
    assert snapshot(game) == before


def snapshot(game: BoardGame) -> dict[str, Any]:
    """All that an input may change."""
    table = {name: value for name, value in vars(game).items() if name not in ("full", "players")}
    copies = {name: value.copy() if isinstance(value, dict | list) else value for name, value in table.items()}
    players = [vars(player) | {"clock": vars(player.clock).copy()} for player in game.players]
    moves = None if game.full is None else (tuple(game.full.moves), game.full.turn, game.full.result)
    return copies | {"players": players, "moves": moves, "result": game.result}


def started(seats: dict[str, str] = AGAINST_ENGINE, **changes: Any) -> BoardGame:
    """A game with three moves."""
    game = new_game(seats, **changes)
    follow(game, START + MOVES)
    return game


def saved(game: BoardGame, folder: Path) -> SavedGame:
    file = SavedGame(game, folder)
    file.follow()
    return file
