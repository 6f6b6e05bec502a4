"""Tours of large boards from any square to any other: blocks joined by exchanging links.

The board is cut into blocks of 10 x 10, except for one row and one column of larger blocks. These meet in the block of
the start, so only that block can have an odd number of squares. The tour passes through the blocks of a chain, from
the block of the start to the block of the end. All other blocks have closed tours, which are joined row by row to the
chain's last column of blocks.

A tour is kept as links: a byte for each square, with bit i if the tour makes move i of `KNIGHT_MOVES` there, in one
direction or the other. Two bits are set, or one at an end. Paths through different parts of the board are joined by an
exchange of links: a - b and c - d become a - c and b - d.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import inlined, kernel, record_type
from junqi_puzzles.knights_tour.board import Place
from junqi_puzzles.knights_tour.search import (
    ANY_END,
    BYTES,
    COLUMN_STEPS,
    NEXT_TO_START,
    ROW_STEPS,
    SQUARES,
    check,
    neighbour,
    path_between,
)

BYTE = numba.uint8
STEPS_BETWEEN_LOOKS = 1 << 16
"""Steps written between two checks of the stop flag, a power of two."""
BOX = np.dtype([(name, np.int64) for name in ("top", "left", "bottom", "right")], align=True)
"""A box of squares; bottom and right are exclusive."""
PAIR = np.dtype([("first", BOX), ("second", BOX)], align=True)
"""Two neighbouring boxes, whose paths are to be joined."""

MOVE_OF = np.full((5, 5), -1)
"""The number of a move by row step + 2 and column step + 2."""
MOVE_OF[ROW_STEPS + 2, COLUMN_STEPS + 2] = np.arange(8)


@kernel(types.int64(types.int64, types.int64, BYTES, types.int64, SQUARES, BYTES))
def walk(rows, columns, links, start, steps, stop):
    """Follow the links from `start` and write the step of each square, from 0, to `steps`; returns the number of steps.

    It returns early if the stop flag `stop` is set.
    """
    square = start
    back = -1
    step = 0
    while True:
        steps[square] = step
        step += 1
        onward = -1
        for move in range(8):
            if links[square] >> BYTE(move) & 1 and move != back:
                onward = move
                break
        if onward < 0 or (step & STEPS_BETWEEN_LOOKS - 1 == 0 and stop[0]):
            return step
        square += ROW_STEPS[onward] * columns + COLUMN_STEPS[onward]
        back = 7 - onward
        if square == start:
            return step


@inlined
def is_inside(box, columns, square):
    return box.top <= square // columns < box.bottom and box.left <= square % columns < box.right


@kernel(types.boolean(types.int64, types.int64, BYTES, record_type(PAIR)))
def join_pair(rows, columns, links, pair):
    """Join the paths in two neighbouring boxes by an exchange of links; False if no two links allow it."""
    box, other = pair.first, pair.second
    for row in range(max(box.top, other.top - 2), min(box.bottom, other.bottom + 2)):
        for column in range(max(box.left, other.left - 2), min(box.right, other.right + 2)):
            a = row * columns + column
            for move in range(8):
                c = neighbour(rows, columns, a, move)
                if c < 0 or not is_inside(other, columns, c):
                    continue
                for a_move in range(8):
                    if not links[a] >> BYTE(a_move) & 1:
                        continue
                    b = neighbour(rows, columns, a, a_move)
                    if not is_inside(box, columns, b):
                        continue
                    for c_move in range(8):
                        if not links[c] >> BYTE(c_move) & 1:
                            continue
                        d = neighbour(rows, columns, c, c_move)
                        if not is_inside(other, columns, d):
                            continue
                        for last in range(8):
                            if neighbour(rows, columns, b, last) == d:
                                links[a] ^= BYTE(1 << a_move | 1 << move)
                                links[b] ^= BYTE(1 << (7 - a_move) | 1 << last)
                                links[c] ^= BYTE(1 << c_move | 1 << (7 - move))
                                links[d] ^= BYTE(1 << (7 - c_move) | 1 << (7 - last))
                                return True
    return False


@kernel(types.boolean(types.int64, types.int64, BYTES, types.Array(record_type(PAIR), 1, "C")))
def join_boxes(rows, columns, links, pairs):
    """Join the paths of each pair of boxes; False if one pair cannot be joined."""
    for i in range(pairs.shape[0]):  # noqa: SIM110  numba has no all()
        if not join_pair(rows, columns, links, pairs[i]):
            return False
    return True


def add_links(links: np.ndarray, columns: int, first: np.ndarray, second: np.ndarray) -> None:
    """Add a step between `first[i]` and `second[i]` for each i to the links of a tour."""
    row_steps = second // columns - first // columns
    moves = MOVE_OF[row_steps + 2, second % columns - first % columns + 2]
    np.bitwise_or.at(links, first, (1 << moves).astype(np.uint8))
    np.bitwise_or.at(links, second, (1 << (7 - moves)).astype(np.uint8))


def links_of_path(columns: int, path: np.ndarray, closed: bool) -> np.ndarray:
    """The links of a path, given as the order of its squares; `closed` adds the step from the last to the first."""
    following = np.roll(path, -1)
    links = np.zeros(path.size, np.uint8)
    add_links(links, columns, path if closed else path[:-1], following if closed else following[:-1])
    return links


SIDE = 10
MAX_ROTATIONS = 3000
SEEDS = range(1, 21)
PAIRS_A_CALL = 10_000

Box = tuple[int, int, int, int]
"""Top, left, bottom, right; the last two exclusive."""


def mosaic_tour(
    rows: int, columns: int, start: Place | None, end: Place | None, stop: np.ndarray, first: Place = (0, 0)
) -> np.ndarray:
    """The steps, from 0, of an open tour from `start` to `end` (None: any square); without `start`, of a closed tour
    from `first`.

    The board has at least 5 rows and columns, the ends have the right colours, and a closed tour has an even number of
    squares. `Stopped` once `stop` is set.
    """
    for seed in SEEDS:
        steps = _Mosaic(rows, columns, start, end, seed, stop, start or first).steps()
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
    stop: np.ndarray
    first: Place

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
        pairs = (
            (self.box(a), self.box(b))
            for a, b in self.tree(height, width, spine)
            if (a, b) not in passed and (b, a) not in passed
        )
        while some := list(itertools.islice(pairs, PAIRS_A_CALL)):
            if not join_boxes(self.rows, self.columns, links.ravel(), np.array(some, PAIR)):
                return None
        # The chain itself is joined by the moves between its blocks.
        for (row, column), (next_row, next_column) in self.moves:
            move = int(np.flatnonzero((next_row - row == ROW_STEPS) & (next_column - column == COLUMN_STEPS))[0])
            links[row, column] |= 1 << move
            links[next_row, next_column] |= 1 << (7 - move)
        steps = np.empty(self.rows * self.columns, np.int32)
        first = self.first[0] * self.columns + self.first[1]
        if walk(self.rows, self.columns, links.ravel(), first, steps, self.stop) != steps.size:
            check(self.stop)
            return None
        return steps.reshape(self.rows, self.columns)

    def box(self, block: Place) -> Box:
        check(self.stop)  # every loop over blocks calls this
        i, j = block
        return self.row_cuts[i], self.column_cuts[j], self.row_cuts[i + 1], self.column_cuts[j + 1]

    def block_of(self, square: Place) -> Place:
        i = int(np.searchsorted(self.row_cuts, square[0], "right")) - 1
        return i, int(np.searchsorted(self.column_cuts, square[1], "right")) - 1

    def chain(self) -> list[Place]:
        """The blocks from the start to the end, along the row and then along the column."""
        if self.start is None:
            return []
        i, j = self.block_of(self.start)
        last_i, last_j = self.block_of(self.end) if self.end else (i, j)
        along = [(i, at) for at in (range(j, last_j + 1) if j <= last_j else range(j, last_j - 1, -1))]
        across = [(at, last_j) for at in (range(i, last_i + 1) if i <= last_i else range(i, last_i - 1, -1))]
        return along + across[1:]

    def tree(self, height: int, width: int, spine: int) -> Iterator[tuple[Place, Place]]:
        """Pairs of neighbouring blocks to join: within each row, and along the column `spine`."""
        yield from (((i, j), (i, j + 1)) for i in range(height) for j in range(width - 1))
        yield from (((i, spine), (i + 1, spine)) for i in range(height - 1))

    def chain_links(self, chain: list[Place]) -> dict[Place, np.ndarray] | None:
        """The links within each block of the chain; the moves between blocks go to `moves`."""
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
        """Moves from a block into the next one, sorted by distance from the middle of the block."""
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
            path = path_between(rows, columns, first, last, self.seed, MAX_ROTATIONS)
            self.known[key] = None if path is None else links_of_path(columns, path, last == NEXT_TO_START)
        return self.known[key]


def _cuts(side: int, special: int) -> list[int]:
    """The beginnings of blocks, and the end: blocks of 10, and one of 10 to 19 with `special`; one block below 20."""
    blocks = max(side // SIDE, 1)
    large = min(special // SIDE, blocks - 1)
    extra = side - SIDE * blocks
    return [SIDE * block + (extra if block > large else 0) for block in range(blocks)] + [side]
