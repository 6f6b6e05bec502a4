"""Fitted worths of each piece on each point, beside the hand-written terms.

**A table of worths** sees a world from each seat in turn. Its rows are features, a piece on a point: (owner as seen
from the seat, kind, `PublicClass`, point as seen from the seat), each worth some hundredths of a Lieutenant. What a
seat sees is the sum of its features; the score for team 0 is the sum of what its seats see less that of the others. In
Luzhanqi a seat whose flag is on its right sees the board mirrored.

**Its use.** At the root of each world, the worth of every piece on every point is added to `values`. Then the search
runs as with the hand-written evaluator, at the same speed. A piece that was not known to move is counted as moved on
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
from junqi_engine.evaluation.terms import HAND_TYPE
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
MOST_WORTH = 12_000
"""What a piece on a point is worth at most, in either direction, with the hand-written terms."""
WEIGHTS_FOLDER = Path(__file__).with_name("weights")

WORTHS = np.dtype(
    [
        ("worth", np.int16, FEATURES),
        ("seen", np.uint8, (SEATS, MAX_POINTS)),
        ("mirrored", np.uint8, MAX_POINTS),
        ("seats", np.int64),
        ("points", np.int64),
    ],
    align=True,
)
WORTHS_TYPE = record_type(WORTHS)
_MIRRORED_FLAG = max(HEADQUARTERS_INDICES)
_new_scratch = scratch_record(np.dtype([("is_mirrored", np.uint8, SEATS)], align=True))


@kernel(types.int64(WORTHS_TYPE, types.uint8, types.int64, types.int64, types.uint8, types.int64, types.int64))
def feature_of(worths, is_mirrored, seat, owner, kind, shown, point):
    seen = worths.seen[seat, point]
    if is_mirrored:
        seen = worths.mirrored[seen]
    relation = owner - seat
    if relation < 0:
        relation += worths.seats
    return ((relation * KINDS + np.int64(kind)) * CLASSES + shown) * worths.points + np.int64(seen)


@kernel(types.void(WORTHS_TYPE, POSITION_TYPE, CLASSES_TYPE))
def find_mirrored(worths, position, is_mirrored):
    for seat in range(worths.seats):
        is_mirrored[seat] = 0
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            if position.kind[piece] == FLAG:
                is_mirrored[seat] = position.where[piece] % BLOCK_POINTS == _MIRRORED_FLAG


@kernel(types.void(WORTHS_TYPE, POSITION_TYPE, CLASSES_TYPE, HAND_TYPE))
def add_worths(worths, position, classes, record):
    scratch = _new_scratch()
    find_mirrored(worths, position, scratch.is_mirrored)
    for owner in range(worths.seats):
        pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
        while pieces:
            piece, pieces = next_piece(owner, pieces)
            kind, shown, place = position.kind[piece], np.int64(classes[piece]), np.int64(position.where[piece])
            is_immobile = contains(IMMOBILE_MASK, kind)
            for point in range(worths.points):
                if is_immobile and point != place:
                    continue
                now = shown
                if point != place and shown != PublicClass.WINNER:
                    occupant = position.board[point]
                    beats = occupant != NO_PIECE and are_enemies(seat_of(piece_in(occupant)), owner)
                    now = np.int64(PublicClass.WINNER if beats else PublicClass.MOVED)
                total = np.int64(record.values[piece, point])
                for seat in range(worths.seats):
                    number = feature_of(worths, scratch.is_mirrored[seat], seat, owner, kind, now, np.int64(point))
                    worth = np.int64(worths.worth[number])
                    total += -worth if are_enemies(seat, owner) else worth
                record.values[piece, point] = max(-MOST_WORTH, min(MOST_WORTH, total))


def no_worths(board: Board) -> np.void:
    worths = np.zeros(1, WORTHS)[0]
    worths["seats"], worths["points"] = len(board.seats), len(board.points)
    for seat in range(len(board.seats)):
        worths["seen"][seat, : len(board.points)] = points_seen_from(board, seat)
    worths["mirrored"][: len(board.points)] = mirrored_points(board)
    return worths


def feature_count(board: Board) -> int:
    return len(board.seats) * KINDS * CLASSES * len(board.points)


def read_worths(board: Board, path: Path) -> np.void:
    """The table in a file of `junqi_training`. OSError, or ValueError if the file does not fit the board."""
    worths, count = no_worths(board), feature_count(board)
    worths["worth"][:count] = read_arrays(path, {"worth": (count,)})["worth"]
    return worths


@cache
def packaged_worths(variant: str) -> np.void:
    """The table that comes with the package: tuned by play; in luzhanqi, fitted to games before."""
    return read_worths(BOARDS[variant], WEIGHTS_FOLDER / f"{variant}.npz")
