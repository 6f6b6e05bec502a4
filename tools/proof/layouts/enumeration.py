"""The layouts of classic Klotski, by the set of pieces.

A layout has exactly one 2 x 2 block, the piece to be freed, any number of vertical (1 x 2), horizontal (2 x 1) and
single pieces, and at least two empty cells. Pieces of one shape are alike. On the board of 4 x 5 cells there are
29,334,498 layouts; the definition and the number are those of https://github.com/dnomd343/klotski.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from puzzles.klotski.board import NAMES, Board
from puzzles.klotski.tables import Tables, tables_of

WIDTH, HEIGHT = 4, 5
FEWEST_EMPTY = 2
BLOCK_CELLS = 4
CLASSIC_LAYOUTS = 29_334_498


@dataclass(frozen=True, order=True)
class Pieces:
    """How many pieces of each shape lie on the board beside the block."""

    vertical: int
    horizontal: int
    single: int

    def __str__(self) -> str:
        return f"{self.vertical}v{self.horizontal}h{self.single}s"


def all_pieces(width: int = WIDTH, height: int = HEIGHT) -> Iterator[Pieces]:
    """Every set of pieces that leaves enough cells empty, also those that have no layout."""
    room = width * height - BLOCK_CELLS - FEWEST_EMPTY
    for vertical in range(room // 2 + 1):
        for horizontal in range(room // 2 - vertical + 1):
            for single in range(room - 2 * (vertical + horizontal) + 1):
                yield Pieces(vertical, horizontal, single)


class Layouts:
    """All layouts of one set of pieces on a board; the goal is the block at the middle of the bottom.

    `block_and_dominoes` are the keys of the block and the vertical and horizontal pieces alone, `occupied` their cells.
    """

    def __init__(self, pieces: Pieces, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.pieces = pieces
        self.cells = width * height
        block = frozenset((0, 1, width, width + 1))
        down, right = height - 2, (width - 2) // 2
        # Tables depend on the shapes of pieces alone, so here all pieces lie on one another.
        shapes = [block]
        shapes += [frozenset((0, width))] * pieces.vertical
        shapes += [frozenset((0, 1))] * pieces.horizontal
        shapes += [frozenset((0,))] * pieces.single
        board = Board(
            width, height, frozenset(), frozenset(), dict(zip(NAMES, shapes, strict=False)),
            {NAMES[0]: frozenset(cell + down * width + right for cell in block)},
        )  # fmt: skip
        self.tables: Tables = tables_of(board)
        self.block_and_dominoes, self.occupied = self._without_singles()

    def __len__(self) -> int:
        return len(self.occupied) * comb(self._free_cells, self.pieces.single)

    @property
    def _free_cells(self) -> int:
        return self.cells - BLOCK_CELLS - 2 * (self.pieces.vertical + self.pieces.horizontal)

    def _without_singles(self) -> tuple[np.ndarray, np.ndarray]:
        mask, code = self.tables.mask[:, 0], self.tables.code
        keys, occupied = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        counts = [1, self.pieces.vertical, self.pieces.horizontal]
        for kind, count in enumerate(count for count in counts if count):
            places = range(self.tables.first[kind], self.tables.first[kind + 1])
            newest = np.full(len(keys), -1)
            for _ in range(count):
                found = []
                for place in places:
                    rows = np.flatnonzero((newest < place) & (occupied & mask[place] == 0))
                    found.append((keys[rows] + code[place], occupied[rows] | mask[place], np.full(len(rows), place)))
                keys, occupied, newest = (np.concatenate(column) for column in zip(*found, strict=True))
        return keys, occupied

    def keys(self) -> np.ndarray:
        """The keys of all layouts, (n, 1), each once, always in the same order."""
        keys, single = self.block_and_dominoes, self.pieces.single
        if single and len(keys):
            is_free = self.occupied[:, None] >> np.arange(self.cells, dtype=np.uint64) & np.uint64(1) == 0
            free_cells = np.nonzero(is_free)[1].reshape(len(keys), self._free_cells)
            # The placements of the last class, the single pieces, are the cells.
            codes = self.tables.code[self.tables.first[-2] + free_cells]
            chosen = list(combinations(range(self._free_cells), single))
            which = np.zeros((self._free_cells, len(chosen)), np.uint64)
            which[np.array(chosen).T, np.arange(len(chosen))] = 1
            keys = (keys[:, None] + codes @ which).ravel()
        return keys[:, None]
