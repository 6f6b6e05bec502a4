"""A memo of steps for puzzles with few sets of empty cells, such as 4 x 5 boards with two empty cells.

The steps of a piece depend only on the empty cells and on its own cells. They are computed once for each set of empty
cells, by `reach` of steps.py, and kept in a row. A position then needs no decoding: its empty cells come from tables
over parts of its key, and the row has the steps of its pieces.

A move also has the row of the empty cells after it, once any position has been looked up after that move. If any path
is a step, the piece that moved last is left out: its position after another step was reached in one step before.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, inlined, kernel, record_type
from junqi_puzzles.klotski.steps import BUFFERS_TYPE, MOVE_NUMBERS, ONE, ZERO, reach
from junqi_puzzles.klotski.tables import FIELDS, TABLES_TYPE, WORDS, Tables
from junqi_puzzles.klotski.words import NARROW_BITS
from junqi_puzzles.metric import ANY_PATH

MAX_ROWS = 1 << 13
MOVES_A_PLACEMENT = 4
"""Room for moves from each placement of each row, on average."""
AT_ONCE = np.uint64(4)
"""Moves are copied this many at a time without checking the count; an exact loop is slower."""
PART_BITS = 8
FREE_ROWS, RECALLS_A_ROW = 1 << 10, 8
"""The memo is abandoned if it has more rows than these, plus one for every `RECALLS_A_ROW` positions looked up."""
NO_PLACE = 65_535
REFUSED = -1
COUNT_BITS = np.uint64(8)
COUNT_MASK = np.uint64(255)
TWO, THREE = np.uint64(2), np.uint64(3)
MIX = np.uint64(0x9E3779B97F4A7C15)
_VALUES = (np.arange(1 << PART_BITS)[:, None] >> np.arange(PART_BITS) & 1).astype(np.uint64)
"""The bits of each value of a part."""


ROW = np.dtype([("free", np.uint64), ("movable", np.uint64)], align=True)
"""The empty cells of a row, and the bits of a key for the placements that have a step."""
PART = np.dtype([("shift", np.uint64), ("mask", np.uint64), ("occupied", np.uint64, 1 << PART_BITS)], align=True)
"""A part of the key: its lowest bit, its mask after the shift, and the cells of its pieces by its value."""
MEMO_USE = np.dtype([(name, np.int64) for name in ("rows", "moves", "recalled")], align=True)
"""The numbers of rows and moves in use, and of positions looked up."""


class Memo(NamedTuple):
    """At most R rows, N placements, C parts of the key, E fields of one piece.

    | array | shape | meaning |
    |---|---|---|
    | slots | a power of two, at least 2 R | an open hash table of rows, plus one; 0 is an empty slot |
    | rows | (R,) of `ROW` | |
    | moves | (R, N) | the number of moves from a placement, and the first, shifted by `COUNT_BITS` |
    | change | room for all moves, from 1 | the difference that a move makes to the key |
    | end | room for all moves | the placement after a move; `NO_PLACE` for the move 0, which is none |
    | after | room for all moves | the row of the empty cells after a move, plus one; 0 if it is not known |
    | parts | (C,) of `PART` | |
    | place_of_bit | (64,) | the placement of a bit of the key |
    | numbers | (E,) of `KEY_FIELD` | the fields of one piece |
    | use | a record of `MEMO_USE` | |
    """

    slots: np.ndarray
    rows: np.ndarray
    moves: np.ndarray
    change: np.ndarray
    end: np.ndarray
    after: np.ndarray
    parts: np.ndarray
    place_of_bit: np.ndarray
    numbers: np.ndarray
    use: np.void


_ROWS, _PARTS = (types.Array(record_type(dtype), 1, "C") for dtype in (ROW, PART))
_SHORTS = types.Array(types.uint16, 1, "C")
MEMO_TYPE = types.NamedTuple(
    (
        MOVE_NUMBERS, _ROWS, types.Array(types.uint64, 2, "C"), WORDS, _SHORTS, _SHORTS, _PARTS, WORDS, FIELDS,
        record_type(MEMO_USE),
    ),
    Memo,
)  # fmt: skip


def memo_of(tables: Tables) -> Memo:
    """A new, empty memo."""
    rows = _row_count(tables)
    parts = []
    for field in tables.fields:
        for begin in range(0, max(1, field.bits), PART_BITS):  # a piece that can lie in one place only has no bits
            width, base = min(PART_BITS, field.bits - begin), field.base + begin
            occupied = np.zeros(1 << PART_BITS, np.uint64)
            if field.is_mask:
                occupied[:] = _VALUES[:, :width] @ tables.steps.mask[base : base + width]
            else:
                mine = tables.steps.mask[base : base + (1 << width)]
                occupied[: len(mine)] = mine
            parts.append((field.shift + begin, (1 << width) - 1, occupied))
    place_of_bit = np.zeros(NARROW_BITS, np.uint64)
    for shift, bits, is_mask, base, *_ in tables.fields:
        if is_mask:
            place_of_bit[shift : shift + bits] = range(base, base + bits)
    max_moves = (rows * MOVES_A_PLACEMENT + NARROW_BITS) * len(tables.cells) + int(AT_ONCE)
    end, after = np.empty(max_moves, np.uint16), np.empty(max_moves, np.uint16)
    end[0], after[0] = NO_PLACE, 0
    return Memo(
        slots=np.zeros(1 << (2 * rows).bit_length(), np.uint32),
        # A row is written whole when it comes into use.
        rows=np.empty(rows, ROW),
        moves=np.empty((rows, len(tables.cells)), np.uint64),
        change=np.empty(max_moves, np.uint64),
        end=end,
        after=after,
        parts=np.array(parts, PART),
        place_of_bit=place_of_bit,
        numbers=tables.steps.fields[tables.steps.fields["is_mask"] == 0],
        use=np.array([(0, 1, 0)], MEMO_USE)[0],
    )


def _row_count(tables: Tables) -> int:
    open_cells = tables.board.width * tables.board.height - len(tables.board.walls)
    empty = open_cells - sum(len(cells) for cells in tables.board.pieces.values())
    return min(MAX_ROWS, comb(open_cells, empty))


@kernel(types.uint64(types.uint64, types.uint64), forceinline=True)
def mix(hashed, word):
    """A hash of 32 bits of the hash so far and one more word."""
    hashed = (hashed ^ word) * MIX
    hashed ^= hashed >> np.uint64(29)
    return (hashed * MIX) >> np.uint64(32)


@kernel(types.boolean(types.uint64, types.uint64, TABLES_TYPE, MEMO_TYPE))
def add_row(free, slot, tables, memo):
    """Compute the row for the empty cells `free`, and enter it in `slot`; False if the memo has no room for it."""
    mask, ring, code, fields = tables.mask, tables.ring, tables.code, tables.fields
    moves, change, end, after = memo.moves, memo.change, memo.end, memo.after
    row, used = memo.use.rows, memo.use.moves
    max_rows = min(memo.rows.shape[0], FREE_ROWS + memo.use.recalled // RECALLS_A_ROW)
    if row >= max_rows or used > change.shape[0] - moves.shape[1] * NARROW_BITS:
        return False
    memo.rows[row].free = free
    movable = ZERO
    field = 0
    for place in range(mask.shape[0]):
        while tables.class_of[fields[field].base] != tables.class_of[place]:
            field += 1
        moves[row, place] = ZERO
        if mask[place] & free == ZERO and ring[place] & free != ZERO:
            base = np.int64(fields[field].base)
            start = ONE << np.uint64(place - base)
            found = reach(place, base, free | mask[place], tables.max_cells, mask, tables.step) & ~start
            first = used
            while found != ZERO:
                to = base + np.int64(count_trailing_zeros(found))
                found &= found - ONE
                change[used] = code[to] - code[place]
                end[used] = to
                after[used] = 0
                used += 1
            moves[row, place] = np.uint64(first) << COUNT_BITS | np.uint64(used - first)
            if used > first and fields[field].is_mask:
                movable |= code[place]
    memo.rows[row].movable = movable
    memo.use.rows, memo.use.moves = row + 1, used
    memo.slots[slot] = row + 1
    return True


@inlined
def write_moves(key, entry, change, out, moved, found):
    """Write the key after each of the moves of `entry`, an entry of `moves`; returns the new `found`."""
    first, count = entry >> COUNT_BITS, entry & COUNT_MASK
    second, third, fourth = first + ONE, first + TWO, first + THREE
    a, b, c, d = change[first], change[second], change[third], change[fourth]
    to_second, to_third, to_fourth = found + ONE, found + TWO, found + THREE
    out[found], out[to_second], out[to_third], out[to_fourth] = key + a, key + b, key + c, key + d
    moved[found], moved[to_second], moved[to_third], moved[to_fourth] = first, second, third, fourth
    more = AT_ONCE
    while more < count:
        out[found + more] = key + change[first + more]
        moved[found + more] = first + more
        more += ONE
    return found + count


@inlined
def moved_in_numbers(key, field, to, numbers):
    """The key after the piece of `field`, in a sorted list, has gone to number `to`: the numbers that it passes move by
    one field.
    """
    new = key
    at = field
    here = key >> numbers[at].shift & numbers[at].mask
    while at + ONE < numbers[field].class_end:
        beside = key >> numbers[at + ONE].shift & numbers[at + ONE].mask
        if beside > to:
            break
        new += beside - here << numbers[at].shift
        at += ONE
        here = beside
    while at > numbers[field].class_begin:
        beside = key >> numbers[at - ONE].shift & numbers[at - ONE].mask
        if beside < to:
            break
        new += beside - here << numbers[at].shift
        at -= ONE
        here = beside
    return new + (to - here << numbers[at].shift)


@inlined
def empty_cells(key, parts):
    """The empty cells of the position of a key."""
    free = ~ZERO
    for i in range(parts.shape[0]):
        free ^= parts[i].occupied[key >> parts[i].shift & parts[i].mask]
    return free


@inlined
def find_slot(free, slots, rows):
    """The slot of the row for the empty cells `free`, or the empty slot where it belongs."""
    last_slot = np.uint64(slots.shape[0] - 1)
    slot = mix(ZERO, free) & last_slot
    row = np.uint64(slots[slot])
    while row != ZERO and rows[row - ONE].free != free:
        slot = (slot + ONE) & last_slot
        row = np.uint64(slots[slot])
    return slot


@kernel(types.int64(WORDS, types.int64, types.int64, TABLES_TYPE, MEMO_TYPE, BUFFERS_TYPE))
def expand_from_memo(keys, begin, end, tables, memo, buffers):
    """Write the successors of each of `keys[begin:end]` to `buffers.out`, as `expand` does; returns their number.

    `out` has room for `AT_ONCE` more. `REFUSED` if the memo has no room for a row.
    """
    slots, rows, parts, moves, change = memo.slots, memo.rows, memo.parts, memo.moves, memo.change
    ends, after, numbers, place_of_bit = memo.end, memo.after, memo.numbers, memo.place_of_bit
    last_moves, out, moved = buffers.last_moves, buffers.out, buffers.moved
    found = ZERO  # indices without a sign need no test for negative ones
    for index in range(begin, end):
        key = keys[index]
        last = np.uint64(last_moves[np.uint64(index - begin)])
        row = np.uint64(after[last])
        if row == ZERO:
            free = empty_cells(key, parts)
            slot = find_slot(free, slots, rows)
            row = np.uint64(slots[slot])
            if row == ZERO:
                if not add_row(free, slot, tables, memo):
                    return REFUSED
                row = np.uint64(slots[slot])
            if last != ZERO:
                after[last] = row
        row -= ONE
        # If a step is not any path, another step of the same piece may lead further.
        resting = np.uint64(ends[last if tables.max_cells == ANY_PATH else ZERO])
        for number in range(numbers.shape[0]):
            field = np.uint64(number)
            this = numbers[field]
            start = this.base + (key >> this.shift & this.mask)
            entry = moves[row, start] if start != resting else ZERO
            if this.class_end - this.class_begin == ONE:
                found = write_moves(key, entry, change, out, moved, found)
            else:
                first = entry >> COUNT_BITS
                for i in range(entry & COUNT_MASK):
                    move = first + np.uint64(i)
                    to = np.uint64(ends[move]) - this.base
                    out[found] = moved_in_numbers(key, field, to, numbers)
                    moved[found] = move
                    found += ONE
        bits = key & rows[row].movable
        while bits != ZERO:
            start = place_of_bit[count_trailing_zeros(bits)]
            bits &= bits - ONE
            entry = moves[row, start] if start != resting else ZERO
            found = write_moves(key, entry, change, out, moved, found)
    memo.use.recalled += end - begin
    return np.int64(found)
