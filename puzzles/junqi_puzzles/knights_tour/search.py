"""The kernels that search for a tour on one board of moderate size. Squares are numbers, row * columns + column.

`find_path` is the default. It extends a path by Warnsdorff's rule. If no move is left, or the last square is a wrong
end, it reverses the last part of the path (rotations, after L. Pósa, "Hamiltonian circuits in random graphs", 1976): if
the last square is a knight's move from square i of the path, then 0..i, last, last - 1, ..., i + 1 is a path, too. It
cannot prove that there is no tour.

`backtrack` is a depth-first search by Warnsdorff's rule, which can.
"""

from collections.abc import Sequence

import numpy as np
from numba import types

from junqi_engine.kernels import inlined, kernel, record_type
from junqi_puzzles.knights_tour.board import KNIGHT_MOVES

U32 = np.uint32
SQUARES = types.Array(types.int32, 1, "C")
BYTES = types.Array(types.uint8, 1, "C")
NUMBERS = types.Array(types.int64, 1, "C")
ROW_STEPS = np.array([down for down, _ in KNIGHT_MOVES])
COLUMN_STEPS = np.array([right for _, right in KNIGHT_MOVES])

ANY_END, NEXT_TO_START = -1, -2
"""Stand for the last square of a path: any square, or one a move from the start."""


class Stopped(Exception):
    """The stop flag was set before there was a tour."""


def check(stop: np.ndarray) -> None:
    """Raise `Stopped` if the stop flag is set."""
    if stop[0]:
        raise Stopped


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
    """The number of unvisited squares (`place` is -1) one move from a square."""
    count = 0
    for move in range(8):
        to = neighbour(rows, columns, square, move)
        if to >= 0 and place[to] < 0:
            count += 1
    return count


@inlined
def reverse_part(path, place, low, high):
    """Reverse `path[low : high + 1]`."""
    while low < high:
        first, second = path[low], path[high]
        path[low], path[high] = second, first
        place[second] = low
        place[first] = high
        low += 1
        high -= 1


PATH_SEARCH = np.dtype(
    [
        ("rows", np.int64),
        ("columns", np.int64),
        ("begun", np.int64),  # the squares at the beginning of the path that remain, at least one
        ("length", np.int64),  # squares of the path so far
        ("end", np.int64),  # the last square, `ANY_END` or `NEXT_TO_START`
        ("budget", np.int64),  # rotations, in `backtrack` squares to add, before the search returns to its caller
        ("seed", np.uint32),  # of the random choice of rotations
    ],
    align=True,
)
"""The state of a search, which the kernels share with their caller."""
SEARCH_TYPE = record_type(PATH_SEARCH)


@inlined
def may_end(search, path, square):
    """Whether a tour may end on a square."""
    if search.end != NEXT_TO_START:
        return search.end == ANY_END or square == search.end
    for move in range(8):  # noqa: SIM110  numba has no any()
        if neighbour(search.rows, search.columns, square, move) == path[0]:
            return True
    return False


@kernel(types.boolean(SEARCH_TYPE, SQUARES, SQUARES))
def find_path(search, path, place):
    """Complete a path through all squares; False if the budget of rotations was not enough.

    `path[:length]` is the path so far, `place[s]` the index of square s in it or -1.
    """
    rows, columns, length = search.rows, search.columns, search.length
    size = rows * columns
    random = search.seed | U32(1)
    rotations = 0
    while True:
        last = path[length - 1]
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
                path[length] = best
                place[best] = length
                length += 1
                continue
        elif may_end(search, path, last):
            return True
        if rotations >= search.budget:
            return False
        rotations += 1
        random ^= random << U32(13)
        random ^= random >> U32(17)
        random ^= random << U32(5)
        for k in range(8):
            at = neighbour(rows, columns, last, np.int64((random >> U32(8)) + U32(k)) & 7)
            if at >= 0 and search.begun - 1 <= place[at] < length - 2:
                reverse_part(path, place, place[at] + 1, length - 1)
                break


UNDECIDED, FOUND, NONE = range(3)


@inlined
def sort_moves(rows, columns, place, square, order, base):
    """Write the eight moves from a square to `order[base : base + 8]`, those to squares with fewest exits first."""
    counts = np.empty(8, np.int64)
    for move in range(8):
        to = neighbour(rows, columns, square, move)
        count = exits(rows, columns, place, to) if to >= 0 and place[to] < 0 else 9
        at = move  # insertion sort: equal ones remain in the order of the moves
        while at > 0 and counts[at - 1] > count:
            counts[at] = counts[at - 1]
            order[base + at] = order[base + at - 1]
            at -= 1
        counts[at] = count
        order[base + at] = move


