"""How the knowledge of a viewer follows a game: what each ply proves, which seats it eliminates, and which plies cannot
be true.

`follow` works on the position as the viewer knows it: it does not read `kind`, and `movable` has the pieces that may
move by the masks of the knowledge.

`PLY` is the public record of a ply, or of an event between plies, and what becomes of it:

| field | shape | meaning |
|---|---|---|
| event, seat | scalars | `MOVED`, `RESIGNED` or `PASSED`, and the seat that resigns |
| move, outcome | scalars | as in `SeenMove` |
| revealed, revealed_count | (2,) | the points of revealed flags, the attacker's first |
| listed, listed_count | (4,) | the eliminated seats, in order |
| omits_suffix | scalar | 1 if outcome, flags and seats are left out; `follow` then fills in outcome and flags |
| takes_flag | scalar | 1 if the viewer takes the defender for the flag |
| maybe_immobile | scalar | the set of seats that the ply may have made immobile |
| eliminated, eliminated_count | (4,) | the seats that `follow` has eliminated, in order |
| refusal | scalar | why it was refused, a `Refusal` |
"""

from enum import IntEnum

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
    can_all_be_immobile,
    deduce_known,
    expect_mover,
    narrow,
    write_kinds,
)
from junqi_engine.kernels import (
    copy_record,
    count_ones,
    count_trailing_zeros,
    inlined,
    kernel,
    record_type,
    scratch_record,
)
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO, apply, apply_limits, eliminate, eliminate_immobile, pass_turn
from junqi_engine.rules.layout import (
    NO_PIECE,
    SEATS,
    contains,
    enemy_field,
    from_point_of,
    piece_in,
    piece_of,
    seat_of,
    to_point_of,
)
from junqi_engine.rules.movegen import ENGINEER_CAN, NO_PIECE_CAN, can_step, has_move, reach
from junqi_engine.rules.pieces import (
    ENGINEER,
    FLAG,
    IMMOBILE_MASK,
    MARSHAL,
    MOVABLE_MASK,
    OUTCOME_FIELD,
    REVEALS_ATTACKERS_FLAG,
    REVEALS_DEFENDERS_FLAG,
    TAKES_FLAG,
    Outcome,
)
from junqi_engine.rules.position import ONE, POSITION, POSITION_TYPE, Result, next_piece

MOVED, RESIGNED, PASSED = range(3)
"""Events: a ply, a resignation, a turn that passes because a clock ran out."""


class Refusal(IntEnum):
    ILLEGAL = 1
    MISSING = 2
    NO_BATTLE = 3
    OTHER_FLAGS = 4
    OTHER_SEATS = 5
    NO_LINEUP = 6
    OTHER_OUTCOME = 7


REASONS = {
    Refusal.MISSING: "an enemy stood on {target}; add x, o or =",
    Refusal.NO_BATTLE: "{target} is empty, so there is no battle",
    Refusal.OTHER_OUTCOME: "the battle has another outcome",
    Refusal.OTHER_FLAGS: "it does not reveal these flags",
    Refusal.OTHER_SEATS: "it does not eliminate these seats, or not these alone",
    Refusal.NO_LINEUP: "no line-up is consistent with it and with the moves before",
}
"""In words; of an illegal one, `why_illegal` has them."""
MAX_FLAGS = 2
PLY = np.dtype(
    [
        ("listed_count", np.int64),
        ("eliminated_count", np.int64),
        ("revealed_count", np.int64),
        ("move", np.uint16),
        ("event", np.uint8),
        ("seat", np.uint8),
        ("outcome", np.uint8),
        ("omits_suffix", np.uint8),
        ("takes_flag", np.uint8),
        ("maybe_immobile", np.uint8),
        ("refusal", np.uint8),
        ("revealed", np.uint8, MAX_FLAGS),
        ("listed", np.uint8, SEATS),
        ("eliminated", np.uint8, SEATS),
    ],
    align=True,
)
PLY_TYPE = record_type(PLY)


@kernel(types.boolean(PLY_TYPE, types.intp))
def refuse(ply, reason):
    """Note why a ply is refused; False."""
    ply.refusal = reason
    return False


