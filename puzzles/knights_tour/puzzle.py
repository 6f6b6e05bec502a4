"""Knight's tours by the contract for playing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from puzzles.base import Limits, ProgressListener, Search
from puzzles.knights_tour.board import Board, parse
from puzzles.knights_tour.generator import begun_tours, good_moves, symmetric_text
from puzzles.knights_tour.solver import Outcome, solve
from puzzles.playing import Hint, Puzzle

LARGEST_ROWS = 40
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
        return board.legal_moves()

    def play(self, board: Board, move: str) -> Board:
        return self.play_all(board, (move,))

    def play_all(self, board: Board, moves: Iterable[str]) -> Board:
        """All at once, in a time that is linear in the length of the path."""
        return parse(str(board).split(), [*board.moves, *moves])

    def is_solved(self, board: Board) -> bool:
        return board.is_solved

    def rows(self, board: Board) -> list[str]:
        """The number of the step on each square, `E` on the end; nothing for more than 40 rows or columns."""
        if max(board.rows, board.columns) > LARGEST_ROWS:
            return []
        step_of = {square: str(step) for step, square in reversed(list(enumerate(board.path, 1)))}
        width = max(len(str(len(board.path))), 1)
        marks = {board.end: "E"} | step_of
        return [
            " ".join(f"{marks.get((row, column), '.'):>{width}}" for column in range(board.columns))
            for row in range(board.rows)
        ]

    def solve(
        self, board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
    ) -> Outcome:
        return solve(board, limits=limits, stop=stop, progress=progress)

    def hint(self, board: Board, search: Search) -> Hint:
        """Every move of a tour, while so few squares remain that a search tells; else one move."""
        good = good_moves(board, search.stop_flag) if board.path and not board.is_solved else None
        if good is None:
            return super().hint(board, search)
        return Hint(good, board.squares - len(board.path) + board.closed if good else None, True, True)

    def lost(self, start: Board, moves: Sequence[str], search: Search, now: Hint | None = None) -> int | None:
        """None also if no tour begins like `start`."""
        if now is not None and now.left is not None:
            return 0
        path = self.play_all(start, moves).path
        for taken_back in range(len(moves) + 1):
            shorter = replace(start, path=path[: len(path) - taken_back])
            outcome = self.solve(shorter, limits=search.limits, stop=search.stop_flag)
            if outcome.solutions:
                return taken_back
            if not outcome.is_unsolvable:
                return None
        return None

    def candidates(self, like: Board, random: Random, least: int, most: int | None, search: Search) -> Iterator[Board]:
        """Begun tours of the size and the ends of `like` that can be completed in one way."""
        return begun_tours(like, random, least, most, search)

    def canonical(self, board: Board) -> str:
        return symmetric_text(board)
