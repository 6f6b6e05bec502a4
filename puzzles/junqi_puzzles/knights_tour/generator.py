"""New puzzles: the beginning of a random tour. Short ones go on in one way only; above *easy* they are long. And how
hard it is to find a tour when too many squares are left to know every good move.

A careful player tries it by H. C. von Warnsdorff's rule ("Des Rösselsprunges einfachste und allgemeinste Lösung",
1823), taken loosely: of the squares that can be reached, one with n exits is drawn with weight e^-n. He leaves no
square without an exit, and keeps a way to the end. Many such tries tell how hard the tour is, as random probes tell the
size of a search tree (D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975).

At each step, of b legal moves, a move that he draws with chance q counts as one of 1/q good ones, so the step takes
log2(b * q) bits, as log2(b / g) elsewhere. The mean over his tours, with the binary logarithm of the number of tries
for one tour, is never less than -log2 of the chance that random moves make a tour, and equal to it if there is only one
tour.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import log2
from random import Random

import numpy as np
from numba import types

from junqi_engine.errors import Refused
from junqi_engine.kernels import kernel
from junqi_puzzles.base import Search
from junqi_puzzles.knights_tour.board import Board, Place
from junqi_puzzles.knights_tour.completion import NODES_OF_A_PROOF, search
from junqi_puzzles.knights_tour.search import ANY_END, NEXT_TO_START, SQUARES, U32, exits, neighbour, path_from
from junqi_puzzles.knights_tour.tour import NoTour, why_impossible

MOST_DECIDED = 20
"""While no more moves remain, a search tells in time of each whether a tour goes on with it."""
MOST_GENERATED = 10_000
"""Squares of the largest board of which puzzles are made: larger ones take minutes each."""
FEWEST = 8
"""The moves of a puzzle, unless another number is asked for: fewer are seen at a glance."""
LOOSE_MOVES, LONG_SHARE = 8, 4
"""Fewer moves than this, or than this part of the squares, are drawn before the rest of the tour is searched."""
TURNS = 1000
"""How long it is searched before another beginning is drawn."""


def good_moves(board: Board, terms: Search) -> tuple[str, ...] | None:
    """The moves with which a tour goes on; None if a search does not tell of each."""
    if board.squares - len(board.path) > MOST_DECIDED:
        return None
    good = []
    terms = terms.with_limits(nodes=NODES_OF_A_PROOF)
    for to in board.exits():
        path = (*board.path, to)[: board.squares]
        try:
            found = search(board.rows, board.columns, path, board.end, board.closed, "warnsdorff", terms)
        except NoTour:
            continue
        if found.steps is None:
            return None
        good.append(board.move(board.path[-1], to))
    return tuple(good)


def begun_tours(like: Board, random: Random, least: int, most: int | None, terms: Search) -> Iterator[Board | None]:
    """Beginnings of random tours of the kind of `like`. Of `least` moves if that is `most`, else of `FEWEST` to
    `MOST_DECIDED`, each with only one completion; but for a level above easy, which is a `least` of more than one, at
    most a quarter of the squares is visited, and there may be many completions. None for a try that came to nothing.

    The start is random unless `like` has one. A `Refused` bad-argument for more moves than `MOST_DECIDED` or than
    the tour has; bad-position if there is no such tour; too-large for more squares than `MOST_GENERATED`.
    """
    if like.squares > MOST_GENERATED:
        size = f"{like.rows} x {like.columns}"
        raise Refused("too-large", f"{size}: tours are generated with at most {MOST_GENERATED} squares")
    is_long = 1 < least != most
    if least > MOST_DECIDED and not is_long:
        raise Refused("bad-argument", f"tours with one completion are generated with at most {MOST_DECIDED} moves")
    if least != most:
        least, most = FEWEST, MOST_DECIDED
    if least >= like.squares + like.closed:
        raise Refused("bad-argument", f"a tour of {like.rows} x {like.columns} has fewer than {least} moves")
    plain = replace(like, path=like.path[:1])
    reason = why_impossible(plain.rows, plain.columns, plain.start, plain.end, plain.closed)
    if reason is not None:
        raise Refused("bad-position", reason)
    while not terms.is_stopped:
        begun = _random_beginning(plain, random, plain.squares // LONG_SHARE if is_long else LOOSE_MOVES)
        tour = _completed(begun, random) if begun else None
        if not is_long and tour is not None:
            begun = _longest_forced(tour, least, most, terms)
        yield begun if tour is not None else None


def _random_beginning(plain: Board, random: Random, most: int) -> Board | None:
    """A random path of fewer than `most` moves; None if it comes to the end of the tour."""
    board = replace(plain, path=plain.path or ((random.randrange(plain.rows), random.randrange(plain.columns)),))
    for _ in range(random.randrange(most)):
        if squares := board.exits():
            board = replace(board, path=(*board.path, random.choice(squares)))
    return None if board.end in board.path else board


def _completed(begun: Board, random: Random) -> Board | None:
    """A tour that begins with a path; None if none is found at once."""
    rows, columns = begun.rows, begun.columns
    numbers = np.array([row * columns + column for row, column in begun.path], np.int32)
    end = NEXT_TO_START if begun.closed else begun.end[0] * columns + begun.end[1] if begun.end else ANY_END
    whole = path_from(rows, columns, numbers, end, random.getrandbits(31), TURNS)
    if whole is None:
        return None
    path = tuple(divmod(int(square), columns) for square in whole)
    return replace(begun, path=path + path[:1] * begun.closed)


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


MOST_RATED = 400
"""Squares of the largest board that is rated; his tries rarely succeed on larger ones."""
TOURS = 200
"""How many tours are found: the bits are known to about half a bit on 8 x 8, and one on 12 x 12."""
MOST_TRIES = 40_000
FEWEST_TOURS = 20
SEED = 1
STUCK = -1.0
CHANCES = np.exp(-np.arange(9.0))
"""The weight of a square by the number of its exits."""
RANDOM = types.Array(types.uint32, 1, "C")


@kernel(types.boolean(types.int64, types.int64, types.int64))
def is_step(columns, square, other):
    """Whether a knight goes from one square to the other."""
    down = abs(square // columns - other // columns)
    right = abs(square % columns - other % columns)
    return down * right == 2


@kernel(types.float64(types.int64, types.int64, SQUARES, SQUARES, types.int64, types.int64, types.boolean, RANDOM))
def try_once(rows, columns, path, place, begun, end, closed, random):
    """The bits of one try; `STUCK` if it makes no tour. `path[:begun]` is the path so far, `place` its indices.

    `end` is the square where the tour must end, -1 for any; a closed tour must end beside its start.
    `random[0]`, not 0, is the state of a generator of random numbers (xorshift, Marsaglia 2003).
    """
    size = rows * columns
    home = path[0] if closed else end
    open_ends = exits(rows, columns, place, home) if home >= 0 else 0
    targets, weights = np.empty(8, np.int64), np.empty(8, np.float64)
    bits, length = 0.0, begun
    while length < size:
        is_last = length == size - 1
        count = legal = 0
        total = 0.0
        for move in range(8):
            to = neighbour(rows, columns, path[length - 1], move)
            if to < 0 or place[to] >= 0:
                continue
            legal += 1
            ways = exits(rows, columns, place, to)
            is_beside_home = home >= 0 and is_step(columns, to, home)
            closes_home = is_beside_home and open_ends == 1 and length < size - (1 if closed else 2)
            if not is_last and (ways == 0 or to == end or closes_home):
                continue
            targets[count], weights[count] = to, CHANCES[ways]
            total += weights[count]
            count += 1
        if count == 0:
            break
        random[0] ^= random[0] << U32(13)
        random[0] ^= random[0] >> U32(17)
        random[0] ^= random[0] << U32(5)
        drawn = total * random[0] / 2.0**32
        chosen = 0
        while chosen < count - 1 and drawn >= weights[chosen]:
            drawn -= weights[chosen]
            chosen += 1
        bits += np.log2(legal * weights[chosen] / total)
        path[length] = targets[chosen]
        place[targets[chosen]] = length
        open_ends -= home >= 0 and is_step(columns, targets[chosen], home)
        length += 1
    last = path[length - 1]
    is_tour = length == size and (home < 0 or (is_step(columns, last, home) if closed else last == end))
    for index in range(begun, length):
        place[path[index]] = -1
    return bits if is_tour else STUCK


def choice_bits(board: Board, terms: Search) -> float | None:
    """The bits of a begun path; None if too few tries make a tour to tell, or the search is stopped."""
    if board.squares > MOST_RATED:
        return None
    columns, size = board.columns, board.squares
    path, place = np.zeros(size, np.int32), np.full(size, -1, np.int32)
    for index, (row, column) in enumerate(board.path):
        path[index] = row * columns + column
        place[path[index]] = index
    end = board.end[0] * columns + board.end[1] if board.end else -1
    random, found, tries = np.full(1, SEED, np.uint32), list[float](), 0
    while len(found) < TOURS and tries < MOST_TRIES:
        if terms.is_stopped:
            return None
        tries += 1
        bits = try_once(board.rows, columns, path, place, len(board.path), end, board.closed, random)
        if bits >= 0.0:
            found.append(bits)
    return sum(found) / len(found) + log2(tries / len(found)) if len(found) >= FEWEST_TOURS else None
