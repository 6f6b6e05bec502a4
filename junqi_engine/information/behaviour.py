"""What every piece has shown of itself and done, from the public record alone: the same for everybody.

`PublicClass` is what it has shown. What it has done are eight numbers, which `SeatView.behaviour` returns:

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

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import BLOCK_POINTS, FIRST_BACK_ROW, ROW_POINTS, TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    enemy_field,
    is_enemy,
    piece_in,
    piece_of,
    seat_of,
    slice_of,
)
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE


class PublicClass(IntEnum):
    """What a piece has shown: nothing, that it can move, or its strength in a battle that it won."""

    UNMOVED = 0
    MOVED = 1
    WINNER = 2


FEATURES = ("still", "moves", "ventured", "attacked", "attacked home", "attacked winner", "fled", "stood")
STILL, MOVES, VENTURED, ATTACKED, ATTACKED_HOME, ATTACKED_WINNER, FLED, STOOD = range(len(FEATURES))
_STILL_TURNS = 8
_UNMOVED, _MOVED, _WINNER = map(int, PublicClass)

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
    classes[attacker] = max(classes[attacker], np.uint8(_MOVED))
    if undo.defender == NO_PIECE:
        return
    if attacker_arrived(position, undo):
        classes[attacker] = _WINNER
    elif not defender_was_removed(position, undo):
        classes[piece_in(undo.defender)] = _WINNER


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
        is_home = classes[target] == _UNMOVED and place >= FIRST_BACK_ROW * ROW_POINTS
        deed = ATTACKED_WINNER if classes[target] == _WINNER else ATTACKED_HOME if is_home else ATTACKED
    counts[deed, mover] += 1
    if seen[seat, undo.to_point] >= BLOCK_POINTS:
        counts[VENTURED, mover] = 1


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, UNDO_TYPE, CLASSES_TYPE, DEEDS_TYPE))
def note_neighbours(tables, position, undo, classes, deeds):
    """Note the enemies next to which the piece that moved has arrived. Position and `classes` are those after it."""
    if not attacker_arrived(position, undo):
        return
    enemy = enemy_field(undo.turn)
    threat = 2 if classes[piece_in(undo.attacker)] == _WINNER else 1
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
