"""Closed tours of large boards in linear time: a ring of blocks, each with an open tour that leads into the next one.

The board is cut into blocks of 8 x 8, with larger blocks in the last row and column, and an even number of rows of
blocks. The ring goes along the first row of blocks to the right, then back and forth through the other rows without
their first block, and up the first column of blocks to the corner. The tour enters every block on a light square (row
+ column even) and exits it on a dark one, so few tours of a block are needed, one for each entry, exit and size; a
search makes them. The step of a square is the first step of its block, by arithmetic, plus its step within the block.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import types

from junqi_engine.kernels import kernel, record_type
from junqi_puzzles.knights_tour.search import path_between

SIDE = 8
MIN_SIDE = 2 * SIDE
RIGHT, DOWN, LEFT, UP = (0, 1), (1, 0), (0, -1), (-1, 0)
MAX_BLOCK = 3 * SIDE
REPEATED = 32 * SIDE
"""Columns of the repeated part of a tile."""
MAX_ROTATIONS = 20_000

STEPS = types.Array(types.int32, 2, "C")
TILES = types.Array(types.int32, 3, "C")
BLOCK_ROW = np.dtype(
    [
        ("top", np.int64),  # the first row of the board
        ("bottom", np.int64),  # the end of its rows
        ("tile", np.int64),  # the number of the tile
        ("first_base", np.int32),  # added to the steps of the tile in the first columns
        ("base", np.int32),  # added to the other steps
        ("drift", np.int32),  # added with each repetition of the tile
    ],
    align=True,
)
"""A row of blocks. A negative sum counts from the end of the tour."""


@kernel(types.void(STEPS, TILES, types.Array(record_type(BLOCK_ROW), 1, "C"), types.int64, types.int64, types.int64))
def fill_rows(steps, tiles, block_rows, first_columns, lead, last_column):
    """Write the tile of each row of blocks to `steps`.

    The part of a tile between its first `lead` columns and the last block is repeated up to `last_column`. It is short
    enough to stay in the nearest cache.
    """
    size = np.int32(steps.size)
    for i in range(block_rows.size):
        tile, top = block_rows[i].tile, block_rows[i].top
        first_base, drift = block_rows[i].first_base, block_rows[i].drift
        for row in range(top, block_rows[i].bottom):
            line = steps[row]
            source = tiles[tile, row - top]
            for column in range(first_columns):
                step = np.int32(first_base + source[column])
                line[column] = step + (size & (step >> np.int32(31)))
            base = block_rows[i].base
            for column in range(first_columns, lead):
                step = np.int32(base + source[column])
                line[column] = step + (size & (step >> np.int32(31)))
            after = source[lead + REPEATED :]
            for at in range(line.size - last_column):
                step = np.int32(base + after[at])
                line[last_column + at] = step + (size & (step >> np.int32(31)))
            repeated = source[lead : lead + REPEATED]
            for column in range(lead, last_column, REPEATED):
                part = line[column : min(column + REPEATED, last_column)]
                for at in range(part.size):
                    step = np.int32(base + repeated[at])
                    part[at] = step + (size & (step >> np.int32(31)))
                base = np.int32(base + drift)


def can_be_ring(rows: int, columns: int) -> bool:
    """Whether `BlockTour` can make a closed tour: an even number of squares, at least 16 rows and columns."""
    return min(rows, columns) >= MIN_SIDE and rows * columns % 2 == 0


@dataclass
class BlockTour:
    """A closed tour of `rows` x `columns` from `start` (row, column): steps from 0, without an array of the board."""

    rows: int
    columns: int
    start: tuple[int, int] = (0, 0)
    row_starts: np.ndarray = field(init=False)
    column_starts: np.ndarray = field(init=False)
    _templates: list[np.ndarray] = field(init=False, default_factory=list)
    _kind_of: dict[tuple, int] = field(init=False, default_factory=dict)
    _kinds: dict[tuple[int, int], int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        rows, columns = _cuts(self.rows), _cuts(self.columns)
        if len(rows) % 2 == 0:
            del rows[-2]
        self.row_starts = np.array(rows, np.int64)
        self.column_starts = np.array(columns, np.int64)
        self._height, self._width = len(rows) - 1, len(columns) - 1
        self._first_column = int(columns[1])
        self._offset = 0
        self._offset = self.step_at(*self.start)

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def step_at(self, row: int, column: int) -> int:
        """The step of a square, from 0, in constant time."""
        i = min(row // SIDE, self._height - 1)
        j = min(column // SIDE, self._width - 1)
        template = self._templates[self._kind(i, j)]
        local = int(template[row - self.row_starts[i], column - self.column_starts[j]])
        return (self._base(i, j) + local - self._offset) % self.size

    def fill(self, steps: np.ndarray) -> None:
        """Write the step of each square, from 0, to `steps` (rows x columns of int32), at most 2^31 - 1 squares."""
        tile_of, tiles = self._tiles()
        above = self.row_starts[:-1] * (self.columns - self._first_column) + self.row_starts[1] * self._first_column
        rows = np.empty(self._height, BLOCK_ROW)
        rows["top"], rows["bottom"], rows["tile"] = self.row_starts[:-1], self.row_starts[1:], tile_of
        rows["first_base"] = np.array([self._base(i, 0) for i in range(self._height)]) - self._offset
        rows["base"] = above - self._offset
        rows["drift"] = np.diff(self.row_starts) * REPEATED
        rows["drift"][1::2] *= -1
        fill_rows(steps, tiles, rows, self._first_column, self._lead, int(self.column_starts[-2]))

    @property
    def _lead(self) -> int:
        """The first column of the third block: the blocks from there on are equal except for their first steps."""
        return int(self.column_starts[min(2, self._width - 1)])

    def _tiles(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of the tile of each row of blocks, and the tiles.

        A tile has the steps of the squares of the first two blocks, of `REPEATED` columns of the equal blocks after
        them, and of the last block; counted from the first step of the row, in the first block of a row from the first
        step of that block.
        """
        numbers: dict[int, int] = {}
        tile_of = np.empty(self._height, np.int64)
        made: list[np.ndarray] = []
        for i in range(self._height):
            row = self._representative(i, 0)[0]
            if row not in numbers:
                numbers[row] = len(made)
                made.append(self._tile(i, int(self.row_starts[i + 1] - self.row_starts[i])))
            tile_of[i] = numbers[row]
        return tile_of, np.stack(made)

    def _tile(self, i: int, height: int) -> np.ndarray:
        lead, last = self._lead, self._width - 1
        after = lead + REPEATED
        tile = np.zeros((MAX_BLOCK, after + self.columns - int(self.column_starts[last])), np.int32)
        for j in {0, min(1, last), last}:
            left = after if j == last else int(self.column_starts[j])
            template = self._templates[self._kind(i, j)]
            tile[:height, left : left + template.shape[1]] = template
            if j:
                tile[:height, left : left + template.shape[1]] += height * self._passed(i, j)
        if self._width > 3:
            equal = tile[:height, lead:after].reshape(height, -1, SIDE)
            passed = np.arange(REPEATED // SIDE, dtype=np.int32) * (SIDE if i % 2 == 0 else -SIDE) + self._passed(i, 2)
            template = self._templates[self._kind(i, 2)]
            equal[...] = template[:, None, :] + np.int32(height) * passed[None, :, None]
        return tile

    def _base(self, i: int, j: int) -> int:
        starts = self.row_starts
        if j == 0:
            return 0 if i == 0 else int(self.size - (starts[i + 1] - starts[1]) * self._first_column)
        above = starts[i] * (self.columns - self._first_column) + starts[1] * self._first_column
        return int(above + (starts[i + 1] - starts[i]) * self._passed(i, j))

    def _passed(self, i: int, j: int) -> int:
        """The number of columns of a row of blocks before block j on the tour, without the first block."""
        if i % 2 == 0:
            return int(self.column_starts[j]) - self._first_column
        return self.columns - int(self.column_starts[j + 1])

    def _next(self, i: int, j: int) -> tuple[int, int]:
        """The direction from a block to the next one of the ring."""
        if j == 0:
            return RIGHT if i == 0 else UP
        if i % 2 == 0:
            return RIGHT if j < self._width - 1 else DOWN
        if j > 1 or i == self._height - 1:
            return LEFT
        return DOWN

    def _previous(self, i: int, j: int) -> tuple[int, int]:
        """The direction from the block before to a block."""
        for direction in (RIGHT, DOWN, LEFT, UP):
            before = i - direction[0], j - direction[1]
            if 0 <= before[0] < self._height and 0 <= before[1] < self._width and self._next(*before) == direction:
                return direction
        raise AssertionError(f"block {i}, {j} is not on the ring")

    def _joint(self, i: int, j: int, direction: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
        """The dark square on which the tour exits a block in a direction, and the light one of the next block."""
        top, left = int(self.row_starts[i]), int(self.column_starts[j])
        bottom, right = int(self.row_starts[i + 1]) - 1, int(self.column_starts[j + 1]) - 1
        if direction in (RIGHT, LEFT):
            column = right if direction == RIGHT else left
            row = top + 3 - (top + column) % 2
            return (row, column), (row + 1, column + 2 * direction[1])
        row = bottom if direction == DOWN else top
        column = left + 3 - (left + row) % 2
        return (row, column), (row + 2 * direction[0], column + 1)

    def _representative(self, i: int, j: int) -> tuple[int, int]:
        """The first block with the same template: except at the edges, rows repeat by twos and columns are equal."""
        return (
            i if i in (0, self._height - 1) else 2 - i % 2,
            j if j == self._width - 1 else min(j, 2),
        )

    def _kind(self, i: int, j: int) -> int:
        block = self._representative(i, j)
        if block not in self._kinds:
            self._kinds[block] = self._make_kind(*block)
        return self._kinds[block]

    def _make_kind(self, i: int, j: int) -> int:
        top, left = int(self.row_starts[i]), int(self.column_starts[j])
        height, width = int(self.row_starts[i + 1]) - top, int(self.column_starts[j + 1]) - left
        before = self._previous(i, j)
        _, entry = self._joint(i - before[0], j - before[1], before)
        departure, _ = self._joint(i, j, self._next(i, j))
        first = (entry[0] - top) * width + entry[1] - left
        last = (departure[0] - top) * width + departure[1] - left
        key = height, width, first, last
        if key not in self._kind_of:
            path = block_path(height, width, first, last)
            template = np.empty(height * width, np.int32)
            template[path] = np.arange(height * width)
            self._kind_of[key] = len(self._templates)
            self._templates.append(template.reshape(height, width))
        return self._kind_of[key]


def block_path(rows: int, columns: int, first: int, last: int) -> np.ndarray:
    """A tour of a small board between two squares, as the order of its squares (int32, row * columns + column)."""
    for seed in range(1, 50):
        path = path_between(rows, columns, first, last, seed, MAX_ROTATIONS)
        if path is not None:
            return path
    raise AssertionError(f"no tour of {rows} x {columns} from {first} to {last} was found")


def _cuts(side: int) -> list[int]:
    """The beginnings of blocks of 8 (the last one has 8 to 15), and the end."""
    return [*range(0, side - SIDE + 1, SIDE), side]
