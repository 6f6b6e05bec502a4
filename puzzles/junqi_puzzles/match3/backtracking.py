"""The plain search over all sequences of swaps, without a memory of boards. It also counts sequences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from junqi_engine.kernels import count_trailing_zeros, kernel
from junqi_puzzles.base import Limits, ProgressListener, Search
from junqi_puzzles.match3.board import Board, Swap
from junqi_puzzles.match3.layers import BOARDS, COUNTS, SCORES, SWAPS, ceiling, load, store
from junqi_puzzles.match3.solution import Outcome, Solution, best_lines, most_points_of_pieces, plays_of_slice
from junqi_puzzles.match3.waves import ALL_WAVES, NOT_LEGAL, find_swaps, for_both, play

ONE = np.uint64(1)
DEPTH, BEST, BEST_LENGTH = range(3)
"""The fields of `progress`: swaps made so far, -1 at the end; the most points; the length of that line."""


@kernel(
    for_both(types.int64, BOARDS, BOARDS, SCORES, SWAPS, SWAPS, COUNTS, types.int64, types.int64, COUNTS)
)  # fmt: skip
def search_on(game, boards, open_swaps, scores, line, best_line, played, most_swaps, most_plays, progress):
    """Continue the search for at most `most_plays` swaps; returns how many it played.

    The board after d swaps is `boards[d]`, with `scores[d]` points by `line[:d]`. `open_swaps[d]` are the swaps not yet
    tried: in each pair of words those to the right and those down. `played[d]` counts the swaps that were the d-th of
    their sequence.
    """
    words = game.words
    plays = 0
    depth = progress[DEPTH]
    while depth >= 0 and plays < most_plays:
        is_last = depth + 1 == most_swaps
        went_deeper = False
        for w in range(words):
            cells = open_swaps[depth, 2 * w] | open_swaps[depth, 2 * w + 1]
            while cells:
                bit = cells & (~cells + ONE)
                is_down = 0 if open_swaps[depth, 2 * w] & bit else 1
                open_swaps[depth, 2 * w + is_down] ^= bit
                cells = open_swaps[depth, 2 * w] | open_swaps[depth, 2 * w + 1]
                swap = 2 * (64 * w + np.int64(count_trailing_zeros(bit))) + is_down
                load(game, boards, depth)
                points = play(game, swap, ALL_WAVES)
                if points == NOT_LEGAL:
                    continue
                plays += 1
                line[depth] = swap
                score = scores[depth] + points
                played[depth + 1] += 1
                if score > progress[BEST] or (score == progress[BEST] and depth + 1 < progress[BEST_LENGTH]):
                    progress[BEST] = score
                    progress[BEST_LENGTH] = depth + 1
                    for at in range(depth + 1):
                        best_line[at] = line[at]
                if not is_last:
                    went_deeper = True
                    break
            if went_deeper:
                break
        if not went_deeper:
            depth -= 1
            continue
        depth += 1
        store(game, boards, depth)
        scores[depth] = score
        find_swaps(game)
        for w in range(words):
            open_swaps[depth, 2 * w] = game.right[w]
            open_swaps[depth, 2 * w + 1] = game.down[w]
    progress[DEPTH] = depth
    return plays


class _Walk:
    """One search."""

    def __init__(self, board: Board, most_swaps: int, search: Search) -> None:
        self.board = board
        self.most_swaps = most_swaps
        self.search = search
        self.game = board.game.copy()
        # Every swap removes three pieces at least, so no sequence is longer.
        depths = min(most_swaps, board.cells.size // 3) + 1
        planes, words = int(self.game["planes"]), int(self.game["words"])
        self.boards = np.zeros((depths, planes * words), np.uint64)
        self.open_swaps = np.zeros((depths, 2 * words), np.uint64)
        self.scores = np.zeros(depths, np.int32)
        self.line = np.zeros(depths, np.int16)
        self.best_line = np.zeros(depths, np.int16)
        self.played = np.zeros(depths, np.int64)
        self.progress = np.zeros(3, np.int64)
        self.plays = 0
        store(self.game[()], self.boards, 0)
        find_swaps(self.game[()])
        self.open_swaps[0, 0::2] = self.game["right"][:words]
        self.open_swaps[0, 1::2] = self.game["down"][:words]
        if depths == 1:
            self.progress[DEPTH] = -1

    def run(self) -> bool:
        """Search to the end; False if it was stopped or limited."""
        while self.progress[DEPTH] >= 0:
            room = plays_of_slice(self.search, self.plays)
            if room <= 0:
                return False
            self.plays += search_on(
                self.game[()], self.boards, self.open_swaps, self.scores, self.line, self.best_line, self.played,
                len(self.boards) - 1, room, self.progress,
            )  # fmt: skip
        return True

    def solution(self, is_complete: bool) -> Solution:
        score = int(self.progress[BEST])
        line = tuple(self.board.swap_of(int(number)) for number in self.best_line[: self.progress[BEST_LENGTH]])
        at_most = score if is_complete else int(ceiling(self.board.game[()], most_points_of_pieces(self.board)))
        return Solution(self.board, score, line, max(score, at_most), self.plays)


def solve_by_backtracking(
    board: Board,
    *,
    limits: Limits | None = None,
    stop: Any = None,
    progress: ProgressListener | None = None,
    first_swaps: Sequence[Swap] | None = None,
) -> Outcome:
    """What `solve` finds, by trying every sequence of swaps. It does not report progress."""
    return best_lines(_best_line, board, Search(limits, stop, progress), first_swaps)


def _best_line(board: Board, most_swaps: int, search: Search) -> Solution:
    walk = _Walk(board, most_swaps, search)
    return walk.solution(walk.run())


def count_sequences(board: Board, swaps: int, *, stop: Any = None) -> dict[Swap, int] | None:
    """For each legal first swap, how many sequences of exactly `swaps` >= 1 swaps begin with it; None if stopped."""
    search = Search(stop=stop)
    counts = {}
    for first in board.swaps():
        walk = _Walk(board.play(first)[1], swaps - 1, search)
        if not walk.run():
            return None
        if swaps == 1:
            counts[first] = 1
        else:
            counts[first] = int(walk.played[swaps - 1]) if swaps <= len(walk.played) else 0
    return counts
