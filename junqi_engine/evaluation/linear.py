"""Fitted linear of each piece on each point, beside the evaluation-written terms.

**A table of linear** sees a world from each seat in turn. Its rows are features, a piece on a point: (owner as seen
from the seat, kind, `PublicClass`, point as seen from the seat), each worth some hundredths of a Lieutenant. What a
seat sees is the sum of its features; the score for team 0 is the sum of what its seats see less that of the others. In
Luzhanqi a seat whose flag is on its right sees the board mirrored.

**Use.** At the root of each world, the weights of every piece on every point are added to `piece_square`. The search
then costs no more than with the hand-written terms alone. A piece that was not known to move is counted as moved on
every other point, and as a winner where an enemy stood.

| field | shape | meaning |
|---|---|---|
| worth | (FEATURES,) | by feature, in hundredths of a Lieutenant |
| seen | (4, 129) | by seat and point: the point as seen from the seat |
| mirrored | (129,) | the mirrored point (`mirrored_points`) |
| seats, points | scalars | the sizes of the board |
"""

from functools import cache
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.evaluation.network import read_arrays
from junqi_engine.evaluation.terms import EVALUATION_TYPE
from junqi_engine.information.public_game import CLASSES, CLASSES_TYPE, PublicClass
from junqi_engine.kernels import kernel, record_type, scratch_record
from junqi_engine.rules.board import (
    BLOCK_POINTS,
    BOARDS,
    HEADQUARTERS_INDICES,
    MAX_POINTS,
    Board,
    mirrored_points,
    points_seen_from,
)
from junqi_engine.rules.layout import NO_PIECE, SEATS, are_enemies, contains, piece_in, seat_of
from junqi_engine.rules.pieces import FLAG, IMMOBILE_MASK, KINDS
from junqi_engine.rules.position import POSITION_TYPE, next_piece

FEATURES = SEATS * KINDS * CLASSES * MAX_POINTS
"""Room for the features of the larger board."""
MAX_PIECE_VALUE = 12_000
"""What a piece on a point is worth at most, in either direction, with the hand-written terms."""
WEIGHTS_FOLDER = Path(__file__).with_name("weights")

LINEAR = np.dtype(
    [
        ("worth", np.int16, FEATURES),
        ("seen", np.uint8, (SEATS, MAX_POINTS)),
        ("mirrored", np.uint8, MAX_POINTS),
        ("seats", np.int64),
        ("points", np.int64),
    ],
    align=True,
)
LINEAR_TYPE = record_type(LINEAR)
_MIRRORED_FLAG = max(HEADQUARTERS_INDICES)
_new_scratch = scratch_record(np.dtype([("is_mirrored", np.uint8, SEATS)], align=True))


@kernel(types.int64(LINEAR_TYPE, types.uint8, types.int64, types.int64, types.uint8, types.int64, types.int64))
def feature_index(linear, is_mirrored, seat, owner, kind, shown, point):
    seen = linear.seen[seat, point]
    if is_mirrored:
        seen = linear.mirrored[seen]
    relation = owner - seat
    if relation < 0:
        relation += linear.seats
    return ((relation * KINDS + np.int64(kind)) * CLASSES + shown) * linear.points + np.int64(seen)


@kernel(types.void(LINEAR_TYPE, POSITION_TYPE, CLASSES_TYPE))
def find_perspectives(linear, position, is_mirrored):
    for seat in range(linear.seats):
        is_mirrored[seat] = 0
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            if position.kind[piece] == FLAG:
                is_mirrored[seat] = position.where[piece] % BLOCK_POINTS == _MIRRORED_FLAG


@kernel(types.void(LINEAR_TYPE, POSITION_TYPE, CLASSES_TYPE, EVALUATION_TYPE))
def add_linear(linear, position, classes, evaluation):
    scratch = _new_scratch()
    find_perspectives(linear, position, scratch.is_mirrored)
    for owner in range(linear.seats):
        pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
        while pieces:
            piece, pieces = next_piece(owner, pieces)
            kind, shown, place = position.kind[piece], np.int64(classes[piece]), np.int64(position.where[piece])
            is_immobile = contains(IMMOBILE_MASK, kind)
            for point in range(linear.points):
                if is_immobile and point != place:
                    continue
                now = shown
                if point != place and shown != PublicClass.WINNER:
                    occupant = position.board[point]
                    beats = occupant != NO_PIECE and are_enemies(seat_of(piece_in(occupant)), owner)
                    now = np.int64(PublicClass.WINNER if beats else PublicClass.MOVED)
                total = np.int64(evaluation.piece_square[piece, point])
                for seat in range(linear.seats):
                    number = feature_index(linear, scratch.is_mirrored[seat], seat, owner, kind, now, np.int64(point))
                    worth = np.int64(linear.worth[number])
                    total += -worth if are_enemies(seat, owner) else worth
                evaluation.piece_square[piece, point] = max(-MAX_PIECE_VALUE, min(MAX_PIECE_VALUE, total))


def zero_linear(board: Board) -> np.void:
    linear = np.zeros(1, LINEAR)[0]
    linear["seats"], linear["points"] = len(board.seats), len(board.points)
    for seat in range(len(board.seats)):
        linear["seen"][seat, : len(board.points)] = points_seen_from(board, seat)
    linear["mirrored"][: len(board.points)] = mirrored_points(board)
    return linear


def feature_count(board: Board) -> int:
    return len(board.seats) * KINDS * CLASSES * len(board.points)


def read_linear(board: Board, path: Path) -> np.void:
    """The table in a file of `junqi_training`. OSError, or ValueError if the file does not fit the board."""
    linear, count = zero_linear(board), feature_count(board)
    linear["worth"][:count] = read_arrays(path, {"worth": (count,)})["worth"]
    return linear


@cache
def packaged_linear(variant: str) -> np.void:
    """The table that comes with the package: tuned by play; in luzhanqi, fitted to games before."""
    return read_linear(BOARDS[variant], WEIGHTS_FOLDER / f"{variant}.npz")
