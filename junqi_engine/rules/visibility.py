"""The visibility of a game: which pieces a player sees."""

from enum import StrEnum


class Visibility(StrEnum):
    """Which seats a player plays and sees; in a match, an engine process is a player."""

    PARTNER = "partner"
    """One player per team; it sees the pieces of its own seats."""
    DARK = "dark"
    """One player per seat; it sees its own pieces."""
    OPEN = "open"
    """One player per team; it sees all pieces."""
