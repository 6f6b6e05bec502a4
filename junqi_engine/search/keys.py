"""Hash keys of positions for the transposition table (Zobrist 1970), computed instead of stored.

A key has a part for every piece on its point, and one for the turn and the seats that are not eliminated. In two worlds
the same position has different keys, because the world's own key is part of it. The search adds what the value depends
on beside the position (`evaluator.value_key`). If a search may reach a limit of the
rules, its result depends on how far away the limit is, and is kept under a key that has a part for that too.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed
from junqi_engine.rules.layout import PIECES, SEATS, piece_in, piece_of
from junqi_engine.rules.position import ONE, POSITION_TYPE
from junqi_engine.splitmix import mix

_PLACE_SALT, _PIECE_STEP = np.uint64(0x5DEECE66D), np.uint64(256)
_TURN_SALT, _TURN_STEP = np.uint64(0xC0FFEE0000), np.uint64(16)
_KIND_STEP = np.uint64(16)
_LIMIT_SALT, _LIMIT_STEP = np.uint64(0x11_3175_0000_0000), np.uint64(1 << 16)


@kernel(types.uint64(types.uint64, types.uint64))
def place_key(piece, point):
    return mix(_PLACE_SALT + piece * _PIECE_STEP + point)


@kernel(types.uint64(types.uint64, types.uint64))
def turn_key(turn, alive):
    return mix(_TURN_SALT + turn * _TURN_STEP + alive)


@kernel(types.uint64(POSITION_TYPE, types.int64, types.int64), forceinline=True)
def limits_key(position, depth, quiescence_plies):
    """The part of the limits that a search of `depth` plies and a quiescence search after it may reach; 0 if none."""
    contact = np.int64(position.no_contact) - np.int64(position.quiet)
    last = np.int64(position.max_plies) - np.int64(position.ply)
    # The quiescence search consists of battles, so it does not come nearer to the no-contact limit.
    is_contact_near = position.no_contact != 0 and contact <= depth
    is_last_near = position.max_plies != 0 and last <= depth + quiescence_plies
    if not is_contact_near and not is_last_near:
        return np.uint64(0)
    distances = np.uint64(contact if is_contact_near else 0) + _LIMIT_STEP * np.uint64(last if is_last_near else 0)
    return mix(_LIMIT_SALT + distances)


@kernel(types.uint64(POSITION_TYPE))
def world_key(position):
    """The key of a world: of the kinds of all pieces."""
    key = np.uint64(0)
    for piece in range(PIECES):
        key = mix(key ^ (np.uint64(position.kind[piece]) + _KIND_STEP * np.uint64(piece) + np.uint64(1)))
    return key


@kernel(types.uint64(POSITION_TYPE, types.uint64))
def position_key(position, of_world):
    """The key of a position in a world, computed from scratch."""
    key = of_world ^ turn_key(position.turn, position.alive)
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece = np.uint8(piece_of(seat, count_trailing_zeros(pieces)))
            pieces &= pieces - ONE
            key ^= place_key(piece, position.where[piece])
    return key


@kernel(types.uint64(POSITION_TYPE, UNDO_TYPE, types.uint64, types.uint64))
def key_after(position, undo, key, of_world):
    """The `position_key` after the ply of `undo`; `key` is the one before."""
    if position.alive != undo.alive:
        return position_key(position, of_world)
    attacker = piece_in(undo.attacker)
    key ^= place_key(attacker, undo.from_point)
    if attacker_arrived(position, undo):
        key ^= place_key(attacker, undo.to_point)
    if defender_was_removed(position, undo):
        key ^= place_key(piece_in(undo.defender), undo.to_point)
    return key ^ turn_key(undo.turn, undo.alive) ^ turn_key(position.turn, position.alive)
