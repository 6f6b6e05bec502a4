"""The searches for a tour on one board of moderate size, as kernels. Squares are numbers, row * columns + column.

`find_way` is the one that is used: it grows a way by Warnsdorff's rule and, where that is stuck or ends on the wrong
square, turns the last part of the way around (rotations, after L. Pósa, "Hamiltonian circuits in random graphs",
1976): if the way's last square is a knight's move from square i of the way, then 0..i, last, last - 1, ..., i + 1 is
a way as well. It never gives a wrong answer and never proves that there is none.

`backtrack` is the textbook search, by Warnsdorff's rule or plain depth first.
"""

import numpy as np
from numba import types

from junqi_engine.kernels import kernel

U32 = np.uint32
SQUARES = types.Array(types.int32, 1, "C")
BYTES = types.Array(types.uint8, 1, "C")
NUMBERS = types.Array(types.int64, 1, "C")
ROW_STEPS = np.array([-2, -2, -1, -1, 1, 1, 2, 2])
COLUMN_STEPS = np.array([-1, 1, -2, 2, -2, 2, -1, 1])
"""The eight moves; move 7 - i is move i back."""

ANY_END, NEXT_TO_START = -1, -2
"""In place of the square where a way must end."""


@kernel(types.int64(types.int64, types.int64, types.int64, types.int64))
def neighbour(rows, columns, square, move):
    """The square that a move leads to, or -1 off the board."""
    row = square // columns + ROW_STEPS[move]
    column = square % columns + COLUMN_STEPS[move]
    if 0 <= row < rows and 0 <= column < columns:
        return row * columns + column
    return -1


@kernel(types.int64(types.int64, types.int64, SQUARES, types.int64))
def exits(rows, columns, place, square):
    """How many unvisited squares a square leads to; `place` is -1 for those."""
    count = 0
    for move in range(8):
        to = neighbour(rows, columns, square, move)
        if to >= 0 and place[to] < 0:
            count += 1
    return count


@kernel(
    types.boolean(
        types.int64, types.int64, SQUARES, SQUARES, types.int64, types.int64, types.int64, types.uint32, types.int64
    )
)
def find_way(rows, columns, way, place, length, fixed, end, seed, most_turns):
    """Complete a way to all squares that ends as `end` says; False when `most_turns` rotations did not do it.

    `way[:length]` is the way so far, `place[s]` the index of square s in it or -1. Its first `fixed` >= 1 squares
    stay. Rotations are drawn from `seed`.
    """
    size = rows * columns
    random = seed | U32(1)
    turns = 0
    while True:
        last = way[length - 1]
        if length < size:
            best = -1
            fewest = 9
            for move in range(8):
                to = neighbour(rows, columns, last, move)
                if to >= 0 and place[to] < 0:
                    count = exits(rows, columns, place, to)
                    if count < fewest:
                        fewest = count
                        best = to
            if best >= 0:
                way[length] = best
                place[best] = length
                length += 1
                continue
        elif end == ANY_END or last == end:
            return True
        elif end == NEXT_TO_START:
            for move in range(8):
                if neighbour(rows, columns, last, move) == way[0]:
                    return True
        if turns >= most_turns:
            return False
        turns += 1
        random ^= random << U32(13)
        random ^= random >> U32(17)
        random ^= random << U32(5)
        for k in range(8):
            at = neighbour(rows, columns, last, np.int64((random >> U32(8)) + U32(k)) & 7)
            if at >= 0 and fixed - 1 <= place[at] < length - 2:
                low = place[at] + 1
                high = length - 1
                while low < high:
                    first, second = way[low], way[high]
                    way[low], way[high] = second, first
                    place[second] = low
                    place[first] = high
                    low += 1
                    high -= 1
                break


PLAIN_ORDER, WARNSDORFF_ORDER = 0, 1
UNDECIDED, FOUND, NONE = range(3)


