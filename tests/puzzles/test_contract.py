"""The contract of puzzles/junqi_puzzles/base.py: solving, which every solver of every puzzle follows."""

import inspect
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from junqi_puzzles import klotski, knights_tour, match3, submarine
from junqi_puzzles.base import Ending, Limits, Outcome, Progress, Puzzle, Statistics
from junqi_puzzles.klotski import Metric
from tests.helpers.engine import SLACK

LEVEL = submarine.parse("m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne")
_, GEMS = match3.parse(match3.START_BOARD, match3.Rules()).start()
CORNER = klotski.parse("AB/.. goal ../.B")
EIGHT = knights_tour.parse(["8x8", "start", "a1"])
LARGE_GEMS = match3.parse(
    "236216223/162335263/665542126/624663235/341166154/331145346/545651556/116155344/214166422", match3.Rules()
)
CASES: list[tuple[Callable[..., Outcome], Any, Limits]] = [
    (klotski.solve, klotski.parse(klotski.START), Limits()),
    (submarine.solve, LEVEL, Limits()),
    (match3.solve, GEMS, Limits(depth=3)),
    (knights_tour.solve, EIGHT, Limits()),
]
IDS = [f"{solver.__module__.split('.')[1]}.{solver.__name__}" for solver, _, _ in CASES]
LONG = [
    (klotski.solve, klotski.parse("ABCD/EFGH/IJKL/MNO. goal ONML/KJIH/GFED/CAB."), Limits()),
    (match3.solve, LARGE_GEMS, Limits(depth=20)),
    (knights_tour.solve, knights_tour.parse(["4x100001", "start", "a1"]), Limits()),
    (knights_tour.solve, knights_tour.parse(["3x2000000"]), Limits()),
    (knights_tour.solve, knights_tour.parse(["199x199"], ["cv100cw102", "cw102cx104"]), Limits()),
]


@pytest.mark.parametrize(("solver", "board", "limits"), CASES, ids=IDS)
def test_every_solver_has_the_same_keywords_and_outcome(solver, board, limits):
    parameters = inspect.signature(solver).parameters
    for name in ("limits", "stop", "progress"):
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY and parameters[name].default is None
    reports: list[Progress] = []
    outcome = solver(board, limits=limits, stop=bytearray(1), progress=reports.append)
    assert isinstance(outcome, Outcome) and isinstance(outcome.statistics, Statistics)
    assert outcome.statistics.nodes > 0
    (solution,) = outcome.solutions
    assert outcome.steps == len(solution.moves) > 0
    assert all(isinstance(move, str) for move in solution.moves)
    assert outcome.is_optimal == (outcome.ending is Ending.OPTIMAL)
    assert all(isinstance(report.statistics, Statistics) for report in reports)
    assert solver(board, limits=limits).solutions[0].moves == solution.moves


@pytest.mark.parametrize(
    ("puzzle", "solver", "board", "limits"),
    [
        (klotski.Klotski(), klotski.solve, klotski.parse(klotski.START), Limits(solutions=3)),
        (klotski.Klotski(Metric.LINE), partial(klotski.solve, metric=Metric.LINE), CORNER, Limits()),
        (klotski.Klotski(), klotski.solve, CORNER, Limits(depth=1)),
        (submarine.Submarine(), submarine.solve, LEVEL, Limits(solutions=3)),
        (match3.Match3(), match3.solve, GEMS, Limits(depth=2, solutions=3)),
        (knights_tour.KnightsTour(), knights_tour.solve, EIGHT, Limits()),
    ],
)
def test_class_and_package_function_solve_alike(puzzle, solver, board, limits):
    outcome = puzzle.solve(board, limits=limits)
    assert outcome == solver(board, limits=limits)
    if outcome.solutions:
        assert puzzle.first_move(outcome.solutions[0]) == outcome.solutions[0].moves[:1]
        assert puzzle.is_solved(puzzle.play_all(board, outcome.solutions[0].moves)) == (solver is not match3.solve)


def test_every_puzzle_inherits_solve():
    puzzles = [klotski.Klotski, submarine.Submarine, match3.Match3, knights_tour.KnightsTour]
    assert all(puzzle.solve is Puzzle.solve for puzzle in puzzles)


HARD_LEVEL = submarine.levels()[60].board
BEGUN = knights_tour.parse(["20x20", "start", "j10"], ["j10k12", "k12l10"])
NO_WAY_TO_A1 = knights_tour.parse(["8x8"], ["c2d4", "d4b3", "b3d2"])


@pytest.mark.parametrize(
    ("solver", "board", "limits", "most"),
    [
        (klotski.solve, klotski.parse(klotski.START), Limits(nodes=1000), 1100),
        (match3.solve, GEMS, Limits(depth=8, nodes=1000), 1040),
        (match3.solve, GEMS, Limits(depth=8, nodes=1000, solutions=3), 1040),
        (match3.solve, GEMS, Limits(depth=8, nodes=10, solutions=3), 40),
        (submarine.solve, HARD_LEVEL, Limits(nodes=1000), 1004),
        (submarine.solve, HARD_LEVEL, Limits(nodes=1000, solutions=3), 1004),
        (knights_tour.solve, EIGHT, Limits(nodes=63), 0),
        (knights_tour.solve, BEGUN, Limits(nodes=399), 0),
        (knights_tour.solve, NO_WAY_TO_A1, Limits(nodes=1000), 1000),
    ],
)
def test_nodes_limit_the_whole_search(solver, board, limits, most):
    outcome = solver(board, limits=limits)
    assert outcome.ending is Ending.NODES and outcome.statistics.nodes <= most


def test_depth_limits_the_moves_of_a_tour():
    outcome = knights_tour.solve(EIGHT, limits=Limits(depth=62))
    assert outcome.ending is Ending.DEPTH and "63 moves" in outcome.reason
    assert knights_tour.solve(EIGHT, limits=Limits(depth=63, nodes=64)).steps == 63


@pytest.mark.parametrize(("solver", "board", "limits"), LONG, ids=lambda case: getattr(case, "__name__", None))
def test_stop_flag_ends_a_search(solver, board, limits):
    stop = bytearray(1)
    solver(board, limits=Limits(depth=1, nodes=1))  # loads the kernels
    outcomes: list[Outcome] = []
    worker = threading.Thread(target=lambda: outcomes.append(solver(board, limits=limits, stop=stop)))
    worker.start()
    asked = time.monotonic()
    stop[0] = 1
    worker.join()
    assert time.monotonic() - asked < 0.1 * SLACK
    assert outcomes[0].ending is Ending.STOPPED and not outcomes[0].is_optimal
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("tour")] == []


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (klotski.solve(klotski.parse("AB.. goal B...")), "proven by 6 states"),
        (match3.solve(match3.parse("12/21", match3.Rules()), limits=Limits(depth=1, solutions=2)), "no swap is legal"),
        (knights_tour.solve(knights_tour.parse(["4x4"])), "no tour of 4 x 4"),
    ],
)
def test_without_a_solution_there_is_a_reason(outcome, reason):
    assert outcome.is_unsolvable and outcome.steps is None and reason in outcome.reason
