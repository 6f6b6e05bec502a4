"""A small network beside the terms: what each seat sees of all pieces, in accumulators that follow the search.

**Model.** Each seat that is not eliminated sees a world by features, a piece on a point, as in `linear`: (owner as seen
from the seat, kind, `PublicClass`, point as seen from the seat), in one of two buckets, by the side on which a flag
stands: in Siguo the seat's own; in Luzhanqi, where the own one is always seen on the left, the enemy's. Each feature
has a row of 16 numbers. The rows of all pieces on the board and `bias` are added up: the units of the seat, its
accumulator. What the seat sees is the sum of unit times output weight, divided by `ACTIVATION_ONE`, with the units cut
off below 0 and above `ACTIVATION_ONE` (a clipped ReLU). The score for team 0 is what its seats see less what those of
the other team see. It is added to that of the terms. The model is NNUE, with incremental accumulators (Nasu 2018).

**Its use.** A ply adds and takes away two or three rows, in all 16 units at once, by vector instructions. The units of
each ply of the line are kept, so taking a ply back costs nothing. A ply that eliminates a seat adds up all rows anew.

`NETWORK`, one for each world:

| field | shape | meaning |
|---|---|---|
| accumulator | (98, 4, 16) | by ply of the line, seat and unit |
| scores | (98,) | by ply of the line: what the seats see, for team 0 |
| keys | (98,) | by ply of the line: a hash of the classes of the pieces on the board |
| classes | (128,) | by piece: its `PublicClass` |
| changed, before | (98, 2) | by ply: the two pieces whose class it may have changed, and their classes before it |
| base_row | (4, 128) | by seat and piece: the number of its row for class 0 and point 0 |
| relative_point | (2, 4, 129) | by whether the board is mirrored, seat and point: the point as seen from the seat |
| is_mirrored | (4,) | by seat: 1 if it sees the board mirrored |
| rows | scalar | the address of the table of rows, (rows, 16), whose last row is zero; 0 without a network |
| zero_row | scalar | the number of that last row |
| bias, output_weights | (16,) | |
| seats, points | scalars | the sizes of the board |
"""

import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from stat import S_ISREG
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from junqi_engine.information.public_game import CLASSES, CLASSES_TYPE, PublicClass
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import (
    BLOCK_POINTS,
    BOARDS,
    HEADQUARTERS_INDICES,
    MAX_POINTS,
    TABLES_TYPE,
    Board,
    mirrored_points,
    points_seen_from,
)
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
from junqi_engine.rules.pieces import FLAG, KINDS, OUTCOME_FIELD, PIECES_PER_SEAT, Outcome
from junqi_engine.rules.position import POSITION_TYPE, next_piece
from junqi_engine.splitmix import mix

MAX_EVAL_PLIES = 97
"""Plies below the root that an evaluator can follow."""
UNITS = 16
ACTIVATION_ONE = 256
"""The number at which a unit is cut off, and by which what a seat sees is divided."""
WEIGHTS_FOLDER = Path(__file__).with_name("weights")
BUCKETS = 2
"""The number of tables of rows, by the side of a flag."""
MAX_ROW, MAX_BIAS = 300, 2000
"""No number in `rows` and `bias` is larger, in either direction: no sum of units overflows."""

NETWORK = np.dtype(
    [
        ("accumulator", np.int16, (MAX_EVAL_PLIES + 1, SEATS, UNITS)),
        ("scores", np.int64, MAX_EVAL_PLIES + 1),
        ("keys", np.uint64, MAX_EVAL_PLIES + 1),
        ("classes", np.uint8, PIECES),
        ("changed", np.uint8, (MAX_EVAL_PLIES + 1, 2)),
        ("before", np.uint8, (MAX_EVAL_PLIES + 1, 2)),
        ("base_row", np.int32, (SEATS, PIECES)),
        ("relative_point", np.uint8, (2, SEATS, MAX_POINTS)),
        ("is_mirrored", np.uint8, SEATS),
        ("rows", np.int64),
        ("zero_row", np.int64),
        ("bias", np.int16, UNITS),
        ("output_weights", np.int16, UNITS),
        ("seats", np.int64),
        ("points", np.int64),
    ],
    align=True,
)
NETWORK_TYPE = record_type(NETWORK)
_ACCUMULATOR_OFFSET, _OUTPUT_OFFSET = NETWORK_TYPE.offset("accumulator"), NETWORK_TYPE.offset("output_weights")
_ROW_BYTES = 2 * UNITS
_SHORT, _LONG = ir.IntType(16), ir.IntType(32)
_UNITS_VECTOR, _WIDE_VECTOR = ir.VectorType(_SHORT, UNITS), ir.VectorType(_LONG, UNITS)


def _load(builder: Any, address: Any) -> Any:
    pointer = builder.inttoptr(address, _UNITS_VECTOR.as_pointer())
    return builder.load(pointer, align=2)


