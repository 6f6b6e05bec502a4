"""The puzzles of the day: one of each kind, the same for everybody on a date, from a list that comes with the package.

The list has generated puzzles, all proven. When its end is reached, it begins again.
"""

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

VARIANTS = {
    "klotski": "klotski",
    "cars": "klotski",
    "submarine": "submarine",
    "match3": "match3",
    "tour": "knights-tour",
}
"""By kind, its variant in the protocol. Sliding blocks and the cars of Rush Hour are two kinds."""
LEVELS = ("easy", "medium", "hard", "expert")


@dataclass(frozen=True)
class Daily:
    """A puzzle of the day.

    `position`: as its variant reads it. `best`: the steps of a shortest solution; of match-3 the most points that
    `swaps` swaps can make. `level`: a value of `difficulty.Level`.
    """

    kind: str
    position: str
    best: int
    level: str
    swaps: int = 0

    @property
    def variant(self) -> str:
        return VARIANTS[self.kind]


def daily(day: date) -> list[Daily]:
    return [all_of(kind)[day.toordinal() % len(all_of(kind))] for kind in VARIANTS]


@cache
def all_of(kind: str) -> list[Daily]:
    text = resources.files("junqi_board").joinpath("daily.json").read_text(encoding="utf-8")
    return [Daily(kind, *entry) for entry in json.loads(text)[kind]]
