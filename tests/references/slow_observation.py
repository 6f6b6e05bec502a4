"""What a seat observes, from the public parts of a view, without kernels."""

from itertools import islice

import numpy as np

from junqi_engine.env import Frame, Observer
from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import BLOCK_POINTS, LINEUP_INDICES
from junqi_engine.rules.layout import NO_PIECE, PIECES, contains, piece_in, seat_of, slice_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT

LONG_GAME_PLIES = 1000


def observed_board(observer: Observer, view: SeatView, frame: Frame) -> np.ndarray:
    """The array `observation`."""
    seats = len(frame.board.seats)
    occupants = view.position["board"][frame.absolute].astype(np.intp)
    is_occupied = occupants != NO_PIECE
    pieces = piece_in(occupants)
    board = np.zeros((len(occupants), observer.channels), np.uint8)
    owners = (seat_of(pieces) - frame.seat) % seats
    board[np.nonzero(is_occupied)[0], owners[is_occupied]] = 1
    masks = view.masks.astype(np.intp)[pieces % PIECES]
    board[:, seats : seats + KINDS] = contains(masks[:, None], np.arange(KINDS)) * is_occupied[:, None]
    for flag in view.shown_flags:
        if flag is not None:
            board[frame.relative[flag], seats + KINDS] = 1
    plies = (seen for seen in reversed(view.record) if seen.is_ply)
    for step, seen in enumerate(islice(plies, observer.moves)):
        board[frame.relative[seen.from_point], seats + KINDS + 1 + step] = 1
        board[frame.relative[seen.to_point], seats + KINDS + 1 + observer.moves + step] = 1
    if observer.removed and view.is_followed:
        for relative, seat in enumerate(frame.seats()):
            of_seat = slice_of(seat, PIECES_PER_SEAT)
            is_gone = contains(int(view.position["present"][seat]), np.arange(PIECES_PER_SEAT)) == 0
            may_be = contains(view.masks[of_seat].astype(np.intp)[:, None], np.arange(KINDS)) * is_gone[:, None]
            places = BLOCK_POINTS * relative + np.array(LINEUP_INDICES)
            board[places, observer.first_removed :] = may_be
    return board


def observed_counts(view: SeatView, frame: Frame) -> np.ndarray:
    """The array `counts`."""
    order = frame.seats()
    present = [int(view.position["present"][seat]).bit_count() / PIECES_PER_SEAT for seat in order]
    limit = view.rules.no_contact
    return np.array(
        [
            *(view.is_alive(seat) for seat in order),
            *present,
            *(view.shown_flags[seat] is not None for seat in order),
            view.quiet / limit if limit else 0.0,
            view.ply / LONG_GAME_PLIES,
            view.turn == frame.seat,
        ],
        np.float32,
    )
