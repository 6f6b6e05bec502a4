"""Shared by the tests of the board's game: games, and transcripts of their inputs and events.

A transcript has a line per input: the time in seconds, the input, and behind `|` the events that it causes.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from junqi_board.engine_programs import Program
from junqi_board.errors import RequestError
from junqi_board.game.parts import (
    DrawDeclined,
    EngineFailed,
    EngineRestarted,
    EngineToMove,
    Event,
    Events,
    Happened,
    MovePlayed,
    Phase,
    SearchCancelled,
)
from junqi_board.game.seating import Seating
from junqi_board.game.state import BoardGame
from junqi_board.session.saving import SavedGame
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
    players = {seat: {"who": who, "program": "one" if who == "engine" else ""} for seat, who in seats.items()}
    fields = {
        "variant": "siguo",
        "visibility": "partner",
        "seats": players,
        "clock": {"base_s": 60, "increment_s": 1},
        "time_out": "loses",
    }
    seating = Seating.read(fields | changes, PROGRAMS, ("siguo", "luzhanqi"))
    seating = replace(seating, rules=replace(seating.rules, **rules or {}))
    return BoardGame(1, seating, 7, dict.fromkeys(seating.board.seats, lineup.DEFAULT))


def words_of(event: Event) -> str:
    """An event in a transcript."""
    match event:
        case Happened(text):
            return text
        case EngineToMove(seats, question, _, go, _):
            return f"ask {seats} #{question} {go}"
        case SearchCancelled(seats):
            return f"cancel {seats}"
        case MovePlayed(seat, move, time_ms):
            return f"{seat} {move} {time_ms} ms"
        case DrawDeclined(seats, by):
            return f"{by} decline {seats}"
        case EngineFailed(seats, code):
            return f"{seats} failed {code}"
        case EngineRestarted(seats):
            return f"{seats} restarted"


def lineups(seats: str) -> dict[str, str]:
    return dict.fromkeys(seats, lineup.DEFAULT)


def apply(game: BoardGame, words: list[str], now_s: float) -> Events:
    """Carry out an input of a transcript."""
    match words:
        case [seats, "lineups"]:
            return game.set_lineups(seats, lineups(seats), now_s)
        case [seats, "starts"]:
            return game.engine_ready(seats, lineups(seats) if game.phase == Phase.ARRANGING else {}, now_s)
        case [seats, "cannot", "start", code]:
            return game.start_failed(seats, code, "text", now_s)
        case [seats, "move", ply, move]:
            return game.move(seats, int(ply), move, now_s)
        case [question, "answers", move, "after", time_ms, *score]:
            return game.engine_answered(int(question[1:]), move, float(time_ms), " ".join(score) or None, now_s)
        case [question, "fails", code]:
            return game.search_failed(int(question[1:]), code, "text", now_s)
        case [seats, "restarted"]:
            return game.restart_engine(seats)
        case [seats, "resign"]:
            return game.resign(seats, now_s)
        case [seats, "hurry"]:
            return game.hurry(seats, now_s)
        case [seats, "offer"]:
            return game.offer_draw(seats, now_s)
        case [seats, "accept" | "decline" as answer]:
            return game.answer_draw(seats, answer == "accept", now_s)
        case [seats, "take", "back"]:
            return game.take_back(seats, now_s)
        case ["pause"]:
            return game.set_paused(True, now_s)
        case ["resume"]:
            return game.set_paused(False, now_s)
        case ["tick"]:
            return game.tick(now_s)
    raise ValueError(words)


def follow(game: BoardGame, transcript: str) -> None:
    """Carry out a transcript and compare its events; a refused input has `refused CODE`."""
    for line in filter(str.strip, transcript.splitlines()):
        left, _, expected = line.partition("|")
        now_s, *words = left.split()
        try:
            events = "; ".join(map(words_of, apply(game, words, float(now_s))))
        except RequestError as error:
            events = f"refused {error.code}"
        assert events == expected.strip(), line


def assert_refused(game: BoardGame, code: str, action: Callable[[], Events]) -> None:
    before = snapshot(game)
    with pytest.raises(RequestError) as refusal:
        action()
    assert refusal.value.code == code and "\n" not in str(refusal.value)
    assert snapshot(game) == before


def snapshot(game: BoardGame) -> dict[str, Any]:
    """All that an input may change."""
    table = {name: value for name, value in vars(game).items() if name not in ("truth", "players")}
    copies = {name: value.copy() if isinstance(value, dict | list) else value for name, value in table.items()}
    players = [vars(player) | {"clock": vars(player.clock).copy()} for player in game.players]
    moves = None if game.truth is None else (tuple(game.truth.moves), game.truth.turn, game.truth.result)
    return copies | {"players": players, "moves": moves}


def started(seats: dict[str, str] = AGAINST_ENGINE, **changes: Any) -> BoardGame:
    """A game with three moves."""
    game = new_game(seats, **changes)
    follow(game, START + MOVES)
    return game


def saved(game: BoardGame, folder: Path) -> tuple[SavedGame, list[str]]:
    failures: list[str] = []
    file = SavedGame(game, folder, failures.append)
    file.save()
    return file, failures
