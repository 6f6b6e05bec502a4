"""Solving and surveying a board: the library's two questions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from puzzles.klotski import narrow
from puzzles.klotski.board import METRICS, Board
from puzzles.klotski.frontier import frontier_search
from puzzles.klotski.search import Ending, Limits, States, Stepper
from puzzles.klotski.solution import ShortestPaths, Solution, one_way, played
from puzzles.klotski.tables import Tables, tables_of


@dataclass(frozen=True)
class Result:
    """What a search found. `ending` FOUND: `solutions` are shortest, proven. EXHAUSTED: proven to have none.

    `count` is the number of all shortest solutions, None when they were not counted. `depth` is the number of steps
    within which every position was seen; `bytes` is what the positions took.
    """

    ending: Ending
    solutions: tuple[Solution, ...]
    count: int | None
    depth: int
    states: int
    bytes: int

    @property
    def steps(self) -> int | None:
        """The fewest steps to the goal; None where no solution was found."""
        return len(self.solutions[0]) if self.solutions else None


@dataclass(frozen=True)
class Survey:
    """All positions that can be reached from a board.

    `states` positions, `goals` of them at the goal; `dead_ends` of them have no way to it. `steps` and `solutions` are
    the length and number of the shortest solutions (None and 0 without any); `farthest` is a position `farthest_steps`
    away, the most there is. `is_complete` is False when a limit was met: all figures are then of what was seen.
    """

    is_complete: bool
    states: int
    goals: int
    steps: int | None
    solutions: int
    farthest_steps: int
    farthest: Board
    dead_ends: int | None
    bytes: int


def solve(
    board: Board,
    metric: str = "move",
    solutions: int = 1,
    limits: Limits | None = None,
    disk: str | None = None,
    tables: Tables | None = None,
    note: Callable[[str], None] = lambda text: None,
) -> Result:
    """The fewest steps from `board` to its goal, by breadth-first search.

    With `solutions` above 1, so many shortest ways are given, as far as there are, and all are counted. A search that
    outgrows `limits.bytes` says so through `note` and goes on with frontier search, in the folder `disk` if there is
    one; that one gives one solution and doesn't count. `tables` are those of the board, if they are at hand.
    """
    _check_metric(metric)
    tables = tables or tables_of(board)
    limits = limits or Limits()
    start = tables.key(board)
    states = States(Stepper(tables, metric), start[None, :], limits)
    ending = states.run(narrow.FIRST_GOAL if solutions == 1 else narrow.GOAL_LAYER)
    if ending is Ending.OUTGROWN:
        where = f"in {disk}" if disk else "in memory"
        note(
            f"the hash table is full: {len(states)} states, {states.bytes >> 20} MB, depth {states.depth};"
            f" going on with frontier search {where}"
        )
        del states
        return _by_frontier(tables, board, metric, limits, disk)
    if ending is not Ending.FOUND:
        return Result(ending, (), None, states.depth, len(states), states.bytes)
    goal = int(states.control[narrow.GOAL])
    depth = states.depth_of(goal)
    if solutions == 1:
        ways: list[np.ndarray] = [one_way(states, metric, goal)]
        count: int | None = None
    else:
        paths = ShortestPaths(states, metric, depth)
        ways, count = [np.array(way) for way in islice(paths, solutions)], paths.total
    found = tuple(played(tables, board, states.keys[way], metric) for way in ways)
    return Result(ending, found, count, depth, len(states), states.bytes)


def _by_frontier(tables: Tables, board: Board, metric: str, limits: Limits, disk: str | None) -> Result:
    outcome = frontier_search(tables, tables.key(board), metric, limits, disk)
    found = () if outcome.way is None else (played(tables, board, outcome.way, metric),)
    return Result(outcome.ending, found, None, outcome.depth, outcome.states, outcome.bytes)


def survey(board: Board, metric: str = "move", limits: Limits | None = None, tables: Tables | None = None) -> Survey:
    """Go through every position that can be reached from `board`."""
    _check_metric(metric)
    tables = tables or tables_of(board)
    limits = limits or Limits()
    states = States(Stepper(tables, metric), tables.key(board)[None, :], limits)
    ending = states.run(narrow.EVERYTHING)
    is_complete = ending is Ending.EXHAUSTED
    goal_indices = np.flatnonzero(states.is_goal(states.keys))
    steps = states.depth_of(int(goal_indices[0])) if len(goal_indices) else None
    solutions = ShortestPaths(states, metric, steps).total if steps is not None else 0
    farthest = len(states) - 1
    return Survey(
        is_complete=is_complete,
        states=len(states),
        goals=len(goal_indices),
        steps=steps,
        solutions=solutions,
        farthest_steps=states.depth_of(farthest),
        farthest=replace(board, pieces=tables.pieces(states.keys[farthest])),
        dead_ends=_dead_ends(states, goal_indices, metric, limits) if is_complete else None,
        bytes=states.bytes,
    )


def _dead_ends(states: States, goal_indices: np.ndarray, metric: str, limits: Limits) -> int | None:
    """How many of all reachable positions have no way to a goal; None when a limit keeps it from being known."""
    tables = states.stepper.tables
    if not len(goal_indices):
        return len(states)
    if tables.is_reversible:
        return 0
    before = States(Stepper(tables, metric, back=True), states.keys[goal_indices], limits)
    if before.run(narrow.EVERYTHING) is not Ending.EXHAUSTED:
        return None
    return len(states) - int((states.find(before.keys) >= 0).sum())


def legal_moves(board: Board, metric: str = "move") -> list[str]:
    """Every move of one step, each with the shortest path to where it ends."""
    _check_metric(metric)
    tables = tables_of(board)
    key = tables.key(board)[None, :]
    after, _ = Stepper(tables, metric).expand(key)
    return [played(tables, board, np.vstack([key, end[None, :]]), metric).moves[0] for end in after]


def _check_metric(metric: str) -> None:
    if metric not in METRICS:
        raise ValueError(f"the metric {metric!r} is none of {', '.join(METRICS)}")
