"""Boards with few rows, by the frontier method: a tour, or the proof that there is none.

Squares are processed in column order, number `column * rows + row`. The later squares depend only on the frontier, the
last 2 * rows + 1 squares: each is inside a path, has no link yet, or is an end of a path, whose other end is known. An
open tour is a closed one through one more point, the apex, which is joined to both ends of the tour.
(Method: D. E. Knuth, The Art of Computer Programming 4A, 7.1.4, "simpath".)

A state is a 64-bit word of 4-bit places, the oldest square at place 0, the apex last. A place has `DONE`, or the place
of the other end of its path, its own place if it has no link yet. That is enough for boards of up to 6 rows.
"""

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import kernel
from junqi_puzzles.knights_tour.search import check

DONE = 15
NO_APEX, MUST_JOIN, MAY_JOIN = range(3)
"""The link of a square to the apex: none; required, since the square is an end of the tour; allowed."""

U = numba.uint64
NUMBERS = types.Array(types.int64, 1, "C")
COLUMNS_BACK, ROWS_BACK = np.array([1, 1, 2, 2]), np.array([2, -2, 1, -1])
"""The steps back from a square to its four neighbours that come before it."""
APEX_BIT = 1 << 4


class Layer(NamedTuple):
    """The states after one square; for each the index of the state before, and the links, on the first path to it."""

    states: np.ndarray
    parents: np.ndarray
    choices: np.ndarray


STATES = types.Array(types.uint64, 1, "C")
LAYER_TYPE = types.NamedTuple((STATES, NUMBERS, NUMBERS), Layer)


def first_state(rows: int, closed: bool) -> int:
    """The state before the first square."""
    size = 2 * rows + 1
    state = (1 << 4 * size) - 1
    return state | (DONE if closed else size) << 4 * size


@kernel(types.int64(types.int64, types.int64))
def step_back(rows, choice):
    """The distance back from a square to neighbour `choice`, one of the four that come before it."""
    return COLUMNS_BACK[choice] * rows + ROWS_BACK[choice]


@lru_cache
def choices_of(rows: int, row: int, columns_before: int, apex: int) -> np.ndarray:
    """The sets of at most two links of a square to the points before it, ascending, as bits for `join`."""
    steps = enumerate(zip(COLUMNS_BACK, ROWS_BACK, strict=True))
    bits = [1 << i for i, (left, up) in steps if left <= columns_before and 0 <= row - up < rows]
    bits += [APEX_BIT] * (apex != NO_APEX)
    sets = [sum(some) for count in range(3) for some in itertools.combinations(bits, count)]
    return np.array(sorted(some for some in sets if some & APEX_BIT or apex != MUST_JOIN), np.int64)


@kernel(types.uint64(types.uint64, types.int64, types.int64, types.boolean))
def join(state, rows, choices, is_last):
    """The state after one more square, joined to the neighbours whose bits are set in `choices` (bit 4: the apex).

    0 if no tour has this state. `choices` has at most two bits.
    """
    size = 2 * rows + 1
    new = size + 1
    # The new square is put behind the apex at first.
    mates = state | U(new) << U(4 * new)
    joined = 0
    for choice in range(5):
        if not choices >> choice & 1:
            continue
        partner = size if choice == 4 else size - step_back(rows, choice)
        joined += 1
        far = np.int64(mates >> U(4 * partner) & U(15))
        other_far = np.int64(mates >> U(4 * new) & U(15))
        if far == DONE:
            return U(0)
        if far == new:
            # The path becomes closed: only the last square may do that.
            if not (is_last and joined == 2):
                return U(0)
            mates |= U(DONE) << U(4 * partner) | U(DONE) << U(4 * new)
            continue
        if partner != far:
            mates |= U(DONE) << U(4 * partner)
        if new != other_far:
            mates |= U(DONE) << U(4 * new)
        mates = mates & ~(U(15) << U(4 * far)) | U(other_far) << U(4 * far)
        mates = mates & ~(U(15) << U(4 * other_far)) | U(far) << U(4 * other_far)
    if mates & U(15) != U(DONE):
        return U(0)
    after = U(0)
    for place in range(1, new + 1):
        mate = np.int64(mates >> U(4 * place) & U(15))
        if is_last and mate != DONE:
            return U(0)
        # Every square moves down by one place; the new one gets the last place before the apex, which remains.
        to = size - 1 if place == new else size if place == size else place - 1
        if mate == new:
            mate = size - 1
        elif mate < size:
            mate -= 1
        after |= U(mate) << U(4 * to)
    return after


@kernel(types.int64(types.int64, NUMBERS, types.boolean, STATES, LAYER_TYPE, NUMBERS))
def add_square(rows, choices, is_last, before, layer, table):
    """Write the states after one more square to `layer`, in any order; returns their number, -1 without room.

    `choices` are those of the square. `table` is all -1, its size a power of two.
    """
    states, parents = layer.states, layer.parents
    count = 0
    mask = U(table.size - 1)
    for parent in range(before.size):
        for i in range(choices.size):
            state = join(before[parent], rows, choices[i], is_last)
            if state == 0:
                continue
            place = (state * U(0x9E3779B97F4A7C15)) >> U(32) & mask
            while table[place] >= 0 and states[table[place]] != state:
                place = (place + U(1)) & mask
            if table[place] < 0:
                if 2 * count >= table.size or count >= states.size:
                    return -1
                table[place] = count
                states[count], parents[count], layer.choices[count] = state, parent, choices[i]
                count += 1
    return count


