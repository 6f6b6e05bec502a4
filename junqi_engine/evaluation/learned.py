"""The learned evaluator: the hand-written terms, and what a small network adds to each piece on each point.

**The network** sees a world from each seat in turn. A feature is a piece on a point: (owner as seen from the seat,
kind, `PublicClass`, point as seen from the seat). Each has a direct worth and a weight for each hidden unit:

    h = bias + sum of the weights, per unit       view = sum of the direct worths + sum of output * clip(h, 0, ONE)

The score for team 0 is the sum of the views of its seats less those of the other team. In Luzhanqi a seat whose flag is
on its right sees the board mirrored.

**Its use.** A search that computed the network at every position would be slower, and could not tell cheaply what a
quiet move gains. So the network is computed at the root of each world, and for every piece and every point once more
with the piece there, and once without it. The differences are added to `values`. The search below is that of the
hand-written evaluator, at the same speed. What the network knows about a single piece is exact; where several pieces
change, their effects are added up. A piece that was not known to move is counted as moved on every other point, and as
a winner where an enemy stood.

All numbers are integers, so the same weights give the same values on every machine:

| field | shape | meaning |
|---|---|---|
| direct | (FEATURES,) | hundredths of a Lieutenant |
| weights | (FEATURES, HIDDEN) | `ONE` is the height at which a unit is full |
| bias, output | (HIDDEN,) | as `weights`; hundredths of a Lieutenant for a full unit |
| seen | (4, 129) | by seat and point: the point as seen from the seat |
| mirrored | (129,) | the mirrored point; all points themselves where the board is not mirrored |
| hidden | scalar | how many hidden units there are |
| seats, points | scalars | the sizes of the board |
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from junqi_engine.evaluation import hand
from junqi_engine.evaluation.hand import HAND_KERNELS, sum_of_team
from junqi_engine.evaluation.interface import Evaluator, Term
from junqi_engine.evaluation.terms import HAND_TYPE
from junqi_engine.information.public import Public
from junqi_engine.information.shown import CLASSES_TYPE, PublicClass
from junqi_engine.kernels import count_trailing_zeros, kernel, record_type, scratch_record
from junqi_engine.rules.board import (
    BLOCK_POINTS,
    BOARDS,
    HEADQUARTERS_INDICES,
    LUZHANQI,
    MAX_POINTS,
    TABLES_TYPE,
    Board,
    points_seen_from,
)
from junqi_engine.rules.layout import NO_PIECE, SEATS, are_enemies, contains, piece_in, piece_of, seat_of, team_of
from junqi_engine.rules.pieces import FLAG, IMMOBILE_MASK, KINDS
from junqi_engine.rules.position import ONE as LOWEST_BIT
from junqi_engine.rules.position import POSITION_TYPE

HIDDEN = 16
CLASSES = len(PublicClass)
FEATURES = SEATS * KINDS * CLASSES * MAX_POINTS
"""Room for the features of the larger board."""
ONE_BITS = 8
ONE = 1 << ONE_BITS
"""The height of a full hidden unit."""
MOST_WORTH = 12_000
"""What a piece on a point is worth at most, in either direction, with the hand-written terms."""
WEIGHTS_FOLDER = Path(__file__).with_name("weights")

NETWORK = np.dtype(
    [
        ("direct", np.int16, FEATURES),
        ("weights", np.int16, (FEATURES, HIDDEN)),
        ("bias", np.int32, HIDDEN),
        ("output", np.int32, HIDDEN),
        ("seen", np.uint8, (SEATS, MAX_POINTS)),
        ("mirrored", np.uint8, MAX_POINTS),
        ("hidden", np.int64),
        ("seats", np.int64),
        ("points", np.int64),
    ],
    align=True,
)
NETWORK_TYPE = record_type(NETWORK)
_MOVED, _WINNER = int(PublicClass.MOVED), int(PublicClass.WINNER)
_MIRRORED_FLAG = max(HEADQUARTERS_INDICES)
SCRATCH = np.dtype(
    [
        ("sums", np.int32, (SEATS, HIDDEN)),
        ("without", np.int32, (SEATS, HIDDEN)),
        ("rest", np.int64, SEATS),
        ("is_mirrored", np.uint8, SEATS),
    ],
    align=True,
)
SCRATCH_TYPE = record_type(SCRATCH)
_new_scratch = scratch_record(SCRATCH)


@register_jitable
def feature(network, relation, kind, shown, point):
    """The number of a feature; `point` is as seen from the seat."""
    return ((relation * KINDS + kind) * CLASSES + shown) * network.points + point


@kernel(types.int64(NETWORK_TYPE, types.Array(types.int32, 1, "C")), forceinline=True)
def output_of(network, sums):
    """What the hidden units add to a view, times `ONE`."""
    total = np.int64(0)
    for unit in range(network.hidden):
        total += network.output[unit] * min(np.int32(ONE), max(np.int32(0), sums[unit]))
    return total


@kernel(types.int64(NETWORK_TYPE, types.uint8, types.int64, types.int64, types.uint8, types.int64, types.int64))
def feature_of(network, is_mirrored, seat, owner, kind, shown, point):
    """The feature of a piece on a point, as seen from a seat."""
    seen = network.seen[seat, point]
    if is_mirrored:
        seen = network.mirrored[seen]
    relation = owner - seat
    if relation < 0:
        relation += network.seats
    return np.int64(feature(network, relation, np.int64(kind), shown, np.int64(seen)))


@kernel(types.void(NETWORK_TYPE, POSITION_TYPE, CLASSES_TYPE))
def find_mirrored(network, position, is_mirrored):
    """By seat, whether it sees the board mirrored: 1 if its flag stands on its right."""
    for seat in range(network.seats):
        is_mirrored[seat] = 0
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - LOWEST_BIT
            if position.kind[piece] == FLAG:
                is_mirrored[seat] = position.where[piece] % BLOCK_POINTS == _MIRRORED_FLAG


@kernel(types.int64(NETWORK_TYPE, POSITION_TYPE, CLASSES_TYPE, SCRATCH_TYPE))
def network_score(network, position, classes, scratch):
    """The score for team 0, times `ONE`. It leaves the sums of the hidden units in `scratch`."""
    total = np.int64(0)
    find_mirrored(network, position, scratch.is_mirrored)
    for seat in range(network.seats):
        for unit in range(network.hidden):
            scratch.sums[seat, unit] = network.bias[unit]
        direct = np.int64(0)
        for owner in range(network.seats):
            pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
            while pieces:
                piece = piece_of(owner, count_trailing_zeros(pieces))
                pieces &= pieces - LOWEST_BIT
                number = feature_of(
                    network, scratch.is_mirrored[seat], seat, owner, position.kind[piece], np.int64(classes[piece]),
                    np.int64(position.where[piece]),
                )  # fmt: skip
                direct += network.direct[number]
                for unit in range(network.hidden):
                    scratch.sums[seat, unit] += network.weights[number, unit]
        view = direct * ONE + output_of(network, scratch.sums[seat])
        total += -view if team_of(seat) else view
    return total


@kernel(types.int64(NETWORK_TYPE, POSITION_TYPE, CLASSES_TYPE, HAND_TYPE))
def add_network(network, position, classes, record):
    """Add to `values` what every piece adds to the score on every point, and return what remains for team 0.

    That is the score of the network less what the pieces add where they are.
    """
    scratch = _new_scratch()
    remainder = network_score(network, position, classes, scratch)
    for owner in range(network.seats):
        pieces = position.present[owner] if contains(position.alive, owner) else np.uint32(0)
        while pieces:
            piece = piece_of(owner, count_trailing_zeros(pieces))
            pieces &= pieces - LOWEST_BIT
            kind, shown, place = position.kind[piece], np.int64(classes[piece]), np.int64(position.where[piece])
            for seat in range(network.seats):
                number = feature_of(network, scratch.is_mirrored[seat], seat, owner, kind, shown, place)
                for unit in range(network.hidden):
                    scratch.without[seat, unit] = scratch.sums[seat, unit] - network.weights[number, unit]
                scratch.rest[seat] = output_of(network, scratch.without[seat])
            is_immobile = contains(IMMOBILE_MASK, kind)
            for point in range(network.points):
                if is_immobile and point != place:
                    continue
                now = shown
                if point != place and shown != _WINNER:
                    occupant = position.board[point]
                    beats = occupant != NO_PIECE and are_enemies(seat_of(piece_in(occupant)), owner)
                    now = _WINNER if beats else _MOVED
                added = np.int64(0)
                for seat in range(network.seats):
                    number = feature_of(network, scratch.is_mirrored[seat], seat, owner, kind, now, np.int64(point))
                    view = np.int64(network.direct[number]) * ONE - scratch.rest[seat]
                    for unit in range(network.hidden):
                        height = scratch.without[seat, unit] + network.weights[number, unit]
                        view += network.output[unit] * min(np.int32(ONE), max(np.int32(0), height))
                    added += -view if are_enemies(seat, owner) else view
                worth = added >> ONE_BITS
                total = record.values[piece, point] + worth
                record.values[piece, point] = max(-MOST_WORTH, min(MOST_WORTH, total))
                if point == place:
                    remainder -= -worth * ONE if team_of(owner) else worth * ONE
    # Towards zero, so that neither team gains by the rounding.
    return remainder >> ONE_BITS if remainder >= 0 else -(-remainder >> ONE_BITS)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, CLASSES_TYPE, NETWORK_TYPE, HAND_TYPE))
def refresh(tables, position, revealed, classes, network, record):
    """Fill the record for a position: the hand-written terms, and what the network adds to them."""
    hand.refresh(tables, position, revealed, record)
    remainder = add_network(network, position, classes, record)
    ours, theirs = sum_of_team(position, record, np.uint8(0)), sum_of_team(position, record, np.uint8(1))
    record.scores[0] = ours - theirs + remainder


def empty_network(board: Board) -> np.void:
    """A network of zeros, which adds nothing."""
    network = np.zeros(1, NETWORK)[0]
    network["seats"], network["points"] = len(board.seats), len(board.points)
    for seat in range(len(board.seats)):
        network["seen"][seat, : len(board.points)] = points_seen_from(board, seat)
    network["mirrored"] = np.arange(MAX_POINTS)
    if board is LUZHANQI:
        squares = [(board.width - 1 - file, rank) for file, rank in board.squares]
        network["mirrored"][: len(board.points)] = [board.point_at[square] for square in squares]
    return network


def feature_count(board: Board) -> int:
    """How many features a board has."""
    return len(board.seats) * KINDS * CLASSES * len(board.points)


def read_network(board: Board, path: Path) -> np.void:
    """The network of a file of `tools.training.value`. OSError, or ValueError if the file does not fit the board."""
    network = empty_network(board)
    try:
        with np.load(path) as file:
            found = {name: file[name] for name in ("direct", "weights", "bias", "output")}
    except (ValueError, KeyError, EOFError, BadZipFile):
        raise ValueError(f"{path} is not a file of weights") from None
    rows, hidden = feature_count(board), found["bias"].size
    expected = {"direct": (rows,), "weights": (rows, hidden), "bias": (hidden,), "output": (hidden,)}
    for name, shape in expected.items():
        if found[name].shape != shape or hidden > HIDDEN:
            raise ValueError(f"{path}: {name} has the shape {found[name].shape}; expected {shape}")
        network[name][tuple(map(slice, shape))] = found[name]
    network["hidden"] = hidden
    return network


@cache
def packaged_network(variant: str, file: str) -> np.void:
    """A network that comes with the package."""
    return read_network(BOARDS[variant], WEIGHTS_FOLDER / file)


def learned(name: str, network_of: Callable[[str], np.void]) -> Evaluator:
    """An evaluator with the networks of `network_of`, by variant."""

    def prepare(board: Board, position: np.void, public: Public, record: np.void) -> None:
        refresh(board.tables, position, np.uint8(public.revealed), public.classes, network_of(board.variant), record)

    def explain(board: Board, position: np.void, public: Public) -> list[Term]:
        network, record = network_of(board.variant), hand.new_record(0)
        hand.prepare(board, position, public, record)
        remainder = int(add_network(network, position, public.classes, record))
        sums = [int(sum_of_team(position, record, np.uint8(team))) for team in range(2)]
        # What belongs to no piece is given to the team that it favours.
        return [
            *hand.explain(board, position, public),
            Term("network", (sums[0] + max(0, remainder), sums[1] + max(0, -remainder))),
        ]

    return Evaluator(name, hand.new_record(), prepare, HAND_KERNELS, explain)


def _packaged(files: Mapping[str, str]) -> Callable[[str], np.void]:
    """The networks in some files of the package, by variant; each is read when it is first needed."""
    return lambda variant: packaged_network(variant, files[variant])


TUNED_FILES = {"siguo": "siguo-tuned.npz", "luzhanqi": "luzhanqi.npz"}
LEARNED = learned("learned", _packaged({"siguo": "siguo.npz", "luzhanqi": "luzhanqi.npz"}))
TUNED = learned("tuned", _packaged(TUNED_FILES))
"""In siguo, worths that were tuned by play; in luzhanqi as `LEARNED`."""