@kernel(types.void(PLY_TYPE, types.intp))
def note_eliminated(ply, seat):
    ply.eliminated[ply.eliminated_count] = seat
    ply.eliminated_count += 1


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def refresh_movable(tables, position, known):
    for seat in range(SEATS):
        members = position.present[seat]
        movable = np.uint32(0)
        while members:
            slot = count_trailing_zeros(members)
            members &= members - ONE
            piece = piece_of(np.uint32(seat), slot)
            if known.masks[piece] & MOVABLE_MASK and not tables.headquarters[position.where[piece]]:
                movable |= ONE << slot
        position.movable[seat] = movable


@kernel(types.uint32(TABLES_TYPE, POSITION_TYPE, types.intp))
def outside_headquarters(tables, position, seat):
    members, found = position.present[seat], np.uint32(0)
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        if not tables.headquarters[position.where[piece_of(np.uint32(seat), slot)]]:
            found |= ONE << slot
    return found


@kernel(types.uint32(TABLES_TYPE, POSITION_TYPE, types.intp))
def with_free_step(tables, position, seat):
    """The slots of a seat's pieces that can move unless they are landmines or flags."""
    members, found = outside_headquarters(tables, position, seat), np.uint32(0)
    enemy = enemy_field(np.uint8(seat))
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        if can_step(tables, position, np.uint8(piece_of(np.uint32(seat), slot)), enemy):
            found |= ONE << slot
    return found


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def restrict_to_immobile(known, seat, slots):
    """Add that all pieces of a set of slots are landmines or flags; False if that is impossible."""
    while slots:
        piece, slots = next_piece(seat, slots)
        if not narrow(known, piece, IMMOBILE_MASK):
            return False
    return True


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def expect_move(tables, position, known):
    """Add that the seat to move has a move, unless the game is over; False if that is impossible."""
    seat = np.intp(position.turn)
    if position.result != Result.ONGOING or not contains(known.hidden_seats, seat):
        return True
    return expect_mover(known, seat, with_free_step(tables, position, seat)) and deduce_known(known)


@inlined
def eliminate_listed_immobile(tables, position, known, ply, seats):
    """Eliminate those of `seats`, which a ply may have made immobile, that are certain to be, and those that may be and
    are listed next. Returns the first of `listed` that comes after them, -1 if a certain one is not listed.

    A hidden seat that is listed may have been immobile or idle on its turn: the position is the same, and those of its
    pieces that have a free step are landmines or flags. If a certain one is not listed, no seat can ever move again,
    which is a draw.
    """
    certain = possible = immobile = np.uint8(0)
    first = 0
    for seat in range(SEATS):
        if not contains(seats, seat):
            continue
        bit, is_listed = np.uint8(1) << np.uint8(seat), first < ply.listed_count and ply.listed[first] == seat
        if position.movable[seat] == 0:
            certain |= bit
        if position.movable[seat] == 0 or (
            contains(known.hidden_seats, seat)
            and can_all_be_immobile(known, seat, outside_headquarters(tables, position, seat))
        ):
            possible |= bit
            first += is_listed
            if is_listed or contains(certain, seat):
                immobile |= bit
    if certain and ply.listed_count == 0 and not ply.omits_suffix and possible == position.alive:
        position.result = Result.DRAW
        return 0
    for seat in range(SEATS):
        if contains(immobile & ~certain, seat) and not (
            restrict_to_immobile(known, seat, with_free_step(tables, position, seat)) and deduce_known(known)
        ):
            refuse(ply, Refusal.OTHER_SEATS)
            return -1
    refresh_movable(tables, position, known)
    for seat in range(SEATS):
        if contains(immobile, seat):
            position.movable[seat] = 0
    found = eliminate_immobile(position, immobile)
    listed = 0
    for seat in range(SEATS):
        if contains(found, seat):
            if not ply.omits_suffix and (listed >= ply.listed_count or ply.listed[listed] != seat):
                refuse(ply, Refusal.OTHER_SEATS)
                return -1
            note_eliminated(ply, seat)
            listed += not ply.omits_suffix
    return listed


