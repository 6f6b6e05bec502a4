"""Two revisions next to each other: every section in turns, the ratio of each figure; and the record of figures.

A machine's speed changes from minute to minute, so figures of different runs say little. Here the two revisions take
turns (A B A B ...), each pair of neighbouring runs gives one ratio, and the median of the ratios is reported with the
lowest and the highest. An older revision is measured by the command that it has, `python -m tools.bench SECTION`, and
figures are matched by name. The sections `signatures` and `depth` talk to the engine only, and so measure any revision.

The record: `docs/figures.json` has the rows, `docs/figures.md` is the page that shows them. Every section is measured
between two runs of the same reference work, a plain loop in Python, and a row has the ratio to it as well: for a time,
how many times as long; for a speed, how much is done in the time of the reference.
"""

import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import TextIO

from protocol.catalogue import CATALOGUE
from tools.bench.engine import measure_player, measure_suite, players, suites
from tools.bench.report import Figure, Report, best_of, by_name, machine, printed_figures
from tools.revisions.cache import Checkout
from tools.revisions.repository import RevisionError, changed_file, commit_date, find_commit

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
    return Measured(by_name(printed_figures(checkout.run("-m", "tools.bench", section))), {})


def _changed_signatures(here: dict[str, str], there: dict[str, str]) -> Iterator[str]:
    for name, text in here.items():
        if name in there:
            yield f"{name}: {f'equal, {text}' if text == there[name] else f'{text}, was {there[name]}'}"


DATA, PAGE = "docs/figures.json", "docs/figures.md"
REFERENCE_STEPS = 1_000_000
REFERENCE_REPEATS = 5
HASH_DIGITS = 12
SECONDS = {"s": 1.0, "ms": 1e-3}
MULTIPLES = {"": 1.0, "million": 1e6}
SPEED = re.compile(r"(million)? ?([a-z]*)/s")
RATIOS = ("x", "times")
HEADER = f"""\
# Figures by revision

`python -m tools.bench SECTION ... --record` measures sections at the commit that is checked out, replaces the rows of
this commit, machine and section in `{DATA}`, and writes this page from it. The tree must have no other changes.

The column *ratio* is the figure beside a reference that is measured just before and after the section: a loop of a
million additions in Python. For a time, it is how many times as long; for a speed, how many are done in the time of
the reference. A figure that is a ratio itself is repeated there. Compare ratios, not figures, of different rows.
"""


@dataclass(frozen=True)
class Row:
    """One figure of a section at a commit and its day. `reference_s`: the time of the reference work beside it."""

    commit: str
    date: str
    machine: str
    section: str
    name: str
    value: float
    unit: str
    reference_s: float

    @property
    def ratio(self) -> float | None:
        """The figure beside the reference; None if it is neither a time nor a speed nor a ratio."""
        if self.unit in RATIOS:
            return self.value
        if self.unit in SECONDS:
            return self.value * SECONDS[self.unit] / self.reference_s
        speed = SPEED.fullmatch(self.unit)
        return self.value * MULTIPLES[speed[1] or ""] * self.reference_s if speed else None

    @property
    def place(self) -> tuple[str, str, str]:
        """What a new measurement replaces."""
        return self.commit, self.machine, self.section


def reference_work() -> int:
    """The work that every section is compared with."""
    total = 0
    for number in range(REFERENCE_STEPS):
        total += number
    return total


def record(sections: Sequence[str], measure: Callable[[str, Report], None], root: Path) -> None:
    """Measure the sections at the commit of the checkout `root`, and write the record.

    `measure` runs a section. `RevisionError` if the tree has changes, or if the record cannot be read.
    """
    changed = changed_file(root, ignoring=(DATA, PAGE))
    if changed:
        raise RevisionError(f"--record needs a tree without changes: {changed} differs from the last commit")
    rows = read(root)
    commit = find_commit("HEAD", root).commit
    date = commit_date(commit, root)
    for section in sections:
        before, _ = best_of(REFERENCE_REPEATS, reference_work)
        report = Report()
        measure(section, report)
        after, _ = best_of(REFERENCE_REPEATS, reference_work)
        new = [
            Row(commit[:HASH_DIGITS], date, machine(), section, name, figure.value, figure.unit, min(before, after))
            for name, figure in by_name(report.figures).items()
        ]
        rows = [row for row in rows if row.place not in {other.place for other in new}] + new
        write(root, rows)


def read(root: Path) -> list[Row]:
    """The rows of the record, an empty list if there is no file yet; `RevisionError` if it cannot be read."""
    try:
        return [Row(**fields) for fields in json.loads((root / DATA).read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise RevisionError(f"{DATA} cannot be read: {str(error).splitlines()[0]}") from None


def write(root: Path, rows: Iterable[Row]) -> None:
    """Write rows to the record, and the page."""
    rows = sorted(rows, key=lambda row: (row.section, row.date, row.commit, row.machine))
    (root / DATA).write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    (root / PAGE).write_text(page(rows), encoding="utf-8")


def page(rows: Iterable[Row]) -> str:
    """The page of rows in their order: a table for each section, the revisions below each other."""
    text = HEADER
    for section, of_section in groupby(rows, key=lambda row: row.section):
        text += f"\n## {section}\n"
        for (commit, date, where), group in groupby(of_section, key=lambda row: (row.commit, row.date, row.machine)):
            text += f"\n`{commit}` of {date}; {where}\n\n| figure | value | unit | ratio |\n|---|---|---|---|\n"
            for row in group:
                ratio = "" if row.ratio is None else f"{row.ratio:,.4g}"
                text += f"| {row.name} | {row.value:,.4g} | {row.unit} | {ratio} |\n"
    return text
