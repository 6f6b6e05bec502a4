"""Moves, seats, viewers and results as text.

A move is its from-point, its to-point, and a suffix with the rest of the public record: `x`, `o` or `=` for the outcome
of a battle, `!h1` for a revealed flag, `#E` for an eliminated seat. A resignation is `resign:E`. A turn that passes
because the clock of E ran out is `pass:E`.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from junqi_engine.errors import IllegalMove, quoted
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import contains, from_point_of, to_point_of
from junqi_engine.rules.pieces import Outcome
from junqi_engine.rules.position import Result, winner_of

MAX_REVEALED = 2
_SUFFIX = {Outcome.NO_BATTLE: "", Outcome.ATTACKER_WON: "x", Outcome.DEFENDER_WON: "o", Outcome.BOTH_REMOVED: "="}
_OUTCOME = {suffix: outcome for outcome, suffix in _SUFFIX.items()}
_MOVE = re.compile(r"([a-z][0-9]{1,2})([a-z][0-9]{1,2})([xo=]?)((?:![a-z][0-9]{1,2})*)((?:#[A-Z])*)")
_EVENT = re.compile(r"(resign|pass):([A-Z])((?:#[A-Z])*)")


class MoveWords(NamedTuple):
    """The parts of a move's text: points, the letter of the outcome, the points of flags, the letters of seats."""

    from_point: str = ""
    to_point: str = ""
    outcome: str = ""
    flags: tuple[str, ...] = ()
    eliminated: str = ""
    resigned: str = ""
    passed: str = ""


def split_move(text: str) -> MoveWords | None:
    """The parts of a move, of `resign:SEAT` or of `pass:SEAT` on any board; None if the text has another form."""
    match = _MOVE.fullmatch(text)
    if match:
        flags = tuple(filter(None, match[4].split("!")))
        return MoveWords(match[1], match[2], match[3], flags, match[5].replace("#", ""))
    event = _EVENT.fullmatch(text)
    if event is None:
        return None
    is_resignation = event[1] == "resign"
    seats = event[2] if is_resignation else "", "" if is_resignation else event[2]
    return MoveWords("", "", "", (), event[3].replace("#", ""), *seats)


@lru_cache(maxsize=1 << 15)
def parse_move(board: Board, text: str) -> SeenMove:
    """The move of a text, with or without a suffix, `resign:SEAT` or `pass:SEAT`; `bad-move` if it does not parse."""
    words = split_move(text)
    if words is None:
        raise IllegalMove("bad-move", f"{quoted(text)} is not a move")
    if words.resigned:
        seat, eliminated = _parse_seat(board, text, words.resigned), _parse_seats(board, text, words.eliminated)
        return SeenMove(-1, -1, eliminated=eliminated, resigned=seat)
    if words.passed:
        seat, eliminated = _parse_seat(board, text, words.passed), _parse_seats(board, text, words.eliminated)
        return SeenMove(-1, -1, eliminated=eliminated, passed=seat)
    points = []
    for square in (words.from_point, words.to_point, *words.flags):
        if square not in board.point_named:
            raise IllegalMove("bad-move", f"{quoted(text)}: {square} is not a point of the board")
        points.append(board.point_named[square])
    start, target, *revealed = points
    if len(revealed) > MAX_REVEALED:
        raise IllegalMove("bad-move", f"{quoted(text)}: more than {MAX_REVEALED} revealed flags")
    if revealed and not words.outcome:
        raise IllegalMove("bad-move", f"{quoted(text)}: x, o or = is missing before the flag")
    eliminated = _parse_seats(board, text, words.eliminated)
    return SeenMove(start, target, _OUTCOME[words.outcome], tuple(revealed), eliminated)


def format_move(board: Board, seen: SeenMove) -> str:
    eliminated = "".join(f"#{board.seats[seat]}" for seat in seen.eliminated)
    if seen.resigned is not None:
        return f"resign:{board.seats[seen.resigned]}{eliminated}"
    if seen.passed is not None:
        return f"pass:{board.seats[seen.passed]}{eliminated}"
    revealed = "".join(f"!{board.names[point]}" for point in seen.revealed_flags)
    return f"{format_code(board, seen.move)}{_SUFFIX[seen.outcome]}{revealed}{eliminated}"


@lru_cache(maxsize=1 << 16)
def format_code(board: Board, move: int) -> str:
    """The text of a move (`layout.move_of`) without a suffix, as in `bestmove`."""
    return board.names[from_point_of(move)] + board.names[to_point_of(move)]


def outcome_text(outcome: Outcome) -> str:
    """`x`, `o` or `=`; empty if there was no battle."""
    return _SUFFIX[outcome]


def _parse_seat(board: Board, text: str, letter: str) -> int:
    if letter not in board.seats:
        raise IllegalMove("bad-move", f"{quoted(text)}: {letter} is not a seat")
    return board.seats.index(letter)


def _parse_seats(board: Board, text: str, letters: str) -> tuple[int, ...]:
    seats = tuple(_parse_seat(board, text, letter) for letter in letters)
    if len(set(seats)) < len(seats):
        raise IllegalMove("bad-move", f"{quoted(text)}: a seat is eliminated twice")
    return seats


OPEN_VIEWER = "*"
NO_VIEWER = "-"
"""The viewer of a spectator, who sees no hidden piece."""


def seat_letters(board: Board, seats: int) -> str:
    return "".join(letter for seat, letter in enumerate(board.seats) if contains(seats, seat))


def parse_viewer(board: Board, text: str) -> int:
    """The set of seats of a viewer: one seat, one team, or `*` for all. ValueError otherwise."""
    if text == OPEN_VIEWER:
        return board.all_alive
    for viewer in (*board.seats, *board.teams):
        if sorted(text) == sorted(viewer):
            return sum(1 << board.seats.index(letter) for letter in viewer)
    kinds = "one seat" if set(board.teams) <= set(board.seats) else "one seat, one team"
    raise ValueError(f"{quoted(text)} is not {kinds} ({' or '.join(board.teams)}) or *")


def format_viewer(board: Board, viewer: int) -> str:
    return OPEN_VIEWER if viewer == board.all_alive else seat_letters(board, viewer)


def result_text(board: Board, result: Result) -> str:
    """`ongoing`, `draw`, or the seats of the team that won."""
    team = winner_of(result)
    return result.name.lower() if team is None else board.teams[team]