@inlined
def pass_and_eliminate(tables, position, known, ply, seats):
    """Eliminate those of `seats` that are immobile, pass the turn to a seat that has a move, and eliminate those that
    have none when it comes to them.

    If the record `omits_suffix`, it does not list the eliminated seats.
    """
    first = eliminate_listed_immobile(tables, position, known, ply, seats)
    if first < 0:
        return False
    pass_turn(tables, position)
    while position.result == Result.ONGOING:
        seat = np.intp(position.turn)
        is_idle = not has_move(tables, position, position.turn)
        if first < ply.listed_count and ply.listed[first] == seat:
            if not is_idle:
                # A hidden seat may have no move: then all its pieces with a free step are landmines or flags.
                if not contains(known.hidden_seats, seat) or not restrict_to_immobile(
                    known, seat, with_free_step(tables, position, seat)
                ):
                    return refuse(ply, Refusal.OTHER_SEATS)
                if not deduce_known(known):
                    return refuse(ply, Refusal.NO_LINEUP)
                refresh_movable(tables, position, known)
            first += 1
        elif not is_idle:
            break
        elif not ply.omits_suffix:
            return refuse(ply, Refusal.OTHER_SEATS)
        eliminate(position, np.uint8(seat))
        pass_turn(tables, position)
        note_eliminated(ply, seat)
    if first < ply.listed_count:
        return refuse(ply, Refusal.OTHER_SEATS)
    if not expect_move(tables, position, known):
        return refuse(ply, Refusal.OTHER_SEATS)
    return True


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


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, PLY_TYPE, types.uint16, types.intp, types.intp))
def infer_outcome(tables, position, known, ply, own, attacker, defender):
    """Fill in what a move without a suffix leaves out, if attacker, of the mask `own`, and defender are known."""
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


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, PLY_TYPE, types.uint16, types.intp, types.intp))
def learn_battle(tables, position, known, ply, own, attacker, defender):
    """Add what a battle proves. `own` is what the attacker may have been before its move."""
    owner, other = seat_of(defender), known.masks[defender]
    if ply.omits_suffix:
        if not infer_outcome(tables, position, known, ply, own, attacker, defender):
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
    """The owner of a flag that was taken is out: the rest of the eliminated seats is explained by what follows."""
    note_eliminated(ply, owner)
    kept = 0
    for i in range(ply.listed_count):
        if ply.listed[i] != owner:
            ply.listed[kept] = ply.listed[i]
            kept += 1
    ply.listed_count = kept


@inlined
def play(tables, position, known, ply):
    """Carry out a ply, but do not pass the turn. `maybe_immobile` gets the seats that it may have made immobile."""
    start, target = np.uint8(from_point_of(ply.move)), np.uint8(to_point_of(ply.move))
    seat, attacker = position.turn, np.intp(piece_in(position.board[start]))
    if position.board[start] == NO_PIECE or seat_of(attacker) != seat:
        return refuse(ply, Refusal.ILLEGAL)
    way, own = reach(tables, position, start, target), known.masks[attacker]
    wanted = 1 << ENGINEER if way == ENGINEER_CAN else MOVABLE_MASK
    if way == NO_PIECE_CAN or (own & wanted == 0 and not contains(known.hidden_seats, seat)):
        return refuse(ply, Refusal.ILLEGAL)
    if not narrow(known, attacker, wanted):
        return refuse(ply, Refusal.NO_LINEUP)
    seats, occupant = np.uint8(1) << seat, position.board[target]
    defender = np.intp(piece_in(occupant))
    if occupant == NO_PIECE:
        if ply.outcome != Outcome.NO_BATTLE or ply.revealed_count:
            return refuse(ply, Refusal.NO_BATTLE)
    elif not learn_battle(tables, position, known, ply, own, attacker, defender):
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
    ply.eliminated_count = ply.takes_flag = ply.maybe_immobile = 0
    is_followed = passes = True
    if ply.event == MOVED:
        is_followed = play(tables, position, known, ply)
    elif ply.event == RESIGNED:
        eliminate(position, ply.seat)
        passes = position.turn == ply.seat
        if not passes and ply.listed_count:
            is_followed = refuse(ply, Refusal.OTHER_SEATS)
    if is_followed and passes:
        is_followed = pass_and_eliminate(tables, position, known, ply, ply.maybe_immobile)
    if not is_followed:
        copy_record(before, position)
        copy_record(known_before, known)
        return False
    refresh(tables, position, known)
    if position.result == Result.ONGOING:
        apply_limits(position)
    return True
