"""The position's record; making and unmaking a move when every piece is known.

A *piece* is an integer below 128: `32 * seat + slot`, its slot below 25. On the board it carries bit 7, so that 0 is an
empty point. A *move* is an integer: `256 * from + to`.

`POSITION`:

| field | shape | meaning |
|---|---|---|
| board | (129,) | 0, or 128 + piece |
| kind | (128,) | kind by piece; `UNKNOWN` where the viewer does not know |
| where | (128,) | point by piece; its last one for a piece that has left |
| present | (4,) | slots of a seat's pieces that are on the board, a bit each |
| movable | (4,) | those of `present` that may move: no landmine, no flag, not in a headquarters |
| turn, alive | scalars | the seat to move; the seats still in, a bit each |
| result | scalar | `Result` |
| quiet, ply | scalars | plies since the last battle; plies played |
| no_contact, max_plies | scalars | the limits, 0 = none |
| no_contact_loses | scalar | 1: the side to move loses at the no-contact limit; 0: a draw |
| witness | (4,) | a piece of the seat that could move when last looked at: a hint, no part of the position |
| mark, mark_now, stack | (129,), scalar, (80,) | scratch of the engineer's flood |

`UNDO` holds what `make` destroys and `unmake` can't compute; `present` and `movable` only where `has_sets` says so.
"""

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.kernels import count_trailing_zeros, kernel, record_type
from junqi_engine.pieces import FLAG, Outcome

POSITION = np.dtype(
    [
        ("board", np.uint8, MAX_POINTS),
        ("kind", np.uint8, 128),
        ("where", np.uint8, 128),
        ("present", np.uint32, 4),
        ("movable", np.uint32, 4),
        ("turn", np.uint8),
        ("alive", np.uint8),
        ("result", np.uint8),
        ("no_contact_loses", np.uint8),
        ("quiet", np.uint32),
        ("ply", np.uint32),
        ("no_contact", np.uint32),
        ("max_plies", np.uint32),
        ("witness", np.uint8, 4),
        ("mark", np.uint32, MAX_POINTS),
        ("mark_now", np.uint32),
        ("stack", np.uint8, 80),
    ],
    align=True,
)
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
POSITION_TYPE = record_type(POSITION)
UNDO_TYPE = record_type(UNDO)

OCCUPIED = np.uint8(0x80)
TEAM_BITS = np.uint8(0xA0)
ONE = np.uint32(1)

_ATTACKER_WON = int(Outcome.ATTACKER_WON)
_DEFENDER_WON = int(Outcome.DEFENDER_WON)


class Result(IntEnum):
    """How a game stands; team 0 is South's."""

    ONGOING = 0
    TEAM_0 = 1
    TEAM_1 = 2
    DRAW = 3


_ONGOING, _TEAM_0, _TEAM_1, _DRAW = (int(result) for result in Result)


@kernel(types.uint8(types.uint8))
def enemy_bits(seat):
    """What `board[point] & TEAM_BITS` is where an enemy of `seat` stands."""
    return np.uint8(0x80 | ((seat & 1) ^ 1) << 5)


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8))
def can_step(tables, position, piece, enemy):
    """Whether a movable piece has a move. Every run begins with a step, so steps are all that must be looked at."""
    point = position.where[piece]
    camps = tables.near_camps[point]
    for i in range(tables.near_count[point]):
        occupant = position.board[tables.near[point, i]]
        if occupant == 0 or (i >= camps and occupant & TEAM_BITS == enemy):
            return True
    return False


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, types.uint8))
def has_move(tables, position, seat):
    """Whether a seat has a legal move; looks first at the piece that had one the last time."""
    enemy = enemy_bits(seat)
    movable = position.movable[seat]
    base = np.uint8(seat << 5)
    witness = base | position.witness[seat] & np.uint8(31)
    if movable >> np.uint32(witness & 31) & ONE and can_step(tables, position, witness, enemy):
        return True
    while movable:
        piece = np.uint8(base | count_trailing_zeros(movable))
        movable &= movable - ONE
        if can_step(tables, position, piece, enemy):
            position.witness[seat] = piece
            return True
    return False


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
