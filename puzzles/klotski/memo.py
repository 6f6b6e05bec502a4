"""A memory of steps for puzzles with few empty cells, such as 4 x 5 boards with two.

Where a piece can go depends only on the empty cells and on its own cells, and with few empty cells there are few sets
of them. So the steps of each placement are worked out once for each set of empty cells, by `reach` of steps.py, and
kept in a row. A position then needs no decoding: its empty cells come from tables over parts of its key, and a row
tells which of its pieces can move, and where to.

For keys of one word without sorted lists.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, inlined, kernel
from puzzles.klotski.steps import ONE_WORD
from puzzles.klotski.tables import TABLES_TYPE, Tables
from puzzles.klotski.words import ONE, ZERO, mix

UNKNOWN = ~ZERO
MOST_SETS = 1 << 10
PART_BITS = 10

_WORDS = types.Array(types.uint64, 1, "C")
_ROWS = types.Array(types.uint64, 2, "C")
_INTS = types.Array(types.int64, 2, "C")
MEMO_TYPE = types.Tuple((_WORDS, _ROWS, _ROWS, _INTS, _ROWS))
"""The arguments of kernels, in this order; see `Memo`."""


@dataclass(frozen=True)
class Memo:
    """R rows (0: there is no memo), N placements, F fields of the key, C parts of the key of at most 10 bits.

    | array | shape | meaning |
    |---|---|---|
    | free | (R,) | the empty cells of each row, an open hash table; `UNKNOWN` for a free row |
    | ends | (R, N) | a bit for each placement of the class to which one step from a placement leads |
    | movable | (R, F) | a bit for each placement of a field's class from which there is a step |
    | parts | (C, 2) | shift and bits of a part |
    | occupied | (C, 1024) | the cells of the pieces in a part, by its value |
    """

    free: np.ndarray
    ends: np.ndarray
    movable: np.ndarray
    parts: np.ndarray
    occupied: np.ndarray

    @property
    def arrays(self) -> tuple:
        """The memo as kernels take it."""
        return self.free, self.ends, self.movable, self.parts, self.occupied


def memo_of(tables: Tables, is_wanted: bool = True) -> Memo:
    """An empty memo whose rows stay at most half full; without rows if it is not wanted or would be too large."""
    rows = _row_count(tables) if is_wanted else 0
    parts: list[tuple[int, int]] = []
    occupied: list[np.ndarray] = []
    for _, shift, bits, is_mask, base in tables.fields.tolist() if rows else ():
        if not is_mask:
            cells = np.zeros(1 << PART_BITS, np.uint64)
            mine = tables.mask[tables.class_of == tables.class_of[base], 0]
            cells[: len(mine)] = mine
            parts.append((shift, bits))
            occupied.append(cells)
            continue
        for begin in range(0, bits, PART_BITS):
            width = min(PART_BITS, bits - begin)
            cells = np.zeros(1, np.uint64)
            for place in range(base + begin, base + begin + width):
                cells = np.concatenate([cells, cells | tables.mask[place, 0]])
            parts.append((shift + begin, width))
            occupied.append(np.resize(cells, 1 << PART_BITS))
    return Memo(
        free=np.full(rows, UNKNOWN, np.uint64),
        ends=np.zeros((rows, len(tables.cells)), np.uint64),
        movable=np.zeros((rows, len(tables.fields)), np.uint64),
        parts=np.array(parts, np.int64).reshape(-1, 2),
        occupied=np.array(occupied, np.uint64).reshape(-1, 1 << PART_BITS),
    )


def _row_count(tables: Tables) -> int:
    if tables.words > 1 or tables.cell_words > 1 or tables.class_is_list.any():
        return 0
    open_cells = tables.board.width * tables.board.height - len(tables.board.walls)
    empty = open_cells - sum(len(cells) for cells in tables.board.pieces.values())
    sets = comb(open_cells, empty)
    widest_number = max((bits for _, _, bits, is_mask, _ in tables.fields.tolist() if not is_mask), default=0)
    return 1 << (2 * sets).bit_length() if sets <= MOST_SETS and widest_number <= PART_BITS else 0


@kernel(types.void(types.int64, types.uint64, types.int64, TABLES_TYPE, MEMO_TYPE))
def learn(row, free, most_cells, tables, memo):
    """Work out a row for the empty cells `free`."""
    mask, ring, step, class_of, _, _, _, _, fields, _, _ = tables
    known_free, ends, movable, _, _ = memo
    known_free[row] = free
    field = 0
    for place in range(mask.shape[0]):
        while class_of[fields[field, 4]] != class_of[place]:
            field += 1
        if mask[place, 0] & free == ZERO and ring[place, 0] & free != ZERO:
            base = fields[field, 4]
            start = ONE << np.uint64(place - base)
            # Sets of one word need no scratch memory.
            found = ONE_WORD.reach(place, base, free | mask[place, 0], most_cells, mask, step, None, None) & ~start
            ends[row, place] = found
            if found != ZERO:
                movable[row, field] |= start


@inlined
def write_moves(rest, base, ends, code, out, found):
    """Write the key `rest` with a piece added at each of the placements `ends`; returns the new `found`."""
    while ends != ZERO:
        out[found] = rest + code[base + count_trailing_zeros(ends)]
        ends &= ends - ONE
        found += 1
    return found


@kernel(types.int64(_WORDS, types.int64, types.int64, types.int64, TABLES_TYPE, MEMO_TYPE, _WORDS))
def recall(keys, begin, end, most_cells, tables, memo, out):
    """Write the keys one step away from each of `keys[begin:end]` to `out`; returns their number.

    As `expand` of steps.py, for several keys a call: passing an array counts its references, which takes longer than
    one key.
    """
    code, fields = tables[5], tables[8]
    known_free, all_ends, movable, parts, occupied = memo
    most = np.uint64(known_free.shape[0] - 1)
    found = 0
    for number in range(begin, end):
        key = keys[number]
        free = ~ZERO
        for part in range(parts.shape[0]):
            value = (key >> np.uint64(parts[part, 0])) & ((ONE << np.uint64(parts[part, 1])) - ONE)
            free ^= occupied[part, value]
        row = mix(ZERO, free) & most
        while known_free[row] != free:
            if known_free[row] == UNKNOWN:
                learn(np.int64(row), free, most_cells, tables, memo)
                break
            row = (row + ONE) & most
        for field in range(fields.shape[0]):
            value = key >> np.uint64(fields[field, 1])
            base = np.uint64(fields[field, 4])
            if fields[field, 3]:
                value &= movable[row, field]
                while value != ZERO:
                    start = base + count_trailing_zeros(value)
                    value &= value - ONE
                    found = write_moves(key - code[start], base, all_ends[row, start], code, out, found)
            else:
                start = base + (value & ((ONE << np.uint64(fields[field, 2])) - ONE))
                found = write_moves(key - code[start], base, all_ends[row, start], code, out, found)
    return found