@kernel(types.int64(SEARCH_TYPE, SQUARES, SQUARES, BYTES, BYTES))
def backtrack(search, path, place, tried, order):
    """Continue a search by Warnsdorff's rule: `FOUND`, `NONE` if there is no tour, `UNDECIDED` if the budget is spent.

    `path` and `place` are as in `find_path`. `tried[i]` is the number of moves tried after square i of the path,
    `order[8 * i + k]` the k-th move to try there.
    """
    rows, columns, length = search.rows, search.columns, search.length
    size = rows * columns
    while True:
        last = path[length - 1]
        if length == size:
            if may_end(search, path, last):
                return FOUND
        elif search.budget <= 0:
            search.length = length
            return UNDECIDED
        base = 8 * (length - 1)
        if tried[length - 1] == 0:
            sort_moves(rows, columns, place, last, order, base)
        went_on = False
        while tried[length - 1] < 8:
            move = np.int64(order[base + tried[length - 1]])
            tried[length - 1] += 1
            to = neighbour(rows, columns, last, move)
            if to >= 0 and place[to] < 0 and (to != search.end or length == size - 1):
                path[length] = to
                place[to] = length
                length += 1
                tried[length - 1] = 0
                search.budget -= 1
                went_on = True
                break
        if went_on:
            continue
        if length == search.begun:
            return NONE
        length -= 1
        place[path[length]] = -1


def steps_of(rows: int, columns: int, path: np.ndarray) -> np.ndarray:
    """The step of each square (rows x columns of int32) from the order of the squares."""
    steps = np.empty(rows * columns, np.int32)
    steps[path] = np.arange(rows * columns, dtype=np.int32)
    return steps.reshape(rows, columns)


class Path:
    """A path on one board: its `squares` (int32, as many as the board has) and their `place`, as in `find_path`."""

    def __init__(self, rows: int, columns: int, squares: Sequence[int] | np.ndarray, begun: int | None = None) -> None:
        """The first `begun` squares remain, by default all of them."""
        length = len(squares)
        self.squares = np.empty(rows * columns, np.int32)
        self.squares[:length] = squares
        self.place = np.full(rows * columns, -1, np.int32)
        self.place[self.squares[:length]] = np.arange(length, dtype=np.int32)
        self._start = rows, columns, begun or length, length

    def search(self, end: int, budget: int, seed: int = 0) -> np.void:
        """The state of a search, a record of `PATH_SEARCH`, at its beginning."""
        state: np.void = np.array([(*self._start, end, budget, seed)], PATH_SEARCH)[0]
        return state

    def complete(self, end: int, seed: int, max_rotations: int) -> np.ndarray | None:
        """The squares of a tour that ends on `end`, `ANY_END` or `NEXT_TO_START`; None if none was found."""
        return self.squares if find_path(self.search(end, max_rotations, seed), self.squares, self.place) else None


def path_between(rows: int, columns: int, first: int, last: int, seed: int, max_rotations: int) -> np.ndarray | None:
    """A tour between two squares, as the order of squares (int32); None if none was found.

    `last` may be `ANY_END` or `NEXT_TO_START`. If the search from `first` fails, paths from corners to `first` are
    searched and reversed.
    """
    size = rows * columns
    for corner in (first, 0, size - columns, columns - 1, size - 1):
        # A path from the middle often cannot reach the last squares; corners are the hardest to visit.
        path = Path(rows, columns, [corner]).complete(last if corner == first else first, seed, max_rotations)
        if path is not None and corner != first:
            path = Path(rows, columns, path[::-1], begun=1).complete(last, seed, max_rotations)
        if path is not None:
            return path
    return None


def path_back(
    rows: int, columns: int, begun: np.ndarray, origin: int, seed: int, max_rotations: int
) -> np.ndarray | None:
    """A tour that begins with the squares `begun` and ends on `origin`, searched backwards; None if none was found.

    A search from the edge of the board can succeed if one from the middle fails.
    """
    # The step from the last but one square of `begun` to `origin` is not a move; reversing the rest removes it again.
    kept = len(begun) - 1
    path = Path(rows, columns, [*begun[:-1], origin]).complete(int(begun[-1]), seed, max_rotations)
    if path is not None:
        path[kept:] = path[kept:][::-1].copy()
    return path
