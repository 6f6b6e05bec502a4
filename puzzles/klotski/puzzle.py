"""Sliding-block puzzles by the contract for playing."""

from collections.abc import Iterator
from random import Random
from typing import Any

from puzzles.base import Limits, ProgressListener, Search
from puzzles.klotski import codes, generator
from puzzles.klotski.board import Board, parse
from puzzles.klotski.distances import Distances, distances
from puzzles.klotski.solver import Outcome, legal_moves, solve
from puzzles.klotski.tables import Tables, tables_of
from puzzles.metric import Metric
from puzzles.playing import Puzzle

START = "1A9BF0C00"
"""横刀立马 as a 36-bit code."""


class Klotski(Puzzle[Board]):
    """Positions as `parse` of board.py reads them, 36-bit codes and Rush Hour strings, whose cars keep to their axis.

    `disk`: see `solve`. The tables of the last board and of its component are kept.
    """

    variant = "klotski"
    start = START

    def __init__(self, metric: Metric = Metric.MOVE, axis_locked: bool = False, disk: str | None = None) -> None:
        self.metric = metric
        self.axis_locked = axis_locked
        self.disk = disk
        self._tables: Tables | None = None
        self._distances: Distances | None = None

    def parse(self, text: str) -> Board:
        if len(text.split()) == 1 and "/" not in text:
            return codes.from_rush_hour(text) if len(text) == codes.SIDE**2 else codes.from_code(text, self.axis_locked)
        return parse(text, self.axis_locked)

    def format(self, board: Board) -> str:
        """A Rush Hour string for a board whose axes are locked where those of the puzzle are not."""
        return codes.to_rush_hour(board) if board.axis_locked and not self.axis_locked else str(board)

    def legal_moves(self, board: Board) -> list[str]:
        return legal_moves(board, self.metric, self.tables(board))

    def play(self, board: Board, move: str) -> Board:
        return board.play(move, self.metric)

    def is_solved(self, board: Board) -> bool:
        return board.is_solved

    def rows(self, board: Board) -> list[str]:
        return board.rows()

    def solve(
        self, board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
    ) -> Outcome:
        return solve(
            board, self.metric, limits=limits, stop=stop, progress=progress, disk=self.disk, tables=self.tables(board)
        )

    def tables(self, board: Board) -> Tables:
        """The tables of a board, made anew when the puzzle is another one than before."""
        if self._tables is None or not self._tables.fits(board):
            self._tables = tables_of(board)
        return self._tables

    def table(self, board: Board, search: Search) -> Distances | None:
        """As long as the positions belong to one component, it is made once."""
        tables, known = self.tables(board), self._distances
        if known is None or known.tables is not tables or known.distance(board) is None:
            self._distances = None  # frees it before the new one is made
            self._distances = distances(tables, board, self.metric, search)
        return self._distances

    def candidates(
        self, like: Board, random: Random, steps: int | None, is_any: bool, search: Search
    ) -> Iterator[Board]:
        """The pieces of `like` laid anew; or, if they keep to their axis, other cars beside the one of the goal."""
        while not search.is_stopped:
            board = generator.random_board(like, random)
            tables = tables_of(board)
            found = distances(tables, board, self.metric, search)
            if found is None or len(found.per_step) < 2 or (steps or 0) >= len(found.per_step):
                continue
            wanted = steps or (random.randrange(1, len(found.per_step)) if is_any else len(found.per_step) - 1)
            yield generator.named_in_order(found.board_at(wanted, random.randrange(found.per_step[wanted])))

    def canonical(self, board: Board) -> str:
        return generator.canonical(board)
