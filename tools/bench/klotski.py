"""Sliding-block puzzles: times to solve, nanoseconds and bytes for each state."""

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
    seconds, _ = best_of(10, lambda: tables_of(start))
    report.figure("横刀立马, tables made when the position is set", 1000 * seconds, "ms")
    _solve(report, "峰回路转, move", klotski.parse(CENTURY), Metric.MOVE, 30, "under 10 ms")
    _solve(report, "Solomon, move", klotski.parse(SOLOMON), Metric.MOVE, 2, "under 2000 ms")
    _solve(report, "Solomon, line", klotski.parse(SOLOMON), Metric.LINE, 2, "under 2000 ms")


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