MAX_STRETCH = 40
PERIODS = (12, 20, 28, 18, 22, 26, 30)
"""Long stretches of columns are shortened by multiples of these: paths through them repeat with these periods."""
COLUMNS_A_PART = 10_000


def few_rows_tour(
    rows: int, columns: int, ends: tuple[int, ...], closed: bool, stop: np.ndarray
) -> Iterator[np.ndarray] | None:
    """The edges of a tour (n x 2 squares by number, column * rows + row) in parts, or None if there is none.

    `rows` is at most 6; `ends` are the squares that must be ends. Long stretches of columns without an end are
    shortened first; a part of the path that repeats is then inserted again.
    """
    special = sorted({end // rows for end in ends})
    marks = [0, *(mark for column in special for mark in (column, column + 1)), columns]
    lengths = [after - before for before, after in itertools.pairwise(marks)]
    for longest in (MAX_STRETCH, 2 * MAX_STRETCH, 4 * MAX_STRETCH):
        for period in PERIODS:
            short = [min(length, longest + (length - longest) % period) for length in lengths]
            columns_short = sum(short)
            kept = np.cumsum([0, *short])
            ends_by_column: list[tuple[int, ...]] = [()] * columns_short
            for i, column in enumerate(special):
                ends_by_column[kept[2 * i + 1]] = tuple(end % rows for end in ends if end // rows == column)
            layers = _Layers(rows, closed)
            apex = NO_APEX if closed or len(ends) == 2 else MAY_JOIN
            for column, rows_of_ends in enumerate(ends_by_column):
                check(stop)
                layers.add_column(column, rows_of_ends, apex, column == columns_short - 1)
                if not len(layers.last.states):
                    return None
            states, edges = layers.path()
            chosen = _lengthen(states, kept, [long - cut for long, cut in zip(lengths, short, strict=True)])
            if chosen is not None:
                return (
                    np.concatenate([edges[chosen[place]] + rows * place for place in part])
                    for part in (range(columns)[at : at + COLUMNS_A_PART] for at in range(0, columns, COLUMNS_A_PART))
                )
    raise AssertionError(f"{rows} x {columns}: the path through a long stretch does not repeat")


def _lengthen(states: list[int], kept: np.ndarray, missing: list[int]) -> np.ndarray | None:
    """The columns in order; in each stretch a part that begins and ends in the same state is repeated.

    None if a stretch has no part to repeat.
    """
    chosen: list[np.ndarray] = []
    for stretch, lacking in enumerate(missing):
        first, last = int(kept[stretch]), int(kept[stretch + 1])
        cut = first
        repeated = np.arange(0)
        if lacking:
            # The first two columns and the last differ from the others, which have neighbours on both sides.
            place: dict[int, int] = {}
            for at in range(first + 2, last - 1):
                length = at - place.setdefault(states[at], at)
                if length and lacking % length == 0:
                    cut = at
                    repeated = np.tile(np.arange(at - length, at, dtype=np.int16), lacking // length)
                    break
            else:
                return None
        chosen += [np.arange(first, cut), repeated, np.arange(cut, last)]
    return np.concatenate(chosen, dtype=np.int16)


class _Layers:
    """The states after each square, in ascending order."""

    def __init__(self, rows: int, closed: bool) -> None:
        self.rows = rows
        none = np.zeros(1, np.int64)
        self.layers = [Layer(np.array([first_state(rows, closed)], np.uint64), none, none)]
        self.room = 1 << 10

    @property
    def last(self) -> Layer:
        return self.layers[-1]

    def add_column(self, column: int, rows_of_ends: tuple[int, ...], apex: int, is_last: bool) -> None:
        """Process the next column; `apex` applies to all its squares except the ends."""
        for row in range(self.rows):
            choices = choices_of(self.rows, row, min(column, 2), MUST_JOIN if row in rows_of_ends else apex)
            self._add(choices, is_last and row == self.rows - 1)

    def _add(self, choices: np.ndarray, is_last: bool) -> None:
        while True:
            layer = Layer(*(np.empty(self.room, dtype) for dtype in (np.uint64, np.int64, np.int64)))
            table = np.full(2 * self.room, -1, np.int64)
            found = add_square(self.rows, choices, is_last, self.last.states, layer, table)
            if found >= 0:
                break
            self.room *= 2
        order = np.argsort(layer.states[:found])
        self.layers.append(Layer(*(array[order] for array in layer)))

    def path(self) -> tuple[list[int], list[np.ndarray]]:
        """One tour: the state before each column, and the edges of each column, squares counted from its first one."""
        entry = 0
        states: list[int] = []
        edges: list[np.ndarray] = []
        of_column: list[tuple[int, int]] = []
        for number in range(len(self.layers) - 1, 0, -1):
            row = (number - 1) % self.rows
            layer = self.layers[number]
            choices = int(layer.choices[entry])
            of_column += [(row - step_back(self.rows, i), row) for i in range(4) if choices >> i & 1]
            entry = int(layer.parents[entry])
            if row == 0:
                states.append(int(self.layers[number - 1].states[entry]))
                edges.append(np.array(of_column, np.int64).reshape(-1, 2))
                of_column = []
        return states[::-1], edges[::-1]
