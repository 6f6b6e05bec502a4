"""A game as everybody sees it: which piece stands where, what it has shown, and what each seat moved last.

`TRACE` is what this needs beside a position:

| field | shape | meaning |
|---|---|---|
| classes | (128,) | by piece: its `PublicClass` |
| last_from, last_to | (4,) | by seat: its last move; `NO_POINT` before it |
| seen | (4, 129) | by seat and point: the point as the seat sees it, as if it sat in the south |
"""

from copy import copy
from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE, Board, points_seen_from
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, apply, attacker_arrived, defender_was_removed, eliminate
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import NO_PIECE, PIECES, SEATS, contains, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import POSITION_TYPE, copied, new_positions, place_lineup


class PublicClass(IntEnum):
    """What a piece has shown: nothing, that it can move, or its strength in a battle that it won."""

    UNMOVED = 0
    MOVED = 1
    WINNER = 2


CLASSES = len(PublicClass)
CLASSES_TYPE = types.Array(types.uint8, 1, "C")


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, CLASSES_TYPE))
def show(position, undo, classes):
    """Bring the classes up to date by a ply, from the position after it. For whoever plays without a record."""
    attacker = piece_in(undo.attacker)
    classes[attacker] = max(classes[attacker], np.uint8(PublicClass.MOVED))
    if undo.defender == NO_PIECE:
        return
    if attacker_arrived(position, undo):
        classes[attacker] = PublicClass.WINNER
    elif not defender_was_removed(position, undo):
        classes[piece_in(undo.defender)] = PublicClass.WINNER


NO_POINT = MAX_POINTS - 1
TRACE = np.dtype(
    [
        ("classes", np.uint8, PIECES),
        ("last_from", np.uint8, SEATS),
        ("last_to", np.uint8, SEATS),
        ("seen", np.uint8, (SEATS, MAX_POINTS)),
    ],
    align=True,
)
TRACE_TYPE = record_type(TRACE)


class PublicGame:
    """Follows the public record from the start of a game. All kinds in the position are unknown.

    `positions` and `traces` (`TRACE`) are arrays of one record.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.followed = 0
        """Entries of the record that it has followed."""
        self.positions = new_positions(board, Rules.of(board), board.all_alive, 0)
        self.traces, self._undos = np.zeros(1, TRACE), np.zeros(1, UNDO)
        self.traces[0]["last_from"] = self.traces[0]["last_to"] = NO_POINT
        for seat in range(len(board.seats)):
            place_lineup(board, self.positions[0], seat, [UNKNOWN] * PIECES_PER_SEAT)
            self.traces[0]["seen"][seat, : len(board.points)] = points_seen_from(board, seat)

    def copy(self) -> "PublicGame":
        twin = copy(self)
        twin.positions, twin._undos = copied(self.positions), copied(self._undos)
        twin.traces = copied(self.traces)
        return twin

    def prepare(self, seen: SeenMove) -> None:
        self.positions[0]["turn"] = seat_of(piece_in(int(self.positions[0]["board"][seen.from_point])))

    def follow(self, seen: SeenMove) -> None:
        self.followed += 1
        position = self.positions[0]
        if seen.is_ply:
            self.prepare(seen)
            move, outcome = np.uint16(seen.move), np.uint8(seen.outcome)
            carry_out(self.board.tables, position, self.traces[0], move, outcome, self._undos[0])
        for seat in (*seen.eliminated, *(() if seen.resigned is None else (seen.resigned,))):
            if contains(int(position["alive"]), seat):
                eliminate(position, np.uint8(seat))


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, TRACE_TYPE, types.uint16, types.uint8, UNDO_TYPE))
def carry_out(tables, position, trace, move, outcome, undo):
    """Play a move whose outcome is known, and bring the trace up to date."""
    seat = position.turn
    apply(tables, position, move, outcome, undo)
    show(position, undo, trace.classes)
    trace.last_from[seat] = from_point_of(move)
    trace.last_to[seat] = to_point_of(move)
