"""How a section hands over its figures, and how they are printed."""

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Report:
    """Collects and prints figures. `against` is the command of a program to measure on the same work, or None."""

    against: str | None = None
    rows: list[tuple[str, str, float, str, str]] = field(default_factory=list)
    _section: str = ""

    def section(self, name: str) -> None:
        self._section = name
        print(f"\n{name}", flush=True)

    def figure(self, name: str, value: float, unit: str, target: str = "") -> None:
        """One measured figure; `target` is what was promised for it, in words."""
        beside = f"   (target: {target})" if target else ""
        print(f"  {name:<58} {value:>14,.4g} {unit}{beside}", flush=True)
        self.rows.append((self._section, name, value, unit, target))

    def note(self, text: str) -> None:
        print(f"  {text}", flush=True)


def best_of(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least wall time in seconds of `repeats` runs of `work`, and what the last one returned."""
    least = float("inf")
    answer = None
    for _ in range(repeats):
        started = time.perf_counter()
        answer = work()
        least = min(least, time.perf_counter() - started)
    return least, answer


def machine() -> str:
    """The machine and the versions that the figures belong to, in one line."""
    import llvmlite
    import numba
    import numpy

    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as info:
            name = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    versions = f"numpy {numpy.__version__}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    return f"{name}; {platform.system()}; Python {platform.python_version()}, {versions}"
