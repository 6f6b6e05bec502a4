"""The limits of a game, and the engine options that set them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral

from junqi_engine.errors import Refused
from junqi_engine.rules.board import BOARDS, Board

OWN = -1
"""The value of `Rules.no_contact` that stands for the variant's limit."""
MAX_PLIES = 1_000_000
"""Upper bound of both limits; no game comes near it."""
NO_CONTACT = {"siguo": 71, "luzhanqi": 31}
"""The no-contact limit by variant."""
RULE_OPTIONS = {"NoContactLimit": "-1", "MaxPlies": "0"}
"""The options of the protocol that set the rules, with the values that stand for the variant's own."""
VERSION = 2
"""The version of the rules. Games of version 1 had no elimination of immobile seats, and a default limit of 70."""
VERSIONS = (1, 2)


@dataclass(frozen=True)
class Rules:
    """The limits of a game in plies, 0 for no limit, and the version of the rules. `Refused` for a value out of range.

    After `no_contact` plies without a battle the game ends: the side to move loses if `no_contact_loses`, else it is a
    draw. The defaults -1 and None stand for the variant's values: 71 and a draw in siguo, 31 and a loss in luzhanqi.
    At ply `max_plies` the game is a draw.

    >>> from junqi_engine import Game, Rules
    >>> Game("luzhanqi", rules=Rules(max_plies=200)).rules
    Rules(no_contact=31, no_contact_loses=True, max_plies=200, version=2)
    """

    no_contact: int = OWN
    no_contact_loses: bool | None = None
    max_plies: int = 0
    version: int = VERSION

    def __post_init__(self) -> None:
        for name, plies, least in (("no_contact", self.no_contact, OWN), ("max_plies", self.max_plies, 0)):
            if not _is_whole(plies) or not least <= plies <= MAX_PLIES:
                raise Refused("bad-number", f"{name}: {plies!r} is not a whole number from {least} to {MAX_PLIES}")
            object.__setattr__(self, name, int(plies))
        if not isinstance(self.no_contact_loses, bool | None):
            text = f"no_contact_loses: {self.no_contact_loses!r} is not true or false"
            raise Refused("bad-argument", text)
        if not _is_whole(self.version) or self.version not in VERSIONS:
            raise Refused("bad-argument", f"version: {self.version!r} is not one of {', '.join(map(str, VERSIONS))}")
        object.__setattr__(self, "version", int(self.version))

    @classmethod
    def of(cls, board: Board, given: "Rules | None" = None) -> "Rules":
        """Complete rules for a board: open values become the variant's defaults."""
        rules = given or cls()
        loses = board.variant == "luzhanqi" if rules.no_contact_loses is None else rules.no_contact_loses
        limit = NO_CONTACT[board.variant] if rules.no_contact == OWN else rules.no_contact
        return replace(rules, no_contact=limit, no_contact_loses=loses)

    @classmethod
    def of_options(cls, board: Board, options: Mapping[str, int | bool | str]) -> "Rules":
        """Complete rules for a board, from the values of `RULE_OPTIONS`."""
        return cls.of(board, cls(int(options["NoContactLimit"]), max_plies=int(options["MaxPlies"])))

    def as_options(self) -> dict[str, str]:
        """The values of `RULE_OPTIONS`, for complete rules."""
        return {"NoContactLimit": str(self.no_contact), "MaxPlies": str(self.max_plies)}


def match_options(variant: str, rules: Rules) -> dict[str, str]:
    """The options that a match sets in every engine: the variant, and the rules that differ from its defaults."""
    own, told = (Rules.of(BOARDS[variant], each).as_options() for each in (None, rules))
    return {"UCI_Variant": variant} | {name: value for name, value in told.items() if value != own[name]}


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
