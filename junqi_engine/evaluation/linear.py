"""Linear evaluation: one weight for each feature, beside the hand-written terms (Buro 1998).

The score of a seat is the sum of the weights of its features (`features`); the score for team 0 is the sum for its
seats less that for the seats of team 1.

At the root of each world, the weights of every piece on every point are added to `piece_square`, so the search costs no
more than with the hand-written terms alone. A piece that was not known to move is counted as moved on every other
point, and as a winner where an enemy stood.

`LINEAR`: `weights`, by feature, in hundredths of a Lieutenant, and the `features` of the board.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.evaluation.features import (
    FEATURES,
    base_index,
    feature_count,
    features_of,
    find_perspectives,
    index_step,
)
from junqi_engine.evaluation.record import EVALUATION_TYPE
from junqi_engine.evaluation.weights_file import WEIGHTS_FOLDER, read_arrays
from junqi_engine.information.public_state import CLASSES, CLASSES_TYPE, PublicClass
from junqi_engine.kernels import kernel, record_type, scratch_record
from junqi_engine.rules.board import BOARDS, MAX_POINTS, Board
from junqi_engine.rules.layout import NO_PIECE, SEATS, are_enemies, contains, piece_in, seat_of
from junqi_engine.rules.pieces import IMMOBILE_MASK, KINDS
from junqi_engine.rules.position import POSITION_TYPE, next_piece

MAX_FEATURES = SEATS * KINDS * CLASSES * MAX_POINTS
"""Room for the weights of the larger board."""
MAX_PIECE_VALUE = 12_000
"""Largest value of a piece on a point, in either direction, with the hand-written terms."""

LINEAR = np.dtype([("weights", np.int16, MAX_FEATURES), ("features", FEATURES)], align=True)
LINEAR_TYPE = record_type(LINEAR)
_new_scratch = scratch_record(np.dtype([("is_mirrored", np.uint8, SEATS)], align=True))


@kernel(types.void(LINEAR_TYPE, POSITION_TYPE, CLASSES_TYPE, EVALUATION_TYPE))
def add_linear(linear, position, classes, evaluation):
    """Add to `piece_square` the weights of every piece on every point, in the perspectives of all seats."""
    features, is_mirrored = linear.features, _new_scratch().is_mirrored
    find_perspectives(features, position, is_mirrored)
    for owner in range(features.seats):
        pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
        while pieces:
            piece, pieces = next_piece(owner, pieces)
            kind, place = position.kind[piece], np.int64(position.where[piece])
            is_immobile = contains(IMMOBILE_MASK, kind)
            for point in range(features.points):
                if is_immobile and point != place:
                    continue
                public_class = np.int64(classes[piece])
                if point != place and public_class != PublicClass.WINNER:
                    occupant = position.board[point]
                    beats = occupant != NO_PIECE and are_enemies(seat_of(piece_in(occupant)), owner)
                    public_class = np.int64(PublicClass.WINNER if beats else PublicClass.MOVED)
                total = np.int64(evaluation.piece_square[piece, point])
                for seat in range(features.seats):
                    index = base_index(features, np.int64(seat), np.int64(owner), kind)
                    index += index_step(features, is_mirrored[seat], np.int64(seat), public_class, np.int64(point))
                    weight = np.int64(linear.weights[index])
                    total += -weight if are_enemies(seat, owner) else weight
                evaluation.piece_square[piece, point] = max(-MAX_PIECE_VALUE, min(MAX_PIECE_VALUE, total))


def zero_linear(board: Board) -> np.void:
    """A linear evaluation of a board that adds nothing."""
    linear = np.zeros(1, LINEAR)[0]
    linear["features"] = features_of(board)
    return linear


def read_linear(board: Board, path: Path) -> np.void:
    """Read a file of `junqi_training`. OSError, or ValueError if the file does not fit the board."""
    linear, count = zero_linear(board), feature_count(board)
    linear["weights"][:count] = read_arrays(path, {"worth": (count,)})["worth"]
    return linear


@cache
def packaged_linear(variant: str) -> np.void:
    """The linear evaluation of the package: tuned by play, in luzhanqi after a fit to games."""
    return read_linear(BOARDS[variant], WEIGHTS_FOLDER / f"{variant}.npz")
