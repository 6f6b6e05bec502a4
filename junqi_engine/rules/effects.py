"""The effects of a ply: make and unmake.

`apply` carries out a move whose battle is known, from the pieces (`make`) or from the record (`SeatView`). Then
`eliminate_immobile` eliminates seats that can never move again, `pass_turn` gives the turn to the next seat, and
`settle` eliminates seats that cannot move now and applies the limits. `unmake` takes a ply back. Incremental keys,
scores and records read the effects from `UNDO`.

`UNDO` holds the state that a ply changes and that cannot be computed from the position after it:

| field | shape | meaning |
|---|---|---|
| from_point, to_point | scalars | the move |
| attacker, defender | scalars | the occupants of the two points before the ply; 0 for an empty to-point |
| battle | scalar | the code of the battle, `pieces.BATTLE_CODES`; 0 without one |
| turn, alive, result, quiet | scalars | their values before the ply |
| immobile | scalar | the set of seats that the ply eliminated as immobile |
| has_sets | scalar | 1 if `present` and `movable` were saved, because the ply changes them |
| present, movable | (4,) | their values before the ply |
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import (
    NO_PIECE,
    SEATS,
    contains,
    from_point_of,
    occupant_of,
    piece_in,
    seat_of,
    seats_of_team,
    slot_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.movegen import has_move
from junqi_engine.rules.pieces import OUTCOME_FIELD, TAKES_FLAG, Outcome
from junqi_engine.rules.position import ONE, POSITION_TYPE, Result, next_piece

UNDO = np.dtype(
    [
        ("present", np.uint32, SEATS),
        ("movable", np.uint32, SEATS),
        ("from_point", np.uint8),
        ("to_point", np.uint8),
        ("attacker", np.uint8),
        ("defender", np.uint8),
        ("battle", np.uint8),
        ("turn", np.uint8),
        ("alive", np.uint8),
        ("result", np.uint8),
        ("immobile", np.uint8),
        ("has_sets", np.uint8),
        ("quiet", np.uint32),
    ],
    align=True,
)
UNDO_TYPE = record_type(UNDO)
UNDOS_TYPE = types.Array(UNDO_TYPE, 1, "C")

_TEAM_0_SEATS = np.uint8(seats_of_team(0))


@kernel(types.void(POSITION_TYPE, types.uint8))
def eliminate(position, seat):
    """Eliminate a seat: remove all its pieces and set the result. The turn does not pass."""
    present = position.present[seat]
    while present:
        piece, present = next_piece(seat, present)
        position.board[position.where[piece]] = NO_PIECE
    position.present[seat] = 0
    position.movable[seat] = 0
    position.alive &= ~(np.uint8(1) << seat)
    if position.alive & (_TEAM_0_SEATS << np.uint8(team_of(seat))) == 0:
        position.result = Result.TEAM_0 if team_of(seat) else Result.TEAM_1


@kernel(types.uint8(POSITION_TYPE, types.uint8))
def eliminate_immobile(position, seats):
    """Eliminate the seats of a set that have only landmines, flags and pieces in headquarters; returns them. If no seat
    would remain, the game is a draw instead.
    """
    found = np.uint8(0)
    for seat in range(SEATS):
        if contains(seats & position.alive, seat) and position.movable[seat] == 0:
            found |= np.uint8(1) << np.uint8(seat)
    if found and position.alive & ~found == 0:
        position.result = Result.DRAW
        return np.uint8(0)
    for seat in range(SEATS):
        if contains(found, seat):
            eliminate(position, np.uint8(seat))
    return found


@kernel(types.void(POSITION_TYPE))
def apply_limits(position):
    """End an unfinished game at the no-contact limit or at the maximal number of plies."""
    if position.no_contact != 0 and position.quiet >= position.no_contact:
        if position.no_contact_loses:
            position.result = Result.TEAM_0 if team_of(position.turn) else Result.TEAM_1
        else:
            position.result = Result.DRAW
    elif position.max_plies != 0 and position.ply >= position.max_plies:
        position.result = Result.DRAW


@kernel(types.uint8(TABLES_TYPE, POSITION_TYPE), forceinline=True)
def next_turn(tables, position):
    """The next seat in turn order that is not eliminated."""
    return tables.next_seat[SEATS * position.alive + position.turn]


@kernel(types.void(TABLES_TYPE, POSITION_TYPE), forceinline=True)
def pass_turn(tables, position):
    position.turn = next_turn(tables, position)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE))
def settle(tables, position):
    """Eliminate the seat to move until it has a legal move, then apply the limits. For after `pass_turn`."""
    while position.result == Result.ONGOING:
        if has_move(tables, position, position.turn):
            apply_limits(position)
            return
        eliminate(position, position.turn)
        pass_turn(tables, position)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE))
def settle_snapshot(tables, position):
    """Settle a position that was set up: eliminate immobile seats, then seats to move without a move, and apply the
    limits. A remaining seat has the turn, even if the game is over.
    """
    if position.eliminates_immobile and position.result == Result.ONGOING:
        eliminate_immobile(position, position.alive)
    if position.alive != 0 and not contains(position.alive, position.turn):
        pass_turn(tables, position)
    settle(tables, position)


@kernel(types.void(POSITION_TYPE, UNDO_TYPE))
def save_sets(position, undo):
    """Save the sets of pieces for `unmake`. Most moves do not change them."""
    undo.has_sets = 1
    for seat in range(SEATS):
        undo.present[seat] = position.present[seat]
        undo.movable[seat] = position.movable[seat]


@kernel(types.void(POSITION_TYPE, types.uint8), forceinline=True)
def remove(position, piece):
    """Remove a piece from its seat's sets. The caller changes the board."""
    bit = ONE << np.uint32(slot_of(piece))
    position.present[seat_of(piece)] &= ~bit
    position.movable[seat_of(piece)] &= ~bit


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint16, types.uint8, UNDO_TYPE), forceinline=True)
def apply(tables, position, move, battle, undo):
    """Carry out a legal move and its battle: pieces, counters, and the elimination of a seat whose flag is taken.

    `battle` is the code of the battle (`pieces.BATTLE_CODES`); ignored if the to-point is empty.
    """
    start = np.uint8(from_point_of(move))
    target = np.uint8(to_point_of(move))
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
    undo.immobile = 0
    undo.has_sets = 0
    undo.quiet = position.quiet
    own = np.uint8(piece_in(attacker))
    position.board[start] = NO_PIECE
    position.ply += ONE
    if defender == NO_PIECE:
        undo.battle = 0
        position.quiet += ONE
        position.board[target] = attacker
        position.where[own] = target
    else:
        save_sets(position, undo)
        undo.battle = battle
        outcome = battle & OUTCOME_FIELD
        position.quiet = 0
        if outcome != Outcome.DEFENDER_WON:
            position.board[target] = NO_PIECE
            remove(position, np.uint8(piece_in(defender)))
        if outcome == Outcome.ATTACKER_WON:
            position.board[target] = attacker
            position.where[own] = target
        else:
            remove(position, own)
        if battle & TAKES_FLAG:
            eliminate(position, np.uint8(seat_of(piece_in(defender))))
    if tables.headquarters[target]:
        if undo.has_sets == 0:
            save_sets(position, undo)
        position.movable[seat] &= ~(ONE << np.uint32(slot_of(own)))


