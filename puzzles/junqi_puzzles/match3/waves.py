"""The kernels of match-3: legal swaps, and the waves that a swap removes.

The record of a board, and the meaning of its bits, are described in `game.py`.
"""

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import count_ones, count_trailing_zeros, inlined, kernel
from junqi_puzzles.match3.game import for_both
from junqi_puzzles.match3.one_word import find_swaps_of_one_word, play_on_one_word

U = numba.uint64
ONE = np.uint64(1)

ONLY_SETTLE = -1
"""Stands for no swap: remove all runs of the board."""
NOT_LEGAL = -1
ALL_WAVES = 1 << 30


@kernel(for_both(types.void, types.int64))
def find_kind(game, kind):
    """Write the cells of one kind (0: the empty bits, also those beyond the board) to `cells`."""
    for w in range(len(game.area)):
        mask = ~U(0)
        for i in range(len(game.board)):
            plane = game.board[i, w]
            mask &= plane if (kind >> i) & 1 else ~plane
        game.cells[w] = mask


@kernel(for_both(types.int64))
def find_swaps(game):
    """Write the swaps that may be legal, by their upper or left cell, to `right` and `down`; returns their number.

    Some swaps into empty cells are not legal, nor, if long runs are ignored, swaps that make only a long one; `play`
    checks them.
    """
    if len(game.area) == 1 and game.is_plain:
        game.right[0], game.down[0] = find_swaps_of_one_word(game)
        return np.int64(count_ones(game.right[0]) + count_ones(game.down[0]))
    words = len(game.area)
    stride = U(game.stride)
    back = U(64) - stride
    inner = game.inner
    outer = inner << ONE
    for w in range(words):
        game.right[w] = U(0)
        game.down[w] = U(0)
    for kind in range(1, game.kinds + 1):
        find_kind(game, kind)
        for w in range(words):
            here = game.cells[w]
            # n1: cells whose upper neighbour is of the kind, n2: cells whose second upper neighbour is; and so on.
            n1 = here << stride
            s1 = here >> stride
            n2 = n1 << stride
            s2 = s1 >> stride
            if w > 0:
                above = game.cells[w - 1]
                n1 |= above >> back
                n2 |= above >> back << stride | above << stride >> back
            if w + 1 < words:
                below = game.cells[w + 1]
                s1 |= below << back
                s2 |= below << back >> stride | below >> stride << back
            w1 = (here & inner) << ONE
            w2 = (w1 & inner) << ONE
            e1 = (here & outer) >> ONE
            e2 = (e1 & outer) >> ONE
            north, south, west, east = n1 & n2, s1 & s2, w1 & w2, e1 & e2
            upright = north | south | n1 & s1
            level = west | east | w1 & e1
            # A piece that comes to a cell from one side can make a run with the other three.
            game.right[w] |= e1 & (upright | west) & ~here | (w1 & (upright | east) & ~here) >> ONE
            from_north = n1 & (level | south) & ~here
            game.down[w] |= s1 & (level | north) & ~here | from_north >> stride
            if w > 0:
                game.down[w - 1] |= from_north << back
    count = 0
    find_kind(game, 0)
    for w in range(words):
        empty = game.cells[w] & game.area[w]
        filled = ~game.cells[w]
        filled_below = filled >> stride
        if w + 1 < words:
            filled_below |= ~game.cells[w + 1] << back
        filled_east = (filled & outer) >> ONE
        game.right[w] &= filled & filled_east
        game.down[w] &= filled & filled_below
        if game.empty_swap:
            game.right[w] |= empty & filled_east | filled & (empty & outer) >> ONE
            game.down[w] |= empty & filled_below
        count += np.int64(count_ones(game.right[w])) + np.int64(count_ones(game.down[w]))
    return count


@kernel(for_both(types.void))
def find_pairs(game):
    """Write the cells that equal their right neighbour or the lower one to `pair_right` and `pair_down`."""
    words = len(game.area)
    stride = U(game.stride)
    back = U(64) - stride
    for w in range(words):
        filled = U(0)
        right = U(0)
        down = U(0)
        for i in range(len(game.board)):
            plane = game.board[i, w]
            filled |= plane
            right |= plane ^ plane >> ONE
            below = plane >> stride
            if w + 1 < words:
                below |= game.board[i, w + 1] << back
            down |= plane ^ below
        game.pair_right[w] = filled & ~right & game.inner
        game.pair_down[w] = filled & ~down


@kernel(for_both(types.void))
def collapse(game):
    """Remove the cells of `removed`; pieces above them fall. Row by row from the top, all columns together."""
    words = len(game.area)
    stride = U(game.stride)
    back = U(64) - stride
    row_cells = (ONE << stride) - ONE
    for w in range(words):
        remaining = game.removed[w]
        while remaining:
            shift = count_trailing_zeros(remaining) & ~(stride - ONE)
            columns = remaining >> shift & row_cells
            remaining &= ~(columns << shift)
            whole = columns * game.column
            above = whole & ((ONE << shift) - ONE)
            kept = ~(above | columns << shift)
            for i in range(len(game.board)):
                plane = game.board[i, w]
                moved = (plane & above) << stride
                if w > 0:
                    moved |= game.board[i, w - 1] >> back & columns
                game.board[i, w] = plane & kept | moved
                for higher in range(w - 1, -1, -1):
                    plane = game.board[i, higher]
                    moved = (plane & whole) << stride
                    if higher > 0:
                        moved |= game.board[i, higher - 1] >> back & columns
                    game.board[i, higher] = plane & ~whole | moved


