"""New puzzles: the beginning of a random tour, which only one tour continues."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from puzzles.base import PuzzleError, Search
from puzzles.knights_tour.board import Board, Place, parse
from puzzles.knights_tour.completion import NODES_OF_A_PROOF, complete, search
from puzzles.knights_tour.tour import NoTour, why_impossible

MOST_DECIDED = 20
"""While no more moves remain, a search tells in time of each whether a tour goes on with it."""
FEWEST = 8
"""The moves of a puzzle, unless another number is asked for: fewer are seen at a glance."""
LOOSE_MOVES = 8
"""Fewer moves than this are drawn before the solver completes the tour."""


def good_moves(board: Board, terms: Search) -> tuple[str, ...] | None:
    """The moves with which a tour goes on; None if a search does not tell of each."""
    if board.squares - len(board.path) > MOST_DECIDED:
        return None
    good = []
    terms = terms.with_limits(nodes=NODES_OF_A_PROOF)
    for move in board.legal_moves():
        path = _after(board, move).path[: board.squares]
        try:
            found = search(board.rows, board.columns, path, board.end, board.closed, "warnsdorff", terms)
        except NoTour:
            continue
        if found.steps is None:
            return None
        good.append(move)
    return tuple(good)


def begun_tours(like: Board, random: Random, least: int, most: int | None, terms: Search) -> Iterator[Board]:
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
    reason = why_impossible(plain.rows, plain.columns, plain.start, plain.end, plain.closed)
    if reason is not None:
        raise PuzzleError("bad-position", reason)
    while not terms.is_stopped:
        tour = _random_tour(plain, random, terms)
        begun = None if tour is None else _longest_forced(tour, least, most, terms)
        if begun is not None:
            yield begun


def _random_tour(plain: Board, random: Random, terms: Search) -> Board | None:
    """A tour that begins with some random moves; None if none does."""
    start = plain.path or ((random.randrange(plain.rows), random.randrange(plain.columns)),)
    if start[0] == plain.end:
        return None
    board = replace(plain, path=start)
    for _ in range(random.randrange(LOOSE_MOVES)):
        if moves := board.legal_moves():
            board = _after(board, random.choice(moves))
    try:
        steps = complete(board.rows, board.columns, board.path[: board.squares], board.end, board.closed, terms).steps
    except NoTour:
        return None
    if steps is None:
        return None
    path = tuple(divmod(int(square), board.columns) for square in np.argsort(steps, axis=None))
    return replace(board, path=path + path[:1] * board.closed)


def _longest_forced(tour: Board, least: int, most: int, terms: Search) -> Board | None:
    """The shortest beginning of a tour that no other tour has, if `least` to `most` moves remain after it."""
    found = None
    for left in range(1, min(most, len(tour.path) - 1) + 1):
        begun = replace(tour, path=tour.path[:-left])
        good = good_moves(begun, terms)
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


def _after(board: Board, move: str) -> Board:
    return parse(str(board).split(), [*board.moves, move])
