"""Speed of `Batch`, with and without observations and opponents, beside the play-out kernel."""

import statistics
import time
from collections.abc import Callable

import numpy as np

from junqi_engine.env import Batch
from junqi_engine.env.opponents import VERSIONS
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.effects import UNDO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.movegen import MAX_MOVES
from junqi_engine.rules.perft import play_out
from tools.bench.report import Report

GAMES = 1024
STEPS = 200
OBSERVED_STEPS = 20
OPPOSED_STEPS = 5
PLAY_OUTS = 500
REPEATS = 9
TARGET = 0.5
QUICK_TARGET = 0.05
"""Million steps/s of dark Siguo."""


def measure(report: Report) -> None:
    for board in BOARDS.values():
        _measure(report, board)


def _measure(report: Report, board: Board) -> None:
    variant, different = board.variant, ("partner", "dark", "open") if len(board.seats) > 2 else ("dark", "open")
    blind = Batch(GAMES, variant, None, seed=1)
    watching = {visibility: Batch(GAMES, variant, visibility, seed=1) for visibility in different}
    if len(board.seats) > 2:
        watching["dark, quick deduction"] = Batch(GAMES, variant, "dark", seed=1, deduction="quick")
    planes = Batch(GAMES, variant, "dark", seed=1, deduction="quick", history=16, removed=True)
    watching["dark, quick deduction, 16 last moves and removed pieces"] = planes
    others = {version: Batch(GAMES, variant, "dark", seed=1, deduction="quick",
                             opponents=dict.fromkeys(board.seats[1:], version)) for version in VERSIONS}  # fmt: skip
    starts = [GameState.start(board, blind.lineups(number)).position for number in range(GAMES)]
    plies, steps = [], []
    observed: dict[str, list[float]] = {what: [] for what in watching}
    opposed: dict[str, list[float]] = {version: [] for version in others}
    # In turns, so that other load on the machine slows all.
    for _ in range(REPEATS):
        plies.append(_speed(lambda: _play_outs(board, starts)))
        steps.append(_speed(lambda: _steps(blind, STEPS)))
        for what, batch in watching.items():
            observed[what].append(_speed(lambda batch=batch: _observed_steps(batch)))  # type: ignore[misc]
        for version, batch in others.items():
            opposed[version].append(_speed(lambda batch=batch: _opposed_plies(batch)))  # type: ignore[misc]
    report.figure(f"{variant}, random play-outs", max(plies) / 1e6, "million plies/s")
    report.figure(f"{variant}, {GAMES} games at once, random moves", max(steps) / 1e6, "million steps/s")
    report.figure("  beside the play-outs", _ratio(steps, plies), "x", f"at least {TARGET}")
    for what, speeds in observed.items():
        target = f"at least {QUICK_TARGET}" if what == "dark, quick deduction" else ""
        report.figure(f"  with observations, {what}", max(speeds) / 1e6, "million steps/s", target)
        report.figure(f"  with observations, {what}, beside the play-outs", _ratio(speeds, plies), "x")
    for version, speeds in opposed.items():
        report.figure(
            f"  dark, quick deduction, the other seats played by {version}", max(speeds) / 1e6, "million plies/s"
        )


def _ratio(one: list[float], other: list[float]) -> float:
    """The median ratio of neighbouring runs."""
    return statistics.median(mine / its for mine, its in zip(one, other, strict=True))


def _speed(work: Callable[[], int]) -> float:
    """How much `work` says that it has done in a second of the processor."""
    started = time.thread_time()
    done = work()
    return done / (time.thread_time() - started)


def _play_outs(board: Board, starts: list[np.void]) -> int:
    """The plies of random games; copying the starting position is included."""
    moves, undo = np.empty(MAX_MOVES, np.uint16), np.zeros(1, UNDO)[0]
    return sum(
        play_out(board.tables, starts[number].copy(), np.uint64(number), moves, undo) for number in range(PLAY_OUTS)
    )


def _steps(batch: Batch, steps: int) -> int:
    for _ in range(steps):
        batch.step(batch.random_actions())
    return GAMES * steps


def _opposed_plies(batch: Batch) -> int:
    """The plies of all seats in games that go on; those of games that end are not counted."""
    done, arrays = 0, batch.observe()
    for _ in range(OPPOSED_STEPS):
        before = batch.plies.astype(np.int64)
        batch.step(batch.random_actions())
        batch.observe(out=arrays)
        done += int(np.maximum(batch.plies - before, 0).sum())
    return done


def _observed_steps(batch: Batch) -> int:
    arrays = batch.observe()
    for _ in range(OBSERVED_STEPS):
        batch.step(batch.random_actions())
        batch.observe(out=arrays)
    return GAMES * OBSERVED_STEPS
