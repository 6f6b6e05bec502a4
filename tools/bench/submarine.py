"""Submarine Adventure: time to solve a level, and to go through the whole box."""

import time

from puzzles import submarine
from tools.bench.report import Report, best_of


def measure(report: Report) -> None:
    levels = submarine.levels()
    submarine.solve(levels[1].set_up)  # loads the kernels
    slowest, number = max((best_of(5, lambda s=level.set_up: submarine.solve(s))[0], n) for n, level in levels.items())
    report.figure(f"slowest of 60 levels (level {number})", 1000 * slowest, "ms", "under 5 ms")
    started = time.perf_counter()
    survey = submarine.enumerate_box(2)
    report.figure("enumerate_box() on two threads", time.perf_counter() - started, "s", "under 300 s")
    report.note(f"{survey.valid} valid set-ups, {survey.solvable} solvable")
    report.note(f"hardest: {survey.hardest_steps} steps, {survey.hardest_count} set-ups, such as {survey.hardest}")