@kernel(
    types.int64(
        types.int64,
        types.int64,
        SQUARES,
        SQUARES,
        BYTES,
        BYTES,
        types.int64,
        types.int64,
        types.boolean,
        types.int64,
        NUMBERS,
    )
)
def backtrack(rows, columns, way, place, tried, order, begun, end, closed, rule, progress):
    """Go on with a search; `FOUND`, `NONE` when there is no tour, or `UNDECIDED` when the nodes of this call are used
    up.

    `way[:begun]` is given and stays. `progress` is the present length and the nodes left for this call. `tried[i]` is
    the number of moves tried after square i of the way, `order[8 * i + k]` the k-th move to try there.
    """
    size = rows * columns
    length = progress[0]
    while True:
        last = way[length - 1]
        if length == size:
            if closed:
                for move in range(8):
                    if neighbour(rows, columns, last, move) == way[0]:
                        return FOUND
            elif end == ANY_END or last == end:
                return FOUND
        elif progress[1] <= 0:
            progress[0] = length
            return UNDECIDED
        base = 8 * (length - 1)
        if tried[length - 1] == 0 and rule == WARNSDORFF_ORDER:
            # Sorted by insertion; equal ones stay in the order of the moves.
            counts = np.empty(8, np.int64)
            for move in range(8):
                to = neighbour(rows, columns, last, move)
                count = exits(rows, columns, place, to) if to >= 0 and place[to] < 0 else 9
                at = move
                while at > 0 and counts[at - 1] > count:
                    counts[at] = counts[at - 1]
                    order[base + at] = order[base + at - 1]
                    at -= 1
                counts[at] = count
                order[base + at] = move
        went_on = False
        while tried[length - 1] < 8:
            move = (
                np.int64(order[base + tried[length - 1]]) if rule == WARNSDORFF_ORDER else np.int64(tried[length - 1])
            )
            tried[length - 1] += 1
            to = neighbour(rows, columns, last, move)
            if to >= 0 and place[to] < 0 and (to != end or length == size - 1):
                way[length] = to
                place[to] = length
                length += 1
                tried[length - 1] = 0
                progress[1] -= 1
                went_on = True
                break
        if went_on:
            continue
        if length == begun:
            return NONE
        length -= 1
        place[way[length]] = -1


@kernel(types.int64(types.int64, types.int64, SQUARES))
def first_fault(rows, columns, way):
    """The index of the first step of `way` that is no knight's move or goes to a square visited before, or -1."""
    seen = np.zeros(rows * columns, np.uint8)
    for i in range(way.size):
        square = way[i]
        if square < 0 or square >= rows * columns or seen[square]:
            return i
        seen[square] = 1
        if i:
            across = abs(square // columns - way[i - 1] // columns)
            along = abs(square % columns - way[i - 1] % columns)
            if across * along != 2:
                return i
    return -1


def way_between(rows: int, columns: int, first: int, last: int, seed: int, most_turns: int) -> np.ndarray | None:
    """A tour from square to square, as the order of squares (int32); None if none was found.

    `last` may be `ANY_END` or `NEXT_TO_START`. Where a way from `first` does not grow, one from a corner to `first`
    is turned around.
    """
    size = rows * columns
    for corner in (first, 0, size - columns, columns - 1, size - 1):
        # From a square in the middle the last squares are often out of reach; the corners are the hardest to pass.
        way = np.empty(size, np.int32)
        place = np.full(size, -1, np.int32)
        way[0] = corner
        place[corner] = 0
        if corner == first:
            if find_way(rows, columns, way, place, 1, 1, last, seed, most_turns):
                return way
            continue
        if not find_way(rows, columns, way, place, 1, 1, first, seed, most_turns):
            continue
        way = way[::-1].copy()
        place[way] = np.arange(size, dtype=np.int32)
        if find_way(rows, columns, way, place, size, 1, last, seed, most_turns):
            return way
    return None


def way_on(rows: int, columns: int, begun: np.ndarray, last: int, seed: int, most_turns: int) -> np.ndarray | None:
    """A tour that begins with the squares of `begun`, otherwise as `way_between`."""
    way = np.empty(rows * columns, np.int32)
    place = np.full(rows * columns, -1, np.int32)
    way[: len(begun)] = begun
    place[begun] = np.arange(len(begun), dtype=np.int32)
    return way if find_way(rows, columns, way, place, len(begun), len(begun), last, seed, most_turns) else None


def way_back(rows: int, columns: int, begun: np.ndarray, origin: int, seed: int, most_turns: int) -> np.ndarray | None:
    """A tour that begins with the squares of `begun` and ends on `origin`, grown from there; None if none was found.

    Where a way from the middle of the board does not grow, one that comes from its edge may.
    """
    kept = len(begun) - 1
    way = np.empty(rows * columns, np.int32)
    place = np.full(rows * columns, -1, np.int32)
    # From the last but one of the squares given to `origin` is a leap, which turning around the rest takes out again.
    way[:kept] = begun[:-1]
    way[kept] = origin
    place[way[: kept + 1]] = np.arange(kept + 1, dtype=np.int32)
    if not find_way(rows, columns, way, place, kept + 1, kept + 1, int(begun[-1]), seed, most_turns):
        return None
    way[kept:] = way[kept:][::-1].copy()
    return way
