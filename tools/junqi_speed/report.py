"""How a section reports its figures, and how they are printed and read back."""

import platform
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

PRINTED_FIGURE = re.compile(
    r"  (?P<name>.+?) {4,}(?P<value>-?(?:[\d.,]+(?:e[+-]\d+)?|inf|nan)) (?P<unit>.+?)(?:   \(target: .*\))?"
)
"""A line that `Report.figure` prints. At least four spaces precede the number, since it is padded to 14 columns."""


@dataclass(frozen=True)
class Figure:
    """One measured number. `target` is the promised value in words, or empty."""

    name: str
    value: float
    unit: str
    target: str = ""


@dataclass
class Report:
    """Prints figures to `out` and keeps them.

    `signatures` maps a name to a text that identifies a behaviour; two runs with the same behaviour have equal texts.
    """

    out: TextIO | None = None
    figures: list[Figure] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)

    def section(self, name: str) -> None:
        self._print(f"\n{name}")

    def figure(self, name: str, value: float, unit: str, target: str = "") -> None:
        self.figures.append(Figure(name, value, unit, target))
        promised = f"   (target: {target})" if target else ""
        self._print(f"  {name:<58} {value:>14,.4g} {unit}{promised}")

    def signature(self, name: str, text: str) -> None:
        self.signatures[name] = text
        self._print(f"  {name}: {text}")

    def note(self, text: str) -> None:
        self._print(f"  {text}")

    def _print(self, text: str) -> None:
        print(text, file=self.out or sys.stdout, flush=True)


def printed_figures(text: str) -> Iterator[Figure]:
    """The figures in the output of a benchmark run, of this revision or an older one."""
    for line in text.splitlines():
        match = PRINTED_FIGURE.fullmatch(line)
        if match is not None:
            yield Figure(match["name"], float(match["value"].replace(",", "")), match["unit"])


def by_name(figures: Iterable[Figure]) -> dict[str, Figure]:
    """Figures by unique names: a name that begins with spaces belongs to the preceding one, and is put behind it."""
    named: dict[str, Figure] = {}
    parent = ""
    for figure in figures:
        if figure.name.startswith(" "):
            named[f"{parent}: {figure.name.strip()}"] = figure
        else:
            parent = figure.name
            named[parent] = figure
    return named


def best_of(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least wall time in seconds of `repeats` runs of `work`, and the result of the last run."""
    least = float("inf")
    answer = None
    for _ in range(repeats):
        started = time.perf_counter()
        answer = work()
        least = min(least, time.perf_counter() - started)
    return least, answer


def machine() -> str:
    """The processor and the versions of Python and its packages, in one line."""
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
