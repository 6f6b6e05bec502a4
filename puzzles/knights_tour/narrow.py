"""Exact answers by the frontier method: how many tours there are, and a tour of a board of few rows or that there is
none.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from puzzles.base import PuzzleError
from puzzles.knights_tour.frontier import (
    MAY_JOIN,
    MOST_ROWS,
    MUST_JOIN,
    NO_APEX,
    first_state,
    step_back,
    take_square,
)

MOST_SQUARES_COUNTED = 60
LONGEST_STRETCH = 40
PERIODS = (12, 20, 28, 18, 22, 26, 30)
"""By how many columns a long stretch may be shortened: multiples of the periods in which ways through it repeat
themselves.
"""


def count(rows: int, columns: int, closed: bool = False) -> int:
    """How many tours there are, each counted once whichever way it is walked, wherever a closed one begins.

    `PuzzleError` too-large beyond 6 rows (or columns) and 60 squares, bad-position for a board without squares.
    """
    rows, columns = sorted((rows, columns))
    if rows < 1:
        raise PuzzleError("bad-position", f"{rows} x {columns}: a board has a row and a column at least")
    if rows > MOST_ROWS or rows * columns > MOST_SQUARES_COUNTED:
        raise PuzzleError(
            "too-large",
            f"{rows} x {columns}: tours are counted up to {MOST_ROWS} rows and {MOST_SQUARES_COUNTED} squares",
        )
    if rows * columns == 1:
        return 0 if closed else 1
    layers = _Layers(rows, closed)
    for column in range(columns):
        layers.take_column(column, (), NO_APEX if closed else MAY_JOIN, column == columns - 1)
        layers.forget()
    return int(layers.last.ways.sum())


def narrow_tour(rows: int, columns: int, ends: tuple[int, ...], closed: bool) -> np.ndarray | None:
    """The edges of a tour (n x 2 squares by number, column * rows + row), or None when there is none.

    `rows` is at most 6; `ends` are the squares that must be ends. Long stretches of columns without an end are
    shortened first; the way through them repeats itself, and is drawn out again.
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
                layers.take_column(column, rows_of_ends, apex, column == columns_short - 1)
                if not len(layers.last.states):
                    return None
            states, edges = layers.way()
            chosen = _draw_out(states, kept, [long - cut for long, cut in zip(lengths, short, strict=True)])
            if chosen is not None:
                return np.concatenate([edges[column] + rows * place for place, column in enumerate(chosen)])
    raise AssertionError(f"{rows} x {columns}: the way through a long stretch does not repeat itself")


def _draw_out(states: list[int], kept: np.ndarray, missing: list[int]) -> list[int] | None:
    """The columns in order, those of each stretch with a part repeated that begins and ends in one state; None
    without such a part.
    """
    chosen: list[int] = []
    for stretch, lacking in enumerate(missing):
        first, last = int(kept[stretch]), int(kept[stretch + 1])
        cut = first
        repeated: list[int] = []
        if lacking:
            # The first two columns and the last differ from the others: there are squares beyond the edge of the board.
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
    """The states after one square, ascending; ways to each, and the first way: the parent state and the neighbours
    joined.
    """

    states: np.ndarray
    ways: np.ndarray
    parents: np.ndarray
    choices: np.ndarray


class _Layers:
    """The states square by square."""

    def __init__(self, rows: int, closed: bool) -> None:
        self.rows = rows
        one = np.ones(1, np.int64)
        self.layers = [_Layer(np.array([first_state(rows, closed)], np.uint64), one, 0 * one, 0 * one)]
        self.room = 1 << 10

    @property
    def last(self) -> _Layer:
        return self.layers[-1]

    def forget(self) -> None:
        """Keep the last states alone."""
        del self.layers[:-1]

    def take_column(self, column: int, rows_of_ends: tuple[int, ...], apex: int, is_last: bool) -> None:
        """The next column; `apex` holds for all its squares but the ends."""
        for row in range(self.rows):
            is_last_square = is_last and row == self.rows - 1
            self._take(row, column, MUST_JOIN if row in rows_of_ends else apex, is_last_square)

    def _take(self, row: int, column: int, apex: int, is_last: bool) -> None:
        while True:
            states = np.empty(self.room, np.uint64)
            ways, parents, choices = (np.empty(self.room, np.int64) for _ in range(3))
            table = np.full(2 * self.room, -1, np.int64)
            found = take_square(
                self.rows, row, min(column, 2), apex, is_last, self.last.states, self.last.ways, states, ways, parents,
                choices, table,
            )  # fmt: skip
            if found >= 0:
                break
            self.room *= 2
        order = np.argsort(states[:found])
        self.layers.append(_Layer(states[order], ways[order], parents[order], choices[order]))

    def way(self) -> tuple[list[int], list[np.ndarray]]:
        """The state before each column, and the edges of each column (squares counted from the column's first), of
        one tour.
        """
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
