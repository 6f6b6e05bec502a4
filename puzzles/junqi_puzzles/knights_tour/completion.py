"""Tours by search: the completion of a path, or the proof that no tour continues it."""

import sys
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Search
from junqi_puzzles.knights_tour.board import Place, check_path, check_request
from junqi_puzzles.knights_tour.search import (
    ANY_END,
    BACKTRACKING,
    COLUMN_STEPS,
    FOUND,
    NEXT_TO_START,
    NONE,
    ROW_STEPS,
    backtrack,
    path_back,
    path_from,
    steps_of,
)
from junqi_puzzles.knights_tour.tour import NoTour, why_impossible

MAX_SEARCHED = 40_000
NODES_A_SLICE = 50_000
NODES_OF_A_PROOF = 3_000_000
MAX_ROTATIONS = 1000
SEEDS = range(1, 21)


class Completion(NamedTuple):
    """The result of a search: the step of each square (rows x columns of int32), None if undecided, and the nodes."""

    steps: np.ndarray | None
    nodes: int


def complete(
    rows: int,
    columns: int,
    path: Sequence[Place],
    end: Place | None = None,
    closed: bool = False,
    search: Search | None = None,
) -> Completion:
    """A tour that begins with the squares of `path`, at least one. `NoTour` if there is none, proven.

    Up to 40,000 squares, else `Refused` too-large; other errors as for `check_path` and `check_request`. Of the limits
    of `search` only `nodes` matters: each attempt to draw a tour counts as all squares of the board.
    """
    search = search or Search()
    last = _checked(rows, columns, path, end, closed)
    numbers = np.array([row * columns + column for row, column in path], np.int32)
    nodes = 0
    for seed, origin in product(SEEDS, (None, *_last_squares(rows, columns, path, last))):
        if search.is_stopped or nodes + rows * columns > node_limit(search):
            return Completion(None, nodes)
        nodes += rows * columns
        if origin is None:
            whole = path_from(rows, columns, numbers, last, seed, MAX_ROTATIONS)
        else:
            whole = path_back(rows, columns, numbers, origin, seed, MAX_ROTATIONS)
        if whole is not None:
            return Completion(steps_of(rows, columns, whole), nodes)
    return complete_by_backtracking(rows, columns, path, end, closed, search, nodes)


def node_limit(search: Search) -> int:
    return sys.maxsize if search.limits.nodes is None else search.limits.nodes


def complete_by_backtracking(
    rows: int, columns: int, path: Sequence[Place], end: Place | None, closed: bool, search: Search, nodes: int = 0
) -> Completion:
    """As `complete`, by Warnsdorff's rule (fewest exits first) with backtracking. `nodes` were used before."""
    last = _checked(rows, columns, path, end, closed)
    size = rows * columns
    squares = np.zeros(size, np.int32)
    place = np.full(size, -1, np.int32)
    for index, (row, column) in enumerate(path):
        squares[index] = row * columns + column
        place[row * columns + column] = index
    tried = np.zeros(size, np.uint8)
    order = np.zeros(8 * size, np.uint8)
    goal = ANY_END if closed else last
    state = np.array([(rows, columns, len(path), goal, closed, len(path), 0)], BACKTRACKING)[0]
    most = min(nodes + NODES_OF_A_PROOF, node_limit(search))
    while True:
        allowed = min(NODES_A_SLICE, most - nodes)
        if allowed <= 0 or search.is_stopped:
            return Completion(None, nodes)
        state["nodes_left"] = allowed
        outcome = backtrack(state, squares, place, tried, order)
        nodes += allowed - int(state["nodes_left"])
        if outcome == FOUND:
            return Completion(steps_of(rows, columns, squares), nodes)
        if outcome == NONE:
            raise NoTour(f"proven by {nodes} nodes: no tour continues the path")


def _checked(rows: int, columns: int, path: Sequence[Place], end: Place | None, closed: bool) -> int:
    """Check the request; returns the end of the tour as a number or `ANY_END` or `NEXT_TO_START`."""
    if not path:
        raise Refused("bad-position", "the path so far has no square: at least the start is needed")
    check_request(rows, columns, path[0], end, closed)
    check_path(rows, columns, path, closed)
    if rows * columns > MAX_SEARCHED:
        raise Refused("too-large", f"{rows} x {columns}: boards of at most {MAX_SEARCHED} squares are searched")
    reason = why_impossible(rows, columns, path[0], end, closed)
    if reason is None and end in path[:-1]:
        reason = "the path so far passes through the end"
    if reason is None and end == path[-1] and len(path) < rows * columns:
        reason = "the path so far is already at the end"
    if reason is not None:
        raise NoTour(reason)
    if closed:
        return NEXT_TO_START
    return end[0] * columns + end[1] if end else ANY_END


def _last_squares(rows: int, columns: int, path: Sequence[Place], last: int) -> list[int]:
    """Squares on which a tour may end, as numbers: all or some that `last` allows, squares at the edge first."""
    if last >= 0:
        return [last]
    squares = sorted(
        ((row, column) for row in range(min(rows, 8)) for column in range(min(columns, 12))), key=lambda at: min(at)
    )
    if last == NEXT_TO_START:
        row, column = path[0]
        squares = [(row + down, column + along) for down, along in zip(ROW_STEPS, COLUMN_STEPS, strict=True)]
    is_odd = rows * columns % 2 == 1
    return [
        int(row * columns + column)
        for row, column in squares
        if 0 <= row < rows and 0 <= column < columns and (row, column) not in path
        if ((row + column - sum(path[0])) % 2 == 0) == is_odd
    ]
