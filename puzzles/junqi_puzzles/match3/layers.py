"""The kernels of the layered search: all boards that k swaps lead to, made from those of k - 1 swaps.

A layer is four arrays: `boards` (entries x planes * words of uint64), `scores` (the most points of any line to the
board; `DEAD` for an entry that a later one replaced), `parents` (entry of the layer before) and `swaps`.

Entries are in the order of their lines: a line through an earlier entry comes before one through a later entry, and the
first of equally good lines to a board is kept. If a later line is better, the board is entered again at the end of the
layer, and its old entry is marked dead. So the order needs no sorting.
"""

from typing import NamedTuple

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import count_ones, count_trailing_zeros, inlined, kernel, prefetch, record_type
from junqi_puzzles.match3.game import for_both
from junqi_puzzles.match3.one_word import play_on_one_word
from junqi_puzzles.match3.waves import ALL_WAVES, NOT_LEGAL, find_kind, find_swaps, play

U = numba.uint64
ONE = np.uint64(1)
DEAD = -1
FREE_SHARE = 4
"""One in this many places of a hash table stays free."""

EXPANSION = np.dtype(
    [
        ("parent", np.int64),  # the next parent
        ("parents", np.int64),  # entries of the layer before
        ("entries", np.int64),  # entries of the new layer
        ("plays", np.int64),  # swaps played
        ("max_plays", np.int64),  # the swaps at which to return to the caller
        ("best", np.int64),  # the most points
        ("best_parent", np.int64),  # the parent and the swap that scored them first
        ("best_swap", np.int64),
        ("upper_bound", np.int64),  # a bound on the points of any line through the parents so far
        ("is_full", np.int64),  # 1: there is no room for the swaps of the next parent
        ("is_last", np.int64),  # 1: find the best swap only, make no entries
    ],
    align=True,
)
"""The state of an expansion, which `expand` shares with its caller."""
OPEN_SWAP_WORTH = 4
"""Number of legal swaps that weigh as much as one run of 3 in the ranking of the beam."""


class Entries(NamedTuple):
    """The arrays of a layer, and `table`, its hash table: entry numbers plus one, 0 where it is free."""

    boards: np.ndarray
    scores: np.ndarray
    parents: np.ndarray
    swaps: np.ndarray
    table: np.ndarray


BOARDS = types.Array(types.uint64, 2, "C")
COUNTS = types.Array(types.int64, 1, "C")
SCORES = types.Array(types.int32, 1, "C")
ENTRY_NUMBERS = types.Array(types.int32, 1, "C")
SWAPS = types.Array(types.int16, 1, "C")
PLACES = types.Array(types.uint64, 1, "C")
ENTRIES = types.NamedTuple((BOARDS, SCORES, ENTRY_NUMBERS, SWAPS, ENTRY_NUMBERS), Entries)


# Inlined, as everything that is called for each board: a call counts the references to each of its arrays.
@kernel(for_both(types.int64, COUNTS), forceinline=True)
def ceiling(game, max_points):
    """An upper bound on the points of any line from `board`: the sum of `max_points[n]` over kinds with n pieces."""
    total = 0
    for kind in range(1, game.kinds + 1):
        find_kind(game, kind)
        pieces = 0
        for w in range(len(game.area)):
            pieces += np.int64(count_ones(game.cells[w]))
        total += max_points[pieces]
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
    """The place of the board of `entry` in the hash table, or the free one where it belongs.

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
    """Enter the entries of a layer that are not dead in an empty hash table, whose size is a power of two."""
    for entry in range(entries):
        if scores[entry] != DEAD:
            place = hash_entry(boards, entry) & U(table.size - 1)
            table[find_place(boards, entry, table, place)] = entry + 1


@inlined
def enter(layer, places, entries, following):
    """Enter the boards `entries` to `following` - 1, except those known with as many points; returns the new `entries`.

    `places` are the low bits of their hashes. The known boards are prefetched, since they are far apart in memory.
    """
    boards, scores, parents, swaps, table = layer
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


@kernel(for_both(types.void, ENTRIES, types.int64, COUNTS, SCORES, SCORES))
def rate(game, layer, entries, max_points, ranks, bounds):
    """Write the rank of each entry in the beam to `ranks` (higher is better), a bound on its lines to `bounds`."""
    boards, scores = layer.boards, layer.scores
    for entry in range(entries):
        if scores[entry] == DEAD:
            ranks[entry] = DEAD
            bounds[entry] = 0
            continue
        load(game, boards, entry)
        bounds[entry] = scores[entry] + ceiling(game, max_points)
        ranks[entry] = OPEN_SWAP_WORTH * scores[entry] + find_swaps(game) * game.points[0]


@kernel(
    for_both(
        types.void, ENTRIES, ENTRIES, COUNTS, PLACES, record_type(EXPANSION),
    )
)  # fmt: skip
def expand(game, before, layer, max_points, places, state):
    """Play every swap of every parent from `state.parent` on, until `max_plays` are played or the layer is full.

    Branch and bound: `max_points[n]` bounds the points of n pieces of a kind, and a parent that cannot reach
    `state.best` is skipped. `places` is scratch memory.
    """
    boards, scores, parents, swaps, table = layer
    from_boards, from_scores = before.boards, before.scores
    max_entries = min(scores.size, table.size - table.size // FREE_SHARE)
    words = len(game.area)
    is_one_word = words == 1 and game.is_plain
    entries, best, is_last = state.entries, state.best, state.is_last
    state.is_full = 0
    for parent in range(state.parent, state.parents):
        if state.plays >= state.max_plays:
            break
        score = from_scores[parent]
        state.parent = parent + 1
        if score == DEAD:
            continue
        load(game, from_boards, parent)
        bound = score + ceiling(game, max_points)
        state.upper_bound = max(state.upper_bound, bound)
        if bound < best:
            continue
        count = find_swaps(game)
        if not is_last and entries + count > max_entries:
            state.parent = parent
            state.is_full = 1
            break
        state.plays += count
        following = entries
        planes = game.board[0, 0], game.board[1, 0], game.board[2, 0]
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
                        points, after = play_on_one_word(game, planes, swap)
                        game.board[0, 0], game.board[1, 0], game.board[2, 0] = after
                    else:
                        load(game, from_boards, parent)
                        points = play(game, swap, ALL_WAVES)
                        if points == NOT_LEGAL:
                            continue
                    reached = score + points
                    if reached > best:
                        best = reached
                        state.best_parent = parent
                        state.best_swap = swap
                    if is_last:
                        continue
                    store(game, boards, following)
                    scores[following], parents[following], swaps[following] = reached, parent, swap
                    place = hash_entry(boards, following) & U(table.size - 1)
                    places[following - entries] = place
                    prefetch(table, place)
                    following += 1
        if following > entries:
            entries = enter(layer, places, entries, following)
    state.entries = entries
    state.best = best
