"""Updates of a viewer's knowledge: facts that each ply proves, and plies that are refused as contradictions.

`follow` works on the position as the viewer knows it: it does not read `kind`, and `movable` has the pieces that may
move by the masks of the knowledge. Every function returns False for a refused ply, and notes the reason.
"""

import numpy as np
from numba.core import types

from junqi_engine.information.deduction import (
    ATTACKER_SHOWED,
    DEFENDER_OUT,
    DEFENDER_SHOWED,
    KNOWN,
    KNOWN_TYPE,
    OUTCOME_SHIFT,
    PARTNERS,
    add_battle,
    deduce_known,
    narrow,
    write_kinds,
)
from junqi_engine.information.elimination import pass_and_eliminate, refresh_movable
from junqi_engine.information.ply_record import MOVED, PLY_TYPE, RESIGNED, Refusal, note_eliminated, refuse
from junqi_engine.kernels import copy_record, count_ones, count_trailing_zeros, inlined, kernel, scratch_record
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO, apply, apply_limits, eliminate
from junqi_engine.rules.layout import NO_PIECE, contains, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import ENGINEER_CAN, NO_PIECE_CAN, reach
from junqi_engine.rules.pieces import (
    ENGINEER,
    FLAG,
    MARSHAL,
    MOVABLE_MASK,
    OUTCOME_FIELD,
    REVEALS_ATTACKERS_FLAG,
    REVEALS_DEFENDERS_FLAG,
    TAKES_FLAG,
    Outcome,
)
from junqi_engine.rules.position import POSITION, POSITION_TYPE, Result, next_piece

_undo_scratch = scratch_record(UNDO)
_position_scratch = scratch_record(POSITION)
_known_scratch = scratch_record(KNOWN)


@kernel(types.intp(POSITION_TYPE, KNOWN_TYPE, types.intp))
def flag_point(position, known, seat):
    """Where a seat's flag is known to stand; -1 also in a study in which the seat has no flag."""
    members = position.present[seat]
    while members:
        piece, members = next_piece(np.uint32(seat), members)
        if known.masks[piece] == 1 << FLAG:
            return np.intp(position.where[piece])
    return -1


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, PLY_TYPE))
def infer_outcome(tables, position, known, ply):
    """Fill in outcome, flags and seats of a move without a suffix, if both pieces are known."""
    attacker, defender, own = ply.attacker, ply.defender, ply.attacker_mask
    other = known.masks[defender]
    if count_ones(own) > 1 or count_ones(other) > 1:
        return refuse(ply, Refusal.MISSING)
    battle = tables.battle[count_trailing_zeros(own), count_trailing_zeros(other)]
    ply.outcome = battle & OUTCOME_FIELD
    for side in range(2):
        if battle & (REVEALS_DEFENDERS_FLAG if side else REVEALS_ATTACKERS_FLAG):
            seat = seat_of(defender if side else attacker)
            flag = flag_point(position, known, seat)
            if flag >= 0:
                ply.revealed[ply.revealed_count] = flag
                ply.revealed_count += 1
            elif contains(known.hidden_seats, seat):
                return refuse(ply, Refusal.MISSING)
    if battle & TAKES_FLAG:
        ply.listed[0] = seat_of(defender)
        ply.listed_count = 1
    return True


@kernel(types.boolean(POSITION_TYPE, KNOWN_TYPE, types.intp))
def lacks_flag(position, known, piece):
    """Whether a piece is a marshal of a seat that is known to have no flag: in a study, it may have none to reveal."""
    seat = seat_of(piece)
    is_marshal = not contains(known.hidden_seats, seat) and known.masks[piece] == 1 << MARSHAL
    return is_marshal and flag_point(position, known, seat) < 0


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, PLY_TYPE))
def learn_battle(tables, position, known, ply):
    """Use the facts that a battle proves."""
    attacker, defender, own = ply.attacker, ply.defender, ply.attacker_mask
    owner, other = seat_of(defender), known.masks[defender]
    if ply.omits_suffix:
        if not infer_outcome(tables, position, known, ply):
            return False
    elif ply.outcome == Outcome.NO_BATTLE:
        return refuse(ply, Refusal.MISSING)
    attacker_showed = defender_showed = False
    for i in range(ply.revealed_count):
        point = np.intp(ply.revealed[i])
        occupant = position.board[point]
        piece = np.intp(piece_in(occupant))
        is_attackers, is_defenders = seat_of(piece) == seat_of(attacker), seat_of(piece) == owner
        is_possible = (is_attackers and not attacker_showed) or (is_defenders and not defender_showed)
        if occupant == NO_PIECE or not is_possible:
            return refuse(ply, Refusal.OTHER_FLAGS)
        if not narrow(known, piece, 1 << FLAG):
            return refuse(ply, Refusal.OTHER_FLAGS)
        attacker_showed |= is_attackers
        defender_showed |= is_defenders
    attacker_showed |= ply.outcome != Outcome.ATTACKER_WON and lacks_flag(position, known, attacker)
    defender_showed |= ply.outcome != Outcome.DEFENDER_WON and lacks_flag(position, known, defender)
    is_out = False
    for i in range(ply.listed_count):
        is_out |= ply.listed[i] == owner
    code = (np.intp(ply.outcome) - 1) << OUTCOME_SHIFT
    code |= ATTACKER_SHOWED * attacker_showed | DEFENDER_SHOWED * defender_showed | DEFENDER_OUT * is_out
    if count_ones(own) > 1 or count_ones(other) > 1:
        add_battle(known, attacker, defender, code)
    elif PARTNERS[code, 0, count_trailing_zeros(own)] & other == 0:
        return refuse(ply, Refusal.NO_LINEUP)
    ply.takes_flag = is_out  # if what follows from the battle allows it
    return True