def _splat(vector: ir.VectorType, number: int) -> ir.Constant:
    return ir.Constant(vector, [number] * UNITS)


def _output(builder: Any, units: Any, output: Any) -> Any:
    zero, one = _splat(_UNITS_VECTOR, 0), _splat(_UNITS_VECTOR, ACTIVATION_ONE)
    units = builder.select(builder.icmp_signed(">", units, zero), units, zero)
    units = builder.select(builder.icmp_signed("<", units, one), units, one)
    products = builder.mul(builder.sext(units, _WIDE_VECTOR), builder.sext(output, _WIDE_VECTOR))
    name = f"llvm.vector.reduce.add.v{UNITS}i32"
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(_LONG, [_WIDE_VECTOR]), name
    )
    return builder.sext(builder.call(function, [products]), ir.IntType(64))


def _with_rows(builder: Any, source: Any, less: Any, also_less: Any, more: Any) -> Any:
    units = builder.sub(_load(builder, source), _load(builder, less))
    return builder.add(builder.sub(units, _load(builder, also_less)), _load(builder, more))


@intrinsic
def address_of(typing_context: Any, record: Any) -> Any:

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(record), generate


@intrinsic
def add_rows(typing_context: Any, target: Any, source: Any, less: Any, also_less: Any, more: Any, output: Any) -> Any:
    """Units at `source`, less two rows, plus one, into `target`; returns what the seat then sees. All are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, *rows, output = arguments
        units = _with_rows(builder, *rows)
        builder.store(units, builder.inttoptr(target, _UNITS_VECTOR.as_pointer()), align=2)
        return _output(builder, units, _load(builder, output))

    return types.int64(*(types.int64,) * 6), generate


@intrinsic
def output_after(typing_context: Any, source: Any, less: Any, more: Any, output: Any) -> Any:
    """What a seat sees with the units at `source`, less a row, plus one. All are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, less, more, output = arguments
        units = builder.add(builder.sub(_load(builder, source), _load(builder, less)), _load(builder, more))
        return _output(builder, units, _load(builder, output))

    return types.int64(*(types.int64,) * 4), generate


