"""TODO."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel, record_type
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.movegen import has_move
from junqi_engine.rules.pieces import FLAG, Outcome
from junqi_engine.rules.position import OCCUPIED, ONE, POSITION_TYPE, Result

UNDO = np.dtype(
    [
        ("present", np.uint32, 4),
        ("movable", np.uint32, 4),
        ("from_point", np.uint8),
        ("to_point", np.uint8),
        ("attacker", np.uint8),
        ("defender", np.uint8),
        ("turn", np.uint8),
        ("alive", np.uint8),
        ("result", np.uint8),
        ("has_sets", np.uint8),
        ("quiet", np.uint32),
    ],
    align=True,
)
UNDO_TYPE = record_type(UNDO)

_ATTACKER_WON = int(Outcome.ATTACKER_WON)
_DEFENDER_WON = int(Outcome.DEFENDER_WON)


_ONGOING, _TEAM_0, _TEAM_1, _DRAW = (int(result) for result in Result)


@kernel(types.void(POSITION_TYPE, types.uint8))
def eliminate(position, seat):
    """Take a seat and all its pieces off the board; the result follows, the turn does not."""
    present = position.present[seat]
    base = np.uint8(seat << 5)
    while present:
        piece = np.uint8(base | count_trailing_zeros(present))
        present &= present - ONE
        position.board[position.where[piece]] = 0
    position.present[seat] = 0
    position.movable[seat] = 0
    position.alive &= ~(np.uint8(1) << seat)
    if position.alive & (np.uint8(0b0101) << (seat & np.uint8(1))) == 0:
        position.result = _TEAM_0 if seat & 1 else _TEAM_1


@kernel(types.void(POSITION_TYPE))
def apply_limits(position):
    """End an unfinished game whose plies or quiet plies have run out."""
    if position.no_contact != 0 and position.quiet >= position.no_contact:
        if position.no_contact_loses:
            position.result = _TEAM_0 if position.turn & 1 else _TEAM_1
        else:
            position.result = _DRAW
    elif position.max_plies != 0 and position.ply >= position.max_plies:
        position.result = _DRAW


@kernel(types.void(TABLES_TYPE, POSITION_TYPE))
def settle(tables, position):
    """The turn has come to a seat: those without a move go out, one after the other; then the limits."""
    while position.result == _ONGOING:
        if has_move(tables, position, position.turn):
            apply_limits(position)
            return
        seat = position.turn
        eliminate(position, seat)
        position.turn = tables.next_seat[4 * position.alive + seat]


@kernel(types.void(POSITION_TYPE, UNDO_TYPE))
def save_sets(position, undo):
    """Keep the piece sets for `unmake`. Most moves change none of them, and are spared it."""
    undo.has_sets = 1
    for i in range(4):
        undo.present[i] = position.present[i]
        undo.movable[i] = position.movable[i]


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint16, UNDO_TYPE))
def make(tables, position, move, undo):
    """Play a legal move of a position whose pieces are all known."""
    start = np.uint8(move >> 8)
    target = np.uint8(move & 255)
    seat = position.turn
    attacker = position.board[start]
    defender = position.board[target]
    undo.from_point = start
    undo.to_point = target
    undo.attacker = attacker
    undo.defender = defender
    undo.turn = seat
    undo.alive = position.alive
    undo.result = position.result
    undo.has_sets = 0
    undo.quiet = position.quiet
    own = attacker & np.uint8(127)
    position.board[start] = 0
    position.ply += ONE
    if defender == 0:
        position.quiet += ONE
        position.board[target] = attacker
        position.where[own] = target
    else:
        save_sets(position, undo)
        own_bit = ONE << np.uint32(own & 31)
        other = defender & np.uint8(127)
        other_seat = other >> 5
        other_bit = ONE << np.uint32(other & 31)
        other_kind = position.kind[other]
        outcome = tables.battle[12 * position.kind[own] + other_kind]
        position.quiet = 0
        if outcome != _DEFENDER_WON:
            position.board[target] = 0
            position.present[other_seat] &= ~other_bit
            position.movable[other_seat] &= ~other_bit
        if outcome == _ATTACKER_WON:
            position.board[target] = attacker
            position.where[own] = target
        else:
            position.present[seat] &= ~own_bit
            position.movable[seat] &= ~own_bit
        if other_kind == FLAG:
            eliminate(position, other_seat)
    if tables.headquarters[target]:
        if undo.has_sets == 0:
            save_sets(position, undo)
        position.movable[seat] &= ~(ONE << np.uint32(own & 31))
    position.turn = tables.next_seat[4 * position.alive + seat]
    if position.result == _ONGOING:
        if has_move(tables, position, position.turn):
            apply_limits(position)
        else:
            if undo.has_sets == 0:
                save_sets(position, undo)
            settle(tables, position)


@kernel(types.void(POSITION_TYPE, UNDO_TYPE))
def unmake(position, undo):
    """Take back the last move."""
    if undo.has_sets:
        if position.alive != undo.alive:
            gone = undo.alive & ~position.alive
            for seat in range(4):
                if gone >> seat & 1:
                    pieces = undo.present[seat]
                    while pieces:
                        piece = np.uint8(seat << 5 | count_trailing_zeros(pieces))
                        pieces &= pieces - ONE
                        position.board[position.where[piece]] = OCCUPIED | piece
        for i in range(4):
            position.present[i] = undo.present[i]
            position.movable[i] = undo.movable[i]
    position.where[undo.attacker & 127] = undo.from_point
    position.board[undo.to_point] = undo.defender
    position.board[undo.from_point] = undo.attacker
    position.turn = undo.turn
    position.alive = undo.alive
    position.result = undo.result
    position.quiet = undo.quiet
    position.ply -= ONE
