"""The options of the rules, and what of them an engine is told."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral

from junqi_engine.errors import Refused
from junqi_engine.rules.board import BOARDS, Board

OWN = -1
"""For `Rules.no_contact`: the limit of the variant."""
MAX_PLIES = 1_000_000
"""The largest limit that is accepted; no game comes near it."""
NO_CONTACT = {"siguo": 71, "luzhanqi": 31}
"""The limit by variant."""
RULE_OPTIONS = {"NoContactLimit": "-1", "MaxPlies": "0"}
"""The options of the protocol that set the rules, with their values for the variant's own."""
VERSION = 2
"""The version of the rules. Games of version 1 had no elimination of immobile seats, and a default limit of 70."""
VERSIONS = (1, 2)


@dataclass(frozen=True)
class Rules:
    """The limits of a game in plies, 0 = none, and the version of the rules. Refused if a value is out of range.

    `no_contact` is the number of plies without a battle that end the game; the side to move then loses if
    `no_contact_loses`, else it is a draw. -1 and None, and what is not given, mean the variant's: 71 and a draw in
    siguo, 31 and a loss in luzhanqi. The game is a draw at ply `max_plies`.

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
        """The rules of a game on a board, none of them open: what is not given is the variant's."""
        rules = given or cls()
        loses = board.variant == "luzhanqi" if rules.no_contact_loses is None else rules.no_contact_loses
        limit = NO_CONTACT[board.variant] if rules.no_contact == OWN else rules.no_contact
        return replace(rules, no_contact=limit, no_contact_loses=loses)

    @classmethod
    def of_options(cls, board: Board, options: Mapping[str, int | bool | str]) -> "Rules":
        """The rules of a game on a board by the values of `RULE_OPTIONS`."""
        return cls.of(board, cls(int(options["NoContactLimit"]), max_plies=int(options["MaxPlies"])))

    def as_options(self) -> dict[str, str]:
        """The values of `RULE_OPTIONS`; nothing may be left to the variant."""
        return {"NoContactLimit": str(self.no_contact), "MaxPlies": str(self.max_plies)}


def match_options(variant: str, rules: Rules) -> dict[str, str]:
    """The options of every engine in a match: the variant, and the rules that differ from the variant's own."""
    own, told = (Rules.of(BOARDS[variant], each).as_options() for each in (None, rules))
    return {"UCI_Variant": variant} | {name: value for name, value in told.items() if value != own[name]}


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
