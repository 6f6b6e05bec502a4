"""Two revisions next to each other: every section in turns, the ratio of each figure.

A machine's speed changes from minute to minute, so figures of different runs say little. Here the two revisions take
turns (A B A B ...), each pair of neighbouring runs gives one ratio, and the median of the ratios is reported with the
lowest and the highest. Each revision is measured by its own sections, and figures are matched by name.
"""

import json
import statistics
from collections.abc import Iterator, Sequence

from junqi_protocol.catalogue import CATALOGUE
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.revisions import ROOT, Checkout, RevisionError, build, find_commit, this_checkout

Figures = dict[str, tuple[float, str]]
"""The value and the unit of each."""
EXPLANATION = "times: a ratio below 1 means that this checkout is faster; speeds: above 1"


def compare(revision: str, sections: Sequence[str], rounds: int) -> int:
    """Print the ratios of all figures of the sections; `RefereeError` if a revision cannot be built or measured."""
    try:
        here, there = this_checkout(), build(find_commit(revision, ROOT), root=ROOT)
        print(f"this checkout ({here.name}) / {there.name}, rounds: {rounds}; {EXPLANATION}", flush=True)
        for checkout in (here, there):
            checkout.compile([entry.variant for entry in CATALOGUE])
        for section in sections:
            print(f"\n{section}", flush=True)
            runs = [(measured(here, section), measured(there, section)) for _ in range(rounds)]
            for line in summary(runs):
                print(f"  {line}", flush=True)
    except RevisionError as error:
        raise RefereeError(str(error), ExitCode.NO_START) from None
    return 0


def measured(checkout: Checkout, section: str) -> Figures:
    """What a section of a revision reports."""
    printed = checkout.run("-m", "junqi_speed", section, "--json")
    try:
        return dict(json.loads(printed)["figures"])
    except (ValueError, TypeError, KeyError):
        raise RevisionError(f"{checkout.name}: section {section} prints no figures: {printed[:100]!r}") from None


def summary(runs: Sequence[tuple[Figures, Figures]]) -> Iterator[str]:
    """The lines of a section: each figure that both revisions have, then the rest."""
    first_here, first_there = runs[0]
    for name, (_, unit) in first_here.items():
        # A name may depend on a result; only the rounds in which both revisions have it make pairs.
        pairs = [(here[name][0], there[name][0]) for here, there in runs if name in here and name in there]
        if not pairs:
            yield f"{name}: only in this checkout"
            continue
        ratios = sorted(1.0 if here == there else here / there if there else float("inf") for here, there in pairs)
        here, there = (statistics.median(values) for values in zip(*pairs, strict=True))
        spread = f"({ratios[0]:.3f} to {ratios[-1]:.3f})"
        yield f"{name:<58} {here:>10,.4g} {there:>10,.4g} {unit:<16} ratio {statistics.median(ratios):.3f} {spread}"
    yield from (f"{name}: only in the other revision" for name in first_there if name not in first_here)
