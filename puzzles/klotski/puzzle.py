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


MOST_STATES = 20_000
"""Of a new puzzle of cars: in larger components the hardest positions are rarely harder, and take long to find."""
MOST_FAILURES = 60
"""After so many exchanges of a car that make a puzzle no harder, others are laid."""


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
        known = self._tables
        if known is None or not known.fits(board):
            known = self._tables = tables_of(board)
        return known

    def table(self, board: Board, search: Search) -> Distances | None:
        """As long as the positions belong to one component, it is made once."""
        tables, known = self.tables(board), self._distances
        if known is None or known.tables is not tables or known.distance(board) is None:
            known = self._distances = None  # frees it before the new one is made
            known = self._distances = distances(tables, board, self.metric, search)
        return known

    def candidates(self, like: Board, random: Random, least: int, most: int | None, search: Search) -> Iterator[Board]:
        """The pieces of `like` laid anew; or, if they keep to their axis, other cars beside those of the goal.

        Random cars are easy. So one car after the other is exchanged, as long as the hardest position gets no easier,
        until it is hard enough; then several are exchanged at once. Where that leads no further, all are laid anew.
        """
        if like.axis_locked:
            search = search.with_limits(nodes=MOST_STATES)
        board, deepest, failures = None, 0, 0
        while not search.is_stopped:
            is_climbing = board is not None and like.axis_locked and failures < MOST_FAILURES
            trial = generator.exchange(board, random) if is_climbing and board else generator.random_board(like, random)
            found = distances(tables_of(trial), trial, self.metric, search)
            depth = len(found.per_step) - 1 if found else 0
            if found is None or depth < (deepest if is_climbing else 1):
                failures += 1
                continue
            failures = failures + 1 if is_climbing and depth == deepest else 0
            board, deepest = trial, depth
            if depth >= least and (most is not None or not like.axis_locked or failures == MOST_FAILURES):
                wanted = depth if most is None else random.randint(least, min(most, depth))
                yield generator.named_in_order(found.board_at(wanted, random.randrange(found.per_step[wanted])))
                board = generator.exchange(board, random, 3) if like.axis_locked else None
                deepest = failures = 0

    def canonical(self, board: Board) -> str:
        return generator.canonical(board)
