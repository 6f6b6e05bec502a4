"""The solvers: times, and for sliding blocks nanoseconds and bytes for each state; match-3 on fixed random boards."""

import itertools
import statistics
from functools import partial

import numpy as np

from junqi_puzzles import klotski, match3, submarine
from junqi_puzzles.base import Limits, Search
from junqi_puzzles.klotski import Board, Metric
from junqi_puzzles.klotski.breadth_first import EVERYTHING
from junqi_puzzles.klotski.search import Expander, States
from junqi_puzzles.klotski.tables import Tables, tables_of
from junqi_puzzles.knights_tour import BlockTour, tour, verify
from junqi_speed import Report, best_of

SOLOMON = (
    "=======/=======/#==####/#..aab#/#.cdfb#/#hcefg#/#hijkA#/#hllAA#/####### goal "
    ".A...../AA...../#..####/#.....#/#.....#/#.....#/#.....#/#.....#/#######"
)
ROOM = Limits(memory_bytes=256 << 20)


def measure_klotski(report: Report) -> None:
    start = klotski.Klotski().parse(klotski.START)
    klotski.solve(start, limits=ROOM)  # loads the kernels
    tables = tables_of(start)
    for metric in Metric:
        _solve(report, f"横刀立马, {metric.value}", start, metric, 30)
    seconds, states = best_of(30, lambda: _component(tables))
    report.figure("横刀立马, whole component", 1e9 * seconds / len(states), "ns a state", "150 or better")
    report.figure("横刀立马, memory", states.memory_bytes / len(states), "bytes a state", "at most 20")
    for metric in (Metric.MOVE, Metric.LINE):
        _solve(report, f"Solomon, {metric.value}", klotski.parse(SOLOMON), metric, 2)


def _component(tables: Tables) -> States:
    states = States(Expander(tables, Metric.MOVE), np.array([tables.key(tables.board)]), Search(ROOM))
    states.run(EVERYTHING)
    return states


def _solve(report: Report, name: str, board: Board, metric: Metric, repeats: int) -> None:
    puzzle = klotski.Klotski(metric)  # keeps the tables
    seconds, outcome = best_of(repeats, lambda: puzzle.solve(board, limits=ROOM))
    report.figure(f"{name}: {outcome.steps} steps", 1000 * seconds, "ms")


def measure_submarine(report: Report) -> None:
    levels = submarine.levels()
    submarine.solve(levels[1].board)  # loads the kernels
    times = {number: best_of(5, partial(submarine.solve, level.board))[0] for number, level in levels.items()}
    slowest = max(times, key=lambda number: times[number])
    report.figure(f"slowest of 60 levels (level {slowest})", 1000 * times[slowest], "ms", "under 5 ms")
    report.figure("all 60 levels", 1000 * sum(times.values()), "ms")


RANDOM_BOARDS, CELLS, COLOURS = 20, 8, 5
SWAP_TARGETS = {5: "median under 0.025", 7: "under 1", 9: "under 15"}


def random_board(seed: int) -> match3.Board:
    """A random board without runs: cells that would complete one are drawn again."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(1, COLOURS + 1, (CELLS, CELLS))
    for row, column in itertools.product(range(CELLS), range(CELLS)):
        while any(
            len(run) == 2 and (run == cells[row, column]).all()
            for run in (cells[row, max(column - 2, 0) : column], cells[max(row - 2, 0) : row, column])
        ):
            cells[row, column] = rng.integers(1, COLOURS + 1)
    return match3.Board(cells, match3.Rules())


def measure_match3(report: Report) -> None:
    boards = [random_board(seed) for seed in range(RANDOM_BOARDS)]
    match3.solve(boards[0], limits=match3.Limits(depth=4))  # loads the kernels
    for swaps, target in SWAP_TARGETS.items():
        solve = partial(match3.solve, limits=match3.Limits(depth=swaps))
        seconds, found = zip(*(best_of(1, partial(solve, board)) for board in boards), strict=True)
        report.figure(f"K = {swaps}, median of {RANDOM_BOARDS} boards", statistics.median(seconds), "s", target)
        report.figure(f"K = {swaps}, worst", max(seconds), "s")
        report.figure(f"K = {swaps}, proven", sum(each.is_optimal for each in found), "boards", str(RANDOM_BOARDS))


SIDE, REPEATS = 10_000, 5


def measure_knights_tour(report: Report) -> None:
    tour(8, 8, (0, 0))
    seconds = [best_of(1, partial(tour, 8, 8, start))[0] for start in itertools.product(range(8), range(8))]
    report.figure("8 x 8 open, slowest of 64 starts", 1000 * max(seconds), "ms", "under 1")
    steps = np.zeros((SIDE, SIDE), np.int32)
    fill, _ = best_of(REPEATS, lambda: steps.fill(7))
    filled, _ = best_of(REPEATS, partial(BlockTour(SIDE, SIDE).fill, steps))
    checked, is_right = best_of(3, lambda: verify(steps, closed=True))
    report.figure(f"{SIDE} x {SIDE} closed, filled", filled, "s")
    report.figure(f"{SIDE} x {SIDE} closed, filled, beside numpy fill", filled / fill, "times", "1.5 at most")
    report.figure(f"{SIDE} x {SIDE} closed, verified: {is_right}", checked, "s")
    other, start = np.zeros((SIDE - 1, SIDE), np.int32), (SIDE // 2, SIDE // 3)
    seconds_other, _ = best_of(3, lambda: BlockTour(SIDE - 1, SIDE, start).fill(other))
    report.figure(f"{SIDE - 1} x {SIDE} from {start}, made and filled", seconds_other, "s")
