"""What determines the games of a run. Games with the same settings, seed included, and the same number are the same.

The players are a mixture, which is text, such as `4.4@4000:12,4.4@1000:2,1.2`: versions, after `@` the limit of nodes
of a version that searches, after `:` the weight, 1 by default. `quick@500` stands alone: whole games in one kernel.
"""

import random
import re
from dataclasses import dataclass, replace
from functools import cache

from junqi_engine.players.events import PRIORITIES
from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from junqi_referee.revisions import ROOT, RevisionError, working_tree

MOST_NODES = 10**9
LONGEST_VERSION = 8
QUICK = "quick"
"""The version of the players of `quick`, which are in no registry: they play against each other only."""
_VERSION = re.compile(r"[0-9]+\.[0-9]+|quick")
_ENTRY = re.compile(r"([^@:]+)(?:@([0-9]{1,10}))?(?::([0-9]{1,6}))?")


@dataclass(frozen=True)
class Player:
    """A version and its limit of nodes a move; 0 nodes for a version that does not search. ValueError if it is none."""

    version: str
    nodes: int = 0

    def __post_init__(self) -> None:
        if not _VERSION.fullmatch(self.version) or len(self.version) > LONGEST_VERSION:
            raise ValueError(f"{self.version[:20]!r} is not a version")
        if not 0 <= self.nodes <= MOST_NODES:
            raise ValueError(f"{self.nodes} nodes are not from 0 to {MOST_NODES}")

    def __str__(self) -> str:
        return f"{self.version}@{self.nodes}" if self.nodes else self.version


@dataclass(frozen=True)
class Mixture:
    """Players and their weights, at least one; each player once."""

    weights: tuple[tuple[Player, int], ...]

    @classmethod
    def parse(cls, text: str) -> "Mixture":
        """ValueError if an entry is malformed, or names a player that this program does not have."""
        weights: dict[Player, int] = {}
        for entry in text.split(","):
            player, weight = _parse_entry(entry)
            if player in weights:
                raise ValueError(f"{player} appears twice")
            weights[player] = weight
        if len(weights) > 1 and any(player.version == QUICK for player in weights):
            raise ValueError(f"{QUICK} plays only against itself; expected one entry, such as {QUICK}@500")
        return cls(tuple(weights.items()))

    @classmethod
    def around(cls, nodes: int) -> "Mixture":
        """The default: mostly the newest player at `nodes`, some weaker and stronger ones, seldom player 1.2."""
        quarter, half = max(1, nodes // 4), max(1, nodes // 2)
        shares = {nodes: 12, half: 2, quarter: 2, 2 * nodes: 1} if nodes >= 4 else {nodes: 17}
        return cls.parse(",".join([*(f"{NEWEST}@{limit}:{share}" for limit, share in shares.items()), "1.2:1"]))

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(player for player, _ in self.weights)

    @property
    def is_quick(self) -> bool:
        """Whether the players are those of `quick`."""
        return self.weights[0][0].version == QUICK

    def draw(self, rng: random.Random) -> Player:
        return rng.choices(self.players, [weight for _, weight in self.weights])[0]

    def __str__(self) -> str:
        return ",".join(f"{player}:{weight}" for player, weight in self.weights)


def _parse_entry(entry: str) -> tuple[Player, int]:
    found = _ENTRY.fullmatch(entry)
    if found is None:
        raise ValueError(f"{entry[:40]!r} is not a player, such as 4.4@4000:3 or 1.2")
    player, weight = Player(found[1], int(found[2] or 0)), int(found[3] or 1)
    if player.version not in (QUICK, *VERSIONS):
        raise ValueError(f"{player.version} is not one of {', '.join((QUICK, *VERSIONS))}")
    is_search = player.version not in PRIORITIES
    if is_search != bool(player.nodes):
        raise ValueError(f"{player.version} needs a limit of nodes" if is_search else f"{player.version} has no nodes")
    if not weight:
        raise ValueError(f"{entry[:40]!r}: the weight must be at least 1")
    return player, weight


MOST_PLIES = 65_535
"""The largest limit of plies; shards count plies with two bytes."""
MOST_SEED = (1 << 63) - 1
MOST_SHARD = 10_000


@dataclass(frozen=True)
class SelfPlaySettings:
    """ValueError if a value is out of range.

    The first `random_plies` plies are random. After them, a searched move is drawn with probability `near_best` from
    the `near_lines` best moves that are at most `near_margin` (in hundredths of a Lieutenant) behind the best. Unless
    `is_adjudicated`, games are played out even if there is no doubt about them. `shard` is the number of games a file.
    """

    variant: str
    mixture: str
    seed: int = 1
    random_plies: int = 8
    near_best: float = 0.1
    near_lines: int = 4
    near_margin: int = 100
    max_plies: int = 1000
    is_adjudicated: bool = True
    shard: int = 50

    def __post_init__(self) -> None:
        if self.variant not in BOARDS:
            raise ValueError(f"variant: {self.variant!r} is not one of {', '.join(BOARDS)}")
        try:
            Mixture.parse(self.mixture)
        except ValueError as error:
            raise ValueError(f"mixture: {error}") from None
        limits = {
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
