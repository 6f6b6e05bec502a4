"""The swap of match-3 on a board of three bit planes of one word each, held in registers.

This is the most common case: up to 64 cells and 7 kinds, no moves into empty cells and no long run ignored. `waves.py`
has the general case.
"""

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import count_ones, inlined, kernel
from junqi_puzzles.match3.game import for_both

U = numba.uint64
ONE = np.uint64(1)
BITS = np.uint64(64)
WORD = types.uint64
PLANES = types.UniTuple(WORD, 3)


@inlined
def points_of_triples(game, level, upright):
    """Points of runs, given by the first cell of every three equal pieces in a row and in a column."""
    stride = U(game.stride)
    three, four, five = game.points[0], game.points[1], game.points[2]
    level_4, upright_4 = level & level >> ONE, upright & upright >> stride
    total = three * np.int64(count_ones(level) + count_ones(upright))
    if level_4 | upright_4:
        # A run of n pieces has n - 2 such cells in a row: count the runs that have at least 1, 2 and 3 of them.
        level_5, upright_5 = level_4 & level >> U(2), upright_4 & upright >> (stride + stride)
        least_4 = np.int64(count_ones(level_4 & ~(level_4 << ONE)) + count_ones(upright_4 & ~(upright_4 << stride)))
        least_5 = np.int64(count_ones(level_5 & ~(level_5 << ONE)) + count_ones(upright_5 & ~(upright_5 << stride)))
        least_3 = np.int64(count_ones(level & ~(level << ONE)) + count_ones(upright & ~(upright << stride)))
        total = three * (least_3 - least_4) + four * (least_4 - least_5) + five * least_5
    return total


# Inlined: a call passes the record in memory.
@kernel(for_both(types.Tuple((types.int64, PLANES)), PLANES, types.int64), forceinline=True)
def play_on_one_word(game, planes, swap):
    """Play a swap of `find_swaps` on a board of three planes, and all waves; returns the points and the new planes."""
    first, second, third = planes
    stride, inner = U(game.stride), game.inner
    cell, distance = U(swap >> 1), stride if swap & 1 else ONE
    pair = ONE << cell | ONE << (cell + distance)
    first ^= (U(0) - ((first >> cell ^ first >> (cell + distance)) & ONE)) & pair
    second ^= (U(0) - ((second >> cell ^ second >> (cell + distance)) & ONE)) & pair
    third ^= (U(0) - ((third >> cell ^ third >> (cell + distance)) & ONE)) & pair
    total = 0
    while True:
        filled = first | second | third
        right = filled & inner & ~(first ^ first >> ONE | second ^ second >> ONE | third ^ third >> ONE)
        down = filled & ~(first ^ first >> stride | second ^ second >> stride | third ^ third >> stride)
        level, upright = right & right >> ONE, down & down >> stride
        if not level | upright:
            return total, (first, second, third)
        total += points_of_triples(game, level, upright)
        removed = level | level << ONE | level << U(2)
        removed |= upright | upright << stride | upright << (stride + stride)
        # Pieces fall by 1, 2, 4, ... rows if their distance has that bit: "compress" in Warren, Hacker's Delight,
        # section 7-4, for all columns together.
        kept = ~removed
        first &= kept
        second &= kept
        third &= kept
        over_removed = removed >> stride
        step = stride
        while over_removed:
            is_odd = over_removed
            reach = stride
            while reach < BITS:
                is_odd ^= is_odd >> reach
                reach += reach
            falling = is_odd & kept
            kept = kept & ~falling | falling << step
            first = first & ~falling | (first & falling) << step
            second = second & ~falling | (second & falling) << step
            third = third & ~falling | (third & falling) << step
            over_removed &= ~is_odd
            step += step


@inlined
def find_swaps_of_one_word(game):
    """The legal swaps with the right neighbour and with the lower one, as `find_swaps` finds them."""
    first, second, third = game.board[0, 0], game.board[1, 0], game.board[2, 0]
    stride, inner = U(game.stride), game.inner
    outer = inner << ONE
    right, down = U(0), U(0)
    for kind in range(1, game.kinds + 1):
        here = (first if kind & 1 else ~first) & (second if kind & 2 else ~second) & (third if kind & 4 else ~third)
        others = ~here
        n1, s1 = here << stride, here >> stride
        w1, e1 = (here & inner) << ONE, (here & outer) >> ONE
        north, south = n1 & n1 << stride, s1 & s1 >> stride
        west, east = w1 & (w1 & inner) << ONE, e1 & (e1 & outer) >> ONE
        upright = north | south | n1 & s1
        level = west | east | w1 & e1
        right |= e1 & (upright | west) & others | (w1 & (upright | east) & others) >> ONE
        down |= s1 & (level | north) & others | (n1 & (level | south) & others) >> stride
    filled = first | second | third
    return right & filled & (filled & outer) >> ONE, down & filled & filled >> stride
