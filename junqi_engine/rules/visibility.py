"""The visibility of a game: which pieces a player sees."""

from enum import StrEnum

from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import seats_of_team, team_of


class Visibility(StrEnum):
    """Which seats a player plays and sees; in a match, an engine process is a player."""

    PARTNER = "partner"
    """One player per team; it sees the pieces of its own seats."""
    DARK = "dark"
    """One player per seat; it sees its own pieces."""
    OPEN = "open"
    """One player per team; it sees all pieces."""


def viewer_seats(board: Board, visibility: str, seat: int) -> int:
    """The set of seats whose pieces a seat sees."""
    if visibility == Visibility.OPEN:
        return board.all_alive
    return 1 << seat if visibility == Visibility.DARK else seats_of_team(team_of(seat)) & board.all_alive
