"""Tables of blocked slides for all pairs of tiles, and the kernels that search with them.

A slide moves a tile by one cell, five times. At none of the five places may an attachment of the tile overlap one of
another tile. This depends only on the two tiles and their squares, so it is computed once: a tile may slide if none of
the other seven blocks it. A position is a permutation of eight tiles and the hole, one of 362,880.

A *position* is an array of nine tile numbers by square; number 8 is the hole. Its *rank* is its number among all
permutations in lexicographic order.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, record_type
from junqi_puzzles.submarine.tiles import (
    ATTACHMENTS,
    EXIT,
    KINDS,
    PLANE,
    PROPELLERS,
    SIDE,
    SQUARES,
    SUBMARINE,
    TILE,
    cells_of,
    corner,
)  # fmt: skip

TILES = 8
HOLE_NUMBER = 8
POSITIONS = 362_880
UNSEEN = 65_535
BACK_SHIFT = np.uint64(4 * SQUARES)
"""Above the squares of a packed position: the direction of the slide that would undo the last one, plus one, or 0."""
POSITION_BITS = (np.uint64(1) << BACK_SHIFT) - np.uint64(1)
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
FACTORIALS = np.array([40320, 5040, 720, 120, 24, 6, 2, 1, 1], np.int64)
NEXT = np.array(
    [
        [
            (row + down) * SIDE + column + right if 0 <= row + down < SIDE and 0 <= column + right < SIDE else -1
            for down, right in STEPS
        ]
        for row in range(SIDE)
        for column in range(SIDE)
    ],
    np.int64,
)
"""The neighbour by square and direction (up, down, left, right), or -1."""

_U16_4 = types.Array(types.uint16, 4, "C")
_U16_3 = types.Array(types.uint16, 3, "C")
_U16 = types.Array(types.uint16, 1, "C")
_U8 = types.Array(types.uint8, 1, "C")
_PACKED = types.Array(types.uint64, 1, "C")


class BlockTables(NamedTuple):
    """The pairs of tiles that are in each other's way, as bits of tile numbers; own bits and the hole's are never set.

    | array | shape | meaning |
    |---|---|---|
    | blocked | (8, 9, 4, 9) | by tile, square, direction: the tiles on another square that block the slide |
    | overlaps | (8, 9, 9) | by tile, square: the tiles on another square that overlap it at rest |
    | exit_blocked | (9,) | the tiles on a square that block the submarine on its way out |
    """

    blocked: np.ndarray
    overlaps: np.ndarray
    exit_blocked: np.ndarray


TABLES_TYPE = types.NamedTuple((_U16_4, _U16_3, _U16), BlockTables)
SLIDE_SEARCH = np.dtype(
    [
        ("submarine", np.int64),  # the number of the submarine's tile
        ("find_exit", np.int64),  # 1: end once an exit is found and its layer is complete
        ("max_depth", np.int64),  # the depth of the last layer
        ("max_count", np.int64),  # the number of positions at which the search ends
        ("count", np.int64),  # positions found
        ("exit_at", np.int64),  # the first exit, or -1
    ],
    align=True,
)


@cache
def _kind_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables of whether two kinds of tiles overlap: during a slide, at rest, and when the submarine leaves."""
    still = [[cells_of(ATTACHMENTS[kind], *corner(square)) for square in range(SQUARES)] for kind in KINDS]
    on_slide = np.zeros((len(KINDS), SQUARES, 4, SQUARES, len(KINDS)), bool)
    lying = np.zeros((len(KINDS), SQUARES, SQUARES, len(KINDS)), bool)
    leaving = np.zeros((SQUARES, len(KINDS)), bool)
    for kind, name in enumerate(KINDS):
        for square in range(SQUARES):
            top, left = corner(square)
            for direction, (down, right) in enumerate(STEPS):
                if NEXT[square, direction] < 0:
                    continue
                swept = 0
                for place in range(1, TILE + 1):
                    swept |= cells_of(ATTACHMENTS[name], top + down * place, left + right * place)
                for other in range(SQUARES):
                    for kind_there in range(len(KINDS)):
                        on_slide[kind, square, direction, other, kind_there] = bool(swept & still[kind_there][other])
            for other in range(SQUARES):
                for kind_there in range(len(KINDS)):
                    lying[kind, square, other, kind_there] = bool(still[kind][square] & still[kind_there][other])
    top, left = corner(EXIT)
    columns = [column + left for _, column, _, _ in PROPELLERS]
    way_out = cells_of(tuple((top, column, PLANE - top, 2) for column in columns), 0, 0)
    for other in range(SQUARES):
        for kind_there in range(len(KINDS)):
            leaving[other, kind_there] = bool(way_out & still[kind_there][other])
    return on_slide, lying, leaving


def tables_of(tiles: tuple[str, ...]) -> BlockTables:
    on_slide, lying, leaving = _kind_tables()
    kinds = [KINDS.index(tile) for tile in tiles]
    weights = (1 << np.arange(TILES)).astype(np.uint16)
    blocked = on_slide[kinds][..., kinds] @ weights
    overlaps = lying[kinds][..., kinds] @ weights
    own = weights[:, None]
    blocked &= ~own[:, :, None, None]
    overlaps &= ~own[:, :, None]
    others = weights * np.array([tile != SUBMARINE for tile in tiles])
    exit_blocked = leaving[:, kinds] @ others.astype(np.uint16)
    return BlockTables(*(np.ascontiguousarray(table, np.uint16) for table in (blocked, overlaps, exit_blocked)))


