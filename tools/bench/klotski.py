"""Sliding-block puzzles: times to solve, nanoseconds and bytes for each state."""

from collections.abc import Callable
from functools import partial

import numpy as np

from puzzles import klotski
from puzzles.base import Limits, Search
from puzzles.klotski import Board, Metric
from puzzles.klotski.breadth_first import EVERYTHING
from puzzles.klotski.search import States, Stepper
from puzzles.klotski.tables import Tables, tables_of
from tools.bench.report import Report, best_of

CENTURY = "abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA."
SOLOMON = (
    "=======/=======/#==####/#..aab#/#.cdfb#/#hcefg#/#hijkA#/#hllAA#/####### goal "
    ".A...../AA...../#..####/#.....#/#.....#/#.....#/#.....#/#.....#/#######"
)
NUMBERS = np.random.default_rng(1).integers(0, 1 << 62, 200_000, dtype=np.uint64)
ROOM = Limits(memory_bytes=256 << 20)


def measure(report: Report) -> None:
    start = klotski.from_code(klotski.START)
    tables = tables_of(start)
    klotski.solve(start, limits=ROOM, tables=tables)  # loads the kernels
    for metric in Metric:
        target = "under 4 ms" if metric is Metric.MOVE else ""
        _solve(report, f"横刀立马, {metric.value}", start, metric, 30, target)
    seconds, states = best_of(30, lambda: _component(tables))
    report.figure("横刀立马, whole component", 1e9 * seconds / len(states), "ns a state", "150 or better")
    report.figure("横刀立马, memory", states.memory_bytes / len(states), "bytes a state", "at most 20")
    seconds, _ = best_of(30, lambda: tables_of(start))
    report.figure("横刀立马, tables made when the position is set", 1000 * seconds, "ms", "0.6 ms")
    century = klotski.parse(CENTURY)
    _solve(report, "峰回路转, move", century, Metric.MOVE, 30, "under 10 ms")
    _with_tables(report, "横刀立马", start, (4.7, 4.1))
    _with_tables(report, "峰回路转", century, (11, 6))
    _solve(report, "Solomon, move", klotski.parse(SOLOMON), Metric.MOVE, 2, "under 2000 ms")
    _solve(report, "Solomon, line", klotski.parse(SOLOMON), Metric.LINE, 2, "under 2000 ms")


def _with_tables(report: Report, name: str, board: Board, targets_ms: tuple[float, float]) -> None:
    """Everything that a caller waits for, the tables too, beside a workload that no change of the solver changes."""
    sort_s, _ = best_of(30, lambda: np.sort(NUMBERS))
    works: dict[str, Callable[[], object]] = {
        "survey": partial(klotski.survey, board),
        "solve": partial(klotski.solve, board),
    }
    for (what, work), target_ms in zip(works.items(), targets_ms, strict=True):
        seconds, _ = best_of(30, work)
        report.figure(f"{name}, move, {what} with its tables", 1000 * seconds, "ms", f"{target_ms} ms")
        report.figure(f"  sorting {len(NUMBERS):,} numbers takes", sort_s / seconds, "times as long")


def _component(tables: Tables) -> States:
    states = States(Stepper(tables, Metric.MOVE), tables.key(tables.board)[None, :], Search(ROOM))
    states.run(EVERYTHING)
    return states


def _solve(report: Report, name: str, board: Board, metric: Metric, repeats: int, target: str) -> None:
    tables = tables_of(board)
    seconds, outcome = best_of(repeats, lambda: klotski.solve(board, metric, limits=ROOM, tables=tables))
    report.figure(f"{name}: {outcome.steps} steps", 1000 * seconds, "ms", target)
    used = outcome.statistics
    report.note(f"  {used.nodes} states, {used.memory_bytes / used.nodes:.1f} bytes a state")
