"""Speeds of everything, measured by `python -m junqi_speed [SECTION ...]`.

A section is a function `measure_SECTION(report)`. It reports figures and ratios, never a verdict. `against` compares
with another git revision; `instant_engine` is an engine that costs nothing.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

SECTIONS = {
    "junqi": ("junqi", "perft, random play-outs, one choice of each simple player"),
    "start": ("start", "the first search, first and later readyok of each variant, where the time goes, compiling"),
    "signatures": ("engine", "the protocol's `bench` command: speed and signature of every player in both variants"),
    "search": (
        "engine",
        "the newest player: positions a second, lateness at a fixed time per move, answer to `stop`",
    ),
    "depth": ("engine", "the newest player: time to depth 6 in 60 positions of each Junqi variant"),
    "worlds": ("junqi", "worlds drawn per second, deduction per ply"),
    "env": ("junqi", "1,024 games at once, with and without observations, beside random play-outs"),
    "klotski": ("puzzles", "sliding blocks: time to solve, time and memory per state"),
    "submarine": ("puzzles", "Submarine Adventure: slowest level, all set-ups of the box"),
    "match3": ("puzzles", "match-3: best of 5, 7 and 9 swaps, speed of plain backtracking"),
    "knights_tour": ("puzzles", "knight's tours: 8 x 8, 10,000 x 10,000 next to numpy's fill"),
    "generate": ("puzzles", "new puzzles an hour by kind and level"),
    "referee": ("engine", "the referee's own plies per second"),
    "board": ("engine", "the web board: from the command to the first move"),
}
"""By section, in the order in which they run: its module, and what it measures."""


@dataclass
class Report:
    """Figures by name, each with its value and its unit; signatures by name, which are equal for equal behaviour.

    Unless it `is_silent`, everything is printed as it comes; `target` is the promised value in words.
    """

    is_silent: bool = False
    figures: dict[str, tuple[float, str]] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)

    def figure(self, name: str, value: float, unit: str, target: str = "") -> None:
        self.figures[name] = float(value), unit
        self.note(f"{name:<66} {value:>12,.4g} {unit}" + (f"   (target: {target})" if target else ""))

    def signature(self, name: str, text: str) -> None:
        self.signatures[name] = text
        self.note(f"{name}: {text}")

    def note(self, text: str) -> None:
        if not self.is_silent:
            print(f"  {text}", flush=True)

    def as_table(self) -> dict[str, Any]:
        """For JSON."""
        return {name: value for name, value in asdict(self).items() if name != "is_silent"}


def best_of(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least wall time in seconds of `repeats` runs of `work`, and the result of the last run."""
    least, answer = float("inf"), None
    for _ in range(repeats):
        started = time.perf_counter()
        answer = work()
        least = min(least, time.perf_counter() - started)
    return least, answer


def say(text: str) -> None:
    """Tell how far a comparison is."""
    print(text, file=sys.stderr, flush=True)
