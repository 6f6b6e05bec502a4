"""A small NNUE beside the hand-written terms: one accumulator per seat, updated incrementally during the search.

**Model** (Nasu 2018). Each seat that is not eliminated has a perspective: the features of all pieces on the board
(`features`). Each feature has a row of 16 numbers, in one of two buckets, by the side of a flag: in Siguo the seat's
own; in Luzhanqi, where the own one is always seen on the left, the enemy's. The accumulator of the seat is the sum of
the rows and of `bias`. Its output is the sum of unit times output weight, divided by `ACTIVATION_ONE`, with the units
clipped to 0 and `ACTIVATION_ONE` (a clipped ReLU). The score is the sum of the outputs for the seats of team 0 less
those of team 1, and is added to the score of the terms.

**Update.** A ply adds and subtracts two or three rows, all 16 units at once (`vectors`). The accumulators of each ply
of the line are kept, so to take a ply back costs nothing. A ply that eliminates a seat adds up all rows anew.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.evaluation.features import base_index, feature_count, features_of, find_perspectives, index_step
from junqi_engine.evaluation.record import NETWORK, NETWORK_TYPE
from junqi_engine.evaluation.vectors import (
    ACTIVATION_ONE,
    ROW_BYTES,
    UNITS,
    add_rows,
    address_of,
    output_after,
    output_after_battle,
)
from junqi_engine.evaluation.weights_file import WEIGHTS_FOLDER, read_arrays
from junqi_engine.information.public_state import CLASSES, CLASSES_TYPE, PublicClass
from junqi_engine.kernels import copy_record, kernel
from junqi_engine.rules.board import BOARDS, TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed, eliminated_seats
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    contains,
    from_point_of,
    piece_in,
    piece_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.pieces import KINDS, OUTCOME_FIELD, PIECES_PER_SEAT, Outcome
from junqi_engine.rules.position import POSITION_TYPE, next_piece
from junqi_engine.splitmix import mix

BUCKETS = 2
"""The number of tables of rows, by the side of a flag."""
MAX_ROW, MAX_BIAS = 300, 2000
"""Largest numbers in `rows` and `bias`, in either direction: no accumulator overflows."""

_ACCUMULATOR_OFFSET, _OUTPUT_OFFSET = NETWORK_TYPE.offset("accumulator"), NETWORK_TYPE.offset("output_weights")
_CLASS_SALT = np.uint64(0xC1A55E5)


@kernel(types.int64(NETWORK_TYPE, types.int64, types.int64, types.int64, types.int64), forceinline=True)
def row_address(net, seat, piece, public_class, point):
    step = index_step(net.features, net.is_mirrored[seat], seat, public_class, point)
    return net.rows + (net.base_row[seat, piece] + step) * ROW_BYTES


@kernel(types.int64(NETWORK_TYPE, types.int64, types.int64), forceinline=True)
def accumulator_address(net, ply, seat):
    return address_of(net) + _ACCUMULATOR_OFFSET + (SEATS * ply + seat) * ROW_BYTES


@kernel(types.uint64(types.int64, types.int64), forceinline=True)
def class_key(piece, public_class):
    return mix(_CLASS_SALT + np.uint64(CLASSES * piece + public_class))


@kernel(types.void(POSITION_TYPE, NETWORK_TYPE))
def fill_base_rows(position, net):
    """Fill `is_mirrored` and `base_row`, by the sides of the flags."""
    features = net.features
    find_perspectives(features, position, net.is_mirrored)
    bucket_rows = features.seats * KINDS * CLASSES * features.points
    for seat in range(features.seats):
        bucket = np.int64(net.is_mirrored[seat])
        if features.seats == 2:
            # A mirrored board has the enemy's flag on the other side.
            bucket ^= np.int64(net.is_mirrored[1 - seat])
        for owner in range(features.seats):
            for slot in range(PIECES_PER_SEAT):
                piece = piece_of(owner, slot)
                index = base_index(features, np.int64(seat), np.int64(owner), position.kind[piece])
                net.base_row[seat, piece] = bucket * bucket_rows + index


@kernel(types.void(POSITION_TYPE, NETWORK_TYPE, types.int64))
def refresh_accumulators(position, net, ply):
    """Add up the rows of all pieces for a ply of the line, and their part of the key."""
    key = np.uint64(0)
    for owner in range(net.features.seats):
        pieces = position.present[owner]
        while pieces:
            piece, pieces = next_piece(owner, pieces)
            key ^= class_key(piece, np.int64(net.classes[piece]))
    net.keys[ply] = key
    nothing = net.rows + net.zero_row * ROW_BYTES
    output = address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    for seat in range(net.features.seats):
        if not contains(position.alive, seat):
            continue
        address = accumulator_address(net, ply, seat)
        for unit in range(UNITS):
            net.accumulator[ply, seat, unit] = net.bias[unit]
        sees = add_rows(address, address, nothing, nothing, nothing, output)
        for owner in range(net.features.seats):
            pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
            while pieces:
                piece, pieces = next_piece(owner, pieces)
                row = row_address(net, seat, piece, np.int64(net.classes[piece]), np.int64(position.where[piece]))
                sees = add_rows(address, address, nothing, nothing, row, output)
        total += -sees if team_of(seat) else sees
    net.scores[ply] = total // ACTIVATION_ONE


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, NETWORK_TYPE, types.int64))
def update_accumulators(position, undo, net, ply):
    """Update accumulators, score, key and classes for a ply of the line, after `effects.make`."""
    mover = np.int64(piece_in(undo.attacker))
    is_battle = undo.defender != NO_PIECE
    defender = np.int64(piece_in(undo.defender)) if is_battle else mover
    public_class, defender_class = np.int64(net.classes[mover]), np.int64(net.classes[defender])
    net.changed[ply, 0], net.changed[ply, 1] = mover, defender
    net.before[ply, 0], net.before[ply, 1] = public_class, defender_class
    arrived, removed = attacker_arrived(position, undo), defender_was_removed(position, undo)
    now = np.int64(PublicClass.WINNER) if is_battle and arrived else max(public_class, np.int64(PublicClass.MOVED))
    net.classes[mover] = now
    if is_battle and not arrived and not removed:
        net.classes[defender] = PublicClass.WINNER
    if eliminated_seats(position, undo):
        refresh_accumulators(position, net, ply)
        return
    key = net.keys[ply - 1]
    if is_battle or now != public_class:
        key ^= class_key(mover, public_class)
        if arrived:
            key ^= class_key(mover, now)
    if is_battle:
        key ^= class_key(defender, defender_class)
        if not removed:
            key ^= class_key(defender, np.int64(PublicClass.WINNER))
    net.keys[ply] = key
    start, target = np.int64(undo.from_point), np.int64(undo.to_point)
    nothing, output = net.rows + net.zero_row * ROW_BYTES, address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    for seat in range(net.features.seats):
        if not contains(position.alive, seat):
            continue
        less = row_address(net, seat, mover, public_class, start)
        also_less, more = nothing, nothing
        if is_battle:
            also_less = row_address(net, seat, defender, defender_class, target)
            if not removed:
                more = row_address(net, seat, defender, np.int64(PublicClass.WINNER), target)
        if arrived:
            more = row_address(net, seat, mover, now, target)
        sees = add_rows(
            accumulator_address(net, ply, seat), accumulator_address(net, ply - 1, seat), less,
            also_less, more, output,
        )  # fmt: skip
        total += -sees if team_of(seat) else sees
    net.scores[ply] = total // ACTIVATION_ONE


@kernel(types.void(NETWORK_TYPE, types.int64))
def restore_classes(net, ply):
    net.classes[net.changed[ply, 1]] = net.before[ply, 1]
    net.classes[net.changed[ply, 0]] = net.before[ply, 0]


@kernel(types.int64(TABLES_TYPE, POSITION_TYPE, NETWORK_TYPE, types.int64, types.uint16))
def score_after(tables, position, net, ply, move):
    """The score that `update_accumulators` would give after a move that eliminates no seat."""
    start, target = np.int64(from_point_of(move)), np.int64(to_point_of(move))
    mover, occupant = np.int64(piece_in(position.board[start])), position.board[target]
    public_class, output = np.int64(net.classes[mover]), address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    if occupant == NO_PIECE:
        now = max(public_class, np.int64(PublicClass.MOVED))
        for seat in range(net.features.seats):
            if contains(position.alive, seat):
                less, more = (
                    row_address(net, seat, mover, public_class, start),
                    row_address(net, seat, mover, now, target),
                )
                sees = output_after(accumulator_address(net, ply, seat), less, more, output)
                total += -sees if team_of(seat) else sees
        return total // ACTIVATION_ONE
    defender, won = np.int64(piece_in(occupant)), np.int64(PublicClass.WINNER)
    defender_class = np.int64(net.classes[defender])
    outcome = tables.battle[position.kind[mover], position.kind[defender]] & OUTCOME_FIELD
    for seat in range(net.features.seats):
        if contains(position.alive, seat):
            more = net.rows + net.zero_row * ROW_BYTES
            if outcome == Outcome.ATTACKER_WON:
                more = row_address(net, seat, mover, won, target)
            elif outcome == Outcome.DEFENDER_WON:
                more = row_address(net, seat, defender, won, target)
            less = row_address(net, seat, mover, public_class, start)
            also_less = row_address(net, seat, defender, defender_class, target)
            sees = output_after_battle(accumulator_address(net, ply, seat), less, also_less, more, output)
            total += -sees if team_of(seat) else sees
    return total // ACTIVATION_ONE


@kernel(types.void(NETWORK_TYPE, POSITION_TYPE, CLASSES_TYPE, NETWORK_TYPE))
def begin(prototype, position, classes, net):
    """Fill the record for a position. `prototype` has the sizes of the board, and the network if there is one."""
    net.rows, net.zero_row = prototype.rows, prototype.zero_row
    copy_record(prototype.features, net.features)
    for unit in range(UNITS):
        net.bias[unit], net.output_weights[unit] = prototype.bias[unit], prototype.output_weights[unit]
    net.scores[0] = 0
    net.keys[0] = 0
    if net.rows == 0:
        return
    for piece in range(PIECES):
        net.classes[piece] = classes[piece]
    fill_base_rows(position, net)
    refresh_accumulators(position, net, np.int64(0))


def empty(board: Board) -> np.void:
    """A record with the perspectives of a board, and without a network."""
    record = np.zeros(1, NETWORK)[0]
    record["features"] = features_of(board)
    return record


class Network:
    """A network of a board: `rows` (`row_count`, 16), `bias` and `output` (16,), int16.

    `record` has what does not depend on a position. Records that are made from it have the address of the rows: they
    are valid as long as the network is kept.
    """

    def __init__(self, board: Board, rows: np.ndarray, bias: np.ndarray, output: np.ndarray) -> None:
        self._rows = np.zeros((len(rows) + 1, UNITS), np.int16)
        self._rows[:-1] = rows
        record = self.record = empty(board)
        record["rows"], record["zero_row"] = self._rows.ctypes.data, len(rows)
        record["bias"], record["output_weights"] = bias, output


def row_count(board: Board) -> int:
    """The number of rows of a network of a board, without the last one."""
    return BUCKETS * feature_count(board)


def read_network(board: Board, path: Path) -> Network:
    """The network in a file of `junqi_training`. OSError, or ValueError if the file does not fit the board."""
    shapes = {"rows": (row_count(board), UNITS), "bias": (UNITS,), "output": (UNITS,)}
    found = read_arrays(path, shapes)
    for name, largest in (("rows", MAX_ROW), ("bias", MAX_BIAS)):
        if np.abs(found[name].astype(np.int64)).max() > largest:
            raise ValueError(f"{name}: a number is not between {-largest} and {largest}")
    return Network(board, **found)


@cache
def packaged_network(variant: str) -> Network | None:
    """The network that comes with the package; None for a variant that has none."""
    path = WEIGHTS_FOLDER / f"{variant}_network.npz"
    return read_network(BOARDS[variant], path) if path.exists() else None
