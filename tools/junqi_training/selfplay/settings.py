"""Settings of a run. Games with equal settings, including the seed, and equal numbers are identical."""

from dataclasses import dataclass, replace
from functools import cache

from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from junqi_referee.revisions import ROOT, RevisionError, working_tree

MOST_NODES = 10**9
MOST_PLIES = 65_535
"""The largest limit of plies; shards count plies with two bytes."""
MOST_SEED = (1 << 63) - 1
MOST_SHARD = 10_000


@dataclass(frozen=True)
class SelfPlaySettings:
    """ValueError if a value is out of range.

    Quick players have `nodes` a move. The first `random_plies` plies are random. After them, a move is drawn with
    probability `near_best` from the `near_lines` best moves that are at most `near_margin` (in hundredths of a
    Lieutenant) behind the best. `shard` is the number of games a file.
    """

    variant: str
    nodes: int
    seed: int = 1
    random_plies: int = 8
    near_best: float = 0.1
    near_lines: int = 4
    near_margin: int = 100
    max_plies: int = 1000
    shard: int = 50

    def __post_init__(self) -> None:
        if self.variant not in BOARDS:
            raise ValueError(f"variant: {self.variant!r} is not one of {', '.join(BOARDS)}")
        limits = {
            "nodes": (1, MOST_NODES),
            "seed": (0, MOST_SEED),
            "random_plies": (0, MOST_PLIES),
            "near_lines": (1, 100),
            "near_margin": (0, 100_000),
            "max_plies": (1, MOST_PLIES),
            "shard": (1, MOST_SHARD),
        }
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"{name}: {value!r} is not a whole number from {least} to {most}")
        if not 0 <= self.near_best <= 1:
            raise ValueError(f"near_best: {self.near_best!r} is not from 0 to 1")

    @property
    def board(self) -> Board:
        return BOARDS[self.variant]

    @property
    def rules(self) -> Rules:
        return replace(Rules.of(self.board), max_plies=self.max_plies)


UNKNOWN = "unknown"


@cache
def own_revision() -> str:
    """The full hash of the commit, with `+` and a hash if files differ from it; `unknown` outside a repository."""
    try:
        return str(working_tree(ROOT)[0])
    except RevisionError:
        return UNKNOWN
