"""Tours of any board: the choice of construction or search, and the theorems that exclude tours.

A. J. Schwenk, "Which rectangular chessboards have a knight's tour?" (1991), for closed tours; P. Cull and
J. De Curtins, "Knight's tour revisited" (1978), for open ones; A. Conrad, T. Hindrichs, H. Morsy and I. Wegener,
"Solution of the knight's Hamiltonian path problem on chessboards" (1994), for given ends.
"""

from functools import lru_cache

import numpy as np

from junqi_engine.errors import Refused
from junqi_engine.kernels import NEVER_STOP
from junqi_puzzles.knights_tour.blocks import BlockTour, can_be_ring
from junqi_puzzles.knights_tour.board import Place, check_request
from junqi_puzzles.knights_tour.few_rows import few_rows_tour
from junqi_puzzles.knights_tour.mosaic import add_links, mosaic_tour, walk
from junqi_puzzles.knights_tour.search import ANY_END, NEXT_TO_START, check, path_between, steps_of

MAX_ONE_SEARCH = 2500
"""Squares of the largest board that is searched as a whole, in milliseconds."""
MAX_ONE_SEARCH_OF_FIVE_ROWS = 100
MAX_PROVEN = 45
"""Squares of the largest board with a proof after a failed search: boards up to 5 x 8 have pairs of ends of the right
colours without a tour.
"""
MAX_ROTATIONS = 20_000
MAX_ROTATIONS_BEFORE_PROOF = 1000
SEEDS = range(1, 11)


class NoTour(Refused):
    """Raised if there is no tour, with the reason. The code is `impossible-position`."""

    def __init__(self, text: str) -> None:
        super().__init__("impossible-position", text)


def tour(
    rows: int,
    columns: int,
    start: Place | None = None,
    end: Place | None = None,
    closed: bool = False,
    stop: np.ndarray = NEVER_STOP,
) -> np.ndarray:
    """A tour: the step of each square, from 0 (rows x columns of int32), in linear time.

    Squares are (row, column) from 0, rows from the top. Without `start` or `end` the tour begins or ends anywhere.
    `NoTour` with the reason if there is none; other errors as for `check_request`. `Stopped` of search.py once `stop`,
    an array of one byte, is set.
    """
    check_request(rows, columns, start, end, closed)
    reason = why_impossible(rows, columns, start, end, closed)
    if reason is not None:
        raise NoTour(reason)
    if rows * columns == 1:
        return np.zeros((1, 1), np.int32)
    if start is None and end is not None:
        return rows * columns - 1 - tour(rows, columns, end, stop=stop)
    less = min(rows, columns)
    if less <= 4:
        return _with_few_rows(rows, columns, start, end, closed, stop)
    if rows * columns <= (MAX_ONE_SEARCH if less >= 6 else MAX_ONE_SEARCH_OF_FIVE_ROWS):
        found = _searched(rows, columns, start, end, closed)
        if found is not None:
            return found
        if rows * columns <= MAX_PROVEN:
            return _with_few_rows(rows, columns, start, end, closed, stop)
    if end is None and can_be_ring(rows, columns):
        steps = np.empty((rows, columns), np.int32)
        BlockTour(rows, columns, start or (0, 0)).fill(steps)
        return steps
    if end is None and rows * columns % 2 == 0:
        return mosaic_tour(rows, columns, None, None, stop, start or (0, 0))
    return mosaic_tour(rows, columns, start or (0, 0), end, stop)


def _searched(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> np.ndarray | None:
    size = rows * columns
    first = start[0] * columns + start[1] if start else 0
    if end is None and size % 2 == 0:
        # A closed tour can begin anywhere, and is an open tour too.
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
    max_rotations = MAX_ROTATIONS if rows * columns > MAX_PROVEN else MAX_ROTATIONS_BEFORE_PROOF
    for seed in SEEDS:
        path = path_between(rows, columns, first, last, seed, max_rotations)
        if path is not None:
            return steps_of(rows, columns, path)
    return None


def _with_few_rows(
    rows: int, columns: int, start: Place | None, end: Place | None, closed: bool, stop: np.ndarray
) -> np.ndarray:
    """A tour of a board with few rows or columns; `NoTour` if there is none, proven."""
    less = min(rows, columns)
    is_upright = rows > columns
    # `few_rows_tour` numbers squares by columns, column * rows + row, of the board laid on its long side.
    # The start of a closed tour is not an end: the tour passes through every square.
    given = [square for square in (start, end) if square is not None and not closed]
    ends = [(row * columns + column) if is_upright else (column * rows + row) for row, column in given]
    parts = few_rows_tour(less, max(rows, columns), tuple(ends), closed, stop)
    if parts is None:
        raise NoTour(f"no such tour of {rows} x {columns}: no path through all its squares exists")
    links = np.zeros(rows * columns, np.uint8)
    for part in parts:
        check(stop)
        edges = part if is_upright else part % rows * columns + part // rows
        add_links(links, columns, edges[:, 0], edges[:, 1])
    if start is not None or closed:
        first = start[0] * columns + start[1] if start else 0
    else:
        # An end is a square with one link, whose bits are a power of two.
        first = int(np.flatnonzero(links & (links - 1) == 0)[0])
    steps = np.empty(rows * columns, np.int32)
    walk(rows, columns, links, first, steps, stop)
    check(stop)
    return steps.reshape(rows, columns)


def why_impossible(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> str | None:
    """The theorem that excludes a tour, in words; None if there is none."""
    reason = _why_no_closed(rows, columns) if closed else _why_no_open(rows, columns)
    if reason is None and not closed:
        reason = _why_not_between(rows, columns, start, end)
    return reason


def _why_no_closed(rows: int, columns: int) -> str | None:
    board = f"no closed tour of {rows} x {columns}"
    less, more = sorted((rows, columns))
    if less * more % 2 == 1:
        return f"{board}: every move changes the colour, and the number of squares is odd (Schwenk)"
    if less in (1, 2, 4):
        return f"{board}: none exists with {less} rows or columns (Schwenk)"
    if less == 3 and more in (4, 6, 8):
        return f"{board}: none exists for 3 x 4, 3 x 6 and 3 x 8 (Schwenk)"
    return None


def _why_no_open(rows: int, columns: int) -> str | None:
    less, more = sorted((rows, columns))
    has_one = more == 1 or (less == 3 and (more == 4 or more >= 7)) or (less == 4 and more >= 5) or less >= 5
    if has_one:
        return None
    known = "1 x 1, 3 x 4, 3 x 7 and larger, 4 x 5 and larger, 5 x 5 and larger"
    return f"no tour of {rows} x {columns}: there are tours of {known}"


def _why_not_between(rows: int, columns: int, start: Place | None, end: Place | None) -> str | None:
    ends = [square for square in (start, end) if square is not None]
    if rows * columns % 2 == 1:
        if any((row + column) % 2 for row, column in ends):
            return "an odd number of squares: both ends must have the colour of the corners"
    elif len(ends) == 2 and (sum(ends[0]) + sum(ends[1])) % 2 == 0:
        return "an even number of squares: the ends must have opposite colours"
    if min(rows, columns) == 4:
        for row, column in ends:
            if (row if rows == 4 else column) in (1, 2):
                return "on a board with four rows both ends are in the outer rows"
    return None
