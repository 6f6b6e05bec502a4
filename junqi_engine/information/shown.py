"""What each piece has shown of itself: the same for everybody, and of a few kinds."""

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed
from junqi_engine.rules.layout import NO_PIECE, piece_in
from junqi_engine.rules.position import POSITION_TYPE


class PublicClass(IntEnum):
    """What a piece has shown: nothing, that it can move, or its strength in a battle that it won."""

    UNMOVED = 0
    MOVED = 1
    WINNER = 2


CLASSES_TYPE = types.Array(types.uint8, 1, "C")
_MOVED, _WINNER = int(PublicClass.MOVED), int(PublicClass.WINNER)


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
