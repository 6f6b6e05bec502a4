"""The interface of a belief, which says how likely each hidden piece is of each kind.

`BY_PLACE` (`place_belief`) is the belief of players 2.0 and 3.0, `BY_STYLE` (`style_belief`) that of later ones. What
`belief` prints and a program reads comes from `marginals`, by the newest belief.
"""

from typing import Protocol

import numpy as np

from junqi_engine.information.deduction import NEVER
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

_ROUNDS = 200
_PRECISION = 1e-9


class Belief(Protocol):
    """What is likely, from a view alone."""

    def log_weights(self, view: SeatView) -> np.ndarray:
        """The logarithm of the weight of each kind for each piece, (128, 12) float32.

        Scaled to the counts (`scale_to_counts`), the weights of a seat are its probabilities by piece.
        """
        ...

    def draw(self, view: SeatView, count: int, seed: int, stop: np.ndarray = NEVER) -> np.ndarray:
        """Worlds, as `worlds.draw` returns them, that are likely by this belief."""
        ...


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
