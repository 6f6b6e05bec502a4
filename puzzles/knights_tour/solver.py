"""The solvers of knight's tours behind the contract of puzzles.base: by construction, and two textbook searches."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from puzzles import base
from puzzles.base import Ending, Limits, ProgressListener, Search, Statistics
from puzzles.knights_tour.board import Board, Place
from puzzles.knights_tour.completion import Found, complete, search
from puzzles.knights_tour.tour import NoTour, tour

STOP_SEEN_EVERY_S = 0.02
_builder = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tour")
"""Builds one tour at a time. A stopped one is built to its end, and others beside it could fill the memory."""


@dataclass(frozen=True)
class Solution:
    """A tour. `steps` is the number of the step, from 0, on which each square is visited (rows x columns of int32)."""

    board: Board
    steps: np.ndarray

    def __len__(self) -> int:
        """The number of moves that continue the path of the board."""
        return self.board.squares - max(len(self.board.path), 1) + self.board.closed

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The moves that continue the path of the board. On a large board `first_moves` is enough for most purposes."""
        return self.first_moves(len(self))

    def first_moves(self, count: int) -> tuple[str, ...]:
        """The first `count` of the moves."""
        first = max(len(self.board.path), 1) - 1
        wanted = [(first + i) % self.board.squares for i in range(min(count, len(self)) + 1)]
        places = [divmod(at, self.board.columns) for at in self._squares_of(wanted)]
        return tuple(self.board.move(start, end) for start, end in itertools.pairwise(places))

    def _squares_of(self, steps: list[int]) -> list[int]:
        """The squares of steps, as row * columns + column."""
        if len(steps) <= 2:
            return [int((self.steps == step).argmax()) for step in steps]
        order = np.argsort(self.steps, axis=None)
        return [int(order[step]) for step in steps]


class Outcome(base.Outcome[Solution]):
    """The outcome of a search for a tour. `steps` is known without making the moves."""

    @property
    def steps(self) -> int | None:
        return len(self.solutions[0]) if self.solutions else None


def solve(
    board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
) -> Outcome:
    """A tour that continues the path of `board`, by construction, or the proof that there is none.

    Linear in the number of squares if the path has at most one square. Progress is not reported, and no limit applies;
    see `puzzles.base` for the contract. Errors as for `Board.check`; `PuzzleError` too-large for a longer path on a
    board of more than 40,000 squares.
    """
    terms = Search(limits, stop, progress)
    if len(board.path) > 1:
        found = partial(complete, board.rows, board.columns, _without_return(board), board.end, board.closed, terms)
        return _outcome(board, terms, found)
    return _outcome(board, terms, partial(_constructed, board, terms))


def solve_by_warnsdorff(
    board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
) -> Outcome:
    """A tour by Warnsdorff's rule with backtracking. Within `limits.nodes`; exponential if the rule fails."""
    return _solve_by_search("warnsdorff", board, Search(limits, stop, progress))


def solve_depth_first(
    board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
) -> Outcome:
    """A tour by plain depth-first search, within `limits.nodes`; exponential."""
    return _solve_by_search("dfs", board, Search(limits, stop, progress))


def _solve_by_search(method: str, board: Board, terms: Search) -> Outcome:
    path = _without_return(board) or ((0, 0),)
    return _outcome(
        board, terms, partial(search, board.rows, board.columns, path, board.end, board.closed, method, terms)
    )


def _without_return(board: Board) -> tuple[Place, ...]:
    """The squares of the path, without the move with which a closed tour ends."""
    return board.path[: board.squares]


def _constructed(board: Board, terms: Search) -> Found:
    build = partial(tour, board.rows, board.columns, board.start, board.end, board.closed)
    steps = _unless_stopped(build, terms)
    return Found(steps, 0 if steps is None else board.squares)


def _outcome(board: Board, terms: Search, find: Callable[[], Found]) -> Outcome:
    try:
        found = find()
    except NoTour as error:
        return Outcome((), Ending.UNSOLVABLE, Statistics(), str(error))
    statistics = Statistics(found.nodes)
    if found.steps is None:
        ending = Ending.STOPPED if terms.is_stopped else Ending.NODES
        reason = f"no tour found within {found.nodes} nodes, and no proof that there is none"
        return Outcome((), ending, statistics, reason)
    return Outcome((Solution(board, found.steps),), Ending.OPTIMAL, statistics)


def _unless_stopped(build: Callable[[], np.ndarray], terms: Search) -> np.ndarray | None:
    """The result of `build`, or None once the search is stopped; a `build` that has begun then ends later."""
    future = _builder.submit(build)
    while not terms.is_stopped or future.done():
        try:
            return future.result(timeout=STOP_SEEN_EVERY_S)
        except TimeoutError:
            continue
    future.cancel()
    return None
