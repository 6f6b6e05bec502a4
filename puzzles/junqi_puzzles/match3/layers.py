"""The kernels of the layered search: all boards that k swaps lead to, made from those of k - 1 swaps.

A layer is four arrays: `boards` (entries x planes * words of uint64), `scores` (the most points with which any line
reaches the board; `DEAD` for an entry that a later one replaced), `parents` (entry of the layer before) and `swaps`.

Entries are in the order of their lines: a line through an earlier entry comes before one through a later entry, and of
equally good lines to a board the first is kept. When a later line is better, the board is entered again at the end of
the layer, and its old entry is marked dead. So the order needs no sorting.
"""

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, prefetch
from junqi_puzzles.match3.one_word import play_on_one_word
from junqi_puzzles.match3.waves import ALL_WAVES, NOT_LEGAL, find_kind, find_swaps, for_both, play

U = numba.uint64
ONE = np.uint64(1)
DEAD = -1
STORE, COUNT_ONLY = 1, 0
FREE_SHARE = 4
"""One in this many places of a hash table stays free."""

PARENT, ENTRIES, PLAYS, BEST, BEST_PARENT, BEST_SWAP, HIGHEST, IS_FULL = range(8)
"""The fields of `progress`: the next parent; entries made; swaps played; the most points; the parent and the swap that
scored them first; a bound on the points of any line through the parents so far; whether there is no room for the swaps
of the next parent.
"""
PROGRESS_FIELDS = 8
OPEN_SWAP_WORTH = 4
"""In the beam, this many legal swaps count as much as a run of 3."""

BOARDS = types.Array(types.uint64, 2, "C")
COUNTS = types.Array(types.int64, 1, "C")
SCORES = types.Array(types.int32, 1, "C")
ENTRY_NUMBERS = types.Array(types.int32, 1, "C")
SWAPS = types.Array(types.int16, 1, "C")
PLACES = types.Array(types.uint64, 1, "C")


# Inlined, as all that is called for each board: a call counts the references to each of its arrays.
@kernel(for_both(types.int64, COUNTS), forceinline=True)
def ceiling(game, most):
    """A bound on the points of any line from `board`: the sum over all kinds of `most[n]`, n pieces of the kind."""
    total = 0
    for kind in range(1, game.kinds + 1):
        find_kind(game, kind)
        pieces = 0
        for w in range(len(game.area)):
            pieces += np.int64(count_ones(game.cells[w]))
        total += most[pieces]
    return total


@kernel(for_both(types.void, BOARDS, types.int64), forceinline=True)
def load(game, boards, entry):
    """Copy an entry to `board`."""
    at = 0
    for i in range(game.planes):
        for w in range(game.words):
            game.board[i, w] = boards[entry, at]
            at += 1


@kernel(for_both(types.void, BOARDS, types.int64), forceinline=True)
def store(game, boards, entry):
    """Copy `board` to an entry."""
    at = 0
    for i in range(game.planes):
        for w in range(game.words):
            boards[entry, at] = game.board[i, w]
            at += 1


@kernel(types.uint64(BOARDS, types.int64), forceinline=True)
def hash_entry(boards, entry):
    """A hash of a board; its low bits are used."""
    state = U(0x9E3779B97F4A7C15)
    for i in range(boards.shape[1]):
        state = (state ^ boards[entry, i]) * U(0xBF58476D1CE4E5B9)
        state ^= state >> U(29)
    return state ^ state >> U(32)


@kernel(types.int64(BOARDS, types.int64, ENTRY_NUMBERS, types.uint64), forceinline=True)
def find_place(boards, entry, table, place):
    """The place in the hash table of an entry with the same board as `entry`, or the free one where it belongs.

    `place`: the low bits of the hash.
    """
    mask = U(table.size - 1)
    while True:
        number = table[place] - 1
        if number < 0:
            return np.int64(place)
        is_same = True
        for i in range(boards.shape[1]):
            if boards[number, i] != boards[entry, i]:
                is_same = False
                break
        if is_same:
            return np.int64(place)
        place = (place + ONE) & mask


@kernel(types.void(BOARDS, SCORES, types.int64, ENTRY_NUMBERS))
def fill_table(boards, scores, entries, table):
    """Enter the boards of a layer that are not dead in an empty hash table, whose size is a power of two."""
    for entry in range(entries):
        if scores[entry] != DEAD:
            place = hash_entry(boards, entry) & U(table.size - 1)
            table[find_place(boards, entry, table, place)] = entry + 1


