"""What a soak counts and measures, and the summary that docs/testing.md shows."""

import os
import platform
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

WARM_UP = 0.2
"""The share of the memory samples that belong to the warm-up."""


class SoakError(Exception):
    """The soak found a fault; the text describes it."""


@dataclass
class Findings:
    """Counts of a run so far. `memory_mb` holds samples of the engine's resident memory in MB."""

    games: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    orders: int = 0
    answers: int = 0
    latest_ms: float = 0.0
    memory_mb: list[float] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """The maximum of memory after the warm-up, relative to the maximum during it, minus 1."""
        warm = max(2, int(WARM_UP * len(self.memory_mb)))
        after = self.memory_mb[warm:]
        return max(after) / max(self.memory_mb[:warm]) - 1 if after else 0.0

    def summary(self, seconds: float) -> Iterator[str]:
        yield f"machine        {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        yield f"time           {seconds:.0f} s"
        yield f"games          {self.games}, {self.plies} plies, bounds checks on"
        yield f"endings        {', '.join(f'{name} {count}' for name, count in sorted(self.endings.items()))}"
        yield f"orders         {self.orders}, {self.answers} of them go, each answered once"
        yield f"latest answer  {self.latest_ms:.0f} ms after stop or the end of its time"
        if self.memory_mb:
            yield f"memory         {self.memory_mb[-1]:.1f} MB at the end, {100 * self.growth:+.1f}% after the warm-up"
        yield "processes      none remains"
