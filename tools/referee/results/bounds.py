"""The bounds of a scripted regression: what must hold when its games have been played."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.referee.endings import Ending
from tools.referee.exits import RefereeError
from tools.referee.results.standings import Standing, elo_text

KEYS = {"engine", "against", "score-min", "elo-min", "no-endings"}
MOST_ELO = 10_000
"""Of a bound; a score is less by far."""


@dataclass(frozen=True)
class Verdict:
    """Whether a bound holds, and the figure that says so."""

    holds: bool
    text: str


@dataclass(frozen=True)
class Bound:
    """What is asked of `engine` in its games against `against`."""

    engine: str
    against: str
    score_min: float | None = None
    elo_min: float | None = None
    no_endings: tuple[Ending, ...] = ()

    @classmethod
    def parse(cls, table: Mapping[str, Any], names: Sequence[str]) -> "Bound":
        """From a `[[bound]]`; ValueError names what is wrong. `names` are the engines there are."""
        for key in table:
            if key not in KEYS:
                raise ValueError(f"unknown key {key!r}; known are {', '.join(sorted(KEYS))}")
        for key in ("engine", "against"):
            if table.get(key) not in names:
                raise ValueError(f"{key}={table.get(key)!r} is none of the engines {', '.join(names)}")
        if table["engine"] == table["against"]:
            raise ValueError(f"engine and against are both {table['engine']!r}")
        numbers: dict[str, float | None] = {}
        for key in ("score-min", "elo-min"):
            value = table.get(key)
            if value is not None and not (type(value) in (int, float) and -MOST_ELO <= value <= MOST_ELO):
                raise ValueError(f"{key}={value!r} is no number")
            numbers[key] = value
        endings = table.get("no-endings", [])
        known = [ending.value for ending in Ending]
        if not isinstance(endings, list) or any(name not in known for name in endings):
            raise ValueError(f"no-endings={endings!r} must be a list of endings: {', '.join(known)}")
        if all(number is None for number in numbers.values()) and not endings:
            raise ValueError("it bounds nothing; give score_min, elo_min or no_endings")
        return cls(
            table["engine"], table["against"], numbers["score-min"], numbers["elo-min"], tuple(map(Ending, endings))
        )

    def verdicts(self, standing: Standing) -> list[Verdict]:
        """One for each thing that is bounded. `standing` is the pairing's, from `engine`'s side."""
        strength = standing.strength
        who = f"{self.engine} against {self.against}"
        found = []
        if self.score_min is not None:
            score = standing.score
            shown = "no game" if score is None else f"{score:.4f}"
            holds = score is not None and score >= self.score_min
            found.append(Verdict(holds, f"{who}: score {shown}, at least {self.score_min:g}"))
        if self.elo_min is not None:
            low = strength.elo_low
            holds = low is not None and not math.isnan(low) and low >= self.elo_min
            shown = elo_text(low, "no pair")
            found.append(Verdict(holds, f"{who}: lower end of the Elo interval {shown}, at least {self.elo_min:g}"))
        for ending in self.no_endings:
            count = standing.endings.get(ending, 0)
            found.append(Verdict(count == 0, f"{who}: {count} games ended by {ending}, none allowed"))
        return found


def read_bounds(tables: Mapping[str, Any], names: Sequence[str], where: str) -> list[Bound]:
    """The `[[bound]]` tables of a file; a `RefereeError` names the one at fault."""
    entries = tables.get("bound", [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise RefereeError(f"{where}: bound must be a list of tables, [[bound]]")
    if not entries:
        raise RefereeError(f"{where}: no [[bound]], so nothing to find out")
    bounds = []
    for number, table in enumerate(entries, 1):
        try:
            bounds.append(Bound.parse(table, names))
        except ValueError as error:
            raise RefereeError(f"{where}, bound {number}: {error}") from error
    return bounds
