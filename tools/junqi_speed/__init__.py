"""Speeds of everything, measured by `python -m junqi_speed [SECTION ...]`.

A section is a function `measure_SECTION(report)`. It reports figures and ratios, never a verdict. `against` compares
with another git revision; `instant_engine` is an engine that costs nothing.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SECTIONS = {
    "junqi": ("junqi", "perft, random play-outs"),
    "start": ("start", "the first readyok and the first `go` of each variant, with an empty cache and with a full one"),
    "search": ("engine", "the newest player: positions a second, lateness at a fixed time per move, answer to `stop`"),
    "worlds": ("junqi", "worlds drawn per second, belief"),
    "klotski": ("puzzles", "sliding blocks: time to solve, time and memory per state"),
    "submarine": ("puzzles", "Submarine Adventure: slowest level"),
    "match3": ("puzzles", "match-3: best of 5, 7 and 9 swaps"),
    "knights_tour": ("puzzles", "knight's tours: 8 x 8, 10,000 x 10,000 next to numpy's fill"),
    "referee": ("engine", "the referee's own plies per second"),
}
"""By section, in the order in which they run: its module, and what it measures."""


@dataclass
class Report:
    """Figures by name, each with its value and its unit. Unless it `is_silent`, everything is printed as it comes;
    `target` is the promised value in words.
    """

    is_silent: bool = False
    figures: dict[str, tuple[float, str]] = field(default_factory=dict)

    def figure(self, name: str, value: float, unit: str, target: str = "") -> None:
        self.figures[name] = float(value), unit
        self.note(f"{name:<66} {value:>12,.4g} {unit}" + (f"   (target: {target})" if target else ""))

    def note(self, text: str) -> None:
        if not self.is_silent:
            print(f"  {text}", flush=True)


def best_of(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least wall time in seconds of `repeats` runs of `work`, and the result of the last run."""
    least, answer = float("inf"), None
    for _ in range(repeats):
        started = time.perf_counter()
        answer = work()
        least = min(least, time.perf_counter() - started)
    return least, answer
