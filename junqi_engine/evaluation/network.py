"""A small network beside the terms: what each seat sees of all pieces, in units that follow the search.

**Model.** Each seat that is not eliminated sees a world by features, a piece on a point, as in `worths`: (owner as seen
from the seat, kind, `PublicClass`, point as seen from the seat), in one of two tables, by the side on which a flag
stands: in Siguo the seat's own; in Luzhanqi, where the own one is always seen on the left, the enemy's. Each feature
has a row of 16 numbers. The rows of all pieces on the board and `bias` are added up: the units of the seat, its
accumulator. What the seat sees is the sum of unit times `output`, divided by `ONE_UNIT`, with the units cut off below 0
and above `ONE_UNIT` (a clipped ReLU). The score for team 0 is what its seats see less what those of the other team see.
It is added to that of the terms. Such networks with incremental units are those of Nasu (2018), "NNUE".

**Its use.** A ply adds and takes away two or three rows, in all 16 units at once, by vector instructions. The units of
each ply of the line are kept, so taking a ply back costs nothing. A ply that eliminates a seat adds up all rows anew.

`NETWORK`, one for each world:

| field | shape | meaning |
|---|---|---|
| units | (98, 4, 16) | by ply of the line, seat and unit |
| sums | (98,) | by ply of the line: what the seats see, for team 0 |
| keys | (98,) | by ply of the line: a hash of the classes of the pieces on the board |
| classes | (128,) | by piece: its `PublicClass` |
| changed, before | (98, 2) | by ply: the two pieces whose class it may have changed, and their classes before it |
| first | (4, 128) | by seat and piece: the number of its row for class 0 and point 0 |
| seen | (2, 4, 129) | by whether the board is mirrored, seat and point: the point as seen from the seat |
| is_mirrored | (4,) | by seat: 1 if it sees the board mirrored |
| rows | scalar | the address of the table of rows, (rows, 16), whose last row is zero; 0 without a network |
| absent | scalar | the number of that last row |
| bias, output | (16,) | |
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

LONGEST_LINE = 97
"""Plies below the root that an evaluator can follow."""
UNITS = 16
ONE_UNIT = 256
"""The number at which a unit is cut off, and by which what a seat sees is divided."""
WEIGHTS_FOLDER = Path(__file__).with_name("weights")
TABLES = 2
"""How many tables of rows there are, by the side of a flag."""
LARGEST_ROW, LARGEST_BIAS = 300, 2000
"""No number in `rows` and `bias` is larger, in either direction: no sum of units overflows."""

NETWORK = np.dtype(
    [
        ("units", np.int16, (LONGEST_LINE + 1, SEATS, UNITS)),
        ("sums", np.int64, LONGEST_LINE + 1),
        ("keys", np.uint64, LONGEST_LINE + 1),
        ("classes", np.uint8, PIECES),
        ("changed", np.uint8, (LONGEST_LINE + 1, 2)),
        ("before", np.uint8, (LONGEST_LINE + 1, 2)),
        ("first", np.int32, (SEATS, PIECES)),
        ("seen", np.uint8, (2, SEATS, MAX_POINTS)),
        ("is_mirrored", np.uint8, SEATS),
        ("rows", np.int64),
        ("absent", np.int64),
        ("bias", np.int16, UNITS),
        ("output", np.int16, UNITS),
        ("seats", np.int64),
        ("points", np.int64),
    ],
    align=True,
)
NETWORK_TYPE = record_type(NETWORK)
_UNITS_OFFSET, _OUTPUT_OFFSET = NETWORK_TYPE.offset("units"), NETWORK_TYPE.offset("output")
_ROW_BYTES = 2 * UNITS
_SHORT, _LONG = ir.IntType(16), ir.IntType(32)
_UNITS_VECTOR, _WIDE_VECTOR = ir.VectorType(_SHORT, UNITS), ir.VectorType(_LONG, UNITS)


def _load(builder: Any, address: Any) -> Any:
    pointer = builder.inttoptr(address, _UNITS_VECTOR.as_pointer())
    return builder.load(pointer, align=2)


def _splat(vector: ir.VectorType, number: int) -> ir.Constant:
    return ir.Constant(vector, [number] * UNITS)


def _seen(builder: Any, units: Any, output: Any) -> Any:
    zero, one = _splat(_UNITS_VECTOR, 0), _splat(_UNITS_VECTOR, ONE_UNIT)
    units = builder.select(builder.icmp_signed(">", units, zero), units, zero)
    units = builder.select(builder.icmp_signed("<", units, one), units, one)
    products = builder.mul(builder.sext(units, _WIDE_VECTOR), builder.sext(output, _WIDE_VECTOR))
    name = f"llvm.vector.reduce.add.v{UNITS}i32"
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(_LONG, [_WIDE_VECTOR]), name
    )
    return builder.sext(builder.call(function, [products]), ir.IntType(64))


def _changed(builder: Any, source: Any, less: Any, also_less: Any, more: Any) -> Any:
    units = builder.sub(_load(builder, source), _load(builder, less))
    return builder.add(builder.sub(units, _load(builder, also_less)), _load(builder, more))


@intrinsic
def address_of(typing_context: Any, record: Any) -> Any:

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(record), generate


@intrinsic
def change(typing_context: Any, target: Any, source: Any, less: Any, also_less: Any, more: Any, output: Any) -> Any:
    """Units at `source`, less two rows, plus one, into `target`; returns what the seat then sees. All are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, *rows, output = arguments
        units = _changed(builder, *rows)
        builder.store(units, builder.inttoptr(target, _UNITS_VECTOR.as_pointer()), align=2)
        return _seen(builder, units, _load(builder, output))

    return types.int64(*(types.int64,) * 6), generate


