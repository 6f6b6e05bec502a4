"""Two revisions next to each other: every section in turns, the ratio of each figure.

A machine's speed changes from minute to minute, so figures of different runs say little. Here the two revisions take
turns (A B A B ...), each pair of neighbouring runs gives one ratio, and the median of the ratios is reported with the
lowest and the highest. Each revision is measured by its own sections, and figures are matched by name.
"""

import json
import re
import statistics
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

from junqi_protocol.catalogue import CATALOGUE
from junqi_referee.revisions import Checkout, RevisionError
from junqi_speed import Report, say

EXPLANATION = "times: a ratio below 1 means that this checkout is faster; speeds: above 1"
OLD_FIGURE = re.compile(r"  (?P<name>.+?) {4,}(?P<value>-?[\d.,]+(?:e[+-]\d+)?) (?P<unit>.+?)(?:   \(target: .*\))?")
"""A figure of a revision before there was JSON, in whose folder of tools the sections were named `bench`."""


def compare(here: Checkout, there: Checkout, sections: Sequence[str], rounds: int, out: TextIO | None = None) -> None:
    """Print the ratios of all figures of the sections. `RevisionError` if one cannot be built or measured."""
    out = out or sys.stdout
    print(f"this checkout ({here.name}) / {there.name}, rounds: {rounds}; {EXPLANATION}", file=out, flush=True)
    for checkout in (here, there):
        say(f"compiling {checkout.name}")
        checkout.compile([entry.variant for entry in CATALOGUE])
    for section in sections:
        print(f"\n{section}", file=out, flush=True)
        runs = []
        for number in range(1, rounds + 1):
            say(f"{section}, round {number} of {rounds}")
            runs.append((measured(here, section), measured(there, section)))
        for line in summary(runs):
            print(f"  {line}", file=out, flush=True)


def measured(checkout: Checkout, section: str) -> Report:
    """What a section of a revision reports."""
    if (checkout.folder / "tools" / "bench").is_dir():
        return _printed(checkout.run("-m", "tools.bench", section))
    printed = checkout.run("-m", "junqi_speed", section, "--json")
    try:
        return Report(is_silent=True, **json.loads(printed))
    except (ValueError, TypeError):
        raise RevisionError(f"{checkout.name}: section {section} prints no figures: {printed[:100]!r}") from None


def _printed(text: str) -> Report:
    """The figures in the output of such a revision. A name that begins with spaces is part of the one before it."""
    report, parent = Report(is_silent=True), ""
    for line in text.splitlines():
        name, _, signature = line.strip().partition(", signature: ")
        if match := OLD_FIGURE.fullmatch(line):
            child = match["name"].strip()
            parent = parent if match["name"].startswith(" ") else child
            name = child if parent == child else f"{parent}: {child}"
            report.figure(name, float(match["value"].replace(",", "")), match["unit"])
        elif signature:
            report.signature(f"{name}, signature", signature)
    return report


def summary(runs: Sequence[tuple[Report, Report]]) -> Iterator[str]:
    """The lines of a section: each figure that both revisions have, then the rest, then the signatures."""
    first_here, first_there = runs[0]
    for name, (_, unit) in first_here.figures.items():
        # A name may depend on a result; only the rounds in which both revisions have it make pairs.
        pairs = [(here.figures[name][0], there.figures[name][0]) for here, there in runs
                 if name in here.figures and name in there.figures]  # fmt: skip
        if not pairs:
            yield f"{name}: only in this checkout"
            continue
        ratios = sorted(1.0 if here == there else here / there if there else float("inf") for here, there in pairs)
        here, there = (statistics.median(values) for values in zip(*pairs, strict=True))
        spread = f"({ratios[0]:.3f} to {ratios[-1]:.3f})"
        yield f"{name:<58} {here:>10,.4g} {there:>10,.4g} {unit:<16} ratio {statistics.median(ratios):.3f} {spread}"
    for name in first_there.figures:
        if name not in first_here.figures:
            yield f"{name}: only in the other revision"
    for name, text in first_here.signatures.items():
        if was := first_there.signatures.get(name):
            yield f"{name}: {f'equal, {text}' if text == was else f'{text}, was {was}'}"
