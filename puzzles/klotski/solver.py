"""The solver of sliding-block puzzles, and the survey of all positions of one."""

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from puzzles import base
from puzzles.base import Ending, Limits, ProgressListener, Search, Statistics
from puzzles.klotski.board import Board
from puzzles.klotski.breadth_first import EVERYTHING, FIRST_GOAL, GOAL_LAYER
from puzzles.klotski.search import States, Stepper
from puzzles.klotski.solution import ShortestPaths, Solution, solution_through
from puzzles.klotski.sorted_layers import search_by_sorted_layers
from puzzles.klotski.tables import Tables, tables_of
from puzzles.metric import Metric

Outcome = base.Outcome[Solution]


@dataclass(frozen=True)
class Survey:
    """All positions that can be reached from a board.

    `states` positions, `goals` of them at the goal, `dead_ends` of them without a path to it (None: unknown). `steps`
    and `solutions` are the length and number of the shortest solutions (None and 0 without any). `farthest` is a
    position `farthest_steps` away, the largest distance. When a limit was met, `is_complete` is False and all figures
    are of the positions seen.
    """

    is_complete: bool
    states: int
    goals: int
    steps: int | None
    solutions: int
    farthest_steps: int
    farthest: Board
    dead_ends: int | None
    memory_bytes: int


def solve(
    board: Board,
    metric: Metric = Metric.MOVE,
    *,
    limits: Limits | None = None,
    stop: Any = None,
    progress: ProgressListener | None = None,
    disk: str | None = None,
    tables: Tables | None = None,
) -> Outcome:
    """The fewest steps from `board` to its goal, by breadth-first search; see `puzzles.base` for the contract.

    With `limits.solutions` above 1, up to so many shortest solutions are given, and all are counted. A search that
    needs more than `limits.memory_bytes` reports so and starts again with sorted layers, in the folder `disk` or, with
    None, in memory; that one gives one solution and does not count. `tables` are those of the board, if the caller has
    them.
    """
    tables = tables or tables_of(board)
    search = Search(limits, stop, progress)
    start = tables.key(board)
    states = States(Stepper(tables, metric), start[None, :], search)
    ending = states.run(FIRST_GOAL if search.limits.solutions <= 1 else GOAL_LAYER)
    if ending is Ending.MEMORY:
        where = f"in {disk}" if disk else "in memory"
        search.report(
            states.statistics(),
            message=f"the hash table is full: {len(states)} states, {states.memory_bytes >> 20} MB,"
            f" depth {states.depth}; continuing with sorted layers {where}",
        )
        del states
        return _solve_by_sorted_layers(tables, board, metric, search, disk)
    if ending is not Ending.OPTIMAL:
        return _unsolved(ending, states.statistics())
    depth = states.depth_of(states.first_goal)
    if search.limits.solutions <= 1:
        paths: list[np.ndarray] = [states.path_to(states.first_goal)]
        count: int | None = None
    else:
        shortest = ShortestPaths(states, depth)
        paths, count = [np.array(path) for path in islice(shortest, search.limits.solutions)], shortest.total
    solutions = tuple(solution_through(tables, board, states.keys[path], metric) for path in paths)
    return Outcome(solutions, ending, states.statistics(depth, count))


def _solve_by_sorted_layers(tables: Tables, board: Board, metric: Metric, search: Search, disk: str | None) -> Outcome:
    ending, path, statistics = search_by_sorted_layers(tables, tables.key(board), metric, search, disk)
    if path is None:
        return _unsolved(ending, statistics)
    return Outcome((solution_through(tables, board, path, metric),), ending, statistics)


def _unsolved(ending: Ending, statistics: Statistics) -> Outcome:
    seen = f"{statistics.nodes} states, every position within {statistics.depth} steps"
    reason = f"{ending.value} before a solution was found: {seen}"
    if ending is Ending.UNSOLVABLE:
        reason = f"proven by {statistics.nodes} states"
    elif ending is Ending.MEMORY:
        reason = f"no solution among {seen}"
    return Outcome((), ending, statistics, reason)


def survey(
    board: Board,
    metric: Metric = Metric.MOVE,
    *,
    limits: Limits | None = None,
    stop: Any = None,
    progress: ProgressListener | None = None,
    tables: Tables | None = None,
) -> Survey:
    """Visit every position that can be reached from `board`."""
    tables = tables or tables_of(board)
    search = Search(limits, stop, progress)
    states = States(Stepper(tables, metric), tables.key(board)[None, :], search)
    is_complete = states.run(EVERYTHING) is Ending.UNSOLVABLE
    goal_indices = np.flatnonzero(states.is_goal(states.keys))
    steps = states.depth_of(int(goal_indices[0])) if len(goal_indices) else None
    farthest = len(states) - 1
    return Survey(
        is_complete=is_complete,
        states=len(states),
        goals=len(goal_indices),
        steps=steps,
        solutions=ShortestPaths(states, steps).total if steps is not None else 0,
        farthest_steps=states.depth_of(farthest),
        farthest=tables.board_of(states.keys[farthest]),
        dead_ends=_dead_ends(states, goal_indices, search) if is_complete else None,
        memory_bytes=states.memory_bytes,
    )


def _dead_ends(states: States, goal_indices: np.ndarray, search: Search) -> int | None:
    """How many of all reachable positions have no path to a goal; None when a limit is met first."""
    tables, metric = states.stepper.tables, states.stepper.metric
    if not len(goal_indices):
        return len(states)
    if tables.is_reversible:
        return 0
    before = States(Stepper(tables, metric, back=True), states.keys[goal_indices], search)
    if before.run(EVERYTHING) is not Ending.UNSOLVABLE:
        return None
    return len(states) - int((states.find(before.keys) >= 0).sum())


def legal_moves(board: Board, metric: Metric = Metric.MOVE, tables: Tables | None = None) -> list[str]:
    """Every move of one step, each with the shortest path to where it ends."""
    tables = tables or tables_of(board)
    key = tables.key(board)[None, :]
    after, _ = Stepper(tables, metric).expand(key)
    return [solution_through(tables, board, np.vstack([key, end[None, :]]), metric).moves[0] for end in after]
