"""Match-3 by the contract of base.py."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Ending, Hint, Limits, ProgressListener, Puzzle, Search, Statistics
from junqi_puzzles.match3.board import LETTERS, START_BOARD, Board, Rules, Swap, parse
from junqi_puzzles.match3.search import best_line, best_lines
from junqi_puzzles.match3.solution import Outcome

DEFAULT_SWAPS = 3
"""Default search depth in swaps."""
EVERY_SWAP = 1 << 20
"""A search for this many swaps takes less than a second on most boards of 8 x 8."""


class Match3(Puzzle[Board]):
    """Positions as `parse` of board.py reads them, settled as `rules` say. `points` of a board are those so far.

    A game ends when no swap is legal; `solve` tells whether more points were possible.
    """

    variant = "match3"
    start = START_BOARD

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()

    def parse(self, text: str) -> Board:
        points, board = parse(text, self.rules).start()
        return board.with_points(points)

    def legal_moves(self, board: Board) -> list[str]:
        return [board.format_swap(swap) for swap in board.swaps()]

    def play(self, board: Board, move: str) -> Board:
        swap = board.parse_swap(move)
        try:
            gained, after = board.play(swap)
        except Refused as error:  # it names the squares in their own order
            raise Refused(error.code, str(error).replace(board.format_swap(swap), move, 1)) from None
        return after.with_points(board.points + gained)

    def rows(self, board: Board) -> list[str]:
        return str(board).split("/")

    def search(self, board: Board, search: Search, first_swaps: Sequence[Swap] | None = None) -> Outcome:
        """Search for the most points within `limits.depth` swaps; `rules.starts_with_runs` is not applied.

        With several solutions wanted, or with `first_swaps`, the solutions are the best line for each first swap.
        Progress reports have the best line so far. Errors as for `Board.play`.
        """
        limits = search.limits
        # Every swap removes three pieces at least, so no line is longer.
        longest = board.cells.size // 3
        max_swaps = longest if limits.depth is None else min(limits.depth, longest)
        if max_swaps and (first_swaps is not None or limits.solutions > 1):
            firsts = board.swaps() if first_swaps is None else first_swaps
            solutions, is_cut = best_lines(board, firsts, max_swaps, search)
        else:
            solutions = [best_line(board, max_swaps, search)]
            is_cut = limits.nodes is not None and solutions[0].nodes >= limits.nodes
        statistics = Statistics(sum(solution.nodes for solution in solutions), max_swaps)
        if not solutions:
            return Outcome((), Ending.UNSOLVABLE, statistics, "no swap is legal")
        upper_bound = max(solution.upper_bound for solution in solutions)
        if upper_bound <= solutions[0].score:
            ending = Ending.OPTIMAL
        elif search.is_stopped:
            ending = Ending.STOPPED
        else:
            ending = Ending.NODES if is_cut else Ending.MEMORY
        return Outcome(tuple(solutions[: max(limits.solutions, 1)]), ending, statistics, upper_bound=upper_bound)

    def with_defaults(self, limits: Limits | None) -> Limits:
        limits = limits or Limits()
        return replace(limits, depth=DEFAULT_SWAPS) if limits.depth is None else limits

    def hint(self, board: Board, search: Search) -> Hint:
        """A hint with every first swap of a best line; `left` are the points of the line."""
        if search.limits.depth == 0 or self.is_solved(board):
            return Hint((), 0, True, True)
        limits = replace(self.with_defaults(search.limits), solutions=EVERY_SWAP)
        outcome = self.search(board, Search(limits, search.stop_flag))
        score = outcome.solutions[0].score
        moves = tuple(solution.moves[0] for solution in outcome.solutions if solution.score == score)
        return Hint(moves, score, outcome.is_optimal, outcome.is_optimal)

    def candidates(
        self, like: Board, random: Random, min_steps: int, max_steps: int | None, search: Search
    ) -> Iterator[Board | None]:
        """Boards of the size and kinds of `like` with one best line: of `min_steps` swaps if that is `max_steps`, else
        of `DEFAULT_SWAPS`.
        """
        swaps = min_steps if min_steps == max_steps else DEFAULT_SWAPS
        pieces = like.rows * like.columns
        if max(like.rows, like.columns) < 3 or pieces == 3:
            raise Refused("bad-position", f"no swap can make a run on a board of {like.rows} x {like.columns}")
        if 3 * swaps > pieces:
            raise Refused(
                "bad-position", f"{swaps} swaps take at least {3 * swaps} pieces; the board has {pieces} cells"
            )
        while not search.is_stopped:
            board = Board(_random_cells(like.rows, like.columns, len(like.kinds), random), self.rules)
            yield board if self._has_one_best_line(board, swaps, search) else None

    def _has_one_best_line(self, board: Board, swaps: int, search: Search) -> bool:
        for left in range(swaps, 0, -1):
            hint = self.hint(board, search.with_limits(depth=left))
            if len(hint.moves) != 1 or not hint.left or not hint.is_proven:
                return False
            board = self.play(board, hint.moves[0])
        return True

    def canonical(self, board: Board) -> str:
        """A text that mirror images share (pieces fall, so there is no other symmetry); kinds in reading order."""
        return min(_renumbered(board.cells), _renumbered(board.cells[:, ::-1]))


def solve(
    board: Board,
    *,
    limits: Limits | None = None,
    stop: Any = None,
    progress: ProgressListener | None = None,
    first_swaps: Sequence[Swap] | None = None,
) -> Outcome:
    """The most points within `limits.depth` swaps; see `Match3.search` and `junqi_puzzles.base`."""
    return Match3().search(board, Search(limits, stop, progress), first_swaps)


def _random_cells(rows: int, columns: int, kinds: int, random: Random) -> np.ndarray:
    """Random cells without runs."""
    cells = np.zeros((rows, columns), np.uint8)
    for row in range(rows):
        for column in range(columns):
            barred = {
                int(one)
                for one, other in ((cells[row, column - 1], cells[row, column - 2]) if column > 1 else (0, 0),
                                   (cells[row - 1, column], cells[row - 2, column]) if row > 1 else (0, 0))
                if one == other
            }  # fmt: skip
            cells[row, column] = random.choice([kind for kind in range(1, max(kinds, 3) + 1) if kind not in barred])
    return cells


def _renumbered(cells: np.ndarray) -> str:
    number_of = {0: LETTERS[0]}
    for kind in cells.ravel().tolist():
        number_of.setdefault(kind, LETTERS[len(number_of)])
    return "/".join("".join(number_of[kind] for kind in row) for row in cells.tolist())
