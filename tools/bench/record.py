"""The record of figures by revision: `docs/figures.json` has the rows, `docs/figures.md` is the page that shows them.

A machine's speed changes from minute to minute, and machines differ. So every section is measured between two runs of
the same reference work, a plain loop in Python, and a row has the ratio to it as well: for a time, how many times as
long; for a speed, how much is done in the time of the reference.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

from tools.bench.against import by_name
from tools.bench.report import Report, best_of, machine
from tools.revisions.repository import RevisionError, changed_file, commit_date, find_commit

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
