"""Knight's tours by the contract of base.py, most of them by construction."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from junqi_puzzles import base
from junqi_puzzles.base import Ending, Hint, Limits, ProgressListener, Puzzle, Search, Statistics
from junqi_puzzles.knights_tour.board import Board, parse
from junqi_puzzles.knights_tour.completion import Completion, complete, node_limit
from junqi_puzzles.knights_tour.generator import begun_tours, good_moves, symmetric_text
from junqi_puzzles.knights_tour.search import Stopped
from junqi_puzzles.knights_tour.tour import NoTour, tour


@dataclass(frozen=True, eq=False)
class Solution:
    """A tour. `steps` has the step of each square, from 0 (rows x columns of int32)."""

    board: Board
    steps: np.ndarray

    def __len__(self) -> int:
        return self.board.moves_left

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self.board == other.board and np.array_equal(self.steps, other.steps)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The moves that continue the path of the board. On a large board `first_moves` is much faster."""
        return self.first_moves(len(self))

    def first_moves(self, count: int) -> tuple[str, ...]:
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


def _found(board: Board, search: Search) -> Completion:
    if len(board.path) > 1:
        path = board.path[: board.squares]  # without the move with which a closed tour ends
        return complete(board.rows, board.columns, path, board.end, board.closed, search)
    if board.squares > node_limit(search):
        return Completion(None, 0)
    try:
        steps = tour(board.rows, board.columns, board.start, board.end, board.closed, search.stop_flag)
    except Stopped:
        return Completion(None, 0)
    return Completion(steps, board.squares)


MAX_ROWS_DRAWN = 40
"""The longest side of a board that is drawn as text."""


class KnightsTour(Puzzle[Board]):
    """Positions as `parse` of board.py reads them; `moves` and the moves of the path may follow."""

    variant = "knights-tour"
    start = "8x8 start a1"

    def parse(self, text: str) -> Board:
        start, _, moves = text.partition(" moves ")
        return parse(start.split(), moves.split())

    def format(self, board: Board) -> str:
        return " ".join([str(board), *(["moves", *board.moves] if len(board.path) > 1 else [])])

    def legal_moves(self, board: Board) -> list[str]:
        return [board.move(board.path[-1], to) for to in board.exits()]

    def play(self, board: Board, move: str) -> Board:
        return self.play_all(board, (move,))

    def play_all(self, board: Board, moves: Iterable[str]) -> Board:
        """The board after all of the moves, in time linear in the length of the path."""
        return parse(str(board).split(), [*board.moves, *moves])

    def rows(self, board: Board) -> list[str]:
        """The step of each square from 1, `E` on the end; empty for more than 40 rows or columns."""
        if max(board.rows, board.columns) > MAX_ROWS_DRAWN:
            return []
        step_of = {square: str(step) for step, square in reversed(list(enumerate(board.path, 1)))}
        width = max(len(str(len(board.path))), 1)
        marks = {board.end: "E"} | step_of
        return [
            " ".join(f"{marks.get((row, column), '.'):>{width}}" for column in range(board.columns))
            for row in range(board.rows)
        ]

    def search(self, board: Board, search: Search) -> Outcome:
        """A tour by construction if the path has at most one square, in linear time; otherwise by search.

        A tour takes a node for each square of the board, and more if it is searched. Errors as for `Board.check`;
        `Refused` too-large for a longer path on a board of more than 40,000 squares.
        """
        depth, left = search.limits.depth, board.moves_left
        if depth is not None and depth < left:
            return Outcome((), Ending.DEPTH, Statistics(), f"no tour within {depth} moves: it has {left} moves")
        try:
            found = _found(board, search)
        except NoTour as error:
            return Outcome((), Ending.UNSOLVABLE, Statistics(), str(error))
        statistics = Statistics(found.nodes)
        if found.steps is None:
            ending = Ending.STOPPED if search.is_stopped else Ending.NODES
            reason = f"no tour found: {ending.value}, {found.nodes} nodes; no proof that there is none"
            return Outcome((), ending, statistics, reason)
        return Outcome((Solution(board, found.steps),), Ending.OPTIMAL, statistics)

    def hint(self, board: Board, search: Search) -> Hint:
        """All good moves where a search can decide them; otherwise the first move of one tour."""
        good = good_moves(board, search) if board.path and not board.is_solved else None
        if good is None:
            return super().hint(board, search)
        return Hint(good, board.moves_left if good else None, True, True)

    def first_move(self, solution: Any) -> tuple[str, ...]:
        """Convert only the first move to text: a tour may have millions."""
        return solution.first_moves(1)

    def candidates(
        self, like: Board, random: Random, min_steps: int, max_steps: int | None, search: Search
    ) -> Iterator[Board | None]:
        return begun_tours(like, random, min_steps, max_steps, search)

    def canonical(self, board: Board) -> str:
        return symmetric_text(board)


def solve(
    board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
) -> Outcome:
    """A tour that continues the path of `board`, or the proof that there is none; see `junqi_puzzles.base`."""
    return KnightsTour().search(board, Search(limits, stop, progress))
