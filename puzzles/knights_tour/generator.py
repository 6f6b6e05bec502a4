"""New puzzles: the beginning of a random tour, which only one tour continues."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from puzzles.base import Limits, PuzzleError, Search
from puzzles.knights_tour.board import Board, Place, parse
from puzzles.knights_tour.completion import NODES_OF_A_PROOF
from puzzles.knights_tour.solver import solve, solve_by_warnsdorff

MOST_DECIDED = 20
"""While no more moves remain, a search tells in time of each whether a tour goes on with it."""
FEWEST = 8
"""The moves of a puzzle, unless another number is asked for: fewer are seen at a glance."""
LOOSE_MOVES = 8
"""Fewer moves than this are drawn before the solver completes the tour."""


def good_moves(board: Board, stop: np.ndarray) -> tuple[str, ...] | None:
    """The moves with which a tour goes on; None if a search does not tell of each."""
    if board.squares - len(board.path) > MOST_DECIDED:
        return None
    good = []
    for move in board.legal_moves():
        outcome = solve_by_warnsdorff(_after(board, [move]), limits=Limits(nodes=NODES_OF_A_PROOF), stop=stop)
        if not outcome.solutions and not outcome.is_unsolvable:
            return None
        good += [move] * len(outcome.solutions)
    return tuple(good)


def begun_tours(like: Board, random: Random, least: int, most: int | None, search: Search) -> Iterator[Board]:
    """Beginnings of random tours of the kind of `like`, each with only one completion: of `least` moves if that is
    `most`, else of `FEWEST` to `MOST_DECIDED`.

    The start is random unless `like` has one. A `PuzzleError` bad-argument for more moves than `MOST_DECIDED` or than
    the tour has, and for a level above easy; bad-position if there is no such tour.
    """
    if least > MOST_DECIDED or 1 < least != most:
        raise PuzzleError("bad-argument", f"tours are generated with at most {MOST_DECIDED} moves left, which are easy")
    if least != most:
        least, most = FEWEST, MOST_DECIDED
    if least >= like.squares + like.closed:
        raise PuzzleError("bad-argument", f"a tour of {like.rows} x {like.columns} has fewer than {least} moves")
    plain = replace(like, path=like.path[:1])
    outcome = solve(plain, stop=search.stop_flag)
    if outcome.is_unsolvable:
        raise PuzzleError("bad-position", outcome.reason)
    while not search.is_stopped:
        tour = _random_tour(plain, random, search)
        if tour is not None:
            begun = _longest_forced(tour, least, most, search)
            if begun is not None:
                yield begun


def _random_tour(plain: Board, random: Random, search: Search) -> Board | None:
    """A tour that begins with some random moves; None if none does."""
    start = plain.path or ((random.randrange(plain.rows), random.randrange(plain.columns)),)
    board = replace(plain, path=start)
    if start[0] == plain.end:
        return None
    for _ in range(random.randrange(LOOSE_MOVES)):
        if moves := board.legal_moves():
            board = _after(board, [random.choice(moves)])
    outcome = solve(board, stop=search.stop_flag)
    return _after(board, outcome.solutions[0].moves) if outcome.solutions else None


def _longest_forced(tour: Board, least: int, most: int, search: Search) -> Board | None:
    """The shortest beginning of a tour that no other tour has, if `least` to `most` moves remain after it."""
    found = None
    for left in range(1, min(most, len(tour.path) - 1) + 1):
        begun = replace(tour, path=tour.path[:-left])
        good = good_moves(begun, search.stop_flag)
        if good is None or len(good) != 1:
            break
        found = begun if left >= least else None
    return found


def symmetric_text(board: Board) -> str:
    """The least of the texts that a board and its mirror images have: what was visited, where the path is and ends."""
    cells = np.full((board.rows, board.columns), ".")
    marked: list[tuple[str, tuple[Place, ...]]] = [("x", board.path), ("@", board.path[-1:])]
    marked += [("S", board.path[:1])] if board.closed else []
    marked += [("E", (board.end,))] if board.end else []
    for mark, places in marked:
        for row, column in places:
            cells[row, column] = mark
    turned = [form for grid in (cells, cells.T) for form in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1])]
    return min("/".join("".join(row) for row in form) for form in turned)


def _after(board: Board, moves: list[str] | tuple[str, ...]) -> Board:
    return parse(str(board).split(), [*board.moves, *moves])
