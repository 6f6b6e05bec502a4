"""Tours by search: a way begun by hand and completed, and the textbook searches under a limit of nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from puzzles.base import PuzzleError, square_name
from puzzles.knights_tour.search import (
    ANY_END,
    COLUMN_STEPS,
    FOUND,
    NEXT_TO_START,
    NONE,
    PLAIN_ORDER,
    ROW_STEPS,
    WARNSDORFF_ORDER,
    backtrack,
    way_back,
    way_on,
)
from puzzles.knights_tour.theorems import Place, why_impossible
from puzzles.knights_tour.tour import NoTour, check_request

MOST_SQUARES_SEARCHED = 40_000
NODES_A_SLICE = 50_000
NODES_OF_A_PROOF = 3_000_000
MOST_TURNS = 1000
SEEDS = range(1, 21)
ORDERS = {"dfs": PLAIN_ORDER, "warnsdorff": WARNSDORFF_ORDER}


@dataclass(frozen=True)
class Found:
    """What a search came to: the step of each square (rows x columns of int32), or None when it ended undecided."""

    steps: np.ndarray | None
    nodes: int


def check_way(rows: int, columns: int, way: Sequence[Place], closed: bool) -> None:
    """`PuzzleError` bad-move or illegal-move if `way` leaves the board, makes a move that is no knight's or visits
    twice.

    A closed tour may end with the step home.
    """
    visited: set[Place] = set()
    for number, square in enumerate(way):
        if not (0 <= square[0] < rows and 0 <= square[1] < columns):
            raise PuzzleError("bad-move", f"move {number}: off the board of {rows} x {columns}")
        name = square_name(square[1], rows - 1 - square[0])
        if number:
            before = way[number - 1]
            if abs(square[0] - before[0]) * abs(square[1] - before[1]) != 2:
                raise PuzzleError("illegal-move", f"move {number}, to {name}, is no knight's move")
        is_home = closed and number == rows * columns and square == way[0]
        if square in visited and not is_home:
            raise PuzzleError("illegal-move", f"move {number} visits {name} a second time")
        visited.add(square)


def complete(
    rows: int,
    columns: int,
    begun: Sequence[Place],
    end: Place | None = None,
    closed: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
) -> Found:
    """A tour that begins with the squares of `begun`, one at least. `NoTour` if it is proven that there is none.

    Up to 40,000 squares, else `PuzzleError` too-large; other errors as for `check_way` and `tour.check_request`.
    """
    last = _checked(rows, columns, begun, end, closed)
    numbers = np.array([row * columns + column for row, column in begun], np.int32)
    for seed in SEEDS:
        if should_stop():
            return Found(None, 0)
        way = way_on(rows, columns, numbers, last, seed, MOST_TURNS)
        for origin in () if way is not None else _last_squares(rows, columns, begun, last):
            way = way_back(rows, columns, numbers, origin, seed, MOST_TURNS)
            if way is not None:
                break
        if way is not None:
            return Found(_steps(rows, columns, way), rows * columns)
    return search(rows, columns, begun, end, closed, "warnsdorff", NODES_OF_A_PROOF, should_stop)


def search(
    rows: int,
    columns: int,
    begun: Sequence[Place],
    end: Place | None,
    closed: bool,
    method: str,
    most_nodes: int | None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Found:
    """A tour that begins with `begun` by `method`: `warnsdorff` (fewest exits first) or `dfs`, both with backtracking.

    Errors as for `complete`. Exponential when it fails.
    """
    last = _checked(rows, columns, begun, end, closed)
    size = rows * columns
    way = np.zeros(size, np.int32)
    place = np.full(size, -1, np.int32)
    for index, (row, column) in enumerate(begun):
        way[index] = row * columns + column
        place[row * columns + column] = index
    tried = np.zeros(size, np.uint8)
    order = np.zeros(8 * size, np.uint8)
    progress = np.array([len(begun), 0], np.int64)
    nodes = 0
    while True:
        allowed = NODES_A_SLICE if most_nodes is None else min(NODES_A_SLICE, most_nodes - nodes)
        if allowed <= 0 or should_stop():
            return Found(None, nodes)
        progress[1] = allowed
        outcome = backtrack(
            rows, columns, way, place, tried, order, len(begun), ANY_END if closed else last, closed, ORDERS[method],
            progress,
        )  # fmt: skip
        nodes += allowed - int(progress[1])
        if outcome == FOUND:
            return Found(_steps(rows, columns, way), nodes)
        if outcome == NONE:
            raise NoTour(f"proven by {nodes} nodes: no tour goes on from the squares given")


def _checked(rows: int, columns: int, begun: Sequence[Place], end: Place | None, closed: bool) -> int:
    """Where the way must end, as the searches want it said, once what is asked has been found good."""
    if not begun:
        raise PuzzleError("bad-position", "a way begun has one square at least")
    check_request(rows, columns, begun[0], end, closed)
    check_way(rows, columns, begun, closed)
    if rows * columns > MOST_SQUARES_SEARCHED:
        raise PuzzleError("too-large", f"{rows} x {columns}: boards up to {MOST_SQUARES_SEARCHED} squares are searched")
    reason = why_impossible(rows, columns, begun[0], end, closed)
    if reason is None and end in begun[:-1]:
        reason = "the way begun passes through the end"
    if reason is None and end == begun[-1] and len(begun) < rows * columns:
        reason = "the way begun is at the end already"
    if reason is not None:
        raise NoTour(reason)
    if closed:
        return NEXT_TO_START
    return end[0] * columns + end[1] if end else ANY_END


def _last_squares(rows: int, columns: int, begun: Sequence[Place], last: int) -> list[int]:
    """Squares on which a tour may end, as numbers: those that `last` allows, or some of them, those at the edge
    first.
    """
    if last >= 0:
        return [last]
    squares = sorted(
        ((row, column) for row in range(min(rows, 8)) for column in range(min(columns, 12))), key=lambda at: min(at)
    )
    if last == NEXT_TO_START:
        row, column = begun[0]
        squares = [(row + down, column + along) for down, along in zip(ROW_STEPS, COLUMN_STEPS, strict=True)]
    is_odd = rows * columns % 2 == 1
    return [
        int(row * columns + column)
        for row, column in squares
        if 0 <= row < rows and 0 <= column < columns and (row, column) not in begun
        if ((row + column - sum(begun[0])) % 2 == 0) == is_odd
    ]


def _steps(rows: int, columns: int, way: np.ndarray) -> np.ndarray:
    steps = np.empty(rows * columns, np.int32)
    steps[way] = np.arange(rows * columns, dtype=np.int32)
    return steps.reshape(rows, columns)
