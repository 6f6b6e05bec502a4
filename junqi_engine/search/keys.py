"""TODO."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel
from junqi_engine.rules.effects import UNDO_TYPE
from junqi_engine.rules.position import ONE, POSITION_TYPE
from junqi_engine.splitmix import mix


@kernel(types.uint64(types.uint64, types.uint64))
def place_key(piece, point):
    """The part of a key that says that a piece stands on a point."""
    return mix(np.uint64(0x5DEECE66D) + piece * np.uint64(256) + point)


@kernel(types.uint64(types.uint64, types.uint64))
def turn_key(turn, alive):
    """The part of a key that says whose turn it is and who is in."""
    return mix(np.uint64(0xC0FFEE0000) + turn * np.uint64(16) + alive)


@kernel(types.uint64(POSITION_TYPE, types.uint64))
def position_key(position, world_key):
    """The key of a position in a world, from scratch."""
    key = world_key ^ turn_key(position.turn, position.alive)
    for seat in range(4):
        pieces = position.present[seat]
        while pieces:
            piece = np.uint8(seat << 5 | count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            key ^= place_key(piece, position.where[piece])
    return key


@kernel(types.uint64(POSITION_TYPE, UNDO_TYPE, types.uint64))
def key_after(position, undo, key):
    """The key after the move that `undo` takes back. A seat that went out is in it through `alive` alone."""
    attacker = undo.attacker & np.uint8(127)
    key ^= place_key(attacker, undo.from_point)
    occupant = position.board[undo.to_point]
    if occupant == undo.attacker:
        key ^= place_key(attacker, undo.to_point)
    if undo.defender != 0 and occupant != undo.defender:
        key ^= place_key(undo.defender & np.uint8(127), undo.to_point)
    return key ^ turn_key(undo.turn, undo.alive) ^ turn_key(position.turn, position.alive)
