"""Kernels that step many games: their start, legal actions, and drawn actions."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import copy_record, kernel, record_type
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import NO_MOVE, SEATS, contains, from_point_of, move_of, piece_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, generate
from junqi_engine.rules.pieces import MOVABLE_MASK, PIECES_PER_SEAT
from junqi_engine.rules.position import ONE, POSITION
from junqi_engine.splitmix import GOLDEN, mix

MAX_HISTORY = 64
GAME = np.dtype(
    [
        ("position", POSITION),
        ("seed", np.uint64),
        ("start", np.intp),
        ("move_count", np.intp),
        ("moves", np.uint16, MAX_MOVES),
        ("chosen", np.uint16),
        ("history", np.uint16, MAX_HISTORY),
    ],
    align=True,
)
"""A game: its position, the state of its random generator, the index of its start, its `move_count` legal `moves` (none
after its end), the move chosen for the next step, and its last moves, the last one first.
"""
GAME_TYPE = record_type(GAME)
GAMES_TYPE = types.Array(GAME_TYPE, 1, "C")
POSITIONS_TYPE = types.Array(record_type(POSITION), 1, "C")
NUMBERS_TYPE = types.Array(types.intp, 1, "C")
SETS_TYPE = types.Array(types.uint8, 1, "C")
FRAMES_TYPE = types.Array(types.intp, 2, "C")
MASKS_TYPE = types.Array(types.int8, 2, "C")
POOL_TYPE = types.Array(types.uint8, 2, "C")
"""Line-ups, (n, 25) kinds by place."""


@kernel(types.uint64(GAME_TYPE, types.uint64), forceinline=True)
def draw(game, bound):
    """Draw a number below `bound`, and advance the seed of the game."""
    game.seed += GOLDEN
    return (mix(game.seed) >> np.uint64(32)) * bound >> np.uint64(32)


@kernel(types.void(TABLES_TYPE, GAME_TYPE, types.uint8, POOL_TYPE))
def deal(tables, game, seats, pool):
    """Draw the line-ups of a set of seats from the pool, for a game at its start."""
    position = game.position
    for seat in range(SEATS):
        if not contains(seats, seat):
            continue
        drawn, movable = np.intp(draw(game, np.uint64(len(pool)))), np.uint32(0)
        for slot in range(PIECES_PER_SEAT):
            piece, kind = piece_of(seat, slot), pool[drawn, slot]
            position.kind[piece] = kind
            if contains(MOVABLE_MASK, np.intp(kind)) and not tables.headquarters[position.where[piece]]:
                movable |= ONE << np.uint32(slot)
        position.movable[seat] = movable


@kernel(types.void(TABLES_TYPE, GAME_TYPE))
def list_moves(tables, game):
    game.move_count = generate(tables, game.position, game.moves, 0)


@kernel(types.void(TABLES_TYPE, GAMES_TYPE, POSITIONS_TYPE, SETS_TYPE, POOL_TYPE, NUMBERS_TYPE))
def begin_games(tables, games, starts, drawn, pool, numbers):
    """Begin the games with these `numbers`, each from a drawn entry of `starts`. `drawn` has the sets of seats whose
    line-ups are drawn from the pool.
    """
    for number in numbers:
        game = games[number]
        game.start = np.intp(draw(game, np.uint64(len(starts))))
        copy_record(starts[game.start], game.position)
        for step in range(MAX_HISTORY):
            game.history[step] = NO_MOVE
        deal(tables, game, drawn[game.start], pool)
        list_moves(tables, game)


@kernel(types.intp(GAMES_TYPE, NUMBERS_TYPE, FRAMES_TYPE))
def translate(games, actions, absolute):
    """Convert actions to the chosen moves. Returns the first game whose action is not legal, or -1. Games that have
    ended are skipped.
    """
    points = absolute.shape[1]
    for number in range(len(games)):
        game, action, is_legal = games[number], actions[number], False
        if game.move_count == 0:
            continue
        if 0 <= action < points * points:
            seat = np.intp(game.position.turn)
            game.chosen = move_of(absolute[seat, action // points], absolute[seat, action % points])
            for i in range(game.move_count):
                is_legal |= game.moves[i] == game.chosen
        if not is_legal:
            return number
    return -1


@kernel(types.void(GAMES_TYPE, FRAMES_TYPE, NUMBERS_TYPE))
def draw_actions(games, relative, actions):
    """Draw a legal action for every game; 0 for a game that has ended."""
    points = relative.shape[1]
    for number in range(len(games)):
        game = games[number]
        actions[number] = 0
        if game.move_count:
            move = game.moves[np.intp(draw(game, np.uint64(game.move_count)))]
            seat = np.intp(game.position.turn)
            actions[number] = relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]


@kernel(types.void(GAMES_TYPE, FRAMES_TYPE, MASKS_TYPE))
def fill_masks(games, relative, masks):
    """Fill `masks`, (games, actions): 1 for the legal actions."""
    points = relative.shape[1]
    for number in range(len(games)):
        game = games[number]
        for action in range(masks.shape[1]):
            masks[number, action] = 0
        seat = np.intp(game.position.turn)
        for i in range(game.move_count):
            move = game.moves[i]
            masks[number, relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]] = 1
