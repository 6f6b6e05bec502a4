"""Knight's tours: small boards by the millisecond, the largest ones beside filling an array."""

import itertools
import time
from functools import partial

import numpy as np

from puzzles.knights_tour import BlockTour, NoTour, count, tour, verify
from tools.bench.report import Report, best_of

SIDE = 10_000
REPEATS = 5


def measure(report: Report) -> None:
    squares = list(itertools.product(range(8), range(8)))
    tour(8, 8, (0, 0))
    seconds = [best_of(1, partial(tour, 8, 8, start))[0] for start in squares]
    report.figure("8 x 8 open, slowest of 64 starts", 1000 * max(seconds), "ms", "under 1")
    pairs = [(start, end) for start in squares for end in squares if (sum(start) + sum(end)) % 2]
    started = time.perf_counter()
    found = sum(verify(tour(8, 8, start, end)) for start, end in pairs)
    report.figure("8 x 8, ordered pairs of opposite colours with a tour", found, "pairs", "2048")
    report.figure("8 x 8, a pair on average", 1000 * (time.perf_counter() - started) / len(pairs), "ms")
    started = time.perf_counter()
    report.figure("boards up to 40 x 40, open and closed, as the theorems say", _sweep(40), "boards", "3200")
    report.figure("the same, time", time.perf_counter() - started, "s")
    report.figure("closed tours of 6 x 6", count(6, 6, closed=True), "tours", "9862")
    _largest(report)


def _sweep(largest: int) -> int:
    """How many questions, open or closed, of boards up to `largest` x `largest` are answered as the theorems say."""
    right = 0
    for rows, columns, closed in itertools.product(range(1, largest + 1), range(1, largest + 1), (False, True)):
        less, more = sorted((rows, columns))
        if closed:
            expected = not (less * more % 2 or less in (1, 2, 4) or (less == 3 and more in (4, 6, 8)))
        else:
            expected = more == 1 or (less == 3 and (more == 4 or more >= 7)) or (less == 4 and more >= 5) or less >= 5
        try:
            right += verify(tour(rows, columns, closed=closed), closed) and expected
        except NoTour:
            right += not expected
    return right


def _largest(report: Report) -> None:
    steps = np.zeros((SIDE, SIDE), np.int32)
    fill, _ = best_of(REPEATS, lambda: steps.fill(7))
    made, blocks = best_of(REPEATS, lambda: BlockTour(SIDE, SIDE))
    filled, _ = best_of(REPEATS, lambda: blocks.fill(steps))
    checked, is_right = best_of(3, lambda: verify(steps, closed=True))
    report.figure(f"{SIDE} x {SIDE}, numpy fill", fill, "s")
    report.figure(f"{SIDE} x {SIDE} closed, made", made, "s")
    report.figure(f"{SIDE} x {SIDE} closed, filled", filled, "s")
    report.figure(f"{SIDE} x {SIDE} closed, filled, beside numpy fill", filled / fill, "times", "1.5 at most")
    report.figure(f"{SIDE} x {SIDE} closed, verified: {is_right}", checked, "s", "the same order")
    report.figure(f"{SIDE} x {SIDE} closed, verified, beside filled", checked / filled, "times")
    other = np.zeros((SIDE - 1, SIDE), np.int32)
    start = (SIDE // 2, SIDE // 3)
    seconds, _ = best_of(3, lambda: BlockTour(SIDE - 1, SIDE, start).fill(other))
    report.figure(f"{SIDE - 1} x {SIDE} from {start}, made and filled", seconds, "s")
    report.note(f"{SIDE - 1} x {SIDE} verified: {verify(other) and other[start] == 0}")
    seconds, odd = best_of(1, lambda: tour(SIDE - 1, SIDE - 1, (0, 0), (SIDE - 2, SIDE - 2)))
    report.figure(f"{SIDE - 1} x {SIDE - 1} from corner to corner, verified: {verify(odd)}", seconds, "s")