@kernel(
    types.int64(BOARDS, SCORES, ENTRY_NUMBERS, SWAPS, ENTRY_NUMBERS, PLACES, types.int64, types.int64), forceinline=True
)
def enter(boards, scores, parents, swaps, table, places, entries, following):
    """Enter the boards `entries` to `following` - 1, unless they are known with as many points; returns the entries.

    `places` are the low bits of their hashes. The table and the boards are far apart in memory: they are asked for
    before the first of them is needed.
    """
    for i in range(following - entries):
        number = table[places[i]] - 1
        if number >= 0:
            prefetch(boards, number)
    first = entries
    for entry in range(first, following):
        place = find_place(boards, entry, table, places[entry - first])
        number = table[place] - 1
        if number >= 0:
            if scores[number] >= scores[entry]:
                continue
            scores[number] = DEAD
        if entries != entry:
            for i in range(boards.shape[1]):
                boards[entries, i] = boards[entry, i]
            scores[entries], parents[entries], swaps[entries] = scores[entry], parents[entry], swaps[entry]
        table[place] = entries + 1
        entries += 1
    return entries


@kernel(for_both(types.void, BOARDS, SCORES, types.int64, COUNTS, SCORES, SCORES))
def rate(game, boards, scores, entries, most, ranks, bounds):
    """Write the beam's rank of each entry to `ranks` (higher is better) and a bound on its lines to `bounds`."""
    for entry in range(entries):
        if scores[entry] == DEAD:
            ranks[entry] = DEAD
            bounds[entry] = 0
            continue
        load(game, boards, entry)
        bounds[entry] = scores[entry] + ceiling(game, most)
        ranks[entry] = OPEN_SWAP_WORTH * scores[entry] + find_swaps(game) * game.points[0]


@kernel(
    for_both(
        types.void, BOARDS, SCORES, types.int64, COUNTS, BOARDS, SCORES, ENTRY_NUMBERS, SWAPS, ENTRY_NUMBERS, PLACES,
        types.int64, types.int64, COUNTS,
    )
)  # fmt: skip
def expand(
    game,
    from_boards,
    from_scores,
    from_entries,
    most,
    boards,
    scores,
    parents,
    swaps,
    table,
    places,
    mode,
    max_plays,
    progress,
):
    """Play every swap of every parent from `progress[PARENT]` on, until `max_plays` are played or the layer is full.

    `most[n]` bounds the points of n pieces of a kind: a parent that cannot reach `progress[BEST]` is skipped. With
    `COUNT_ONLY` no entries are made, only the best swap is found. `places` is scratch.
    """
    words = len(game.area)
    is_one_word = words == 1 and game.is_plain
    last_play = progress[PLAYS] + max_plays
    entries = progress[ENTRIES]
    best = progress[BEST]
    progress[IS_FULL] = 0
    for parent in range(progress[PARENT], from_entries):
        if progress[PLAYS] >= last_play:
            break
        score = from_scores[parent]
        progress[PARENT] = parent + 1
        if score == DEAD:
            continue
        load(game, from_boards, parent)
        bound = score + ceiling(game, most)
        progress[HIGHEST] = max(progress[HIGHEST], bound)
        if bound < best:
            continue
        count = find_swaps(game)
        if mode == STORE and entries + count > min(scores.size, table.size - table.size // FREE_SHARE):
            progress[PARENT] = parent
            progress[IS_FULL] = 1
            break
        progress[PLAYS] += count
        following = entries
        first, second, third = game.board[0, 0], game.board[1, 0], game.board[2, 0]
        for w in range(words):
            cells = game.right[w] | game.down[w]
            while cells:
                bit = cells & (~cells + ONE)
                cell = 64 * w + np.int64(count_trailing_zeros(cells))
                cells ^= bit
                for is_down in range(2):
                    if not (game.down[w] if is_down else game.right[w]) & bit:
                        continue
                    swap = 2 * cell + is_down
                    if is_one_word:  # the board stays in registers, and every swap is legal
                        points, game.board[0, 0], game.board[1, 0], game.board[2, 0] = play_on_one_word(
                            first, second, third, U(cell), U(game.stride if is_down else 1), U(game.stride),
                            game.inner, game.points[0], game.points[1], game.points[2],
                        )  # fmt: skip
                    else:
                        load(game, from_boards, parent)
                        points = play(game, swap, ALL_WAVES)
                        if points == NOT_LEGAL:
                            continue
                    reached = score + points
                    if reached > best:
                        best = reached
                        progress[BEST_PARENT] = parent
                        progress[BEST_SWAP] = swap
                    if mode == COUNT_ONLY:
                        continue
                    store(game, boards, following)
                    scores[following], parents[following], swaps[following] = reached, parent, swap
                    place = hash_entry(boards, following) & U(table.size - 1)
                    places[following - entries] = place
                    prefetch(table, place)
                    following += 1
        if following > entries:
            entries = enter(boards, scores, parents, swaps, table, places, entries, following)
    progress[ENTRIES] = entries
    progress[BEST] = best
