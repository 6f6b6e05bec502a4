"""Tours of any board: which construction or search a board calls for, and the errors of what is asked."""

from functools import lru_cache

import numpy as np

from puzzles.base import PuzzleError, square_name
from puzzles.knights_tour.blocks import BlockTour, can_be_ring
from puzzles.knights_tour.links import links_of_edges, walk
from puzzles.knights_tour.mosaic import mosaic_tour
from puzzles.knights_tour.narrow import narrow_tour
from puzzles.knights_tour.search import ANY_END, NEXT_TO_START, way_between
from puzzles.knights_tour.theorems import Place, why_impossible

MOST_SQUARES = 100_000_000
MOST_SQUARES_SEARCHED = 2500
"""Up to this size the whole board is one search, which takes milliseconds."""
MOST_SQUARES_SEARCHED_OF_FIVE = 100
MOST_SQUARES_PROVEN = 45
"""Boards of 5 rows: those up to 5 x 8 have pairs of ends of the right colours without a tour, so a search that fails
is followed by proof.
"""
MOST_TURNS = 20_000
MOST_TURNS_BEFORE_PROOF = 1000
SEEDS = range(1, 11)


class NoTour(PuzzleError):
    """There is no such tour, for the reason that the text gives. Its code is `impossible-position`."""

    def __init__(self, text: str) -> None:
        super().__init__("impossible-position", text)


def check_request(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> None:
    """`PuzzleError` for a board without squares or of more than 100 million, ends off it, equal ends, an end of a
    closed tour.
    """
    if rows < 1 or columns < 1:
        raise PuzzleError("bad-position", f"{rows} x {columns}: a board has a row and a column at least")
    if rows * columns > MOST_SQUARES:
        raise PuzzleError("too-large", f"{rows} x {columns}: at most {MOST_SQUARES} squares")
    for name, square in (("start", start), ("end", end)):
        if square is not None and not (0 <= square[0] < rows and 0 <= square[1] < columns):
            raise PuzzleError("bad-position", f"{name} {_name(rows, square)} is off the board of {rows} x {columns}")
    if closed and end is not None:
        raise PuzzleError("bad-position", "a closed tour has no end")
    if start is not None and start == end:
        raise PuzzleError("bad-position", f"start and end are the same square {_name(rows, start)}")


def tour(
    rows: int, columns: int, start: Place | None = None, end: Place | None = None, closed: bool = False
) -> np.ndarray:
    """The step, from 0, on which each square is visited (rows x columns of int32), in a tour between the squares given.

    Squares are (row, column) from 0, rows from the top. Without `start` or `end` the tour begins or ends anywhere.
    `NoTour` with the reason when there is none; other errors as for `check_request`. Linear in the number of squares.
    """
    check_request(rows, columns, start, end, closed)
    reason = why_impossible(rows, columns, start, end, closed)
    if reason is not None:
        raise NoTour(reason)
    if rows * columns == 1:
        return np.zeros((1, 1), np.int32)
    if start is None and end is not None:
        return rows * columns - 1 - tour(rows, columns, end)
    less = min(rows, columns)
    if less <= 4:
        return _narrow(rows, columns, start, end, closed)
    if rows * columns <= (MOST_SQUARES_SEARCHED if less >= 6 else MOST_SQUARES_SEARCHED_OF_FIVE):
        found = _searched(rows, columns, start, end, closed)
        if found is not None:
            return found
        if rows * columns <= MOST_SQUARES_PROVEN:
            return _narrow(rows, columns, start, end, closed)
    if end is None and can_be_ring(rows, columns):
        steps = np.empty((rows, columns), np.int32)
        BlockTour(rows, columns, start or (0, 0)).fill(steps)
        return steps
    if end is None and rows * columns % 2 == 0:
        steps = mosaic_tour(rows, columns, None, None)
        return steps if start is None else (steps - steps[start]) % np.int32(steps.size)
    return mosaic_tour(rows, columns, start or (0, 0), end)


def _name(rows: int, square: Place) -> str:
    row, column = square
    return square_name(column, rows - 1 - row) if row < rows and column >= 0 else f"(row {row}, column {column})"


def _searched(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> np.ndarray | None:
    """A tour of a board of moderate size, or None if none was found."""
    size = rows * columns
    first = start[0] * columns + start[1] if start else 0
    if end is None and size % 2 == 0:
        # A closed tour can begin anywhere, and serves for an open one.
        ring = _ring(rows, columns)
        if ring is not None:
            return (ring - ring.flat[first]) % np.int32(size)
        if closed:
            return None
    return _search(rows, columns, first, end[0] * columns + end[1] if end else ANY_END)


@lru_cache(maxsize=256)
def _ring(rows: int, columns: int) -> np.ndarray | None:
    return _search(rows, columns, 0, NEXT_TO_START)


def _search(rows: int, columns: int, first: int, last: int) -> np.ndarray | None:
    most_turns = MOST_TURNS if rows * columns > MOST_SQUARES_PROVEN else MOST_TURNS_BEFORE_PROOF
    for seed in SEEDS:
        way = way_between(rows, columns, first, last, seed, most_turns)
        if way is not None:
            return _steps_of(rows, columns, way)
    return None


def _steps_of(rows: int, columns: int, way: np.ndarray) -> np.ndarray:
    steps = np.empty(rows * columns, np.int32)
    steps[way] = np.arange(rows * columns, dtype=np.int32)
    return steps.reshape(rows, columns)


def _narrow(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> np.ndarray:
    """A tour of a board few squares wide, or the proof that there is none."""
    less = min(rows, columns)
    is_upright = rows > columns
    # The narrow way is by columns: square number column * rows + row, of the board laid on its long side.
    given = [square for square in (start, end) if square is not None]
    ends = [(row * columns + column) if is_upright else (column * rows + row) for row, column in given]
    edges = narrow_tour(less, max(rows, columns), tuple(ends), closed)
    if edges is None:
        raise NoTour(
            f"no such tour of {rows} x {columns}: no way through its {max(rows, columns)} columns leads to one"
        )
    if not is_upright:
        edges = edges % rows * columns + edges // rows
    links = links_of_edges(rows * columns, columns, edges[:, 0], edges[:, 1])
    if start is not None or closed:
        first = start[0] * columns + start[1] if start else 0
    else:
        # An end is a square with one link: a power of two.
        first = int(np.flatnonzero(links & (links - 1) == 0)[0])
    steps = np.empty(rows * columns, np.int32)
    walk(rows, columns, links, first, steps)
    return steps.reshape(rows, columns)