@kernel(types.int64(_U8))
def rank(position):
    unused = np.uint16(511)
    number = 0
    for square in range(SQUARES):
        bit = np.uint16(1) << np.uint16(position[square])
        unused &= ~bit
        number += FACTORIALS[square] * np.int64(count_ones(np.uint16(unused & (bit - np.uint16(1)))))
    return number


@kernel(types.boolean(_U8, types.int64, types.int64, _U16_4))
def may_slide(position, square, direction, blocked):
    """Whether the tile on a square may slide in the direction of the hole."""
    tile = position[square]
    for other in range(SQUARES):  # noqa: SIM110  kernels have no generators
        if blocked[tile, square, direction, other] >> position[other] & 1:
            return False
    return True


@kernel(types.boolean(_U8, types.int64, _U16))
def may_leave(position, submarine, exit_blocked):
    if position[EXIT] != submarine:
        return False
    for other in range(SQUARES):  # noqa: SIM110  kernels have no generators
        if exit_blocked[other] >> position[other] & 1:
            return False
    return True


@kernel(types.int64(types.uint64, _U8))
def unpack(packed, position):
    """Unpack a position, four bits for each square, to `position`; returns the square of the hole."""
    hole = 0
    for square in range(SQUARES):
        position[square] = (packed >> np.uint64(4 * square)) & np.uint64(15)
        if position[square] == HOLE_NUMBER:
            hole = square
    return hole


@kernel(types.void(_PACKED, _U16, TABLES_TYPE, record_type(SLIDE_SEARCH), _U8))
def breadth_first_search(queue, steps, tables, search, stop_flag):
    """Search on from the first `search.count` packed positions of `queue`.

    `queue` gets every position found, in order; `steps`, by rank and `UNSEEN` at first, its depth. `stop_flag` is a
    byte that another thread may set to 1.
    """
    blocked, exit_blocked, submarine = tables.blocked, tables.exit_blocked, search.submarine
    max_depth, max_count, find_exit, count = search.max_depth, search.max_count, search.find_exit, search.count
    position = np.empty(SQUARES, np.uint8)
    head = depth = 0
    exit_at = -1
    for index in range(count):
        unpack(queue[index], position)
        steps[rank(position)] = 0
        if exit_at < 0 and may_leave(position, submarine, exit_blocked):
            exit_at = index
    exit_steps = 0 if exit_at >= 0 else UNSEEN
    layer_end = count
    while head < count:
        if head == layer_end:
            depth, layer_end = depth + 1, count
        if depth >= max_depth or count >= max_count or (find_exit == 1 and depth >= exit_steps):
            break
        if head & 1023 == 0 and stop_flag[0]:
            break
        packed = queue[head]
        hole = unpack(packed, position)
        back = np.int64(packed >> BACK_SHIFT) - 1
        head += 1
        for direction in range(4):
            square = NEXT[hole, direction ^ 1]
            if square < 0 or direction == back or not may_slide(position, square, direction, blocked):
                continue
            tile = position[square]
            position[hole], position[square] = tile, HOLE_NUMBER
            number = rank(position)
            if steps[number] == UNSEEN:
                steps[number] = depth + 1
                change = np.uint64(tile ^ HOLE_NUMBER)
                after = packed & POSITION_BITS ^ change << np.uint64(4 * hole) ^ change << np.uint64(4 * square)
                queue[count] = after | np.uint64((direction ^ 1) + 1) << BACK_SHIFT
                if exit_at < 0 and may_leave(position, submarine, exit_blocked):
                    exit_at, exit_steps = count, depth + 1
                count += 1
            position[hole], position[square] = HOLE_NUMBER, tile
    search.count, search.exit_at = count, exit_at


@kernel(types.int64(types.int64, TABLES_TYPE, _PACKED))
def exits(submarine, tables, queue):
    """Write all valid positions from which the submarine may leave to `queue`; returns their number.

    Squares are filled in order. A word of bits has eight for each square but the first: the tiles that are barred
    there by the tiles on the squares before it.
    """
    overlaps, exit_blocked = tables.overlaps, tables.exit_blocked
    barred_by = np.zeros((SQUARES, SQUARES), np.uint64)
    for tile in range(TILES):
        for at in range(SQUARES):
            for other in range(at + 1, SQUARES):
                barred_by[tile, at] |= np.uint64(overlaps[tile, at, other]) << np.uint64(TILES * (other - 1))
    position = np.zeros(SQUARES, np.uint8)
    # By square: the tiles that are not on squares before it, those of them still to try, and the tiles they bar.
    free, choices = np.zeros(SQUARES, np.uint64), np.zeros(SQUARES, np.uint64)
    barred = np.zeros(SQUARES, np.uint64)
    one = np.uint64(1)
    free[0] = choices[0] = (1 << SQUARES) - 1
    square = 0
    count = 0
    while square >= 0:
        if choices[square] == 0:
            square -= 1
            continue
        number = np.int64(count_trailing_zeros(choices[square]))
        choices[square] &= choices[square] - one
        position[square] = number
        if square < SQUARES - 1:
            free[square + 1] = free[square] & ~(one << np.uint64(number))
            barred[square + 1] = barred[square] | barred_by[number, square]
            here = barred[square + 1] >> np.uint64(TILES * square) & np.uint64((1 << TILES) - 1)
            choices[square + 1] = free[square + 1] & ~here
            square += 1
            continue
        if may_leave(position, submarine, exit_blocked):
            packed = np.uint64(0)
            for at in range(SQUARES):
                packed |= np.uint64(position[at]) << np.uint64(4 * at)
            queue[count] = packed
            count += 1
    return count
