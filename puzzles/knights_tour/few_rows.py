"""Boards with few rows, by the frontier method: how many tours there are; a tour, or the proof that there is none."""

import itertools
from dataclasses import dataclass

import numpy as np

from puzzles.base import PuzzleError
from puzzles.knights_tour.frontier import (
    MAY_JOIN,
    MOST_ROWS,
    MUST_JOIN,
    NO_APEX,
    add_square,
    first_state,
    step_back,
)

MOST_SQUARES_COUNTED = 60
LONGEST_STRETCH = 40
PERIODS = (12, 20, 28, 18, 22, 26, 30)
"""By multiples of these, long stretches of columns are shortened: paths through them repeat with such periods."""


def count(rows: int, columns: int, closed: bool = False) -> int:
    """How many tours there are. Direction does not matter, nor where a closed tour begins.

    `PuzzleError` too-large beyond 6 rows (or columns) and 60 squares, bad-position for a board without squares.
    """
    rows, columns = sorted((rows, columns))
    if rows < 1:
        raise PuzzleError("bad-position", f"{rows} x {columns}: a board has at least one row and one column")
    if rows > MOST_ROWS or rows * columns > MOST_SQUARES_COUNTED:
        raise PuzzleError(
            "too-large",
            f"{rows} x {columns}: tours are counted for at most {MOST_ROWS} rows and {MOST_SQUARES_COUNTED} squares",
        )
    if rows * columns == 1:
        return 0 if closed else 1
    layers = _Layers(rows, closed)
    for column in range(columns):
        layers.add_column(column, (), NO_APEX if closed else MAY_JOIN, column == columns - 1)
        layers.forget()
    return int(layers.last.counts.sum())


def few_rows_tour(rows: int, columns: int, ends: tuple[int, ...], closed: bool) -> np.ndarray | None:
    """The edges of a tour (n x 2 squares by number, column * rows + row), or None if there is none.

    `rows` is at most 6; `ends` are the squares that must be ends. Long stretches of columns without an end are
    shortened first; a part of the path that repeats is then inserted again.
    """
    special = sorted({end // rows for end in ends})
    marks = [0, *(mark for column in special for mark in (column, column + 1)), columns]
    lengths = [after - before for before, after in itertools.pairwise(marks)]
    for longest in (LONGEST_STRETCH, 2 * LONGEST_STRETCH, 4 * LONGEST_STRETCH):
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
                layers.add_column(column, rows_of_ends, apex, column == columns_short - 1)
                if not len(layers.last.states):
                    return None
            states, edges = layers.path()
            chosen = _lengthen(states, kept, [long - cut for long, cut in zip(lengths, short, strict=True)])
            if chosen is not None:
                return np.concatenate([edges[column] + rows * place for place, column in enumerate(chosen)])
    raise AssertionError(f"{rows} x {columns}: the path through a long stretch does not repeat")


def _lengthen(states: list[int], kept: np.ndarray, missing: list[int]) -> list[int] | None:
    """The columns in order, in each stretch with a part repeated that begins and ends in the same state.

    None if there is no such part.
    """
    chosen: list[int] = []
    for stretch, lacking in enumerate(missing):
        first, last = int(kept[stretch]), int(kept[stretch + 1])
        cut = first
        repeated: list[int] = []
        if lacking:
            # The first two columns and the last differ from the others, which have neighbours on both sides.
            place: dict[int, int] = {}
            for at in range(first + 2, last - 1):
                length = at - place.setdefault(states[at], at)
                if length and lacking % length == 0:
                    cut = at
                    repeated = list(range(at - length, at)) * (lacking // length)
                    break
            else:
                return None
        chosen += [*range(first, cut), *repeated, *range(cut, last)]
    return chosen


@dataclass
class _Layer:
    """The states after one square, ascending.

    `counts`: the paths to each; `parents` and `choices`: of the first path, the state before and the neighbours joined.
    """

    states: np.ndarray
    counts: np.ndarray
    parents: np.ndarray
    choices: np.ndarray


class _Layers:
    """The states after each square."""

    def __init__(self, rows: int, closed: bool) -> None:
        self.rows = rows
        one = np.ones(1, np.int64)
        self.layers = [_Layer(np.array([first_state(rows, closed)], np.uint64), one, 0 * one, 0 * one)]
        self.room = 1 << 10

    @property
    def last(self) -> _Layer:
        return self.layers[-1]

    def forget(self) -> None:
        """Keep only the last states."""
        del self.layers[:-1]

    def add_column(self, column: int, rows_of_ends: tuple[int, ...], apex: int, is_last: bool) -> None:
        """Process the next column; `apex` applies to all its squares except the ends."""
        for row in range(self.rows):
            is_last_square = is_last and row == self.rows - 1
            self._add(row, column, MUST_JOIN if row in rows_of_ends else apex, is_last_square)

    def _add(self, row: int, column: int, apex: int, is_last: bool) -> None:
        while True:
            states = np.empty(self.room, np.uint64)
            counts, parents, choices = (np.empty(self.room, np.int64) for _ in range(3))
            table = np.full(2 * self.room, -1, np.int64)
            found = add_square(
                self.rows, row, min(column, 2), apex, is_last, self.last.states, self.last.counts, states, counts,
                parents, choices, table,
            )  # fmt: skip
            if found >= 0:
                break
            self.room *= 2
        order = np.argsort(states[:found])
        self.layers.append(_Layer(states[order], counts[order], parents[order], choices[order]))

    def path(self) -> tuple[list[int], list[np.ndarray]]:
        """One tour: the state before each column, and the edges of each column, squares counted from its first one."""
        entry = 0
        states: list[int] = []
        edges: list[np.ndarray] = []
        of_column: list[tuple[int, int]] = []
        for number in range(len(self.layers) - 1, 0, -1):
            row = (number - 1) % self.rows
            layer = self.layers[number]
            choice = int(layer.choices[entry])
            of_column += [(row - step_back(self.rows, i), row) for i in range(4) if choice >> i & 1]
            entry = int(layer.parents[entry])
            if row == 0:
                states.append(int(self.layers[number - 1].states[entry]))
                edges.append(np.array(of_column, np.int64).reshape(-1, 2))
                of_column = []
        return states[::-1], edges[::-1]
