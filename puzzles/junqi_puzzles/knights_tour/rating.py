"""How hard it is to find a tour when too many squares are left to know every good move.

A careful player tries it by H. C. von Warnsdorff's rule ("Des Rösselsprunges einfachste und allgemeinste Lösung",
1823), taken loosely: of the squares that can be reached, one with n exits is drawn with weight e^-n. He leaves no
square without an exit, and keeps a way to the end. Many such tries tell how hard the tour is, as random probes tell the
size of a search tree (D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975).

At each step, of b legal moves, a move that he draws with chance q counts as one of 1/q good ones, so the step takes
log2(b * q) bits, as log2(b / g) elsewhere. The mean over his tours, with the binary logarithm of the number of tries
for one tour, is never less than -log2 of the chance that random moves make a tour, and equal to it if there is only one
tour.
"""

from math import log2

import numpy as np
from numba import types

from junqi_engine.kernels import kernel
from junqi_puzzles.base import Search
from junqi_puzzles.knights_tour.board import Board
from junqi_puzzles.knights_tour.search import SQUARES, U32, exits, neighbour

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
