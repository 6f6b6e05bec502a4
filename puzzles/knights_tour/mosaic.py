"""Tours of large boards from any square to any other: blocks joined by exchanging links.

The board is cut into blocks of 10 x 10, except for one row and one column of larger blocks. These meet in the block of
the start, so only that block can have an odd number of squares. The tour passes through the blocks of a chain, from
the block of the start to the block of the end. All other blocks have closed tours, which are joined row by row to the
chain's last column of blocks.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from puzzles.knights_tour.board import Place
from puzzles.knights_tour.links import join_boxes, links_of_path, walk
from puzzles.knights_tour.search import ANY_END, COLUMN_STEPS, NEXT_TO_START, ROW_STEPS, path_between

SIDE = 10
LEAST_SIDE = 5
MOST_TURNS = 3000
SEEDS = range(1, 21)

Box = tuple[int, int, int, int]
"""Top, left, bottom, right; the last two exclusive."""


def mosaic_tour(rows: int, columns: int, start: Place | None, end: Place | None) -> np.ndarray:
    """The steps, from 0, of an open tour from `start` to `end` (None: any square); without `start`, of a closed tour.

    There are at least 5 rows and columns, and the ends have the right colours. A closed tour needs an even number of
    squares.
    """
    for seed in SEEDS:
        steps = _Mosaic(rows, columns, start, end, seed).steps()
        if steps is not None:
            return steps
    raise AssertionError(f"{rows} x {columns} from {start} to {end}: the blocks cannot be joined")


@dataclass
class _Mosaic:
    rows: int
    columns: int
    start: Place | None
    end: Place | None
    seed: int

    def __post_init__(self) -> None:
        self.known: dict[tuple[int, int, int, int], np.ndarray | None] = {}
        self.row_cuts = _cuts(self.rows, self.start[0] if self.start else 0)
        self.column_cuts = _cuts(self.columns, self.start[1] if self.start else 0)

    def steps(self) -> np.ndarray | None:
        """The tour; None if blocks cannot be joined."""
        links = np.zeros((self.rows, self.columns), np.uint8)
        chain = self.chain()
        parts = self.chain_links(chain)
        if parts is None:
            return None
        height, width = len(self.row_cuts) - 1, len(self.column_cuts) - 1
        for i in range(height):
            for j in range(width):
                top, left, bottom, right = self.box((i, j))
                part = parts.get((i, j))
                if part is None:
                    part = self.links(bottom - top, right - left, 0, NEXT_TO_START)
                    if part is None:
                        return None
                links[top:bottom, left:right] = part.reshape(bottom - top, right - left)
        spine = chain[-1][1] if chain else 0
        passed = set(itertools.pairwise(chain))
        pairs = [
            (*self.box(a), *self.box(b))
            for a, b in self.tree(height, width, spine)
            if (a, b) not in passed and (b, a) not in passed
        ]
        if not join_boxes(self.rows, self.columns, links.ravel(), np.array(pairs, np.int64).reshape(-1, 8)):
            return None
        # The chain itself is joined by the moves between its blocks.
        for (row, column), (next_row, next_column) in self.moves:
            move = int(np.flatnonzero((next_row - row == ROW_STEPS) & (next_column - column == COLUMN_STEPS))[0])
            links[row, column] |= 1 << move
            links[next_row, next_column] |= 1 << (7 - move)
        steps = np.empty(self.rows * self.columns, np.int32)
        first = self.start[0] * self.columns + self.start[1] if self.start else 0
        if walk(self.rows, self.columns, links.ravel(), first, steps) != steps.size:
            return None
        return steps.reshape(self.rows, self.columns)

    def box(self, block: Place) -> Box:
        i, j = block
        return self.row_cuts[i], self.column_cuts[j], self.row_cuts[i + 1], self.column_cuts[j + 1]

    def block_of(self, square: Place) -> Place:
        i = int(np.searchsorted(self.row_cuts, square[0], "right")) - 1
        return i, int(np.searchsorted(self.column_cuts, square[1], "right")) - 1

    def chain(self) -> list[Place]:
        """The blocks from the start's to the end's, along the row and then along the column."""
        if self.start is None:
            return []
        i, j = self.block_of(self.start)
        last_i, last_j = self.block_of(self.end) if self.end else (i, j)
        along = [(i, at) for at in (range(j, last_j + 1) if j <= last_j else range(j, last_j - 1, -1))]
        across = [(at, last_j) for at in (range(i, last_i + 1) if i <= last_i else range(i, last_i - 1, -1))]
        return along + across[1:]

    def tree(self, height: int, width: int, spine: int) -> list[tuple[Place, Place]]:
        """Neighbouring blocks to join: the blocks of each row, and those of the column `spine`."""
        along = [((i, j), (i, j + 1)) for i in range(height) for j in range(width - 1)]
        return along + [((i, spine), (i + 1, spine)) for i in range(height - 1)]

    def chain_links(self, chain: list[Place]) -> dict[Place, np.ndarray] | None:
        """The links within each block of the chain; the moves between blocks are put in `moves`."""
        self.moves: list[tuple[Place, Place]] = []
        parts: dict[Place, np.ndarray] = {}
        entry = self.start
        for number, block in enumerate(chain):
            assert entry is not None
            top, left, bottom, right = self.box(block)
            height, width = bottom - top, right - left
            first = (entry[0] - top) * width + entry[1] - left
            if number == len(chain) - 1:
                last = (self.end[0] - top) * width + self.end[1] - left if self.end else ANY_END
                links = self.links(height, width, first, last)
                if links is None:
                    return None
                parts[block] = links
                return parts
            is_before_last = number == len(chain) - 2
            for departure, enter in self.joints(block, chain[number + 1]):
                same_colour = (sum(departure) - sum(entry)) % 2 == 0
                if same_colour != (height * width % 2 == 1) or departure == entry or enter == self.end:
                    continue
                links = self.links(height, width, first, (departure[0] - top) * width + departure[1] - left)
                if links is None or (is_before_last and not self.leads_to_end(chain[-1], enter)):
                    continue
                parts[block] = links
                self.moves.append((departure, enter))
                entry = enter
                break
            else:
                return None
        return parts

    def leads_to_end(self, block: Place, enter: Place) -> bool:
        top, left, bottom, right = self.box(block)
        assert self.end is not None
        width = right - left
        first = (enter[0] - top) * width + enter[1] - left
        return self.links(bottom - top, width, first, (self.end[0] - top) * width + self.end[1] - left) is not None

    def joints(self, block: Place, following: Place) -> list[tuple[Place, Place]]:
        """Moves from a block into the next, those near the middle of their common side first."""
        top, left, bottom, right = self.box(block)
        other_top, other_left, other_bottom, other_right = self.box(following)
        found = []
        for row in range(max(top, other_top - 2), min(bottom, other_bottom + 2)):
            for column in range(max(left, other_left - 2), min(right, other_right + 2)):
                for down, along in zip(ROW_STEPS.tolist(), COLUMN_STEPS.tolist(), strict=True):
                    to = row + down, column + along
                    if other_top <= to[0] < other_bottom and other_left <= to[1] < other_right:
                        found.append(((row, column), to))
        middle = (top + bottom, left + right)
        return sorted(
            found, key=lambda joint: (abs(2 * joint[0][0] - middle[0]) + abs(2 * joint[0][1] - middle[1]), joint)
        )

    def links(self, rows: int, columns: int, first: int, last: int) -> np.ndarray | None:
        """The links of a tour of a block between two squares (as numbers); None if none was found."""
        key = rows, columns, first, last
        if key not in self.known:
            path = path_between(rows, columns, first, last, self.seed, MOST_TURNS)
            self.known[key] = None if path is None else links_of_path(columns, path, last == NEXT_TO_START)
        return self.known[key]


def _cuts(side: int, special: int) -> list[int]:
    """Where blocks begin, and the end: blocks of 10, and one of 10 to 19 that has `special`; one block below 20."""
    blocks = max(side // SIDE, 1)
    large = min(special // SIDE, blocks - 1)
    extra = side - SIDE * blocks
    return [SIDE * block + (extra if block > large else 0) for block in range(blocks)] + [side]
