"""Solutions of match-3: the best line, or the best one for each first swap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from junqi_puzzles import base
from junqi_puzzles.base import Ending, Search, Statistics
from junqi_puzzles.match3.board import Board, Swap

PLAYS_A_SLICE = 20_000
"""Swaps played between two looks at the stop flag: a few milliseconds, on the largest boards some tens."""


@dataclass(frozen=True)
class Solution:
    """The best line found from the board `start`.

    No line scores more than `at_most`, which equals `score` when the line is proven to be best. `nodes`: swaps played.
    """

    start: Board
    score: int
    line: tuple[Swap, ...]
    at_most: int
    nodes: int

    @property
    def is_optimal(self) -> bool:
        return self.score >= self.at_most

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.start.format_swap(swap) for swap in self.line)


@dataclass(frozen=True)
class Outcome(base.Outcome[Solution]):
    """The outcome of a search for points. No line scores more than `at_most`."""

    at_most: int = 0


LineSolver = Callable[[Board, int, Search], Solution]
"""Finds the best line of at most this many swaps."""


def best_lines(solver: LineSolver, board: Board, search: Search, first_swaps: Sequence[Swap] | None) -> Outcome:
    """The best line by `solver`; or, with several solutions wanted or `first_swaps` given, one for each first swap.

    Errors as for `Board.play`.
    """
    limits = search.limits
    # Every swap removes three pieces at least, so no line is longer.
    longest = board.cells.size // 3
    most_swaps = longest if limits.depth is None else min(limits.depth, longest)
    if most_swaps and (first_swaps is not None or limits.solutions > 1):
        firsts = board.swaps() if first_swaps is None else first_swaps
        quiet = Search(limits, search.stop_flag)
        solutions: list[Solution] = []
        for left in range(len(firsts), 0, -1):
            if limits.nodes is not None:  # an equal share of those that remain; each first swap is one itself
                spent = sum(solution.nodes for solution in solutions) + left
                quiet = quiet.with_limits(nodes=max(0, limits.nodes - spent) // left)
            solutions.append(_line_after(solver, board, firsts[-left], most_swaps, quiet))
        solutions.sort(key=lambda solution: (-solution.score, len(solution.line), solution.line))
    else:
        solutions = [solver(board, most_swaps, search)]
    nodes = sum(solution.nodes for solution in solutions)
    statistics = Statistics(nodes, most_swaps)
    if not solutions:
        return Outcome((), Ending.UNSOLVABLE, statistics, "no swap is legal")
    at_most = max(solution.at_most for solution in solutions)
    if at_most <= solutions[0].score:
        ending = Ending.OPTIMAL
    elif search.is_stopped:
        ending = Ending.STOPPED
    elif limits.nodes is not None and nodes >= limits.nodes:
        ending = Ending.NODES
    else:
        ending = Ending.MEMORY
    return Outcome(tuple(solutions[: max(limits.solutions, 1)]), ending, statistics, at_most=at_most)


def _line_after(solver: LineSolver, board: Board, first: Swap, most_swaps: int, search: Search) -> Solution:
    points, after = board.play(first)
    rest = solver(after, most_swaps - 1, search)
    return replace(
        rest,
        start=board,
        score=points + rest.score,
        line=(first, *rest.line),
        at_most=points + rest.at_most,
        nodes=rest.nodes + 1,
    )


def plays_of_slice(search: Search, plays: int) -> int:
    """How many swaps the next slice may play after `plays`; 0 or less if the search must end."""
    if search.is_stopped:
        return 0
    most = search.limits.nodes
    return PLAYS_A_SLICE if most is None else min(PLAYS_A_SLICE, most - plays)


def most_points_of_pieces(board: Board) -> np.ndarray:
    """`most[n]`: no n pieces of one kind score more, whatever happens.

    A piece is in at most one row run and one column run, so twice the best division of n into runs is a bound; with
    less than 5 pieces no two runs cross.
    """
    pieces = board.cells.size
    most = np.zeros(pieces + 1, np.int64)
    for n in range(3, pieces + 1):
        most[n] = max(most[n - length] + board.rules.points[length - 3] for length in (3, 4, 5) if length <= n)
    most[5:] *= 2
    return most
