"""Two revisions next to each other: every section in turns, the ratio of each figure.

A machine's speed changes from minute to minute, so figures of different runs say little. Here the two revisions take
turns (A B A B ...), each pair of neighbouring runs gives one ratio, and the median of the ratios is reported with the
lowest and the highest. An older revision is measured by the command that it has, `python -m junqi_speed SECTION`, and
figures are matched by name. The sections `signatures` and `depth` talk to the engine only, and so measure any revision.
"""

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from typing import TextIO

from junqi_protocol.catalogue import CATALOGUE
from junqi_referee.revisions import Checkout
from junqi_speed.engine import measure_player, measure_suite, players, suites
from junqi_speed.report import Figure, Report, by_name, printed_figures

EXPLANATION = "times: a ratio below 1 means that this checkout is faster; speeds: above 1"


@dataclass
class Pairs:
    """One figure of both revisions: the values of each round, this checkout's first."""

    unit: str
    here: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)

    def ratios(self) -> list[float]:
        """Sorted ratios here / there of the rounds; a pair of zeros is 1."""
        pairs = zip(self.here, self.there, strict=True)
        return sorted(1.0 if here == there else here / there if there else float("inf") for here, there in pairs)


@dataclass
class Measured:
    """The figures and signatures of one run of a section, by name."""

    figures: dict[str, Figure]
    signatures: dict[str, str]


def compare(here: Checkout, there: Checkout, sections: Sequence[str], rounds: int, out: TextIO | None = None) -> None:
    """Print the ratios of all figures of the sections. `RevisionError` if one cannot be built or measured."""
    out = out or sys.stdout
    print(f"this checkout ({here.name}) / {there.name}, rounds: {rounds}; {EXPLANATION}", file=out, flush=True)
    variants = [entry.variant for entry in CATALOGUE]
    for checkout in (here, there):
        print(f"compiling {checkout.name}", file=sys.stderr, flush=True)
        checkout.compile(variants)
    for section in sections:
        print(f"\n{section}", file=out, flush=True)
        for piece in _pieces(section):
            runs = []
            for number in range(1, rounds + 1):
                print(f"{section}, round {number} of {rounds}", file=sys.stderr, flush=True)
                runs.append((piece(here), piece(there)))
            for line in summary(runs):
                print(f"  {line}", file=out, flush=True)


def summary(runs: Sequence[tuple[Measured, Measured]]) -> Iterator[str]:
    """The lines of a section: each figure that both revisions have, then the rest, then the signatures."""
    first_here, first_there = runs[0]
    shared = [name for name in first_here.figures if name in first_there.figures]
    for name in shared:
        pairs = Pairs(first_here.figures[name].unit)
        for here, there in runs:
            # A name may depend on a result; only the rounds in which both revisions have it make pairs.
            if name in here.figures and name in there.figures:
                pairs.here.append(here.figures[name].value)
                pairs.there.append(there.figures[name].value)
        ratios = pairs.ratios()
        values = f"{statistics.median(pairs.here):>10,.4g} {statistics.median(pairs.there):>10,.4g} {pairs.unit:<16}"
        spread = f"({ratios[0]:.3f} to {ratios[-1]:.3f})"
        yield f"{name:<58} {values} ratio {statistics.median(ratios):.3f} {spread}"
    for name in first_here.figures:
        if name not in shared:
            yield f"{name}: only in this checkout"
    for name in first_there.figures:
        if name not in shared:
            yield f"{name}: only in the other revision"
    yield from _changed_signatures(first_here.signatures, first_there.signatures)


def _pieces(section: str) -> list[Callable[[Checkout], Measured]]:
    """The parts of a section that take turns: the shorter, the more alike is the machine for both revisions."""
    if section == "signatures":
        return [partial(_part, measure_player, variant, player) for variant, player in players()]
    if section == "depth":
        return [partial(_part, measure_suite, variant, phase) for variant, phase in suites()]
    return [partial(_section, section)]


def _part(
    measure: Callable[[Checkout, str, str, Report], None], variant: str, what: str, checkout: Checkout
) -> Measured:
    report = Report(out=StringIO())
    measure(checkout, variant, what, report)
    return Measured(by_name(report.figures), report.signatures)


def _section(section: str, checkout: Checkout) -> Measured:
    return Measured(by_name(printed_figures(checkout.run("-m", "junqi_speed", section))), {})


def _changed_signatures(here: dict[str, str], there: dict[str, str]) -> Iterator[str]:
    for name, text in here.items():
        if name in there:
            yield f"{name}: {f'equal, {text}' if text == there[name] else f'{text}, was {there[name]}'}"