@intrinsic
def seen_after(typing_context: Any, source: Any, less: Any, more: Any, output: Any) -> Any:
    """What a seat sees with the units at `source`, less a row, plus one. All are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, less, more, output = arguments
        units = builder.add(builder.sub(_load(builder, source), _load(builder, less)), _load(builder, more))
        return _seen(builder, units, _load(builder, output))

    return types.int64(*(types.int64,) * 4), generate


@intrinsic
def seen_after_battle(typing_context: Any, source: Any, less: Any, also_less: Any, more: Any, output: Any) -> Any:
    """As `seen_after`, less two rows."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *rows, output = arguments
        return _seen(builder, _changed(builder, *rows), _load(builder, output))

    return types.int64(*(types.int64,) * 5), generate


_RIGHT = max(HEADQUARTERS_INDICES)
_CLASS_SALT = np.uint64(0xC1A55E5)


@kernel(types.int64(NETWORK_TYPE, types.int64, types.int64, types.int64, types.int64), forceinline=True)
def row_address(net, seat, piece, shown, point):
    number = net.first[seat, piece] + shown * net.points + np.int64(net.seen[net.is_mirrored[seat], seat, point])
    return net.rows + number * _ROW_BYTES


@kernel(types.int64(NETWORK_TYPE, types.int64, types.int64), forceinline=True)
def units_address(net, height, seat):
    return address_of(net) + _UNITS_OFFSET + (SEATS * height + seat) * _ROW_BYTES


@kernel(types.uint64(types.int64, types.int64), forceinline=True)
def class_key(piece, shown):
    return mix(_CLASS_SALT + np.uint64(CLASSES * piece + shown))


@kernel(types.void(POSITION_TYPE, NETWORK_TYPE))
def find_first(position, net):
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
        table = (other_is_right ^ is_right) if is_two else is_right
        for owner in range(net.seats):
            relation = owner - seat
            if relation < 0:
                relation += net.seats
            for slot in range(PIECES_PER_SEAT):
                piece = piece_of(owner, slot)
                number = (table * net.seats + relation) * KINDS + np.int64(position.kind[piece])
                net.first[seat, piece] = number * CLASSES * net.points


@kernel(types.void(POSITION_TYPE, NETWORK_TYPE, types.int64))
def add_all(position, net, height):
    """Add up the rows of all pieces for a ply of the line, and their part of the key."""
    key = np.uint64(0)
    for owner in range(net.seats):
        pieces = position.present[owner]
        while pieces:
            piece, pieces = next_piece(owner, pieces)
            key ^= class_key(piece, np.int64(net.classes[piece]))
    net.keys[height] = key
    nothing = net.rows + net.absent * _ROW_BYTES
    output = address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    for seat in range(net.seats):
        if not contains(position.alive, seat):
            continue
        address = units_address(net, height, seat)
        for unit in range(UNITS):
            net.units[height, seat, unit] = net.bias[unit]
        sees = change(address, address, nothing, nothing, nothing, output)
        for owner in range(net.seats):
            pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
            while pieces:
                piece, pieces = next_piece(owner, pieces)
                row = row_address(net, seat, piece, np.int64(net.classes[piece]), np.int64(position.where[piece]))
                sees = change(address, address, nothing, nothing, row, output)
        total += -sees if team_of(seat) else sees
    net.sums[height] = total // ONE_UNIT


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, NETWORK_TYPE, types.int64))
def update_units(position, undo, net, height):
    """Bring units, sum, key and classes up to date for ply `height` of the line, after `effects.make`."""
    mover = np.int64(piece_in(undo.attacker))
    is_battle = undo.defender != NO_PIECE
    defender = np.int64(piece_in(undo.defender)) if is_battle else mover
    shown, defender_shown = np.int64(net.classes[mover]), np.int64(net.classes[defender])
    net.changed[height, 0], net.changed[height, 1] = mover, defender
    net.before[height, 0], net.before[height, 1] = shown, defender_shown
    arrived, removed = attacker_arrived(position, undo), defender_was_removed(position, undo)
    now = np.int64(PublicClass.WINNER) if is_battle and arrived else max(shown, np.int64(PublicClass.MOVED))
    net.classes[mover] = now
    if is_battle and not arrived and not removed:
        net.classes[defender] = PublicClass.WINNER
    if eliminated_seats(position, undo):
        add_all(position, net, height)
        return
    key = net.keys[height - 1]
    if is_battle or now != shown:
        key ^= class_key(mover, shown)
        if arrived:
            key ^= class_key(mover, now)
    if is_battle:
        key ^= class_key(defender, defender_shown)
        if not removed:
            key ^= class_key(defender, np.int64(PublicClass.WINNER))
    net.keys[height] = key
    start, target = np.int64(undo.from_point), np.int64(undo.to_point)
    nothing, output = net.rows + net.absent * _ROW_BYTES, address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    for seat in range(net.seats):
        if not contains(position.alive, seat):
            continue
        less = row_address(net, seat, mover, shown, start)
        also_less, more = nothing, nothing
        if is_battle:
            also_less = row_address(net, seat, defender, defender_shown, target)
            if not removed:
                more = row_address(net, seat, defender, np.int64(PublicClass.WINNER), target)
        if arrived:
            more = row_address(net, seat, mover, now, target)
        sees = change(
            units_address(net, height, seat), units_address(net, height - 1, seat), less,
            also_less, more, output,
        )  # fmt: skip
        total += -sees if team_of(seat) else sees
    net.sums[height] = total // ONE_UNIT


