"""Views of many games, in kernels: each follows its game and narrows what a hidden piece may be.

The kernels do what `SeatView.observe` does, for plies that are known to be true. So nothing is refused, apart from an
explanation that the view itself considers (`explain`). `tests/test_env_observe.py` compares them with `SeatView`.
"""

import numpy as np
from numba.core import types

from junqi_engine.env.known import (
    VIEW_TYPE,
    VIEWS_TYPE,
    WORK_TYPE,
    can_all_be_immobile,
    copy_view,
    deduce_choices,
    deduce_new,
    drop_decided,
    narrow,
    set_choice,
)
from junqi_engine.information.deduction import MOST_TRIES
from junqi_engine.information.evidence import ATTACKER_SHOWED, DEFENDER_OUT, DEFENDER_SHOWED, OUTCOME_SHIFT
from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, record_type
from junqi_engine.rules.board import HEADQUARTERS_INDICES, TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, apply, eliminate, eliminate_immobile, eliminated_seats, pass_turn
from junqi_engine.rules.layout import NO_PIECE, PIECES, SEATS, contains, enemy_field, piece_in, piece_of, seat_of
from junqi_engine.rules.movegen import can_step, has_move
from junqi_engine.rules.pieces import (
    COUNTS,
    ENGINEER,
    FLAG,
    IMMOBILE_MASK,
    MINE,
    MOVABLE_MASK,
    OUTCOME_FIELD,
    PIECES_PER_SEAT,
    REVEALS_ATTACKERS_FLAG,
    REVEALS_DEFENDERS_FLAG,
    TAKES_FLAG,
)
from junqi_engine.rules.position import ONE, POSITION, POSITION_TYPE, Result

SCENES_TYPE = types.Array(record_type(POSITION), 1, "C")
_ONGOING, _DRAW = int(Result.ONGOING), int(Result.DRAW)
_MOST_IMMOBILE, _MOST_HEADQUARTERS = COUNTS[MINE] + COUNTS[FLAG], len(HEADQUARTERS_INDICES)


# What a view says of the pieces of a seat


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, VIEW_TYPE))
def refresh(tables, position, view):
    """Compute the movable pieces of a position as far as the view knows them."""
    for seat in range(SEATS):
        members = position.present[seat]
        movable = np.uint32(0)
        while members:
            slot = count_trailing_zeros(members)
            members &= members - ONE
            piece = piece_of(np.uint32(seat), slot)
            if view.masks[piece] & MOVABLE_MASK and not tables.headquarters[position.where[piece]]:
                movable |= ONE << slot
        position.movable[seat] = movable


@kernel(types.uint32(TABLES_TYPE, POSITION_TYPE, types.intp))
def outside_headquarters(tables, position, seat):
    """The slots of a seat's pieces that are on the board, but not in a headquarters."""
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


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, VIEW_TYPE, types.intp))
def can_be_immobile(tables, position, view, seat):
    """Whether a hidden seat may have only landmines, flags and pieces in headquarters."""
    if contains(view.viewer, seat):
        return False
    # Counting first: a seat with more pieces has a mobile one outside the headquarters.
    seats = count_ones(np.uint32(view.viewer | view.hidden_seats))
    if count_ones(position.present[seat]) > _MOST_IMMOBILE + _MOST_HEADQUARTERS * seats:
        return False
    return can_all_be_immobile(view, seat, outside_headquarters(tables, position, seat))


@kernel(types.boolean(VIEW_TYPE, types.intp, types.uint32))
def narrow_all(view, seat, slots):
    """Add that all pieces of a set of slots are landmines or flags; False if that is impossible."""
    while slots:
        if not narrow(view, np.intp(piece_of(seat, count_trailing_zeros(slots))), IMMOBILE_MASK):
            return False
        slots &= slots - ONE
    return True


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, VIEW_TYPE, WORK_TYPE))
def expect_move(tables, position, view, work):
    """The seat to move has a move: at least one of its pieces with a free step is neither landmine nor flag."""
    seat = np.intp(position.turn)
    if position.result != _ONGOING or contains(view.viewer, seat):
        return True
    members = outside_headquarters(tables, position, seat)
    enemy = enemy_field(np.uint8(seat))
    while members:
        piece = piece_of(np.uint32(seat), count_trailing_zeros(members))
        members &= members - ONE
        if view.masks[piece] & IMMOBILE_MASK == 0 and can_step(tables, position, np.uint8(piece), enemy):
            return True
    free = with_free_step(tables, position, seat)
    if not can_all_be_immobile(view, seat, free):
        return True
    if free == 0:
        return False
    set_choice(work, 0, seat, free)
    return deduce_choices(view, work, 1)


