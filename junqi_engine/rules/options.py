"""The options of the rules."""

from dataclasses import dataclass

from junqi_engine.errors import JunqiError
from junqi_engine.rules.board import Board

MOST_PLIES = 1_000_000
"""The largest limit that is accepted; no game comes near it."""
NO_CONTACT = {"siguo": 71, "luzhanqi": 31}
"""The default of `Rules.no_contact` by variant."""
VERSION = 2
"""The version of the rules. Games of version 1 had no elimination of immobile seats, and a default limit of 70."""
VERSIONS = (1, 2)


@dataclass(frozen=True)
class Rules:
    """The limits of a game in plies, 0 = none, and the version of the rules. JunqiError if a value is out of range.

    `no_contact` is the number of plies without a battle that end the game; the side to move then loses if
    `no_contact_loses`, else it is a draw. The game is a draw at ply `max_plies`.

    >>> from junqi_engine import Game, Rules
    >>> Game("luzhanqi", rules=Rules(no_contact=31, max_plies=200)).rules.max_plies
    200
    """

    no_contact: int = NO_CONTACT["siguo"]
    no_contact_loses: bool = False
    max_plies: int = 0
    version: int = VERSION

    def __post_init__(self) -> None:
        for name, plies in (("no_contact", self.no_contact), ("max_plies", self.max_plies)):
            if type(plies) is not int or not 0 <= plies <= MOST_PLIES:
                raise JunqiError("bad-number", f"{name}: {plies!r} is not a whole number from 0 to {MOST_PLIES}")
        if not isinstance(self.no_contact_loses, bool):
            raise JunqiError("bad-argument", f"no_contact_loses: {self.no_contact_loses!r} is not true or false")
        if type(self.version) is not int or self.version not in VERSIONS:
            raise JunqiError("bad-argument", f"version: {self.version!r} is not one of {', '.join(map(str, VERSIONS))}")

    @classmethod
    def of(cls, board: Board) -> "Rules":
        """The defaults of a variant."""
        return cls(NO_CONTACT[board.variant], no_contact_loses=board.variant == "luzhanqi")

    def eliminates_immobile(self, board: Board) -> bool:
        """Whether a seat none of whose pieces can ever move again is eliminated at once."""
        return self.version >= 2 and board.variant == "siguo"
