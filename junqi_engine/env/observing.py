"""Batches that observe, in kernels: views that follow each game, and the arrays of `observation` for the seats to move.

`tests/test_env_batch.py` compares the arrays with those of `Observer`.
"""

import numpy as np
from numba.core import types

from junqi_engine.env.following import SCENES_TYPE, follow
from junqi_engine.env.known import VIEWS_TYPE, WORK_TYPE, begin_view
from junqi_engine.env.observation import LONG_GAME_PLIES
from junqi_engine.kernels import count_ones, kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, make
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
from junqi_engine.rules.movegen import ENGINEER_CAN, reach
from junqi_engine.rules.pieces import ENGINEER, FLAG, KINDS, MARSHAL, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, Result

LAST_TYPE = types.Array(types.uint16, 2, "C")
FRAMES_TYPE = types.Array(types.intp, 2, "C")
PLACES_TYPE = types.Array(types.intp, 1, "C")
BOARDS_TYPE = types.Array(types.uint8, 3, "C")
COUNTS_TYPE = types.Array(types.float32, 2, "C")
_ONGOING = int(Result.ONGOING)


@kernel(types.void(SCENES_TYPE, VIEWS_TYPE, LAST_TYPE, types.intp))
def begin_views(positions, views, last, game):
    """Begin the views of a game; there are as many for each game. `last` has the last moves, the last one first."""
    each = len(views) // len(positions)
    for number in range(game * each, (game + 1) * each):
        begin_view(positions[game], views[number])
    for step in range(SEATS):
        last[game, step] = NO_MOVE


@kernel(types.void(SCENES_TYPE, VIEWS_TYPE, LAST_TYPE))
def begin_all_views(positions, views, last):
    """Begin the views of every game."""
    for game in range(len(positions)):
        begin_views(positions, views, last, game)


@kernel(
    types.void(
        TABLES_TYPE, SCENES_TYPE, types.uint16, UNDO_TYPE, SCENES_TYPE, UNDO_TYPE, VIEWS_TYPE, VIEWS_TYPE, LAST_TYPE,
        WORK_TYPE, types.intp,
    )
)  # fmt: skip
def make_and_follow(tables, positions, move, undo, scenes, trial, views, spare, last, work, game):
    """Play a move in a game; its views follow, unless the game has ended. `scenes[2]` keeps the position before it."""
    position, start = positions[game], scenes[2]
    scenes[2] = position
    only_engineer = False
    mover = piece_in(position.board[from_point_of(move)])
    if position.kind[mover] == ENGINEER:
        way = reach(tables, position, np.uint8(from_point_of(move)), np.uint8(to_point_of(move)))
        only_engineer = way == ENGINEER_CAN
    make(tables, position, move, undo)
    for step in range(SEATS - 1, 0, -1):
        last[game, step] = last[game, step - 1]
    last[game, 0] = move
    if position.result != _ONGOING:
        return
    each = len(views) // len(positions)
    for number in range(game * each, (game + 1) * each):
        if views[number].hidden_seats:
            follow(
                tables, start, position, scenes, undo, trial, move, only_engineer, views[number], spare, work
            )  # fmt: skip


@kernel(types.intp(POSITION_TYPE, types.intp))
def revealed_flag(position, seat):
    """The point of a seat's flag if it is revealed, because its marshal is removed; else -1. All kinds are known."""
    flag = -1
    for slot in range(PIECES_PER_SEAT):
        piece = piece_of(seat, slot)
        if contains(position.present[seat], np.uint32(slot)):
            if position.kind[piece] == MARSHAL:
                return -1
            if position.kind[piece] == FLAG:
                flag = np.intp(position.where[piece])
    return flag


@kernel(types.void(SCENES_TYPE, VIEWS_TYPE, PLACES_TYPE, LAST_TYPE, FRAMES_TYPE, FRAMES_TYPE, BOARDS_TYPE, COUNTS_TYPE))
def fill_observations(positions, views, view_of, last, absolute, relative, boards, counts):
    """The arrays of `observation` for the seat to move of every game; `view_of` is the place of a seat's view."""
    each, (seats, points) = len(views) // len(positions), absolute.shape
    for game in range(len(positions)):
        position = positions[game]
        own = np.intp(position.turn)
        masks = views[game * each + view_of[own]].masks
        board = boards[game]
        for point in range(points):
            for channel in range(board.shape[1]):
                board[point, channel] = 0
            occupant = position.board[absolute[own, point]]
            if occupant != NO_PIECE:
                piece = piece_in(occupant)
                board[point, (np.intp(seat_of(piece)) + seats - own) % seats] = 1
                for kind in range(KINDS):
                    board[point, seats + kind] = contains(masks[piece], np.uint16(kind))
        for step in range(seats):
            seat = (own + step) % seats
            is_alive = contains(position.alive, seat)
            flag = revealed_flag(position, seat) if is_alive else -1
            if flag >= 0:
                board[relative[own, flag], seats + KINDS] = 1
            if last[game, step] != NO_MOVE:
                board[relative[own, from_point_of(last[game, step])], seats + KINDS + 1 + step] = 1
                board[relative[own, to_point_of(last[game, step])], 2 * seats + KINDS + 1 + step] = 1
            counts[game, step] = is_alive
            counts[game, seats + step] = count_ones(position.present[seat]) / PIECES_PER_SEAT
            counts[game, 2 * seats + step] = flag >= 0
        limit = position.no_contact
        counts[game, 3 * seats] = position.quiet / limit if limit else 0.0
        counts[game, 3 * seats + 1] = position.ply / LONG_GAME_PLIES
        counts[game, 3 * seats + 2] = 1