@kernel(types.void(NETWORK_TYPE, types.int64))
def restore_classes(net, height):
    net.classes[net.changed[height, 1]] = net.before[height, 1]
    net.classes[net.changed[height, 0]] = net.before[height, 0]


@kernel(types.int64(TABLES_TYPE, POSITION_TYPE, NETWORK_TYPE, types.int64, types.uint16))
def sum_after(tables, position, net, height, move):
    """What `update_units` would give as the sum, for a move that eliminates no seat."""
    start, target = np.int64(from_point_of(move)), np.int64(to_point_of(move))
    mover, occupant = np.int64(piece_in(position.board[start])), position.board[target]
    shown, output = np.int64(net.classes[mover]), address_of(net) + _OUTPUT_OFFSET
    total = np.int64(0)
    if occupant == NO_PIECE:
        now = max(shown, np.int64(PublicClass.MOVED))
        for seat in range(net.seats):
            if contains(position.alive, seat):
                less, more = row_address(net, seat, mover, shown, start), row_address(net, seat, mover, now, target)
                sees = seen_after(units_address(net, height, seat), less, more, output)
                total += -sees if team_of(seat) else sees
        return total // ONE_UNIT
    defender, won = np.int64(piece_in(occupant)), np.int64(PublicClass.WINNER)
    defender_shown = np.int64(net.classes[defender])
    outcome = tables.battle[position.kind[mover], position.kind[defender]] & OUTCOME_FIELD
    for seat in range(net.seats):
        if contains(position.alive, seat):
            more = net.rows + net.absent * _ROW_BYTES
            if outcome == Outcome.ATTACKER_WON:
                more = row_address(net, seat, mover, won, target)
            elif outcome == Outcome.DEFENDER_WON:
                more = row_address(net, seat, defender, won, target)
            less = row_address(net, seat, mover, shown, start)
            also_less = row_address(net, seat, defender, defender_shown, target)
            sees = seen_after_battle(units_address(net, height, seat), less, also_less, more, output)
            total += -sees if team_of(seat) else sees
    return total // ONE_UNIT


@kernel(types.void(NETWORK_TYPE, POSITION_TYPE, CLASSES_TYPE, NETWORK_TYPE))
def begin(source, position, classes, net):
    """Fill the record for a position. `source` has the network and the sizes of the board (`Network`); if it has none,
    the record has none.
    """
    net.rows, net.absent, net.seats, net.points = source.rows, source.absent, source.seats, source.points
    for unit in range(UNITS):
        net.bias[unit], net.output[unit] = source.bias[unit], source.output[unit]
    for is_mirrored in range(2):
        for seat in range(net.seats):
            for point in range(net.points):
                net.seen[is_mirrored, seat, point] = source.seen[is_mirrored, seat, point]
    net.sums[0] = 0
    net.keys[0] = 0
    if net.rows == 0:
        return
    for piece in range(PIECES):
        net.classes[piece] = classes[piece]
    find_first(position, net)
    add_all(position, net, np.int64(0))


def empty(board: Board) -> np.void:
    """A record with the sizes of a board, and without a network."""
    record = np.zeros(1, NETWORK)[0]
    record["seats"], record["points"] = len(board.seats), len(board.points)
    for seat in range(len(board.seats)):
        seen = points_seen_from(board, seat)
        record["seen"][0, seat, : len(board.points)] = seen
        record["seen"][1, seat, : len(board.points)] = mirrored_points(board)[seen]
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
        record["rows"], record["absent"] = self._rows.ctypes.data, len(rows)
        record["bias"], record["output"] = bias, output


def row_count(board: Board) -> int:
    """How many rows a network of a board has, without the last one."""
    return TABLES * len(board.seats) * KINDS * CLASSES * len(board.points)


def read_network(board: Board, path: Path) -> Network:
    """The network in a file of `junqi_training`. OSError, or ValueError if the file does not fit the board."""
    shapes = {"rows": (row_count(board), UNITS), "bias": (UNITS,), "output": (UNITS,)}
    found = read_arrays(path, shapes)
    for name, largest in (("rows", LARGEST_ROW), ("bias", LARGEST_BIAS)):
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
