"""Kernels that observe: views that follow the games of a batch, and the arrays of `observation`."""

import numpy as np
from numba.core import types

from junqi_engine.env.stepping import (
    FRAMES_TYPE,
    GAME_TYPE,
    GAMES_TYPE,
    MAX_HISTORY,
    NUMBERS_TYPE,
    SETS_TYPE,
    list_moves,
)
from junqi_engine.information.deduction import KNOWN_TYPE, MASKS_TYPE, begin, deduce_known, narrow
from junqi_engine.information.elimination import expect_move, refresh_movable
from junqi_engine.information.following import follow
from junqi_engine.information.ply_record import MOVED, PLY, PLY_TYPE
from junqi_engine.kernels import copy_record, count_ones, kernel, record_type, scratch_record
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, eliminated_seats, make
from junqi_engine.rules.layout import (
    NO_MOVE,
    NO_PIECE,
    SEATS,
    contains,
    from_point_of,
    piece_in,
    piece_of,
    seat_of,
    to_point_of,
)
from junqi_engine.rules.movegen import ENGINEER_CAN, MOVES_TYPE, reach
from junqi_engine.rules.pieces import (
    ENGINEER,
    FLAG,
    KINDS,
    MARSHAL,
    MOVABLE_MASK,
    OUTCOME_FIELD,
    PIECES_PER_SEAT,
    REVEALS_ATTACKERS_FLAG,
    REVEALS_DEFENDERS_FLAG,
    TAKES_FLAG,
)
from junqi_engine.rules.position import POSITION, POSITION_TYPE

VIEWS_TYPE = types.Array(KNOWN_TYPE, 1, "C")
"""The knowledge of the different viewers of each game."""

LONG_GAME_PLIES = 1000
PLACES_TYPE = types.Array(types.intp, 1, "C")
BOARD_TYPE, BOARDS_TYPE = types.Array(types.uint8, 2, "C"), types.Array(types.uint8, 3, "C")
COUNTS_TYPE, ALL_COUNTS_TYPE = types.Array(types.float32, 1, "C"), types.Array(types.float32, 2, "C")
SUBJECT = np.dtype(
    [("seat", np.intp), ("game_index", np.intp), ("view_index", np.intp), ("flags", np.int16, SEATS)], align=True
)
"""What an observation is of: a seat and, in a batch, the indices of its game and of its view. `flags` has the point of
each seat's revealed flag, or -1.
"""
SUBJECT_TYPE = record_type(SUBJECT)
SUBJECTS_TYPE = types.Array(SUBJECT_TYPE, 1, "C")
_position_scratch, _ply_scratch = scratch_record(POSITION), scratch_record(PLY)


@kernel(types.void(GAMES_TYPE, VIEWS_TYPE, VIEWS_TYPE, SETS_TYPE, NUMBERS_TYPE))
def begin_views(games, views, start_views, drawn, numbers):
    """Begin the views of the games with these `numbers`, copies of the views at their start; drawn line-ups are then
    added to them.
    """
    each = len(views) // len(games)
    for number in numbers:
        game = games[number]
        for viewer in range(each):
            view = views[number * each + viewer]
            copy_record(start_views[game.start * each + viewer], view)
            if drawn[game.start]:
                begin(game.position, view)


@kernel(types.void(PLY_TYPE, types.uint8, types.intp))
def list_seats(ply, members, first):
    """Append a set of seats to `listed`, in turn order from `first` on."""
    for step in range(SEATS):
        seat = (first + step) % SEATS
        if contains(members, seat):
            ply.listed[ply.listed_count] = seat
            ply.listed_count += 1


@kernel(types.void(POSITION_TYPE, PLY_TYPE, types.intp))
def show_flag(position, ply, seat):
    """Append the flag of a seat to the revealed flags."""
    for slot in range(PIECES_PER_SEAT):
        piece = piece_of(seat, slot)
        if contains(position.present[seat], np.uint32(slot)) and position.kind[piece] == FLAG:
            ply.revealed[ply.revealed_count] = position.where[piece]
            ply.revealed_count += 1


@kernel(types.void(POSITION_TYPE, POSITION_TYPE, UNDO_TYPE, types.uint16, PLY_TYPE))
def write_public_ply(start, position, undo, move, ply):
    """Write the public record of a ply from `start` to `position`, with its `undo`. All kinds are known."""
    gone, taken = eliminated_seats(position, undo), np.uint8(0)
    ply.move, ply.event, ply.outcome = move, MOVED, undo.battle & OUTCOME_FIELD
    ply.listed_count = ply.revealed_count = 0
    if undo.battle & TAKES_FLAG:
        taken = np.uint8(1) << np.uint8(seat_of(piece_in(undo.defender)))
    if undo.battle & REVEALS_ATTACKERS_FLAG:
        show_flag(start, ply, np.intp(undo.turn))
    if undo.battle & REVEALS_DEFENDERS_FLAG:
        show_flag(start, ply, np.intp(seat_of(piece_in(undo.defender))))
    list_seats(ply, taken, 0)
    list_seats(ply, np.uint8(undo.immobile & ~taken), 0)
    list_seats(ply, np.uint8(gone & ~taken & ~undo.immobile), np.intp(undo.turn) + 1)
    ply.omits_suffix = undo.battle == 0 and gone == 0


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, GAME_TYPE, UNDO_TYPE, types.boolean, KNOWN_TYPE))
def follow_true(tables, start, game, undo, only_engineer, view):
    """Update a view by the chosen move of a game, from the position `start` to that of the game. `only_engineer`: no
    other kind has this move.
    """
    position = game.position
    if undo.defender == NO_PIECE and undo.has_sets == 0 and undo.alive == position.alive:
        narrow(view, np.intp(piece_in(undo.attacker)), 1 << ENGINEER if only_engineer else MOVABLE_MASK)
        deduce_known(view)
        expect_move(tables, position, view)
        return
    scene, ply = _position_scratch(), _ply_scratch()
    copy_record(start, scene)
    refresh_movable(tables, scene, view)
    write_public_ply(start, position, undo, game.chosen, ply)
    follow(tables, scene, view, ply)


