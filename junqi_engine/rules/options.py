"""TODO."""

from dataclasses import dataclass

from junqi_engine.rules.board import Board

MOST_PLIES = 1_000_000
"""A limit beyond it is none: no game comes near."""


@dataclass(frozen=True)
class Rules:
    """The options of the rules. Limits are in plies, 0 = none; ValueError for what is no such number."""

    no_contact: int = 70
    no_contact_loses: bool = False
    max_plies: int = 0

    def __post_init__(self) -> None:
        for name, plies in (("no_contact", self.no_contact), ("max_plies", self.max_plies)):
            if type(plies) is not int or not 0 <= plies <= MOST_PLIES:
                raise ValueError(f"{name}={plies!r} is no whole number from 0 to {MOST_PLIES}")
        if not isinstance(self.no_contact_loses, bool):
            raise ValueError(f"no_contact_loses={self.no_contact_loses!r} is neither true nor false")

    @classmethod
    def of(cls, board: Board) -> "Rules":
        """The variant's own."""
        return cls() if board.variant == "siguo" else cls(31, True)
