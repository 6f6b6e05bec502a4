"""A game as everybody sees it: which piece stands where, what it has shown and done, and what each seat moved last.

`TRACE` is what this needs beside a position:

| field | shape | meaning |
|---|---|---|
| classes | (128,) | by piece: its `PublicClass` |
| last_from, last_to | (4,) | by seat: its last move; `NO_POINT` before it |
| seen | (4, 129) | by seat and point: the point as the seat sees it, as if it sat in the south |
"""

from copy import copy
from typing import Any

import numpy as np
from numba.core import types

from junqi_engine.information.behaviour import DEEDS, DEEDS_TYPE, note_neighbours, note_ply, show
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE, Board, points_seen_from
from junqi_engine.rules.copying import unpickled
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, apply, eliminate
from junqi_engine.rules.layout import PIECES, SEATS, contains, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.rules.seen_move import SeenMove
from junqi_engine.rules.setup import new_position, place_lineup

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
    """Follows the public record from the start of a game. All kinds in `position` are unknown."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.followed = 0
        """Entries of the record that it has followed."""
        self.position = new_position(board, Rules.of(board), board.all_alive, 0)
        self.trace, self.deeds = np.zeros(1, TRACE)[0], np.zeros(1, DEEDS)[0]
        self.trace["last_from"] = self.trace["last_to"] = NO_POINT
        for seat in range(len(board.seats)):
            place_lineup(board, self.position, seat, [UNKNOWN] * PIECES_PER_SEAT)
            self.trace["seen"][seat, : len(board.points)] = points_seen_from(board, seat)
        self._undo = np.zeros(1, UNDO)[0]

    def copy(self) -> "PublicGame":
        copied = copy(self)
        copied.position, copied._undo = self.position.copy(), self._undo.copy()
        copied.trace, copied.deeds = self.trace.copy(), self.deeds.copy()
        return copied

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(unpickled(state))

    def prepare(self, seen: SeenMove) -> None:
        """Give the turn to the seat of the next ply."""
        self.position["turn"] = seat_of(piece_in(int(self.position["board"][seen.from_point])))

    def follow(self, seen: SeenMove) -> None:
        """Follow a ply or an event."""
        self.followed += 1
        position = self.position
        if seen.is_ply:
            self.prepare(seen)
            move, outcome = np.uint16(seen.move), np.uint8(seen.outcome)
            carry_out(self.board.tables, position, self.trace, self.deeds, move, outcome, self._undo)
        for seat in (*seen.eliminated, *(() if seen.resigned is None else (seen.resigned,))):
            if contains(int(position["alive"]), seat):
                eliminate(position, np.uint8(seat))


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, TRACE_TYPE, DEEDS_TYPE, types.uint16, types.uint8, UNDO_TYPE))
def carry_out(tables, position, trace, deeds, move, outcome, undo):
    """Play a move whose outcome is known, and bring trace and deeds up to date."""
    seat = position.turn
    apply(tables, position, move, outcome, undo)
    note_ply(undo, trace.classes, trace.seen, deeds)
    show(position, undo, trace.classes)
    note_neighbours(tables, position, undo, trace.classes, deeds)
    trace.last_from[seat] = from_point_of(move)
    trace.last_to[seat] = to_point_of(move)
