"""The kernels that make the successors of a position.

A set of placements of one class is a word: bit b is placement `base + b` of the class that begins at `base`. A class
has no more placements than the board has open cells.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, inlined, kernel
from junqi_puzzles.klotski.tables import TABLES_TYPE, WORDS
from junqi_puzzles.klotski.words import widened
from junqi_puzzles.metric import ANY_PATH

ZERO, ONE = np.uint64(0), np.uint64(1)
PLACE, FIELD, MOVABLE = range(3)
SCRATCH_ROWS = 3
SCRATCH = types.Array(types.int32, 2, "C")
INDICES = types.Array(types.int64, 1, "C")


@inlined
def reach(start, base, free, max_cells, mask, step):
    """The placements to which the piece at `start` can go in one step, and `start` itself, as a set.

    `free` are the empty cells and those of the piece; `base` is the first placement of its class.
    """
    one = widened(1, free)
    found = one << np.uint64(start - base)
    done = found
    at = start
    while True:
        for direction in range(4):
            cells = 0
            to = np.int64(step[at, direction])
            while to >= 0 and found >> np.uint64(to - base) & ONE == ZERO and mask[to] & ~free == ZERO:
                found |= one << np.uint64(to - base)
                cells += 1
                if cells == max_cells:
                    break
                to = np.int64(step[to, direction])
        rest = found & ~done
        if max_cells != ANY_PATH or rest == ZERO:
            return found
        at = base + np.int64(count_trailing_zeros(rest))
        done |= rest & ~(rest - ONE)


@inlined
def moved_in_list(key, piece, to, begin, end, place, field_of, fields):
    """The key `key` after a piece of a sorted list has gone to the placement `to`.

    The list is `place[begin:end]`. The new number goes to its place in it; those it passes move by one.
    """
    at = piece
    while at + 1 < end and place[at + 1] < to:
        key += widened(place[at + 1] - place[at], key) << np.uint64(fields[field_of[at], 0])
        at += 1
    while at > begin and place[at - 1] > to:
        key -= widened(place[at] - place[at - 1], key) << np.uint64(fields[field_of[at], 0])
        at -= 1
    # A difference below zero wraps around, and so does the sum.
    return key + (widened(to - place[at], key) << np.uint64(fields[field_of[at], 0]))


@kernel(types.int64(WORDS, types.int64, types.int64, types.int64, TABLES_TYPE, SCRATCH, WORDS, INDICES))
def expand(keys, begin, end, max_cells, tables, scratch, out, origin):
    """Write the keys one step away from each of `keys[begin:end]` to `out`, each once for each of them.

    Returns their number. `origin` gets the index of the key that each comes from. `scratch` has `SCRATCH_ROWS` rows of
    two entries more than there are placements. The successors by one piece are in the order of their placements.
    """
    mask, ring, class_of, code, fields = tables.mask, tables.ring, tables.class_of, tables.code, tables.fields
    place, field_of, movable = scratch[PLACE], scratch[FIELD], scratch[MOVABLE]
    found = 0
    for state in range(begin, end):
        key = keys[state]
        pieces = 0
        free, one = widened(-1, key), widened(1, key)
        for field in range(fields.shape[0]):
            bits = np.uint64(fields[field, 1])
            half = bits >> ONE  # a shift by all bits of a word is none, so there are two
            value = key >> np.uint64(fields[field, 0]) & (one << half << (bits - half)) - one
            base = fields[field, 3]
            if fields[field, 2]:
                while value != ZERO:
                    at = base + np.int64(count_trailing_zeros(value))
                    value &= value - ONE
                    place[pieces] = at
                    field_of[pieces] = field
                    free ^= mask[at]
                    pieces += 1
            else:
                at = base + np.int64(value)
                place[pieces] = at
                field_of[pieces] = field
                free ^= mask[at]
                pieces += 1
        some = 0
        for piece in range(pieces):
            movable[some] = piece
            some += free & ring[np.int64(place[piece])] != ZERO
        for number in range(some):
            piece = np.int64(movable[number])
            start = np.int64(place[piece])
            kind = np.int64(class_of[start])
            base = fields[field_of[piece], 3]
            ends = reach(start, base, free ^ mask[start], max_cells, mask, tables.step)
            ends &= ~(one << np.uint64(start - base))
            first, last = np.int64(tables.class_first[kind]), np.int64(tables.class_first[kind + 1])
            while ends != ZERO:
                to = base + np.int64(count_trailing_zeros(ends))
                ends &= ends - ONE
                if tables.class_is_list[kind]:
                    out[found] = moved_in_list(key, piece, to, first, last, place, field_of, fields)
                else:
                    out[found] = key - code[start] + code[to]
                origin[found] = state
                found += 1
    return found
