"""What results say of strength: Elo with its interval, normalised Elo, likelihood of superiority.

The unit is the pair: two games from the same line-ups with the teams swapped. A pair's score lies in 0, 1/4, 1/2, 3/4,
1, and how often each occurred are its *pentanomial counts*, which account for what the two games have in common.

The formulas are those of fastchess (`elo_pentanomial.cpp`), which agree with M. Van den Bergh, *Comments on Normalized
Elo*, https://www.cantate.be/Fishtest/normalized_elo_practical.pdf: the interval is the normal one of the mean score,
carried over to Elo; normalised Elo divides by the standard deviation of a single game.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
NORMALIZED_ELO_PER_SIGMA = 800 / math.log(10)
CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Strength:
    """The estimates from one row of pentanomial counts, first engine against second.

    Each is None where the counts do not determine it, and infinite where the score is 0 or 1. The errors are half the
    width of the 95% interval; `elo_low` and `elo_high` are the interval itself.
    """

    pairs: int
    score: float | None = None
    elo: float | None = None
    elo_error: float | None = None
    elo_low: float | None = None
    elo_high: float | None = None
    nelo: float | None = None
    nelo_error: float | None = None
    los: float | None = None


def elo_of_score(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """The score expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def mean_and_variance(values: Sequence[float], weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a distribution; `weights` need not add up to one."""
    total = math.fsum(weights)
    mean = math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total
    squares = math.fsum(weight * (value - mean) ** 2 for value, weight in zip(values, weights, strict=True))
    return mean, squares / total


def strength(pentanomial: Sequence[int]) -> Strength:
    """All estimates from the counts of pairs that scored 0, 1/2, 1, 3/2 and 2 points."""
    pairs = sum(pentanomial)
    if pairs == 0:
        return Strength(0)
    mean, variance = mean_and_variance(PAIR_SCORES, pentanomial)
    spread = Z * math.sqrt(variance / pairs)
    low, high = elo_of_score(mean - spread), elo_of_score(mean + spread)
    elo = elo_of_score(mean)
    # Between two equal infinities there is no width to speak of.
    error = None if math.isinf(low) and low == high else (high - low) / 2
    nelo_error: float | None
    if variance > 0:
        per_game = math.sqrt(2 * variance)
        nelo = (mean - 0.5) / per_game * NORMALIZED_ELO_PER_SIGMA
        nelo_error = spread / per_game * NORMALIZED_ELO_PER_SIGMA
        los = (1 + math.erf((mean - 0.5) / math.sqrt(2 * variance / pairs))) / 2
    else:
        nelo = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
        nelo_error = 0.0 if mean == 0.5 else None
        los = 0.5 if mean == 0.5 else float(mean > 0.5)
    return Strength(pairs, mean, elo, error, low, high, nelo, nelo_error, los)