@intrinsic
def output_after_battle(typing_context: Any, source: Any, less: Any, also_less: Any, more: Any, output: Any) -> Any:
    """As `output_after`, less two rows."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *rows, output = arguments
        return _output(builder, _with_rows(builder, *rows), _load(builder, output))

    return types.int64(*(types.int64,) * 5), generate


_RIGHT = max(HEADQUARTERS_INDICES)
_CLASS_SALT = np.uint64(0xC1A55E5)


@kernel(types.int64(NETWORK_TYPE, types.int64, types.int64, types.int64, types.int64), forceinline=True)
def row_address(net, seat, piece, public_class, point):
    number = (
        net.base_row[seat, piece]
        + public_class * net.points
        + np.int64(net.relative_point[net.is_mirrored[seat], seat, point])
    )
    return net.rows + number * _ROW_BYTES


@kernel(types.int64(NETWORK_TYPE, types.int64, types.int64), forceinline=True)
def accumulator_address(net, ply, seat):
    return address_of(net) + _ACCUMULATOR_OFFSET + (SEATS * ply + seat) * _ROW_BYTES


@kernel(types.uint64(types.int64, types.int64), forceinline=True)
def class_key(piece, public_class):
    return mix(_CLASS_SALT + np.uint64(CLASSES * piece + public_class))


@kernel(types.void(POSITION_TYPE, NETWORK_TYPE))
def find_perspectives(position, net):
    is_two = net.seats == 2
    for seat in range(net.seats):
        is_right, other_is_right = np.int64(0), np.int64(0)
        for owner in range(net.seats):
            for slot in range(PIECES_PER_SEAT):
                piece = piece_of(owner, slot)
                if position.kind[piece] == FLAG and contains(position.present[owner], slot):
                    side = np.int64(position.where[piece] % BLOCK_POINTS == _RIGHT)
                    if owner == seat:
                        is_right = side
                    else:
                        other_is_right = side
        net.is_mirrored[seat] = is_right if is_two else 0
        # A mirrored board has the enemy's flag on the other side.
        bucket = (other_is_right ^ is_right) if is_two else is_right
        for owner in range(net.seats):
            relation = owner - seat
            if relation < 0:
                relation += net.seats
            for slot in range(PIECES_PER_SEAT):
                piece = piece_of(owner, slot)
                number = (bucket * net.seats + relation) * KINDS + np.int64(position.kind[piece])
                net.base_row[seat, piece] = number * CLASSES * net.points


@kernel(types.void(POSITION_TYPE, NETWORK_TYPE, types.int64))
def refresh_accumulators(position, net, ply):
    """Add up the rows of all pieces for a ply of the line, and their part of the key."""
    key = np.uint64(0)
    for owner in range(net.seats):
        pieces = position.present[owner]
        while pieces:
            piece, pieces = next_piece(owner, pieces)
            key ^= class_key(piece, np.int64(net.classes[piece]))
    net.keys[ply] = key
    nothing = net.rows + net.zero_row * _ROW_BYTES
    output = address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    for seat in range(net.seats):
        if not contains(position.alive, seat):
            continue
        address = accumulator_address(net, ply, seat)
        for unit in range(UNITS):
            net.accumulator[ply, seat, unit] = net.bias[unit]
        sees = add_rows(address, address, nothing, nothing, nothing, output)
        for owner in range(net.seats):
            pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
            while pieces:
                piece, pieces = next_piece(owner, pieces)
                row = row_address(net, seat, piece, np.int64(net.classes[piece]), np.int64(position.where[piece]))
                sees = add_rows(address, address, nothing, nothing, row, output)
        total += -sees if team_of(seat) else sees
    net.scores[ply] = total // ACTIVATION_ONE


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, NETWORK_TYPE, types.int64))
def update_accumulators(position, undo, net, ply):
    """Bring units, sum, key and classes up to date for a ply of the line, after `effects.make`."""
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
    nothing, output = net.rows + net.zero_row * _ROW_BYTES, address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    for seat in range(net.seats):
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
    """What `update_accumulators` would give as the sum, for a move that eliminates no seat."""
    start, target = np.int64(from_point_of(move)), np.int64(to_point_of(move))
    mover, occupant = np.int64(piece_in(position.board[start])), position.board[target]
    public_class, output = np.int64(net.classes[mover]), address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    if occupant == NO_PIECE:
        now = max(public_class, np.int64(PublicClass.MOVED))
        for seat in range(net.seats):
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
    for seat in range(net.seats):
        if contains(position.alive, seat):
            more = net.rows + net.zero_row * _ROW_BYTES
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
    net.rows, net.zero_row, net.seats, net.points = (
        prototype.rows,
        prototype.zero_row,
        prototype.seats,
        prototype.points,
    )
    for unit in range(UNITS):
        net.bias[unit], net.output_weights[unit] = prototype.bias[unit], prototype.output_weights[unit]
    for is_mirrored in range(2):
        for seat in range(net.seats):
            for point in range(net.points):
                net.relative_point[is_mirrored, seat, point] = prototype.relative_point[is_mirrored, seat, point]
    net.scores[0] = 0
    net.keys[0] = 0
    if net.rows == 0:
        return
    for piece in range(PIECES):
        net.classes[piece] = classes[piece]
    find_perspectives(position, net)
    refresh_accumulators(position, net, np.int64(0))


def empty(board: Board) -> np.void:
    """A record with the sizes of a board, and without a network."""
    record = np.zeros(1, NETWORK)[0]
    record["seats"], record["points"] = len(board.seats), len(board.points)
    for seat in range(len(board.seats)):
        seen = points_seen_from(board, seat)
        record["relative_point"][0, seat, : len(board.points)] = seen
        record["relative_point"][1, seat, : len(board.points)] = mirrored_points(board)[seen]
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
    """How many rows a network of a board has, without the last one."""
    return BUCKETS * len(board.seats) * KINDS * CLASSES * len(board.points)


def read_network(board: Board, path: Path) -> Network:
    """The network in a file of `junqi_training`. OSError, or ValueError if the file does not fit the board."""
    shapes = {"rows": (row_count(board), UNITS), "bias": (UNITS,), "output": (UNITS,)}
    found = read_arrays(path, shapes)
    for name, largest in (("rows", MAX_ROW), ("bias", MAX_BIAS)):
        if np.abs(found[name].astype(np.int64)).max() > largest:
            raise ValueError(f"{name}: a number is not between {-largest} and {largest}")
    return Network(board, **found)


UNREADABLE = (BadZipFile, EOFError, KeyError, RuntimeError, SyntaxError, TokenError, TypeError, ValueError, zlib.error)
"""What numpy raises for a damaged file."""


def read_arrays(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """The int16 arrays of a file of `numpy.savez`. OSError, or ValueError if it has not these with these shapes."""
    if not S_ISREG(path.stat().st_mode):
        raise ValueError("expected a regular file")
    try:
        with open(path, "rb") as file, np.load(file) as arrays:
            found = {name: arrays[name] for name in shapes}
    except UNREADABLE as error:
        raise ValueError(f"expected a file of numpy with {', '.join(shapes)}") from error
    for name, shape in shapes.items():
        if found[name].shape != shape or found[name].dtype != np.int16:
            raise ValueError(f"{name}: expected int16 of shape {shape}, not {found[name].dtype} of {found[name].shape}")
    return found


@cache
def packaged_network(variant: str) -> Network | None:
    """The network that comes with the package; None for a variant that has none."""
    path = WEIGHTS_FOLDER / f"{variant}_network.npz"
    return read_network(BOARDS[variant], path) if path.exists() else None
