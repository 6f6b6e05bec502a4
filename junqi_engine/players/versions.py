"""The names of the versions, and the scale of `UCI_Elo`: the Elo of the levels of `Skill Level`, as measured.

The zero of a scale is arbitrary: player 1.2 has `ANCHOR_ELO`. `elo.json` has the levels that were measured, by variant,
with half the width of their 95% intervals; `python -m junqi_training.elo` makes it. This module imports
nothing heavy, so that `uci` can be answered at once.
"""

import json
from bisect import bisect_right
from functools import cache
from itertools import pairwise
from pathlib import Path

VERSIONS = ("1.0", "1.1", "1.2", "2.0", "4.4")
"""Oldest first."""
NEWEST = VERSIONS[-1]

ANCHOR = "1.2"
"""The player whose Elo is fixed."""
ANCHOR_ELO = 1000
ELO_FILE = Path(__file__).with_name("elo.json")


@cache
def scales() -> dict[str, tuple[tuple[int, int], ...]]:
    """By variant the measured levels and their Elo, ascending in both."""
    table = json.loads(ELO_FILE.read_text(encoding="utf-8"))
    found = {variant: tuple((row["level"], row["elo"]) for row in scale["levels"]) for variant, scale in table.items()}
    for variant, rows in found.items():
        if any(lower[0] >= upper[0] or lower[1] >= upper[1] for lower, upper in pairwise(rows)):
            raise ValueError(f"{ELO_FILE}: {variant}: a higher level must have a higher Elo")
    return found


def elo_range() -> tuple[int, int]:
    """The lowest and the highest Elo of all variants."""
    elos = [elo for rows in scales().values() for _, elo in rows]
    return min(elos), max(elos)


def level_of(variant: str, elo: float) -> float:
    """The level with an Elo, between those that were measured by linear interpolation.

    An Elo beyond the weakest or the strongest measured level gives that level.
    """
    rows = scales()[variant]
    place = bisect_right([row[1] for row in rows], elo)
    if place == 0:
        return float(rows[0][0])
    if place == len(rows):
        return float(rows[-1][0])
    (lower, from_elo), (upper, to_elo) = rows[place - 1], rows[place]
    return lower + (upper - lower) * (elo - from_elo) / (to_elo - from_elo)
