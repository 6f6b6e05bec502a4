"""New puzzles: beginnings of random tours that have only one completion."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Search
from junqi_puzzles.knights_tour.board import Board, Place
from junqi_puzzles.knights_tour.completion import complete_by_backtracking, last_number
from junqi_puzzles.knights_tour.search import Path
from junqi_puzzles.knights_tour.tour import NoTour, why_impossible

MAX_DECIDED = 20
"""Moves left at which a search can decide in time for each move whether a tour continues with it."""
MAX_GENERATED = 10_000
"""Squares of the largest board for new puzzles: larger ones take minutes each."""
MIN_MOVES = 8
"""Default minimum of moves of a puzzle: fewer are seen at a glance."""
LOOSE_MOVES = 8
"""Upper bound on the random opening moves, before a search completes the tour."""
ROTATIONS = 1000
"""Rotations of that search before another opening is drawn."""


def good_moves(board: Board, search: Search) -> tuple[str, ...] | None:
    """The moves that a tour continues with; None if a search cannot decide each of them."""
    if board.squares - len(board.path) > MAX_DECIDED:
        return None
    good = []
    for to in board.exits():
        path = (*board.path, to)[: board.squares]
        try:
            found = complete_by_backtracking(replace(board, path=path), search)
        except NoTour:
            continue
        if found.steps is None:
            return None
        good.append(board.move(board.path[-1], to))
    return tuple(good)


def begun_tours(
    like: Board, random: Random, min_steps: int, max_steps: int | None, search: Search
) -> Iterator[Board | None]:
    """Yield beginnings of random tours of the kind of `like` with only one completion: of `min_steps` moves if that is
    `max_steps`, else of `MIN_MOVES` to `MAX_DECIDED`. None stands for an attempt that failed.

    The start is random unless `like` has one. A `Refused` not-supported for a level above easy, which has a `min_steps`
    of more than one; bad-argument for more moves than `MAX_DECIDED` or than the tour has; bad-position if there is no
    tour; too-large for more squares than `MAX_GENERATED`.
    """
    if like.squares > MAX_GENERATED:
        size = f"{like.rows} x {like.columns}"
        raise Refused("too-large", f"{size}: generated tours have at most {MAX_GENERATED} squares")
    if 1 < min_steps != max_steps:
        raise Refused("not-supported", "knights-tour: generated tours are easy")
    if min_steps > MAX_DECIDED:
        raise Refused("bad-argument", f"generated tours have at most {MAX_DECIDED} moves left")
    if min_steps != max_steps:
        min_steps, max_steps = MIN_MOVES, MAX_DECIDED
    if min_steps >= like.squares + like.closed:
        raise Refused("bad-argument", f"a tour of {like.rows} x {like.columns} has fewer than {min_steps} moves")
    plain = replace(like, path=like.path[:1])
    reason = why_impossible(plain.rows, plain.columns, plain.start, plain.end, plain.closed)
    if reason is not None:
        raise Refused("bad-position", reason)
    while not search.is_stopped:
        begun = _random_beginning(plain, random)
        tour = _completed(begun, random) if begun else None
        yield None if tour is None else _longest_forced(tour, min_steps, max_steps, search)


def _random_beginning(plain: Board, random: Random) -> Board | None:
    """A random path of fewer than `LOOSE_MOVES` moves; None if it reaches the end of the tour."""
    board = replace(plain, path=plain.path or ((random.randrange(plain.rows), random.randrange(plain.columns)),))
    for _ in range(random.randrange(LOOSE_MOVES)):
        if squares := board.exits():
            board = replace(board, path=(*board.path, random.choice(squares)))
    return None if board.end in board.path else board


def _completed(begun: Board, random: Random) -> Board | None:
    """A tour that begins with a path; None if one attempt finds none."""
    path = Path(begun.rows, begun.columns, begun.numbers)
    whole = path.complete(last_number(begun), random.getrandbits(31), ROTATIONS)
    if whole is None:
        return None
    squares = tuple(divmod(int(square), begun.columns) for square in whole)
    return replace(begun, path=squares + squares[:1] * begun.closed)


def _longest_forced(tour: Board, min_steps: int, max_steps: int, search: Search) -> Board | None:
    """The shortest beginning that only this tour has, if `min_steps` to `max_steps` moves are left after it."""
    found = None
    for left in range(1, min(max_steps, len(tour.path) - 1) + 1):
        begun = replace(tour, path=tour.path[:-left])
        good = good_moves(begun, search)
        if good is None or len(good) != 1:
            break
        found = begun if left >= min_steps else None
    return found


def symmetric_text(board: Board) -> str:
    """The first, in order, of the texts of a board and its mirror images: visited squares, ends, and last square."""
    cells = np.full((board.rows, board.columns), ".")
    marked: list[tuple[str, tuple[Place, ...]]] = [("x", board.path), ("@", board.path[-1:])]
    marked += [("S", board.path[:1])] if board.closed else []
    marked += [("E", (board.end,))] if board.end else []
    for mark, places in marked:
        for row, column in places:
            cells[row, column] = mark
    turned = [form for grid in (cells, cells.T) for form in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1])]
    return min("/".join("".join(row) for row in form) for form in turned)
