"""The public state: facts about a game that everybody has seen, beside the position.

`PUBLIC_STATE`:

| field | shape | meaning |
|---|---|---|
| classes | (128,) | by piece: its `PublicClass` |
| last_from, last_to | (4,) | by seat: its last move; `NO_POINT` before it |
| relative_point | (4, 129) | by seat and point: the point relative to the seat, as if it sat in the south |
"""

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, apply, attacker_arrived, defender_was_removed
from junqi_engine.rules.layout import NO_PIECE, PIECES, SEATS, from_point_of, piece_in, to_point_of
from junqi_engine.rules.position import POSITION_TYPE


class PublicClass(IntEnum):
    """The class of a piece in public: it has shown nothing, has moved, or has won a battle."""

    UNMOVED = 0
    MOVED = 1
    WINNER = 2


CLASSES = len(PublicClass)
CLASSES_TYPE = types.Array(types.uint8, 1, "C")
NO_POINT = MAX_POINTS - 1
PUBLIC_STATE = np.dtype(
    [
        ("classes", np.uint8, PIECES),
        ("last_from", np.uint8, SEATS),
        ("last_to", np.uint8, SEATS),
        ("relative_point", np.uint8, (SEATS, MAX_POINTS)),
    ],
    align=True,
)
PUBLIC_STATE_TYPE = record_type(PUBLIC_STATE)


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, CLASSES_TYPE))
def update_classes(position, undo, classes):
    """Update the classes after a ply, from the position after it. For callers that keep no record."""
    attacker = piece_in(undo.attacker)
    classes[attacker] = max(classes[attacker], np.uint8(PublicClass.MOVED))
    if undo.defender == NO_PIECE:
        return
    if attacker_arrived(position, undo):
        classes[attacker] = PublicClass.WINNER
    elif not defender_was_removed(position, undo):
        classes[piece_in(undo.defender)] = PublicClass.WINNER


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, PUBLIC_STATE_TYPE, types.uint16, types.uint8, UNDO_TYPE))
def play_recorded(tables, position, state, move, outcome, undo):
    """Play a move whose outcome is known, and update the public state."""
    seat = position.turn
    apply(tables, position, move, outcome, undo)
    update_classes(position, undo, state.classes)
    state.last_from[seat] = from_point_of(move)
    state.last_to[seat] = to_point_of(move)
