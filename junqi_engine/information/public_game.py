"""A game as everybody sees it: which piece stands where, what it has shown and done, and what each seat moved last.

`TRACE` is what this needs beside a position:

| field | shape | meaning |
|---|---|---|
| classes | (128,) | by piece: its `PublicClass` |
| last_from, last_to | (4,) | by seat: its last move; `NO_POINT` before it |
| seen | (4, 129) | by seat and point: the point as the seat sees it, as if it sat in the south |

What a piece has done are eight numbers, which `SeatView.behaviour` returns:

| feature | meaning |
|---|---|
| still | if it never moved: ln(1 + its seat's turns / 8) |
| moves | ln(1 + moves without a battle) |
| ventured | 1 once it has left its own seat's block |
| attacked | ln(1 + attacks on pieces that had not won a battle, without those of the next row) |
| attacked home | ln(1 + attacks on pieces in rows 4 and 5 of their block that had never moved) |
| attacked winner | ln(1 + attacks on pieces that had won a battle) |
| fled | ln(1 + moves without a battle just after an enemy had moved next to it) |
| stood | ln(1 + turns on which it stayed although an enemy that had won a battle had just moved next to it) |

`DEEDS` is what they are computed from:

| field | shape | meaning |
|---|---|---|
| counts | (8, 128) | by feature and piece; that of `still` is not used |
| turns | (4,) | by seat: its plies |
| beset | (128,) | 1 if an enemy moved next to the piece since its seat's last turn; 2 if one had won a battle |
"""

from copy import copy
from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import (
    BLOCK_POINTS,
    FIRST_BACK_ROW,
    MAX_POINTS,
    ROW_POINTS,
    TABLES_TYPE,
    Board,
    points_seen_from,
)
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, apply, attacker_arrived, defender_was_removed, eliminate
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    contains,
    enemy_field,
    from_point_of,
    is_enemy,
    piece_in,
    piece_of,
    seat_of,
    slice_of,
    to_point_of,
)
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import POSITION_TYPE, copied, new_positions, place_lineup


class PublicClass(IntEnum):
    """What a piece has shown: nothing, that it can move, or its strength in a battle that it won."""

    UNMOVED = 0
    MOVED = 1
    WINNER = 2


CLASSES = len(PublicClass)
FEATURES = ("still", "moves", "ventured", "attacked", "attacked home", "attacked winner", "fled", "stood")
STILL, MOVES, VENTURED, ATTACKED, ATTACKED_HOME, ATTACKED_WINNER, FLED, STOOD = range(len(FEATURES))
_STILL_TURNS = 8

DEEDS = np.dtype(
    [
        ("counts", np.int32, (len(FEATURES), PIECES)),
        ("turns", np.int32, SEATS),
        ("beset", np.uint8, PIECES),
    ],
    align=True,
)
DEEDS_TYPE = record_type(DEEDS)
CLASSES_TYPE = types.Array(types.uint8, 1, "C")
SEEN_TYPE = types.Array(types.uint8, 2, "C")


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


@kernel(types.void(UNDO_TYPE, CLASSES_TYPE, SEEN_TYPE, DEEDS_TYPE))
def note_ply(undo, classes, seen, deeds):
    """Count a ply for the piece that moved and for its seat. `classes` are those before it; `seen` as in `TRACE`."""
    seat, mover, counts = np.intp(undo.turn), np.intp(piece_in(undo.attacker)), deeds.counts
    deeds.turns[seat] += 1
    for slot in range(PIECES_PER_SEAT):
        piece = piece_of(seat, slot)
        if piece == mover and undo.defender == NO_PIECE:
            counts[FLED, piece] += deeds.beset[piece] != 0
        elif piece != mover:
            counts[STOOD, piece] += deeds.beset[piece] == 2
        deeds.beset[piece] = 0
    deed = MOVES
    if undo.defender != NO_PIECE:
        target = piece_in(undo.defender)
        # Where the owner of an unmoved piece sees it, that piece is in its own block.
        place = seen[seat_of(target), undo.to_point]
        is_home = classes[target] == PublicClass.UNMOVED and place >= FIRST_BACK_ROW * ROW_POINTS
        deed = ATTACKED_WINNER if classes[target] == PublicClass.WINNER else ATTACKED_HOME if is_home else ATTACKED
    counts[deed, mover] += 1
    if seen[seat, undo.to_point] >= BLOCK_POINTS:
        counts[VENTURED, mover] = 1


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, UNDO_TYPE, CLASSES_TYPE, DEEDS_TYPE))
def note_neighbours(tables, position, undo, classes, deeds):
    """Note the enemies next to which the piece that moved has arrived. Position and `classes` are those after it."""
    if not attacker_arrived(position, undo):
        return
    enemy = enemy_field(undo.turn)
    threat = 2 if classes[piece_in(undo.attacker)] == PublicClass.WINNER else 1
    for i in range(tables.near_count[undo.to_point]):
        occupant = position.board[tables.near[undo.to_point, i]]
        if is_enemy(occupant, enemy):
            piece = piece_in(occupant)
            deeds.beset[piece] = max(deeds.beset[piece], threat)


def features_of(deeds: np.void) -> np.ndarray:
    """The features of all pieces, (128, 8)."""
    counts = np.array(deeds["counts"], float).T
    features: np.ndarray = np.log1p(counts)
    features[:, VENTURED] = counts[:, VENTURED]
    has_moved: np.ndarray = counts[:, [MOVES, ATTACKED, ATTACKED_HOME, ATTACKED_WINNER]].sum(axis=1) > 0
    for seat, turns in enumerate(deeds["turns"].tolist()):
        own = slice_of(seat, PIECES_PER_SEAT)
        features[own, STILL] = np.where(has_moved[own], 0.0, np.log1p(turns / _STILL_TURNS))
    return features


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
        self._positions = new_positions(board, Rules.of(board), board.all_alive, 0)
        self._traces, self._deeds, self._undos = np.zeros(1, TRACE), np.zeros(1, DEEDS), np.zeros(1, UNDO)
        self.trace["last_from"] = self.trace["last_to"] = NO_POINT
        for seat in range(len(board.seats)):
            place_lineup(board, self.position, seat, [UNKNOWN] * PIECES_PER_SEAT)
            self.trace["seen"][seat, : len(board.points)] = points_seen_from(board, seat)

    @property
    def position(self) -> np.void:
        record: np.void = self._positions[0]
        return record

    @property
    def trace(self) -> np.void:
        record: np.void = self._traces[0]
        return record

    @property
    def deeds(self) -> np.void:
        record: np.void = self._deeds[0]
        return record

    def copy(self) -> "PublicGame":
        twin = copy(self)
        twin._positions, twin._undos = copied(self._positions), copied(self._undos)
        twin._traces, twin._deeds = copied(self._traces), copied(self._deeds)
        return twin

    def prepare(self, seen: SeenMove) -> None:
        self.position["turn"] = seat_of(piece_in(int(self.position["board"][seen.from_point])))

    def follow(self, seen: SeenMove) -> None:
        self.followed += 1
        position = self.position
        if seen.is_ply:
            self.prepare(seen)
            move, outcome = np.uint16(seen.move), np.uint8(seen.outcome)
            carry_out(self.board.tables, position, self.trace, self.deeds, move, outcome, self._undos[0])
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