@kernel(for_both(types.int64, types.int64))
def run_points(game, length):
    """Points of a run of `length` >= 3, or `NOT_LEGAL` if it is ignored."""
    if length > 5 and game.ignores_long:
        return NOT_LEGAL
    return game.points[min(length, 5) - 3]


@inlined
def first_of_run(pairs, cell, step):
    """The first cell of the run through a cell; `pairs` are the cells that equal the one `step` further."""
    while cell >= step and pairs[(cell - step) >> 6] >> U((cell - step) & 63) & ONE:
        cell -= step
    return cell


@inlined
def take_run(game, pairs, first, step):
    """Add the run that begins at the cell `first` to `removed`; returns its points, 0 if it is not one of three."""
    last = first
    while pairs[last >> 6] >> U(last & 63) & ONE:
        last += step
    if last - first < 2 * step:
        return 0
    points = run_points(game, (last - first) // step + 1)
    if points == NOT_LEGAL:
        return 0
    for at in range(first, last + 1, step):
        game.removed[at >> 6] |= ONE << U(at & 63)
    return points


@kernel(for_both(types.void, types.int64))
def take_runs_through(game, cell):
    """Add the runs through one cell to `removed`."""
    take_run(game, game.pair_right, first_of_run(game.pair_right, cell, 1), 1)
    take_run(game, game.pair_down, first_of_run(game.pair_down, cell, game.stride), game.stride)


@kernel(for_both(types.int64))
def take_all_runs(game):
    """Add every run of the board to `removed`; returns their points."""
    words = len(game.area)
    stride = U(game.stride)
    back = U(64) - stride
    total = 0
    for w in range(words):
        right = game.pair_right[w]
        starts = right & right >> ONE & ~(right << ONE)
        while starts:
            bit = starts & (~starts + ONE)
            starts ^= bit
            cells = bit
            length = 1
            while right & bit:
                bit <<= ONE
                cells |= bit
                length += 1
            points = run_points(game, length)
            if points != NOT_LEGAL:
                total += points
                game.removed[w] |= cells
        down = game.pair_down[w]
        next_down = down >> stride
        last_down = down << stride
        if w + 1 < words:
            next_down |= game.pair_down[w + 1] << back
        if w > 0:
            last_down |= game.pair_down[w - 1] >> back
        starts = down & next_down & ~last_down
        while starts:
            first = 64 * w + np.int64(count_trailing_zeros(starts))
            starts &= starts - ONE
            total += take_run(game, game.pair_down, first, game.stride)
    return total


@kernel(for_both(types.int64, types.int64))
def sink(game, cell):
    """Let the single piece at `cell` fall onto the pieces below it; returns its new cell."""
    while True:
        below = cell + game.stride
        word, bit = below >> 6, U(below & 63)
        if word >= len(game.area) or not game.area[word] >> bit & ONE:
            return cell
        for i in range(len(game.board)):
            if game.board[i, word] >> bit & ONE:
                return cell
        for i in range(len(game.board)):
            piece = game.board[i, cell >> 6] >> U(cell & 63) & ONE
            game.board[i, cell >> 6] ^= piece << U(cell & 63)
            game.board[i, word] |= piece << bit
        cell = below


@kernel(for_both(types.int64, types.int64, types.int64))
def play(game, swap, max_waves):
    """Play `swap` on `board`, and at most `max_waves` waves that follow; returns the points, or `NOT_LEGAL`.

    After a swap that is not legal, the board is undefined. `removed` has the cells of the last wave that was played.
    With `ONLY_SETTLE` nothing is swapped.
    """
    if len(game.area) == 1 and game.is_plain and max_waves == ALL_WAVES and swap != ONLY_SETTLE:
        planes = game.board[0, 0], game.board[1, 0], game.board[2, 0]
        points, planes = play_on_one_word(game, planes, swap)
        game.board[0, 0], game.board[1, 0], game.board[2, 0] = planes
        return points
    words = len(game.area)
    if swap != ONLY_SETTLE:
        cell = swap >> 1
        other = cell + (game.stride if swap & 1 else 1)
        word, bit = cell >> 6, U(cell & 63)
        other_word, other_bit = other >> 6, U(other & 63)
        is_cell_filled = U(0)
        is_other_filled = U(0)
        for i in range(len(game.board)):
            this = game.board[i, word] >> bit & ONE
            that = game.board[i, other_word] >> other_bit & ONE
            is_cell_filled |= this
            is_other_filled |= that
            game.board[i, word] ^= (this ^ that) << bit
            game.board[i, other_word] ^= (this ^ that) << other_bit
        for w in range(words):
            game.removed[w] = U(0)
        if not (is_cell_filled and is_other_filled):
            hole = cell if is_cell_filled else other
            landing = other if is_cell_filled else cell
            game.removed[hole >> 6] = ONE << U(hole & 63)
            collapse(game)
            game.removed[hole >> 6] = U(0)
            # A piece lifted within its column falls back to where it was.
            cell = hole if swap & 1 else sink(game, landing)
            other = cell
        find_pairs(game)
        take_runs_through(game, cell)
        take_runs_through(game, other)
        taken = U(0)
        for w in range(words):
            taken |= game.removed[w]
        if not taken:
            return NOT_LEGAL
    total = 0
    waves = 0
    while waves < max_waves:
        find_pairs(game)
        for w in range(words):
            game.removed[w] = U(0)
        total += take_all_runs(game)
        taken = U(0)
        for w in range(words):
            taken |= game.removed[w]
        if not taken:
            break
        collapse(game)
        waves += 1
    return total
