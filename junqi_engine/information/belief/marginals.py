"""Marginals: the probability of each kind of each hidden piece, given a view, normalised to the piece counts.

A belief is a function from a view to marginals; that of the player is in `opponents`. Worlds are sampled from them.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numba.core import types

from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

Marginals = Mapping[int, np.ndarray]
"""By seat, the probability of each kind, (25, 12) by slot and kind; a known piece has a single 1."""
Belief = Callable[[SeatView], Marginals]

RULED_OUT = -1e9

_ROUNDS = 200
_PRECISION = 1e-9
_MAX_MISS = 0.3
"""Tolerance between the expected and the true number of pieces of a kind. Beyond it, no line-up fits the weights."""
_NEGLIGIBLE = 1e-100
_MIN_PRODUCT, _MAX_PRODUCT = 1e-150, 1e150
"""Between these bounds a product of factors is kept as it is: logarithms cost more than the rest."""

WEIGHTS_TYPE = types.Array(types.float64, 2, "C")
SUMS_TYPE = types.Array(types.float64, 1, "C")


@kernel(types.void(WEIGHTS_TYPE, SUMS_TYPE))
def _sum_columns(weights, sums):
    for kind in range(KINDS):
        sums[kind] = 0.0
    for slot in range(PIECES_PER_SEAT):
        for kind in range(KINDS):
            sums[kind] += weights[slot, kind]


@kernel(types.float64(WEIGHTS_TYPE, types.intp, types.float64, SUMS_TYPE))
def sinkhorn(weights, rounds, precision, factors):
    """Scale the (25, 12) weights of a seat in place, until the row sums change by less than `precision`.

    Returns the logarithm of the product of the factors, which estimates the sum of the weights of all line-ups;
    `RULED_OUT` if no line-up has a weight. `factors` (12,) is scratch.
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
                if not _MIN_PRODUCT < product < _MAX_PRODUCT:
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
            if not _MIN_PRODUCT < product < _MAX_PRODUCT:
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
        if abs(factors[kind] - COUNTS[kind]) > _MAX_MISS:
            return RULED_OUT
    return total + np.log(product)


def normalise_to_counts(weights: np.ndarray) -> np.ndarray:
    """Scale (..., 25, 12) weights until the rows sum to 1 and the columns to the counts (Sinkhorn and Knopp 1967)."""
    scaled = np.array(weights, np.float64, order="C")
    for table in scaled.reshape(-1, PIECES_PER_SEAT, KINDS):
        sinkhorn(table, _ROUNDS, _PRECISION, np.empty(KINDS))
    return scaled


def marginals_by_seat(view: SeatView, weigh: Callable[[int], np.ndarray]) -> Marginals:
    """The marginals of all seats; `weigh` gives the (25, 12) weights of the kinds of a hidden seat."""
    allowed = {seat: allowed_kinds(view, seat) for seat in range(len(view.board.seats))}
    return allowed | {seat: normalise_to_counts(allowed[seat] * weigh(seat)) for seat in uncertain_seats(view)}


def uniform_marginals(view: SeatView) -> Marginals:
    """The marginals if all possible kinds of a piece have equal weights."""
    return marginals_by_seat(view, lambda seat: np.ones((PIECES_PER_SEAT, KINDS)))


def uncertain_seats(view: SeatView) -> list[int]:
    """The hidden seats whose pieces are all still possible."""
    seats = range(len(view.board.seats))
    return [seat for seat in seats if not view.sees(seat) and view.masks[slice_of(seat, PIECES_PER_SEAT)].all()]


def allowed_kinds(view: SeatView, seat: int) -> np.ndarray:
    """(25, 12) by slot and kind: 1 if the piece may be of the kind, else 0."""
    masks = view.masks[slice_of(seat, PIECES_PER_SEAT)].astype(np.int64)
    return contains(masks[:, None], np.arange(KINDS)).astype(float)
