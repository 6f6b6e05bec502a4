"""The options of the rules."""

from dataclasses import dataclass

from junqi_engine.rules.board import Board

MOST_PLIES = 1_000_000
"""The largest limit that is accepted; no game comes near it."""


@dataclass(frozen=True)
class Rules:
    """The limits of a game in plies, 0 = none. ValueError if a limit is not a whole number in its range.

    `no_contact` is the number of plies without a battle that end the game; the side to move then loses if
    `no_contact_loses`, else it is a draw. The game is a draw at ply `max_plies`.
    """

    no_contact: int = 70
    no_contact_loses: bool = False
    max_plies: int = 0

    def __post_init__(self) -> None:
        for name, plies in (("no_contact", self.no_contact), ("max_plies", self.max_plies)):
            if type(plies) is not int or not 0 <= plies <= MOST_PLIES:
                raise ValueError(f"{name}: {plies!r} is not a whole number from 0 to {MOST_PLIES}")
        if not isinstance(self.no_contact_loses, bool):
            raise ValueError(f"no_contact_loses: {self.no_contact_loses!r} is not true or false")

    @classmethod
    def of(cls, board: Board) -> "Rules":
        """The defaults of a variant."""
        return cls() if board.variant == "siguo" else cls(31, True)