@kernel(types.void(PLY_TYPE, types.intp))
def take_flag(ply, owner):
    """Eliminate the owner of a flag that was taken; what follows explains the other listed seats."""
    kept = 0
    for i in range(ply.listed_count):
        if ply.listed[i] != owner:
            ply.listed[kept] = ply.listed[i]
            kept += 1
    ply.listed_count = kept
    note_eliminated(ply, owner)


@inlined
def play(tables, position, known, ply):
    """Play a ply without passing the turn; `maybe_immobile` receives the seats that it may have made immobile."""
    start, target = np.uint8(from_point_of(ply.move)), np.uint8(to_point_of(ply.move))
    seat, attacker = position.turn, np.intp(piece_in(position.board[start]))
    if position.board[start] == NO_PIECE or seat_of(attacker) != seat:
        return refuse(ply, Refusal.ILLEGAL)
    reached, own = reach(tables, position, start, target), known.masks[attacker]
    wanted = 1 << ENGINEER if reached == ENGINEER_CAN else MOVABLE_MASK
    if reached == NO_PIECE_CAN or (own & wanted == 0 and not contains(known.hidden_seats, seat)):
        return refuse(ply, Refusal.ILLEGAL)
    if not narrow(known, attacker, wanted):
        return refuse(ply, Refusal.NO_LINEUP)
    seats, occupant = np.uint8(1) << seat, position.board[target]
    defender = np.intp(piece_in(occupant))
    ply.attacker, ply.defender, ply.attacker_mask = attacker, defender, own
    if occupant == NO_PIECE:
        if ply.outcome != Outcome.NO_BATTLE or ply.revealed_count:
            return refuse(ply, Refusal.NO_BATTLE)
    elif not learn_battle(tables, position, known, ply):
        return False
    if not deduce_known(known):
        return refuse(ply, Refusal.NO_LINEUP)
    if occupant != NO_PIECE:
        seats |= np.uint8(1) << np.uint8(seat_of(defender))
        ply.takes_flag &= known.masks[defender] >> FLAG & 1
        if ply.takes_flag:
            take_flag(ply, seat_of(defender))
    undo = _undo_scratch()
    apply(tables, position, ply.move, np.uint8(ply.outcome | TAKES_FLAG * ply.takes_flag), undo)
    refresh_movable(tables, position, known)
    # Only a battle and a move onto a headquarters change the sets of pieces.
    if undo.has_sets and position.eliminates_immobile and position.result == Result.ONGOING:
        ply.maybe_immobile = seats & position.alive
    return True


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def refresh(tables, position, known):
    """Derive the kinds and the movable pieces of a position from what is known."""
    write_kinds(known, position.kind)
    refresh_movable(tables, position, known)


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, PLY_TYPE))
def follow(tables, position, known, ply):
    """Follow a ply or an event. False if it is refused: `refusal` says why, position and knowledge are unchanged."""
    before, known_before = _position_scratch(), _known_scratch()
    copy_record(position, before)
    copy_record(known, known_before)
    ply.eliminated_count = ply.next_listed = ply.takes_flag = ply.maybe_immobile = 0
    is_followed = passes = True
    if ply.event == MOVED:
        is_followed = play(tables, position, known, ply)
    elif ply.event == RESIGNED:
        eliminate(position, ply.seat)
        passes = position.turn == ply.seat
        if not passes and ply.listed_count:
            is_followed = refuse(ply, Refusal.OTHER_SEATS)
    if is_followed and passes:
        is_followed = pass_and_eliminate(tables, position, known, ply)
    if not is_followed:
        copy_record(before, position)
        copy_record(known_before, known)
        return False
    refresh(tables, position, known)
    if position.result == Result.ONGOING:
        apply_limits(position)
    return True
