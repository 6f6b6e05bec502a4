"""Headquarters: a piece that enters one never moves again.

The worths of pieces by point see little of that, because few games in which they were tuned had it. So a piece that
enters an enemy headquarters keeps only a part of its worth there, unless the flag stands there and the game of that
seat is over. A piece that is there already is worth what it was: this changes the values of moves, not that of the
position.
"""

from dataclasses import replace

import numpy as np
from numba.core import types

from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.evaluation.terms import HAND_TYPE
from junqi_engine.information.view import Public
from junqi_engine.kernels import count_trailing_zeros, kernel
from junqi_engine.rules.board import BLOCK_POINTS, TABLES_TYPE, Board
from junqi_engine.rules.layout import NO_PIECE, are_enemies, contains, piece_in, piece_of
from junqi_engine.rules.pieces import FLAG, IMMOBILE_MASK
from junqi_engine.rules.position import ONE, POSITION_TYPE

LOST_PERMILLE = 850
"""The share of its worth that a piece loses in an enemy headquarters without the flag."""


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.int64, HAND_TYPE))
def spare(tables, position, seats, record):
    """Take from `values` what mobile pieces lose in enemy headquarters without the flag."""
    for point in range(seats * BLOCK_POINTS):
        occupant = position.board[point]
        if not tables.headquarters[point] or (occupant != NO_PIECE and position.kind[piece_in(occupant)] == FLAG):
            continue
        owner = point // BLOCK_POINTS
        for seat in range(seats):
            pieces = position.present[seat] if contains(position.alive, seat) else np.uint32(0)
            if not are_enemies(seat, owner):
                continue
            while pieces:
                piece = piece_of(seat, count_trailing_zeros(pieces))
                pieces &= pieces - ONE
                kind = position.kind[piece]
                if not tables.headquarters[position.where[piece]] and not contains(IMMOBILE_MASK, kind):
                    record.values[piece, point] -= LOST_PERMILLE * np.int64(record.worth[seat, kind]) // 1000


def sparing(base: Evaluator) -> Evaluator:
    """An evaluator that takes that from another one, whose record and kernels are those of the hand-written one."""

    def refresh(board: Board, position: np.void, public: Public, record: np.void) -> None:
        base.refresh(board, position, public, record)
        spare(board.tables, position, len(board.seats), record)

    return replace(base, name=f"{base.name}, sparing", refresh=refresh)
