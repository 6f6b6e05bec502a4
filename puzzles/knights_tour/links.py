"""Tours as links: for each square, which of the eight moves the tour makes there, in one direction or the other.

One byte for each square, bit i for move i of `KNIGHT_MOVES`; two bits are set, or one at an end. Paths through
different parts of the board are joined by exchanging a link of each: a - b and c - d for a - c and b - d.
"""

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import kernel
from puzzles.knights_tour.search import BYTES, COLUMN_STEPS, ROW_STEPS, SQUARES, neighbour

BYTE = numba.uint8
BOXES = types.Array(types.int64, 2, "C")

MOVE_OF = np.full((5, 5), -1)
"""The number of a move by its row step + 2 and column step + 2."""
MOVE_OF[ROW_STEPS + 2, COLUMN_STEPS + 2] = np.arange(8)


@kernel(types.int64(types.int64, types.int64, BYTES, types.int64, SQUARES))
def walk(rows, columns, links, start, steps):
    """Follow the links from `start` and write the step of each square, from 0, to `steps`; returns their number."""
    square = start
    back = -1
    step = 0
    while True:
        steps[square] = step
        step += 1
        onward = -1
        for move in range(8):
            if links[square] >> BYTE(move) & 1 and move != back:
                onward = move
                break
        if onward < 0:
            return step
        square += ROW_STEPS[onward] * columns + COLUMN_STEPS[onward]
        back = 7 - onward
        if square == start:
            return step


@kernel(types.boolean(types.int64, types.int64, BYTES, BOXES, types.int64))
def join_pair(rows, columns, links, pairs, number):
    """Join the paths in two neighbouring boxes, `pairs[number]`, by an exchange; False if no two links allow it."""
    top, left, bottom, right = pairs[number, 0], pairs[number, 1], pairs[number, 2], pairs[number, 3]
    other_top, other_left, other_bottom, other_right = (
        pairs[number, 4], pairs[number, 5], pairs[number, 6], pairs[number, 7],
    )  # fmt: skip
    for row in range(max(top, other_top - 2), min(bottom, other_bottom + 2)):
        for column in range(max(left, other_left - 2), min(right, other_right + 2)):
            a = row * columns + column
            for move in range(8):
                c = neighbour(rows, columns, a, move)
                if c < 0 or not (other_top <= c // columns < other_bottom and other_left <= c % columns < other_right):
                    continue
                for a_move in range(8):
                    if not links[a] >> BYTE(a_move) & 1:
                        continue
                    b = neighbour(rows, columns, a, a_move)
                    if not (top <= b // columns < bottom and left <= b % columns < right):
                        continue
                    for c_move in range(8):
                        if not links[c] >> BYTE(c_move) & 1:
                            continue
                        d = neighbour(rows, columns, c, c_move)
                        if not (other_top <= d // columns < other_bottom and other_left <= d % columns < other_right):
                            continue
                        for last in range(8):
                            if neighbour(rows, columns, b, last) == d:
                                links[a] ^= BYTE(1 << a_move | 1 << move)
                                links[b] ^= BYTE(1 << (7 - a_move) | 1 << last)
                                links[c] ^= BYTE(1 << c_move | 1 << (7 - move))
                                links[d] ^= BYTE(1 << (7 - c_move) | 1 << (7 - last))
                                return True
    return False


@kernel(types.boolean(types.int64, types.int64, BYTES, BOXES))
def join_boxes(rows, columns, links, pairs):
    """Join pairs of boxes (top, left, bottom, right of both, ends exclusive); False if one pair cannot be joined."""
    for number in range(pairs.shape[0]):  # noqa: SIM110  numba has no all()
        if not join_pair(rows, columns, links, pairs, number):
            return False
    return True


def links_of_edges(size: int, columns: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The links of a tour of `size` squares with a step between `first[i]` and `second[i]` for each i."""
    row_steps = second // columns - first // columns
    moves = MOVE_OF[row_steps + 2, second % columns - first % columns + 2]
    links = np.zeros(size, np.uint8)
    np.bitwise_or.at(links, first, (1 << moves).astype(np.uint8))
    np.bitwise_or.at(links, second, (1 << (7 - moves)).astype(np.uint8))
    return links


def links_of_path(columns: int, path: np.ndarray, closed: bool) -> np.ndarray:
    """The links of a path, given as the order of its squares; `closed` adds the step from the last to the first."""
    following = np.roll(path, -1)
    return links_of_edges(path.size, columns, path if closed else path[:-1], following if closed else following[:-1])
