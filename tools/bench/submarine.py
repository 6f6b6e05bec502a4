"""Submarine Adventure: time to solve a level, and to survey the whole box."""

import time
from functools import partial

from puzzles import submarine
from tools.bench.report import Report, best_of


def measure(report: Report) -> None:
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