# Eliminations, as in `SeatView`


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, VIEW_TYPE, WORK_TYPE, types.intp, types.boolean))
def eliminate_idle(tables, position, view, work, first, is_bare):
    """Eliminate the seats that have no move when their turn comes; `listed` from `first` on are those of the record."""
    while position.result == _ONGOING:
        seat = np.intp(position.turn)
        refresh(tables, position, view)
        is_idle = not has_move(tables, position, position.turn)
        if first < work.listed_count and work.listed[first] == seat:
            if not is_idle and (
                contains(view.viewer, seat)
                or not narrow_all(view, seat, with_free_step(tables, position, seat))
                or not deduce_new(view, work)
            ):
                return False
            first += 1
        elif not is_idle:
            break
        elif not is_bare:
            return False
        eliminate(position, np.uint8(seat))
        pass_turn(tables, position)
    return first >= work.listed_count


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, VIEW_TYPE, WORK_TYPE, types.uint8, types.uint8, types.boolean))
def explain(tables, position, view, work, seats, immobile, is_bare):
    """Follow the eliminations if of the set `seats` exactly those in `immobile` are; False if that is impossible."""
    for seat in range(SEATS):
        if contains(immobile, seat):
            if not narrow_all(view, seat, outside_headquarters(tables, position, seat)):
                return False
        elif contains(seats, seat) and can_be_immobile(tables, position, view, seat):
            view.groups[seat] = outside_headquarters(tables, position, seat)
            view.is_stale = 1
    if not deduce_new(view, work):
        return False
    refresh(tables, position, view)
    first = 0
    if eliminate_immobile(position, immobile) != 0:
        for seat in range(SEATS):
            if contains(immobile, seat):
                if not is_bare and (first >= work.listed_count or work.listed[first] != seat):
                    return False
                first += 1
    pass_turn(tables, position)
    return eliminate_idle(tables, position, view, work, first, is_bare) and expect_move(tables, position, view, work)


@kernel(types.void(TABLES_TYPE, SCENES_TYPE, VIEW_TYPE, VIEWS_TYPE, WORK_TYPE, types.uint8, types.uint8, types.boolean))
def weigh(tables, scenes, view, spare, work, seats, immobile, is_bare):
    """As `explain`, if some of `seats` may be immobile or not: what all possible explanations have in common is known.

    `scenes` has the position and room for a copy, `spare` room for three views.
    """
    unsure = np.uint8(0)
    if not is_bare:
        for seat in range(SEATS):
            if contains(seats & ~immobile, seat) and can_be_immobile(tables, scenes[0], view, seat):
                unsure |= np.uint8(1) << np.uint8(seat)
    if unsure == 0:
        explain(tables, scenes[0], view, work, seats, immobile, is_bare)
        return
    scenes[1] = scenes[0]
    before, chosen = spare[0], spare[1]
    copy_view(view, before)
    possible = spare[2].masks
    for piece in range(PIECES):
        possible[piece] = 0
    found, is_drawn = 0, False
    # The subsets of `unsure`, ascending: the first possible one decides, unless the game would be a draw.
    hypothesis = np.uint8(0)
    while True:
        scenes[0] = scenes[1]
        copy_view(before, view)
        if explain(tables, scenes[0], view, work, seats, np.uint8(immobile | hypothesis), is_bare):
            for piece in range(PIECES):
                possible[piece] |= view.masks[piece]
            if found == 0 or (is_drawn and scenes[0].result != _DRAW):
                copy_view(view, chosen)
                is_drawn = scenes[0].result == _DRAW
            found += 1
        hypothesis = np.uint8(hypothesis - unsure) & unsure
        if hypothesis == 0:
            break
    if found == 1:
        copy_view(chosen, view)
        return
    copy_view(before, view)
    view.is_exact = chosen.is_exact
    for piece in range(PIECES):
        view.masks[piece] = possible[piece]
    drop_decided(view)


# A ply


@kernel(types.void(WORK_TYPE, types.uint8, types.intp, types.intp))
def list_seats(work, members, first, seats):
    """Append a set of seats to `listed`, in turn order from `first` on."""
    for step in range(seats):
        seat = (first + step) % seats
        if contains(members, seat):
            work.listed[work.listed_count] = seat
            work.listed_count += 1


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, WORK_TYPE, types.intp))
def list_eliminated(position, undo, work, seats):
    """The seats that a ply eliminated, in the order of the record: flag taken, immobile, idle."""
    gone, taken = eliminated_seats(position, undo), np.uint8(0)
    if undo.battle & TAKES_FLAG:
        taken = np.uint8(1) << np.uint8(seat_of(piece_in(undo.defender)))
    work.listed_count = 0
    if gone:
        list_seats(work, taken, 0, seats)
        list_seats(work, np.uint8(undo.immobile & ~taken), 0, seats)
        list_seats(work, np.uint8(gone & ~taken & ~undo.immobile), np.intp(undo.turn) + 1, seats)