@kernel(types.void(TABLES_TYPE, GAME_TYPE, UNDO_TYPE, VIEWS_TYPE))
def make_and_follow(tables, game, undo, views):
    """Make the chosen move of a game, and update its views."""
    position, move, start = game.position, game.chosen, _position_scratch()
    copy_record(position, start)
    only_engineer = False
    if position.kind[piece_in(position.board[from_point_of(move)])] == ENGINEER:
        movers = reach(tables, position, np.uint8(from_point_of(move)), np.uint8(to_point_of(move)))
        only_engineer = movers == ENGINEER_CAN
    make(tables, position, move, undo)
    for step in range(MAX_HISTORY - 1, 0, -1):
        game.history[step] = game.history[step - 1]
    game.history[0] = move
    for i in range(len(views)):
        if views[i].hidden_seats:
            follow_true(tables, start, game, undo, only_engineer, views[i])


@kernel(types.void(TABLES_TYPE, GAMES_TYPE, UNDO_TYPE, VIEWS_TYPE))
def play_all_views(tables, games, undo, views):
    """Play the chosen move of every game that has not ended, and update its views."""
    each = len(views) // len(games)
    for number in range(len(games)):
        game = games[number]
        if game.move_count:
            make_and_follow(tables, game, undo, views[number * each : (number + 1) * each])
            list_moves(tables, game)


@kernel(types.intp(POSITION_TYPE, types.intp))
def revealed_flag(position, seat):
    """The point of a seat's flag if it is revealed, since its marshal is removed; otherwise -1. All kinds are known."""
    flag = -1
    for slot in range(PIECES_PER_SEAT):
        piece = piece_of(seat, slot)
        if contains(position.present[seat], np.uint32(slot)):
            if position.kind[piece] == MARSHAL:
                return -1
            if position.kind[piece] == FLAG:
                flag = np.intp(position.where[piece])
    return flag


@kernel(
    types.void(POSITION_TYPE, MASKS_TYPE, MOVES_TYPE, SUBJECT_TYPE, PLACES_TYPE, BOARD_TYPE, COUNTS_TYPE),
    forceinline=True,
)
def fill_observation(position, masks, history, subject, relative, board, counts):
    """Fill the arrays of an observation. `history` has the last move first, then `NO_MOVE`; `relative` is that of the
    seat's frame.
    """
    own, seats = subject.seat, len(counts) // 3 - 1
    kept_moves = (board.shape[1] - seats - KINDS - 1) // 2
    for place in range(board.shape[0]):
        for channel in range(board.shape[1]):
            board[place, channel] = 0
    for point in range(len(relative)):
        occupant, place = position.board[point], relative[point]
        if occupant != NO_PIECE:
            piece = piece_in(occupant)
            board[place, (np.intp(seat_of(piece)) + seats - own) % seats] = 1
            for kind in range(KINDS):
                board[place, seats + kind] = contains(masks[piece], np.uint16(kind))
    for step in range(min(kept_moves, len(history))):
        if history[step] == NO_MOVE:
            break
        board[relative[from_point_of(history[step])], seats + KINDS + 1 + step] = 1
        board[relative[to_point_of(history[step])], seats + KINDS + 1 + kept_moves + step] = 1
    for step in range(seats):
        seat = (own + step) % seats
        if subject.flags[seat] >= 0:
            board[relative[subject.flags[seat]], seats + KINDS] = 1
        counts[step] = contains(position.alive, seat)
        counts[seats + step] = count_ones(position.present[seat]) / PIECES_PER_SEAT
        counts[2 * seats + step] = subject.flags[seat] >= 0
    limit = position.no_contact
    counts[3 * seats] = position.quiet / limit if limit else 0.0
    counts[3 * seats + 1] = position.ply / LONG_GAME_PLIES
    counts[3 * seats + 2] = position.turn == own


@kernel(types.void(GAMES_TYPE, VIEWS_TYPE, SUBJECTS_TYPE, FRAMES_TYPE, BOARDS_TYPE, ALL_COUNTS_TYPE))
def fill_observations(games, views, subjects, relative, boards, counts):
    """Fill the arrays of an observation of each subject, and the flags of the subject."""
    for i in range(len(subjects)):
        subject = subjects[i]
        game = games[subject.game_index]
        for seat in range(SEATS):
            is_alive = contains(game.position.alive, seat)
            subject.flags[seat] = revealed_flag(game.position, seat) if is_alive else -1
        fill_observation(
            game.position, views[subject.view_index].masks, game.history, subject, relative[subject.seat], boards[i],
            counts[i],
        )  # fmt: skip
