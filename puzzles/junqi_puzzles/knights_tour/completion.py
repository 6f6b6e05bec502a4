"""Tours by search: the completion of a path, or the proof that no tour continues it."""

import sys
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Search
from junqi_puzzles.knights_tour.board import KNIGHT_MOVES, Board, Place
from junqi_puzzles.knights_tour.search import (
    ANY_END,
    FOUND,
    NEXT_TO_START,
    NONE,
    Path,
    backtrack,
    path_back,
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
    board = Board(rows, columns, tuple(path), end, closed)
    _check(board)
    begun, last = np.array(board.numbers, np.int32), last_number(board)
    nodes = 0
    for seed, origin in product(SEEDS, (None, *_last_squares(board, last))):
        if search.is_stopped or nodes + board.squares > node_limit(search):
            return Completion(None, nodes)
        nodes += board.squares
        if origin is None:
            whole = Path(rows, columns, begun).complete(last, seed, MAX_ROTATIONS)
        else:
            whole = path_back(rows, columns, begun, origin, seed, MAX_ROTATIONS)
        if whole is not None:
            return Completion(steps_of(rows, columns, whole), nodes)
    return complete_by_backtracking(board, search, nodes)


def node_limit(search: Search) -> int:
    return sys.maxsize if search.limits.nodes is None else search.limits.nodes


def complete_by_backtracking(board: Board, search: Search, nodes: int = 0) -> Completion:
    """As `complete`, by Warnsdorff's rule (fewest exits first) with backtracking. `nodes` were used before."""
    _check(board)
    path = Path(board.rows, board.columns, board.numbers)
    state = path.search(last_number(board), 0)
    tried = np.zeros(board.squares, np.uint8)
    order = np.zeros(8 * board.squares, np.uint8)
    max_nodes = min(nodes + NODES_OF_A_PROOF, node_limit(search))
    while True:
        allowed = min(NODES_A_SLICE, max_nodes - nodes)
        if allowed <= 0 or search.is_stopped:
            return Completion(None, nodes)
        state["budget"] = allowed
        outcome = backtrack(state, path.squares, path.place, tried, order)
        nodes += allowed - int(state["budget"])
        if outcome == FOUND:
            return Completion(steps_of(board.rows, board.columns, path.squares), nodes)
        if outcome == NONE:
            raise NoTour(f"proven by {nodes} nodes: no tour continues the path")


def _check(board: Board) -> None:
    if not board.path:
        raise Refused("bad-position", "the path so far has no square: at least the start is needed")
    board.check()
    if board.squares > MAX_SEARCHED:
        size = f"{board.rows} x {board.columns}"
        raise Refused("too-large", f"{size}: boards of at most {MAX_SEARCHED} squares are searched")
    reason = why_impossible(board.rows, board.columns, board.start, board.end, board.closed)
    if reason is None and board.end in board.path[:-1]:
        reason = "the path so far passes through the end"
    if reason is None and board.end == board.path[-1] and len(board.path) < board.squares:
        reason = "the path so far is already at the end"
    if reason is not None:
        raise NoTour(reason)


def last_number(board: Board) -> int:
    """The end of a tour as a number, `ANY_END` or `NEXT_TO_START`."""
    if board.closed:
        return NEXT_TO_START
    return board.number(board.end) if board.end else ANY_END


def _last_squares(board: Board, last: int) -> list[int]:
    """Squares on which a tour may end, as numbers: all or some that `last` allows, squares at the edge first."""
    if last >= 0:
        return [last]
    rows, columns = board.rows, board.columns
    squares = sorted(
        ((row, column) for row in range(min(rows, 8)) for column in range(min(columns, 12))), key=lambda at: min(at)
    )
    first = board.path[0]
    if last == NEXT_TO_START:
        squares = [(first[0] + down, first[1] + along) for down, along in KNIGHT_MOVES]
    is_odd = board.squares % 2 == 1
    return [
        board.number((row, column))
        for row, column in squares
        if 0 <= row < rows and 0 <= column < columns and (row, column) not in board.path
        if ((row + column - sum(first)) % 2 == 0) == is_odd
    ]
