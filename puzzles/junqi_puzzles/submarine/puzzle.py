"""Submarine Adventure by the contract for playing."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from junqi_puzzles.base import Limits, ProgressListener, Search
from junqi_puzzles.playing import Puzzle
from junqi_puzzles.submarine import box, solver
from junqi_puzzles.submarine.slides import FACTORIALS, UNSEEN, rank
from junqi_puzzles.submarine.tiles import HOLE, SIDE, SQUARES, Board, mirrored, parse


class Distances:
    """How far every position of eight tiles is from leaving the board; see `Table` of `junqi_puzzles.playing`.

    `states` counts the positions of these tiles that have a way out. So there are no dead ends among them.
    """

    def __init__(self, board: Board, flag: np.ndarray) -> None:
        self.tiles = tuple(tile for tile in board.tiles if tile != HOLE)
        queue, self._slides, _ = box.search_back(self.tiles, flag)
        self.states = len(queue)
        seen = self._slides[self._slides != UNSEEN]
        self.per_step = [0, *np.bincount(seen).tolist()]

    def distance(self, board: Board) -> int | None:
        if board.is_solved:
            return 0
        places = list(board.tiles)
        position = np.empty(SQUARES, np.uint8)
        for number, tile in enumerate((*self.tiles, HOLE)):
            square = places.index(tile)
            position[square] = number
            places[square] = ""  # the next tile of this kind is another one
        slides = int(self._slides[rank(position, FACTORIALS)])
        return None if slides == UNSEEN else slides + 1


class Submarine(Puzzle[Board]):
    """Set-ups as `parse` of tiles.py reads them. The table of the last eight tiles is kept."""

    variant = "submarine"
    start = "m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne"

    def __init__(self) -> None:
        self._distances: Distances | None = None

    def parse(self, text: str) -> Board:
        return parse(text)

    def legal_moves(self, board: Board) -> list[str]:
        return solver.legal_moves(board)

    def play(self, board: Board, move: str) -> Board:
        return solver.play(board, move)

    def is_solved(self, board: Board) -> bool:
        return board.is_solved

    def rows(self, board: Board) -> list[str]:
        rows = (board.tiles[first : first + SIDE] for first in range(0, SQUARES, SIDE))
        return [" ".join(f"{tile:<6}" for tile in row).rstrip() for row in rows]

    def solve(
        self, board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
    ) -> solver.Outcome:
        return solver.solve(board, limits=limits, stop=stop, progress=progress)

    def table(self, board: Board, search: Search) -> Distances | None:
        """It takes 4 MB and milliseconds, whatever the limits."""
        known = self._distances
        if known is None or sorted((*known.tiles, HOLE)) != sorted(board.tiles):
            known = Distances(board, search.stop_flag)
            if search.is_stopped:
                return None
            self._distances = known
        return known

    def candidates(self, like: Board, random: Random, least: int, most: int | None, search: Search) -> Iterator[Board]:
        """Set-ups of the box, of every length."""
        return box.random_set_ups(random, least, most, search.stop_flag)

    def canonical(self, board: Board) -> str:
        rows = [board.tiles[first : first + SIDE] for first in range(0, SQUARES, SIDE)]
        mirror_image = "/".join(",".join(mirrored(tile) for tile in row[::-1]) for row in rows)
        return min(str(board), mirror_image)
