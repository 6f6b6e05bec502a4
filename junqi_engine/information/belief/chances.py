"""What a belief is: how likely each hidden piece is of each kind, from a view alone.

Player 2.0 has that of `places`, the newest that of `opponents`. `marginals` tells what the newest one
says. Worlds are drawn by it (`worlds.draw`).
"""

from collections.abc import Callable

import numpy as np
from numba.core import types

from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

Belief = Callable[[SeatView], np.ndarray]
"""The logarithm of the weight of each kind for each piece, (128, 12) float32. Scaled to the counts (`scale_to_counts`),
the weights of a seat are its probabilities by piece.
"""

RULED_OUT = -1e9

_ROUNDS = 200
_PRECISION = 1e-9
_LARGEST_MISS = 0.3
"""By how much the expected number of a kind may miss its count; by more, and no line-up fits the weights."""
_NEGLIGIBLE = 1e-100
_LEAST_PRODUCT, _LARGEST_PRODUCT = 1e-150, 1e150
"""Between these, a product of factors is kept as it is, because logarithms cost more than all the rest."""

WEIGHTS_TYPE = types.Array(types.float64, 2, "C")
SUMS_TYPE = types.Array(types.float64, 1, "C")


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


@kernel(types.void(WEIGHTS_TYPE, SUMS_TYPE))
def _sum_columns(weights, sums):
    for kind in range(KINDS):
        sums[kind] = 0.0
    for slot in range(PIECES_PER_SEAT):
        for kind in range(KINDS):
            sums[kind] += weights[slot, kind]


@kernel(types.float64(WEIGHTS_TYPE, types.intp, types.float64, SUMS_TYPE))
def scale(weights, rounds, precision, factors):
    """As `scale_to_counts` for the (25, 12) weights of a seat, in place, until the sums of the rows change by less than
    `precision`; the logarithm of the product of the factors, which estimates the sum over all line-ups. `RULED_OUT` if
    no line-up has a weight. `factors` (12,) is scratch.
    """
    total, product = 0.0, 1.0
    for _ in range(rounds):
        _sum_columns(weights, factors)
        for kind in range(KINDS):
            if factors[kind] < _NEGLIGIBLE:
                return RULED_OUT
            share = factors[kind] / COUNTS[kind]
            for _ in range(COUNTS[kind]):
                product *= share
                if not _LEAST_PRODUCT < product < _LARGEST_PRODUCT:
                    total += np.log(product)
                    product = 1.0
            factors[kind] = 1.0 / share
        largest = 0.0
        for slot in range(PIECES_PER_SEAT):
            row_sum = 0.0
            for kind in range(KINDS):
                weights[slot, kind] *= factors[kind]
                row_sum += weights[slot, kind]
            if row_sum < _NEGLIGIBLE:
                return RULED_OUT
            product *= row_sum
            if not _LEAST_PRODUCT < product < _LARGEST_PRODUCT:
                total += np.log(product)
                product = 1.0
            largest = max(largest, abs(row_sum - 1.0))
            factor = 1.0 / row_sum
            for kind in range(KINDS):
                weights[slot, kind] *= factor
        if largest < precision:
            return total + np.log(product)
    _sum_columns(weights, factors)
    for kind in range(KINDS):
        if abs(factors[kind] - COUNTS[kind]) > _LARGEST_MISS:
            return RULED_OUT
    return total + np.log(product)


def chances_of(view: SeatView, seat: int, weights: np.ndarray) -> np.ndarray:
    """The chances of a hidden seat by slot and kind, (25, 12), from the weights of a `Belief`: what `belief` prints,
    and by what worlds are drawn.
    """
    chances = allowed_kinds(view, seat) * np.exp(weights[slice_of(seat, PIECES_PER_SEAT)].astype(float))
    scale(chances, _ROUNDS, _PRECISION, np.empty(KINDS))
    return chances


def allowed_kinds(view: SeatView, seat: int) -> np.ndarray:
    """(25, 12) by slot and kind: 1 if the piece may be of the kind, else 0."""
    masks = view.masks[slice_of(seat, PIECES_PER_SEAT)].astype(np.int64)
    return contains(masks[:, None], np.arange(KINDS)).astype(float)
