"""Games of a batch as they stand, and whether arrays can be that: kernels take every number in them as it is."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from junqi_engine.env.observing import NO_POINT, TRACK
from junqi_engine.errors import JunqiError
from junqi_engine.information.deduction import PARTNERS
from junqi_engine.information.knowledge import KNOWN, MOST_RELATIONS
from junqi_engine.rules.board import MAX_POINTS, Board
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    SLOTS,
    contains,
    from_point_of,
    occupant_of,
    seat_of,
    slot_of,
    to_point_of,
)
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import POSITION, Result


@dataclass(frozen=True)
class States:
    """Games of a batch as they stand, for `Batch.set_states`: what they are like, and what their seats know."""

    made_by: tuple[Any, ...]
    positions: np.ndarray
    has_lineups: np.ndarray
    views: np.ndarray
    tracks: np.ndarray

    def __len__(self) -> int:
        return len(self.positions)


def check_states(board: Board, viewers: int, states: States) -> None:
    """`JunqiError` if an array has another form than those of a batch, or a number that no game has."""
    shape = states.positions.shape
    forms = {
        "positions": (POSITION, shape), "has_lineups": (np.dtype(bool), shape), "views": (KNOWN, (*shape, viewers)),
        "tracks": (TRACK, shape),
    }  # fmt: skip
    for name, (kind, expected) in forms.items():
        array = getattr(states, name)
        if array.dtype != kind or array.shape != expected:
            raise JunqiError("bad-argument", f"states: {name} is not an array of this batch")
    checks = _positions(board, states.positions), _views(board, states.views), _tracks(board, states.tracks)
    for name, are_possible in (each for check in checks for each in check.items()):
        if not np.all(are_possible):
            raise JunqiError("bad-argument", f"states: {name} has numbers that no game has")


def _positions(board: Board, positions: np.ndarray) -> dict[str, np.ndarray]:
    """By field, whether its numbers are possible."""
    pieces, points, seats = np.arange(PIECES), len(board.points), len(board.seats)
    slots, has_seats = np.uint32(1 << PIECES_PER_SEAT), np.arange(SEATS) < seats
    present = contains(positions["present"][..., seat_of(pieces)], slot_of(pieces).astype(np.uint32)) > 0
    kinds = positions["kind"].astype(np.intp)
    where = np.minimum(positions["where"], MAX_POINTS - 1).astype(np.intp)
    stand = np.where(present, occupant_of(pieces), NO_PIECE)
    by_seat = (*positions.shape, SEATS, SLOTS)
    own = np.where(present, kinds, UNKNOWN).reshape(by_seat)
    return {
        "present": (positions["present"] < slots) & (present.reshape(by_seat).any(axis=-1) <= has_seats),
        "movable": (positions["movable"] & ~positions["present"]) == 0,
        "where": ~present | (positions["where"] < points),
        "board": np.logical_and(
            (np.take_along_axis(positions["board"], where, axis=-1) == stand) | ~present,
            ((positions["board"] != NO_PIECE).sum(axis=-1) == present.sum(axis=-1))[..., None],
        ),
        "kind": (kinds <= UNKNOWN) & (~present | (kinds < KINDS)),
        "kind of a seat": np.stack([(own == kind).sum(axis=-1) <= COUNTS[kind] for kind in range(KINDS)]),
        "turn": positions["turn"] < seats,
        "alive": positions["alive"] <= board.all_alive,
        "result": positions["result"] < len(Result),
    }


def _views(board: Board, views: np.ndarray) -> dict[str, np.ndarray]:
    relations = views["relations"]
    return {
        "masks": views["masks"] < 1 << KINDS,
        "relation_count": (views["relation_count"] >= 0) & (views["relation_count"] <= MOST_RELATIONS),
        "hidden_seats": views["hidden_seats"] <= board.all_alive,
        "relations": (relations[..., :2] < PIECES).all(axis=-1) & (relations[..., 2] < len(PARTNERS)),
    }


def _tracks(board: Board, tracks: np.ndarray) -> dict[str, np.ndarray]:
    moves, points = tracks["moves"], len(board.points)
    return {
        "moves": (from_point_of(moves) < points) & (to_point_of(moves) < points),
        "ends": (tracks["ends"] < points) | (tracks["ends"] == NO_POINT),
    }
