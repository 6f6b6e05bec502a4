"""The players against each other, 100 pairs a match: a few minutes."""

import itertools

from junqi_engine.players import PLAYERS
from tools.bench.report import Report
from tools.ladder import match

PAIRS = 100
SEED = 1


def measure(report: Report) -> None:
    report.note("the newer player's score, and its 95% interval, which is to lie above one half")
    for old, new in itertools.combinations(PLAYERS, 2):
        report.note(match(new, old, PAIRS, SEED))
