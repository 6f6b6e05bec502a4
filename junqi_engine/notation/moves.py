"""TODO."""

import re

from junqi_engine.errors import ParseError
from junqi_engine.rules.board import Board
from junqi_engine.rules.pieces import Outcome
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove

OPEN_VIEWER = "*"
HIDDEN = "?"

_SUFFIX = {Outcome.NO_BATTLE: "", Outcome.ATTACKER_WON: "x", Outcome.DEFENDER_WON: "o", Outcome.BOTH_LEFT: "="}
_OUTCOME = {suffix: outcome for outcome, suffix in _SUFFIX.items()}
_MOVE = re.compile(r"([a-z][0-9]{1,2})([a-z][0-9]{1,2})([xo=]?)((?:![a-z][0-9]{1,2})*)((?:#[A-Z])*)")
_RESIGNATION = re.compile(r"resign:([A-Z])((?:#[A-Z])*)")
_LONGEST_SHOWN = 40


# Moves


def parse_point(board: Board, text: str) -> int:
    """The point of a square such as `g6`; `bad-move` if there is none."""
    point = board.point_named.get(text)
    if point is None:
        raise ParseError("bad-move", f"{_shown(text)} is no point of the board")
    return point


def parse_move(board: Board, text: str) -> SeenMove:
    """A move with or without a suffix, or `resign:SEAT`; `bad-move` if it is neither."""
    resignation = _RESIGNATION.fullmatch(text)
    if resignation:
        return SeenMove(
            -1, -1, eliminated=_seats(board, text, resignation[2]), resigned=_seat(board, text, resignation[1])
        )
    match = _MOVE.fullmatch(text)
    if not match:
        raise ParseError("bad-move", f"{_shown(text)} is no move")
    points = []
    for square in (match[1], match[2], *filter(None, match[4].split("!"))):
        if square not in board.point_named:
            raise ParseError("bad-move", f"{_shown(text)}: {square} is no point of the board")
        points.append(board.point_named[square])
    if len(points) > 4:
        raise ParseError("bad-move", f"{_shown(text)}: more than two flags")
    if match[4] and not match[3]:
        raise ParseError("bad-move", f"{_shown(text)}: a flag is shown after a battle only")
    return SeenMove(
        points[0], points[1], _OUTCOME[match[3]], tuple(points[2:]), _seats(board, text, match[5].replace("#", ""))
    )


def format_move(board: Board, seen: SeenMove) -> str:
    """The text of a move as everyone saw it; `parse_move` reads it back."""
    eliminated = "".join(f"#{board.seats[seat]}" for seat in seen.eliminated)
    if seen.resigned is not None:
        return f"resign:{board.seats[seen.resigned]}{eliminated}"
    shown = "".join(f"!{board.names[point]}" for point in seen.shown_flags)
    return f"{format_bare(board, seen.from_point, seen.to_point)}{_SUFFIX[seen.outcome]}{shown}{eliminated}"


def format_bare(board: Board, from_point: int, to_point: int) -> str:
    """A move without what came of it, as `bestmove` has it."""
    return board.names[from_point] + board.names[to_point]


def format_code(board: Board, move: int) -> str:
    """A move given as `256 * from + to`."""
    return format_bare(board, move >> 8, move & 255)


def _seat(board: Board, text: str, letter: str) -> int:
    if letter not in board.seats:
        raise ParseError("bad-move", f"{_shown(text)}: {letter} is no seat")
    return board.seats.index(letter)


def _seats(board: Board, text: str, letters: str) -> tuple[int, ...]:
    seats = tuple(_seat(board, text, letter) for letter in letters.replace("#", ""))
    if len(set(seats)) < len(seats):
        raise ParseError("bad-move", f"{_shown(text)}: a seat is out twice")
    return seats


# Viewers and line-ups


def parse_viewer(board: Board, text: str) -> int:
    """The seats of a viewer, a bit a seat: one seat, one team, or `*`; ValueError otherwise."""
    if text == OPEN_VIEWER:
        return board.all_alive
    for viewer in (*board.seats, *board.teams):
        if sorted(text) == sorted(viewer):
            return sum(1 << board.seats.index(letter) for letter in viewer)
    raise ValueError(f"{_shown(text)} is neither one seat, nor one team ({' or '.join(board.teams)}), nor *")


def format_viewer(board: Board, viewer: int) -> str:
    return OPEN_VIEWER if viewer == board.all_alive else _seat_letters(board, viewer)


def result_text(board: Board, result: Result) -> str:
    """`ongoing`, `draw`, or the seats of the team that has won."""
    if result in (Result.ONGOING, Result.DRAW):
        return result.name.lower()
    return board.teams[0 if result == Result.TEAM_0 else 1]


def _seat_letters(board: Board, seats: int) -> str:
    return "".join(letter for seat, letter in enumerate(board.seats) if seats >> seat & 1)


def _shown(text: str) -> str:
    """Text of unknown origin in quotes, fit for one line."""
    cut = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return ascii(cut)
