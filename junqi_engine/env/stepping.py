"""Kernels that step many games: their start, legal actions, and drawn actions.

The legal moves of game g begin at `g * MAX_MOVES` in `moves`; there are `counts[g]`, 0 after the end of the game.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import SEATS, contains, from_point_of, move_of, piece_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.pieces import MOVABLE_MASK, PIECES_PER_SEAT
from junqi_engine.rules.position import ONE, POSITION, POSITION_TYPE
from junqi_engine.splitmix import GOLDEN, mix

POSITIONS_TYPE = types.Array(record_type(POSITION), 1, "C")
NUMBERS_TYPE = types.Array(types.intp, 1, "C")
SETS_TYPE = types.Array(types.uint8, 1, "C")
FRAMES_TYPE = types.Array(types.intp, 2, "C")
MASKS_TYPE = types.Array(types.int8, 2, "C")

SEEDS_TYPE = types.Array(types.uint64, 1, "C")
POOL_TYPE = types.Array(types.uint8, 2, "C")
"""Line-ups, (n, 25) kinds by place."""


@kernel(types.uint64(SEEDS_TYPE, types.intp, types.uint64), forceinline=True)
def draw(seeds, game, most):
    """Draw a number below `most`, and advance the seed of the game."""
    seeds[game] += GOLDEN
    return (mix(seeds[game]) >> np.uint64(32)) * most >> np.uint64(32)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, POOL_TYPE, SEEDS_TYPE, types.intp))
def deal(tables, position, seats, pool, seeds, game):
    """Draw the line-ups of a set of seats from the pool, for a position at the start of a game."""
    for seat in range(SEATS):
        if not contains(seats, seat):
            continue
        drawn, movable = np.intp(draw(seeds, game, np.uint64(len(pool)))), np.uint32(0)
        for slot in range(PIECES_PER_SEAT):
            piece, kind = piece_of(seat, slot), pool[drawn, slot]
            position.kind[piece] = kind
            if contains(MOVABLE_MASK, np.intp(kind)) and not tables.headquarters[position.where[piece]]:
                movable |= ONE << np.uint32(slot)
        position.movable[seat] = movable


@kernel(types.void(TABLES_TYPE, POSITIONS_TYPE, MOVES_TYPE, NUMBERS_TYPE, types.intp))
def list_moves(tables, positions, moves, counts, game):
    counts[game] = generate(tables, positions[game], moves, game * MAX_MOVES) - game * MAX_MOVES


@kernel(
    types.void(
        TABLES_TYPE, POSITIONS_TYPE, POSITIONS_TYPE, SETS_TYPE, POOL_TYPE, SEEDS_TYPE, NUMBERS_TYPE, MOVES_TYPE,
        NUMBERS_TYPE, NUMBERS_TYPE,
    )
)  # fmt: skip
def begin_games(tables, positions, starts, drawn, pool, seeds, started, moves, counts, games):
    """Begin games, each from a drawn entry of `starts`, whose index goes to `started`. `drawn` has the sets of seats
    whose line-ups are drawn from the pool.
    """
    for i in range(len(games)):
        game = games[i]
        start = np.intp(draw(seeds, game, np.uint64(len(starts))))
        positions[game] = starts[start]
        started[game] = start
        deal(tables, positions[game], drawn[start], pool, seeds, game)
        list_moves(tables, positions, moves, counts, game)


@kernel(types.intp(POSITIONS_TYPE, NUMBERS_TYPE, FRAMES_TYPE, MOVES_TYPE, NUMBERS_TYPE, MOVES_TYPE))
def translate(positions, actions, absolute, moves, counts, chosen):
    """Convert actions to moves. Returns the first game whose action is not legal, or -1. Games that have ended are
    skipped.
    """
    points = absolute.shape[1]
    for game in range(len(positions)):
        if counts[game] == 0:
            continue
        action, first, is_legal = actions[game], game * MAX_MOVES, False
        if 0 <= action < points * points:
            seat = np.intp(positions[game].turn)
            move = np.uint16(move_of(absolute[seat, action // points], absolute[seat, action % points]))
            for i in range(first, first + counts[game]):
                is_legal |= moves[i] == move
            chosen[game] = move
        if not is_legal:
            return game
    return -1


@kernel(types.void(POSITIONS_TYPE, SEEDS_TYPE, FRAMES_TYPE, MOVES_TYPE, NUMBERS_TYPE, NUMBERS_TYPE))
def draw_actions(positions, seeds, relative, moves, counts, actions):
    """Draw a legal action for every game; 0 for a game that has ended."""
    points = relative.shape[1]
    for game in range(len(positions)):
        actions[game] = 0
        if counts[game]:
            move = moves[game * MAX_MOVES + np.intp(draw(seeds, game, np.uint64(counts[game])))]
            seat = np.intp(positions[game].turn)
            actions[game] = relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]


@kernel(types.void(POSITIONS_TYPE, FRAMES_TYPE, MOVES_TYPE, NUMBERS_TYPE, MASKS_TYPE))
def fill_masks(positions, relative, moves, counts, masks):
    """Fill `masks`, (games, actions): 1 for the legal actions."""
    points = relative.shape[1]
    for game in range(len(positions)):
        for action in range(masks.shape[1]):
            masks[game, action] = 0
        seat = np.intp(positions[game].turn)
        for i in range(game * MAX_MOVES, game * MAX_MOVES + counts[game]):
            move = moves[i]
            masks[game, relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]] = 1
