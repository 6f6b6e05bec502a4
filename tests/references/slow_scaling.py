"""The scaling of weights to the counts as plain Python: a logarithm of every factor, a division of every weight."""

import math

from junqi_engine.rules.pieces import COUNTS

ROUNDS, PRECISION = 60, 1e-6
NEGLIGIBLE, LARGEST_MISS, RULED_OUT = 1e-100, 0.3, -1e9


def scale(weights: list[list[float]]) -> float:
    """Scale (25, 12) weights in place until rows sum to 1 and columns to the counts; the logarithm of the product of
    the factors, or `RULED_OUT`.
    """
    total = 0.0
    for _ in range(ROUNDS):
        sums = [sum(row[kind] for row in weights) for kind in range(len(COUNTS))]
        if min(sums) < NEGLIGIBLE:
            return RULED_OUT
        total += sum(count * math.log(column / count) for column, count in zip(sums, COUNTS, strict=True))
        largest = 0.0
        for row in weights:
            row[:] = [weight * count / column for weight, count, column in zip(row, COUNTS, sums, strict=True)]
            row_sum = sum(row)
            if row_sum < NEGLIGIBLE:
                return RULED_OUT
            total += math.log(row_sum)
            largest = max(largest, abs(row_sum - 1.0))
            row[:] = [weight / row_sum for weight in row]
        if largest < PRECISION:
            return total
    sums = [sum(row[kind] for row in weights) for kind in range(len(COUNTS))]
    is_near = all(abs(column - count) <= LARGEST_MISS for column, count in zip(sums, COUNTS, strict=True))
    return total if is_near else RULED_OUT
