"""Seats, viewers and results as text."""

from junqi_engine.notation.quoting import quoted
from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import contains
from junqi_engine.rules.position import Result, winner_of

OPEN_VIEWER = "*"
NO_VIEWER = "-"
"""A spectator, who sees no hidden piece of any seat."""


def seat_letters(board: Board, seats: int) -> str:
    """The letters of a set of seats, in turn order."""
    return "".join(letter for seat, letter in enumerate(board.seats) if contains(seats, seat))


def parse_viewer(board: Board, text: str) -> int:
    """The set of seats of a viewer: one seat, one team, or `*` for all. ValueError otherwise."""
    if text == OPEN_VIEWER:
        return board.all_alive
    for viewer in (*board.seats, *board.teams):
        if sorted(text) == sorted(viewer):
            return sum(1 << board.seats.index(letter) for letter in viewer)
    raise ValueError(f"{quoted(text)} is not one seat, one team ({' or '.join(board.teams)}) or *")


def format_viewer(board: Board, viewer: int) -> str:
    return OPEN_VIEWER if viewer == board.all_alive else seat_letters(board, viewer)


def result_text(board: Board, result: Result) -> str:
    """`ongoing`, `draw`, or the seats of the team that won."""
    team = winner_of(result)
    return result.name.lower() if team is None else board.teams[team]
