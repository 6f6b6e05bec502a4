"""What a belief is: how likely each hidden piece is of each kind, from a view alone.

Players 2.0 and 3.0 have that of `place_belief`, later ones that of `style_belief`. `chances` tells what the newest one
says. Worlds are drawn by it (`worlds.draw`).
"""

from collections.abc import Callable

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

Belief = Callable[[SeatView], np.ndarray]
"""The logarithm of the weight of each kind for each piece, (128, 12) float32. Scaled to the counts (`scale_to_counts`),
the weights of a seat are its probabilities by piece.
"""

_ROUNDS = 200
_PRECISION = 1e-9


def scale_to_counts(weights: np.ndarray, rounds: int = _ROUNDS) -> np.ndarray:
    """Scale (..., 25, 12) weights until the rows sum to 1 and the columns to the counts (Sinkhorn and Knopp 1967)."""
    weights = weights.copy()
    counts = np.array(COUNTS, float)
    for _ in range(rounds):
        weights *= counts / weights.sum(axis=-2, keepdims=True)
        sums = weights.sum(axis=-1, keepdims=True)
        weights /= sums
        if np.abs(sums - 1).max() < _PRECISION:
            break
    return weights


def allowed_kinds(view: SeatView, seat: int) -> np.ndarray:
    """(25, 12) by slot and kind: 1 if the piece may be of the kind, else 0."""
    masks = view.masks[slice_of(seat, PIECES_PER_SEAT)].astype(np.int64)
    return contains(masks[:, None], np.arange(KINDS)).astype(float)
