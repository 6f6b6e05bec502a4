"""The kernels that expand a position.

A set of placements of one class is a word: bit b is placement `base + b` of the class that begins at `base`. A class
has no more placements than the board has open cells.
"""

from typing import NamedTuple

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, inlined, kernel
from junqi_puzzles.klotski.tables import TABLES_TYPE, WORDS
from junqi_puzzles.klotski.words import widened
from junqi_puzzles.metric import ANY_PATH

ZERO, ONE = np.uint64(0), np.uint64(1)
INTS = types.Array(types.int32, 1, "C")
INDICES = types.Array(types.int64, 1, "C")
MOVE_NUMBERS = types.Array(types.uint32, 1, "C")
"""Numbers of moves of the memo; 0 is none."""


class Buffers(NamedTuple):
    """Scratch memory for the successors of one batch of states, and these successors.

    | array | meaning |
    |---|---|
    | place, field_of | of each piece of a state, its placement and its field of the key |
    | movable | the pieces with an empty cell beside them |
    | out | the keys of the successors |
    | origin | for each successor by `expand` the index of its state |
    | last_moves | for each state the number of the move of the memo that led to it, or 0 |
    | moved | for each successor from the memo the number of the move that leads to it |
    """

    place: np.ndarray
    field_of: np.ndarray
    movable: np.ndarray
    out: np.ndarray
    origin: np.ndarray
    last_moves: np.ndarray
    moved: np.ndarray


BUFFERS_TYPE = types.NamedTuple((INTS, INTS, INTS, WORDS, INDICES, MOVE_NUMBERS, MOVE_NUMBERS), Buffers)


@inlined
def reach(start, base, free, max_cells, mask, step):
    """The set of placements that the piece at `start` reaches in one step, with `start` itself.

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
def moved_in_list(key, piece, to, kind, tables, buffers):
    """The key `key` after a piece of the class `kind`, a sorted list, has gone to the placement `to`.

    The new number goes to its place in the list; the numbers that it passes move by one.
    """
    place, field_of, fields = buffers.place, buffers.field_of, tables.fields
    begin, end = np.int64(tables.class_first[kind]), np.int64(tables.class_first[kind + 1])
    at = piece
    while at + 1 < end and place[at + 1] < to:
        key += widened(place[at + 1] - place[at], key) << fields[field_of[at]].shift
        at += 1
    while at > begin and place[at - 1] > to:
        key -= widened(place[at] - place[at - 1], key) << fields[field_of[at]].shift
        at -= 1
    # A difference below zero wraps around, and so does the sum.
    return key + (widened(to - place[at], key) << fields[field_of[at]].shift)


@inlined
def decode(key, mask, fields, place, field_of):
    """Write the placement and the field of each piece; returns the number of pieces and the empty cells."""
    pieces = 0
    free, one = widened(-1, key), widened(1, key)
    for field in range(fields.shape[0]):
        bits, base = fields[field].bits, np.int64(fields[field].base)
        half = bits >> ONE  # a shift by all bits of a word is none, so there are two
        value = key >> fields[field].shift & (one << half << (bits - half)) - one
        if fields[field].is_mask:
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
    return pieces, free


@kernel(types.int64(WORDS, types.int64, types.int64, TABLES_TYPE, BUFFERS_TYPE))
def expand(keys, begin, end, tables, buffers):
    """Write the successors of each of `keys[begin:end]` to `buffers.out`; returns their number.

    Two keys may have a successor in common. The successors by one piece are in the order of their placements.
    """
    mask, ring, class_of, code, fields = tables.mask, tables.ring, tables.class_of, tables.code, tables.fields
    place, field_of, movable = buffers.place, buffers.field_of, buffers.movable
    out, origin = buffers.out, buffers.origin
    found = 0
    for state in range(begin, end):
        key = keys[state]
        one = widened(1, key)
        pieces, free = decode(key, mask, fields, place, field_of)
        movable_count = 0
        for piece in range(pieces):
            movable[movable_count] = piece
            movable_count += free & ring[np.int64(place[piece])] != ZERO
        for i in range(movable_count):
            piece = np.int64(movable[i])
            start = np.int64(place[piece])
            kind = np.int64(class_of[start])
            base = np.int64(fields[field_of[piece]].base)
            ends = reach(start, base, free ^ mask[start], tables.max_cells, mask, tables.step)
            ends &= ~(one << np.uint64(start - base))
            while ends != ZERO:
                to = base + np.int64(count_trailing_zeros(ends))
                ends &= ends - ONE
                if tables.class_is_list[kind]:
                    out[found] = moved_in_list(key, piece, to, kind, tables, buffers)
                else:
                    out[found] = key - code[start] + code[to]
                origin[found] = state
                found += 1
    return found