@kernel(types.void(POSITION_TYPE, UNDO_TYPE))
def eliminate_immobile_of(position, undo):
    """Eliminate immobile seats among the one or two seats of a ply."""
    seats = np.uint8(1) << undo.turn
    if undo.battle:
        seats |= np.uint8(1) << np.uint8(seat_of(piece_in(undo.defender)))
    undo.immobile = eliminate_immobile(position, seats)


# Inlined, like `unmake`: a call would cost perft a fifth of its speed.
@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint16, UNDO_TYPE), forceinline=True)
def make(tables, position, move, undo):
    battle = np.uint8(0)
    defender = position.board[to_point_of(move)]
    if defender != NO_PIECE:
        attacker = position.board[from_point_of(move)]
        battle = tables.battle[position.kind[piece_in(attacker)], position.kind[piece_in(defender)]]
    apply(tables, position, move, battle, undo)
    # Only a battle and a move onto a headquarters change the sets of pieces.
    if undo.has_sets and position.eliminates_immobile and position.result == Result.ONGOING:
        eliminate_immobile_of(position, undo)
    pass_turn(tables, position)
    if position.result == Result.ONGOING:
        if has_move(tables, position, position.turn):
            apply_limits(position)
        else:
            if undo.has_sets == 0:
                save_sets(position, undo)
            settle(tables, position)


@kernel(types.void(POSITION_TYPE, UNDO_TYPE), forceinline=True)
def unmake(position, undo):
    if undo.has_sets:
        if position.alive != undo.alive:
            gone = undo.alive & ~position.alive
            for seat in range(SEATS):
                if contains(gone, seat):
                    pieces = undo.present[seat]
                    while pieces:
                        piece, pieces = next_piece(seat, pieces)
                        position.board[position.where[piece]] = occupant_of(piece)
        for seat in range(SEATS):
            position.present[seat] = undo.present[seat]
            position.movable[seat] = undo.movable[seat]
    position.where[piece_in(undo.attacker)] = undo.from_point
    position.board[undo.to_point] = undo.defender
    position.board[undo.from_point] = undo.attacker
    position.turn = undo.turn
    position.alive = undo.alive
    position.result = undo.result
    position.quiet = undo.quiet
    position.ply -= ONE


# The effects of a ply, read from the position after it and its UNDO


@kernel(types.boolean(POSITION_TYPE, UNDO_TYPE))
def attacker_arrived(position, undo):
    return position.board[undo.to_point] == undo.attacker


@kernel(types.boolean(POSITION_TYPE, UNDO_TYPE))
def defender_was_removed(position, undo):
    return undo.defender != NO_PIECE and position.board[undo.to_point] != undo.defender


@kernel(types.uint8(POSITION_TYPE, UNDO_TYPE))
def eliminated_seats(position, undo):
    return undo.alive & ~position.alive
