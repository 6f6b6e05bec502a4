"""Match-3: times for the best line of 5, 7 and 9 swaps on fixed random boards, and the speed of plain search."""

import statistics
import time

import numpy as np

from puzzles.match3 import Board, Limits, Rules, solve, solve_by_backtracking
from tools.bench.report import Report

BOARDS = 20
SIDE, KINDS = 8, 5
TARGETS = {5: "median under 0.025", 7: "under 1", 9: "under 15"}
BACKTRACKING_PLAYS = 10_000_000


def board(seed: int) -> Board:
    """A random board without runs: cells that would complete one are drawn again."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(1, KINDS + 1, (SIDE, SIDE))
    for row in range(SIDE):
        for column in range(SIDE):
            while (column >= 2 and cells[row, column] == cells[row, column - 1] == cells[row, column - 2]) or (
                row >= 2 and cells[row, column] == cells[row - 1, column] == cells[row - 2, column]
            ):
                cells[row, column] = rng.integers(1, KINDS + 1)
    return Board(cells, Rules())


def measure(report: Report) -> None:
    boards = [board(seed) for seed in range(BOARDS)]
    solve(boards[0], limits=Limits(depth=4))  # loads the kernels
    for swaps, target in TARGETS.items():
        seconds = []
        proven = 0
        for each in boards:
            started = time.perf_counter()
            proven += solve(each, limits=Limits(depth=swaps)).is_optimal
            seconds.append(time.perf_counter() - started)
        report.figure(f"K = {swaps}, median of {BOARDS} boards", statistics.median(seconds), "s", target)
        report.figure(f"K = {swaps}, worst", max(seconds), "s")
        report.figure(f"K = {swaps}, proven", proven, "boards", str(BOARDS))
    speeds = []
    for each in boards[:5]:
        started = time.perf_counter()
        limits = Limits(depth=7, nodes=BACKTRACKING_PLAYS)
        plays = solve_by_backtracking(each, limits=limits).statistics.nodes
        speeds.append(plays / (time.perf_counter() - started) / 1e6)
    report.figure("backtracking, best of 5 boards", max(speeds), "million swaps/s", "at least 10")
    report.figure("backtracking, median of 5 boards", statistics.median(speeds), "million swaps/s")