@kernel(types.void(POSITION_TYPE, VIEW_TYPE, types.intp))
def learn_flag(position, view, seat):
    """The flag of a seat is revealed. `position` has all kinds."""
    for slot in range(PIECES_PER_SEAT):
        piece = np.intp(piece_of(seat, slot))
        if position.kind[piece] == FLAG:
            narrow(view, piece, 1 << FLAG)


@kernel(types.boolean(POSITION_TYPE, UNDO_TYPE, VIEW_TYPE, WORK_TYPE))
def learn_battle(position, undo, view, work):
    """Learn from a battle; whether the view takes the defender for the flag. `position` has all kinds."""
    attacker, defender = np.intp(piece_in(undo.attacker)), np.intp(piece_in(undo.defender))
    owner = seat_of(defender)
    code = (np.intp(undo.battle & OUTCOME_FIELD) - 1) << OUTCOME_SHIFT
    if undo.battle & REVEALS_ATTACKERS_FLAG:
        learn_flag(position, view, seat_of(attacker))
        code |= ATTACKER_SHOWED
    if undo.battle & REVEALS_DEFENDERS_FLAG:
        learn_flag(position, view, owner)
        code |= DEFENDER_SHOWED
    is_out = False
    for i in range(work.listed_count):
        is_out |= work.listed[i] == owner
    if is_out:
        code |= DEFENDER_OUT
    if count_ones(view.masks[attacker]) > 1 or count_ones(view.masks[defender]) > 1:
        row = view.relation_count
        view.relations[row, 0], view.relations[row, 1], view.relations[row, 2] = attacker, defender, code
        view.relation_count += 1
        view.is_stale = 1
    deduce_new(view, work)
    return is_out and view.masks[defender] & 1 << FLAG != 0


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, POSITION_TYPE, SCENES_TYPE, UNDO_TYPE, UNDO_TYPE, types.uint16, types.boolean,
        VIEW_TYPE, VIEWS_TYPE, WORK_TYPE,
    )
)  # fmt: skip
def follow(tables, start, position, scenes, undo, trial, move, only_engineer, view, spare, work):
    """A view learns from a ply of a game that goes on: from `start` to `position`, whose `undo` it is.

    `only_engineer`: no other piece could have moved so.
    """
    work.budget[0], work.stop[0] = MOST_TRIES, 0
    list_eliminated(position, undo, work, np.intp(count_ones(np.uint32(view.viewer | view.hidden_seats))))
    narrow(view, np.intp(piece_in(undo.attacker)), 1 << ENGINEER if only_engineer else MOVABLE_MASK)
    if undo.defender == NO_PIECE and undo.has_sets == 0 and work.listed_count == 0:
        deduce_new(view, work)
        expect_move(tables, position, view, work)
        return
    is_bare = undo.defender == NO_PIECE and work.listed_count == 0
    takes_flag = False
    seats = np.uint8(1) << undo.turn
    if undo.defender != NO_PIECE:
        takes_flag = learn_battle(start, undo, view, work)
        seats |= np.uint8(1) << np.uint8(seat_of(piece_in(undo.defender)))
    deduce_new(view, work)
    battle = undo.battle & OUTCOME_FIELD | TAKES_FLAG * takes_flag
    scenes[0] = start
    apply(tables, scenes[0], move, np.uint8(battle), trial)
    if takes_flag:
        # The owner of the flag is known to be out: the rest is explained by what follows.
        owner, kept = seat_of(piece_in(undo.defender)), 0
        for i in range(work.listed_count):
            if work.listed[i] != owner:
                work.listed[kept] = work.listed[i]
                kept += 1
        work.listed_count = kept
    refresh(tables, scenes[0], view)
    seats &= scenes[0].alive
    if trial.has_sets == 0 or not scenes[0].eliminates_immobile or scenes[0].result != _ONGOING:
        seats = np.uint8(0)
    immobile = np.uint8(0)
    for seat in range(SEATS):
        if contains(seats, seat) and scenes[0].movable[seat] == 0:
            immobile |= np.uint8(1) << np.uint8(seat)
    weigh(tables, scenes, view, spare, work, seats, immobile, is_bare)
