"""Kernels that observe: views that follow the games of a batch, and the arrays of `observation`."""

import numpy as np
from numba.core import types

from junqi_engine.env.stepping import FRAMES_TYPE, NUMBERS_TYPE, POSITIONS_TYPE, SETS_TYPE, list_moves
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
MAX_HISTORY = 64
TRACK = np.dtype([("moves", np.uint16, MAX_HISTORY)], align=True)
"""The last moves of a game, the last one first."""
TRACKS_TYPE = types.Array(record_type(TRACK), 1, "C")
PLACES_TYPE = types.Array(types.intp, 1, "C")
BOARD_TYPE, BOARDS_TYPE = types.Array(types.uint8, 2, "C"), types.Array(types.uint8, 3, "C")
COUNTS_TYPE, ALL_COUNTS_TYPE = types.Array(types.float32, 1, "C"), types.Array(types.float32, 2, "C")
FLAGS_TYPE = types.Array(types.int16, 1, "C")
"""By seat, the point of a revealed flag, or -1."""
_flags_scratch = scratch_record(np.dtype([("flags", np.int16, SEATS)], align=True))
_position_scratch, _ply_scratch = scratch_record(POSITION), scratch_record(PLY)


@kernel(types.void(POSITIONS_TYPE, VIEWS_TYPE, TRACKS_TYPE, NUMBERS_TYPE, SETS_TYPE, VIEWS_TYPE, NUMBERS_TYPE))
def begin_views(positions, views, tracks, started, drawn, start_views, games):
    """Begin the views of games, copies of the views at their start; drawn line-ups are then added to them."""
    each = len(views) // len(positions)
    for i in range(len(games)):
        game, start = games[i], started[games[i]]
        for step in range(MAX_HISTORY):
            tracks[game].moves[step] = NO_MOVE
        for number in range(each):
            view = views[game * each + number]
            copy_record(start_views[start * each + number], view)
            if drawn[start]:
                begin(positions[game], view)


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


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, POSITION_TYPE, UNDO_TYPE, types.uint16, types.boolean, KNOWN_TYPE, PLY_TYPE
    )
)  # fmt: skip
def follow_true(tables, start, position, undo, move, only_engineer, view, ply):
    """Update a view by a ply from `start` to `position`. `only_engineer`: no other kind has this move."""
    if undo.defender == NO_PIECE and undo.has_sets == 0 and undo.alive == position.alive:
        narrow(view, np.intp(piece_in(undo.attacker)), 1 << ENGINEER if only_engineer else MOVABLE_MASK)
        deduce_known(view)
        expect_move(tables, position, view)
        return
    scene = _position_scratch()
    copy_record(start, scene)
    refresh_movable(tables, scene, view)
    write_public_ply(start, position, undo, move, ply)
    follow(tables, scene, view, ply)


@kernel(types.void(TABLES_TYPE, POSITIONS_TYPE, types.uint16, UNDO_TYPE, VIEWS_TYPE, TRACKS_TYPE, types.intp))
def make_and_follow(tables, positions, move, undo, views, tracks, game):
    position, start, ply, track = positions[game], _position_scratch(), _ply_scratch(), tracks[game]
    copy_record(position, start)
    only_engineer = False
    mover = piece_in(position.board[from_point_of(move)])
    if position.kind[mover] == ENGINEER:
        way = reach(tables, position, np.uint8(from_point_of(move)), np.uint8(to_point_of(move)))
        only_engineer = way == ENGINEER_CAN
    make(tables, position, move, undo)
    for step in range(MAX_HISTORY - 1, 0, -1):
        track.moves[step] = track.moves[step - 1]
    track.moves[0] = move
    each = len(views) // len(positions)
    for number in range(game * each, (game + 1) * each):
        if views[number].hidden_seats:
            follow_true(tables, start, position, undo, move, only_engineer, views[number], ply)


@kernel(
    types.void(
        TABLES_TYPE, POSITIONS_TYPE, MOVES_TYPE, NUMBERS_TYPE, MOVES_TYPE, UNDO_TYPE, VIEWS_TYPE, TRACKS_TYPE
    )
)  # fmt: skip
def play_all_views(tables, positions, moves, counts, chosen, undo, views, tracks):
    """Play the chosen move of every game that has not ended, and update its views."""
    for game in range(len(positions)):
        if counts[game]:
            make_and_follow(tables, positions, chosen[game], undo, views, tracks, game)
            list_moves(tables, positions, moves, counts, game)


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
    types.void(
        POSITION_TYPE, MASKS_TYPE, MOVES_TYPE, FLAGS_TYPE, PLACES_TYPE, PLACES_TYPE, types.intp, types.intp,
        types.intp, BOARD_TYPE, COUNTS_TYPE,
    ),
    forceinline=True,
)  # fmt: skip
def fill_observation(position, masks, moves, flags, absolute, relative, seats, own, history, board, counts):
    """Fill the arrays of an observation for the seat `own`. `moves` has the last move first, then `NO_MOVE`."""
    for point in range(len(absolute)):
        for channel in range(board.shape[1]):
            board[point, channel] = 0
        occupant = position.board[absolute[point]]
        if occupant != NO_PIECE:
            piece = piece_in(occupant)
            board[point, (np.intp(seat_of(piece)) + seats - own) % seats] = 1
            for kind in range(KINDS):
                board[point, seats + kind] = contains(masks[piece], np.uint16(kind))
    for step in range(min(history, len(moves))):
        if moves[step] == NO_MOVE:
            break
        board[relative[from_point_of(moves[step])], seats + KINDS + 1 + step] = 1
        board[relative[to_point_of(moves[step])], seats + KINDS + 1 + history + step] = 1
    for step in range(seats):
        seat = (own + step) % seats
        if flags[seat] >= 0:
            board[relative[flags[seat]], seats + KINDS] = 1
        counts[step] = contains(position.alive, seat)
        counts[seats + step] = count_ones(position.present[seat]) / PIECES_PER_SEAT
        counts[2 * seats + step] = flags[seat] >= 0
    limit = position.no_contact
    counts[3 * seats] = position.quiet / limit if limit else 0.0
    counts[3 * seats + 1] = position.ply / LONG_GAME_PLIES
    counts[3 * seats + 2] = position.turn == own


@kernel(
    types.void(
        POSITIONS_TYPE, VIEWS_TYPE, PLACES_TYPE, TRACKS_TYPE, FRAMES_TYPE, FRAMES_TYPE, types.intp, NUMBERS_TYPE,
        NUMBERS_TYPE, BOARDS_TYPE, ALL_COUNTS_TYPE,
    )
)  # fmt: skip
def fill_observations(
    positions, views, view_of, tracks, absolute, relative, history, games, observers, boards, counts
):  # fmt: skip
    """Fill the arrays of an observation of each game for a seat; `view_of` is the index of a seat's view."""
    each, seats, flags = len(views) // len(positions), len(absolute), _flags_scratch().flags
    for i in range(len(games)):
        position, own = positions[games[i]], observers[i]
        for seat in range(seats):
            flags[seat] = revealed_flag(position, seat) if contains(position.alive, seat) else -1
        fill_observation(
            position, views[games[i] * each + view_of[own]].masks, tracks[games[i]].moves, flags, absolute[own],
            relative[own], seats, own, history, boards[i], counts[i],
        )  # fmt: skip
