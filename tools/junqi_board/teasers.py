"""The brain teasers of the day: one of each kind, the same for everybody on a date, from a packaged list.

Its puzzles were generated, and all are proven. When its end is reached, it begins again.
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


@dataclass(frozen=True)
class Teaser:
    """A puzzle as the board offers it.

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


def teasers_of(day: date) -> list[Teaser]:
    return [teasers_of_kind(kind)[day.toordinal() % len(teasers_of_kind(kind))] for kind in VARIANTS]


@cache
def teasers_of_kind(kind: str) -> list[Teaser]:
    text = resources.files("junqi_board").joinpath("teasers_of_day.json").read_text(encoding="utf-8")
    return [Teaser(kind, *entry) for entry in json.loads(text)[kind]]
