"""The puzzles: sliding blocks (times, nanoseconds and bytes for each state), Submarine Adventure (a level, the whole
box), match-3 (the best line of 5, 7 and 9 swaps on fixed random boards, plain backtracking), and knight's tours (small
boards by the millisecond, the largest ones beside filling an array). New puzzles of each level, all of them proven.
"""

import itertools
import statistics
import time
from collections.abc import Callable
from functools import partial
from threading import Timer
from typing import Any

import numpy as np

from junqi_puzzles import klotski, match3, submarine
from junqi_puzzles.base import Limits, Search
from junqi_puzzles.difficulty import Level, generate
from junqi_puzzles.klotski import Board, Metric
from junqi_puzzles.klotski.breadth_first import EVERYTHING
from junqi_puzzles.klotski.search import States, Stepper
from junqi_puzzles.klotski.tables import Tables, tables_of
from junqi_puzzles.knights_tour import BlockTour, KnightsTour, tour, verify
from junqi_puzzles.playing import Puzzle
from junqi_speed import Report, best_of

CENTURY = "abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA."
SOLOMON = (
    "=======/=======/#==####/#..aab#/#.cdfb#/#hcefg#/#hijkA#/#hllAA#/####### goal "
    ".A...../AA...../#..####/#.....#/#.....#/#.....#/#.....#/#.....#/#######"
)
NUMBERS = np.random.default_rng(1).integers(0, 1 << 62, 200_000, dtype=np.uint64)
ROOM = Limits(memory_bytes=256 << 20)


def measure_klotski(report: Report) -> None:
    start = klotski.Klotski().parse(klotski.START)
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
        name_of_ratio = f"{name}, move, {what} with its tables: sorting {len(NUMBERS):,} numbers takes"
        report.figure(name_of_ratio, sort_s / seconds, "times as long")


def _component(tables: Tables) -> States:
    states = States(Stepper(tables, Metric.MOVE), np.array([tables.key(tables.board)]), Search(ROOM))
    states.run(EVERYTHING)
    return states


def _solve(report: Report, name: str, board: Board, metric: Metric, repeats: int, target: str) -> None:
    tables = tables_of(board)
    seconds, outcome = best_of(repeats, lambda: klotski.solve(board, metric, limits=ROOM, tables=tables))
    report.figure(f"{name}: {outcome.steps} steps", 1000 * seconds, "ms", target)
    used = outcome.statistics
    report.note(f"  {used.nodes} states, {used.memory_bytes / used.nodes:.1f} bytes a state")


def measure_submarine(report: Report) -> None:
    levels = submarine.levels()
    submarine.solve(levels[1].board)  # loads the kernels
    times = {number: best_of(5, partial(submarine.solve, level.board))[0] for number, level in levels.items()}
    slowest, number = max((seconds, number) for number, seconds in times.items())
    report.figure(f"slowest of 60 levels (level {number})", 1000 * slowest, "ms", "under 5 ms")
    started = time.perf_counter()
    survey = submarine.enumerate_box(2)
    report.figure("enumerate_box() on two threads", time.perf_counter() - started, "s", "under 300 s")
    report.note(f"{survey.valid} valid set-ups, {survey.solvable} solvable")
    report.note(f"hardest: {survey.hardest_steps} steps, {survey.hardest_count} set-ups, such as {survey.hardest}")


RANDOM_BOARDS = 20
CELLS, COLOURS = 8, 5
SWAP_TARGETS = {5: "median under 0.025", 7: "under 1", 9: "under 15"}
BACKTRACKING_PLAYS = 10_000_000


def random_board(seed: int) -> match3.Board:
    """A random board without runs: cells that would complete one are drawn again."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(1, COLOURS + 1, (CELLS, CELLS))
    for row in range(CELLS):
        for column in range(CELLS):
            while (column >= 2 and cells[row, column] == cells[row, column - 1] == cells[row, column - 2]) or (
                row >= 2 and cells[row, column] == cells[row - 1, column] == cells[row - 2, column]
            ):
                cells[row, column] = rng.integers(1, COLOURS + 1)
    return match3.Board(cells, match3.Rules())


def measure_match3(report: Report) -> None:
    boards = [random_board(seed) for seed in range(RANDOM_BOARDS)]
    match3.solve(boards[0], limits=match3.Limits(depth=4))  # loads the kernels
    for swaps, target in SWAP_TARGETS.items():
        seconds = []
        proven = 0
        for each in boards:
            started = time.perf_counter()
            proven += match3.solve(each, limits=match3.Limits(depth=swaps)).is_optimal
            seconds.append(time.perf_counter() - started)
        report.figure(f"K = {swaps}, median of {RANDOM_BOARDS} boards", statistics.median(seconds), "s", target)
        report.figure(f"K = {swaps}, worst", max(seconds), "s")
        report.figure(f"K = {swaps}, proven", proven, "boards", str(RANDOM_BOARDS))
    speeds = []
    for each in boards[:5]:
        started = time.perf_counter()
        limits = match3.Limits(depth=7, nodes=BACKTRACKING_PLAYS)
        plays = match3.solve_by_backtracking(each, limits=limits).statistics.nodes
        speeds.append(plays / (time.perf_counter() - started) / 1e6)
    report.figure("backtracking, best of 5 boards", max(speeds), "million swaps/s", "at least 10")
    report.figure("backtracking, median of 5 boards", statistics.median(speeds), "million swaps/s")


GENERATING_S = 20.0
BLOCKS, CARS = "ABBC/ABBC/DEEF/DGHF/I..J goal ..../..../..../.BB./.BB.", "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo"
GEMS = "112233/223344/334411/441122/112233/223344"
TOURS = {Level.EASY: "6x6", Level.MEDIUM: "8x8 closed", Level.HARD: "10x11", Level.EXPERT: "12x12"}


def measure_generate(report: Report) -> None:
    for level in Level:
        for name, puzzle, text in (
            ("klotski", klotski.Klotski(), BLOCKS),
            ("cars", klotski.Klotski(Metric.LINE, axis_locked=True), CARS),
            ("submarine", submarine.Submarine(), submarine.Submarine.start),
            ("knights-tour", KnightsTour(), TOURS[level]),
        ):
            _generate(report, f"{name}, {level.value}", puzzle, text, level=level)
    for steps in (2, 3, 4):
        _generate(report, f"match3, {steps} swaps", match3.Match3(), GEMS, steps=steps)


def _generate(report: Report, name: str, puzzle: Puzzle[Any], text: str, **wanted: Any) -> None:
    """New puzzles for some seconds, which may be none."""
    stop, started = bytearray(1), time.process_time()
    timer = Timer(GENERATING_S, partial(stop.__setitem__, 0, 1))
    timer.start()
    count = sum(1 for _ in generate(puzzle, puzzle.parse(text), 1, stop=stop, **wanted))
    an_hour = 3600 * count / (time.process_time() - started)
    report.figure(f"{name}: {count} new puzzles", an_hour, "an hour of the processor")


SIDE = 10_000
REPEATS = 5


def measure_knights_tour(report: Report) -> None:
    squares = list(itertools.product(range(8), range(8)))
    tour(8, 8, (0, 0))
    seconds = [best_of(1, partial(tour, 8, 8, start))[0] for start in squares]
    report.figure("8 x 8 open, slowest of 64 starts", 1000 * max(seconds), "ms", "under 1")
    _largest(report)


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
