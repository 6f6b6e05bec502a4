"""Features of the linear evaluation and of the network: a piece on a point, in the perspective of a seat.

A feature is (owner relative to the seat, kind, `PublicClass`, point relative to the seat). In Luzhanqi, a seat whose
flag is on its right sees the board mirrored; the mirror image of the board of four seats is the board itself.

`FEATURES`:

| field | shape | meaning |
|---|---|---|
| relative_point | (2, 4, 129) | by whether the board is mirrored, seat and point: the point relative to the seat |
| seats, points | scalars | the sizes of the board |
"""

import numpy as np
from numba.core import types

from junqi_engine.information.public_state import CLASSES, CLASSES_TYPE
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import (
    BLOCK_POINTS,
    HEADQUARTERS_INDICES,
    MAX_POINTS,
    Board,
    mirrored_points,
    points_seen_from,
)
from junqi_engine.rules.layout import SEATS
from junqi_engine.rules.pieces import FLAG, KINDS
from junqi_engine.rules.position import POSITION_TYPE, next_piece

FEATURES = np.dtype(
    [("relative_point", np.uint8, (2, SEATS, MAX_POINTS)), ("seats", np.int64), ("points", np.int64)], align=True
)
FEATURES_TYPE = record_type(FEATURES)
_RIGHT = max(HEADQUARTERS_INDICES)


@kernel(types.void(FEATURES_TYPE, POSITION_TYPE, CLASSES_TYPE))
def find_perspectives(features, position, is_mirrored):
    """Write to `is_mirrored`, (4,), which seats have their flag on the right."""
    for seat in range(features.seats):
        is_mirrored[seat] = 0
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            if position.kind[piece] == FLAG:
                is_mirrored[seat] = position.where[piece] % BLOCK_POINTS == _RIGHT


@kernel(types.int64(FEATURES_TYPE, types.int64, types.int64, types.uint8), forceinline=True)
def base_index(features, seat, owner, kind):
    """The index of the feature of class 0 and point 0."""
    relation = owner - seat
    if relation < 0:
        relation += features.seats
    return (relation * KINDS + np.int64(kind)) * CLASSES * features.points


@kernel(types.int64(FEATURES_TYPE, types.uint8, *(types.int64,) * 3), forceinline=True)
def index_step(features, is_mirrored, seat, public_class, point):
    """The step from `base_index` to the feature of a class and point."""
    return public_class * features.points + np.int64(features.relative_point[is_mirrored, seat, point])


def features_of(board: Board) -> np.void:
    """The record of a board."""
    features = np.zeros(1, FEATURES)[0]
    features["seats"], features["points"] = len(board.seats), len(board.points)
    for seat in range(len(board.seats)):
        relative = points_seen_from(board, seat)
        features["relative_point"][0, seat, : len(board.points)] = relative
        features["relative_point"][1, seat, : len(board.points)] = mirrored_points(board)[relative]
    return features


def feature_count(board: Board) -> int:
    return len(board.seats) * KINDS * CLASSES * len(board.points)
