"""What each hidden piece is likely to be, from the masks and the counts alone.

The 25 pieces of a seat, dead ones included, and its twelve kinds make a matrix of weights, 1 where the mask allows
the kind. Scaling rows to 1 and columns to the counts until both hold (Sinkhorn and Knopp 1967) gives the marginals of
the maximum-entropy assignment, which are close to those of a uniform draw among all line-ups that fit.
"""

import numpy as np

from junqi_engine.pieces import COUNTS, KINDS, PIECES_PER_SEAT
from junqi_engine.view import SeatView

ROUNDS = 200
PRECISION = 1e-9


def marginals(view: SeatView, seat: int) -> np.ndarray:
    """Probabilities, (25, 12) by slot and kind. Known pieces have a single 1."""
    masks = view.masks[32 * seat : 32 * seat + PIECES_PER_SEAT].astype(np.int64)
    allowed = (masks[:, None] >> np.arange(KINDS) & 1).astype(float)
    if view.sees(seat) or not masks.all():
        return allowed
    weights = allowed.copy()
    counts = np.array(COUNTS, float)
    for _ in range(ROUNDS):
        weights *= counts / weights.sum(axis=0)
        sums = weights.sum(axis=1, keepdims=True)
        weights /= sums
        if np.abs(sums - 1).max() < PRECISION:
            break
    return weights


def hidden_counts(view: SeatView, seat: int) -> tuple[int, np.ndarray]:
    """Of a hidden seat, how many of its pieces are on the board unidentified, and the expected number of each kind,
    (12,).
    """
    present = int(view.position["present"][seat])
    probabilities = marginals(view, seat)
    unidentified = [
        slot
        for slot in range(PIECES_PER_SEAT)
        if present >> slot & 1 and int(view.masks[32 * seat + slot]).bit_count() > 1
    ]
    return len(unidentified), probabilities[unidentified].sum(axis=0)
