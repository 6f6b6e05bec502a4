"""Playing strength from results: Elo with its interval, normalised Elo, and the sequential probability ratio test.

The unit is the pair: two games from the same line-ups with the teams swapped. The score of a pair is 0, 1/4, 1/2, 3/4
or 1. The *pentanomial counts* say how often each occurred; they account for the correlation between the two games.

The formulas of Elo are those of fastchess (`elo_pentanomial.cpp`), which agree with the source below. The interval is
the normal approximation for the mean score, converted to Elo; normalised Elo divides by the standard deviation of a
single game. With fewer than `MANY_PAIRS` pairs, or pairs that all have the same score, the interval is that of the
likelihood ratio (`score_interval`), and Student's distribution takes the place of the normal one.

The test uses the generalised log-likelihood ratio: the likelihood of the counts under the most likely distribution over
the five pair scores that satisfies H1, divided by that under H0. In the logistic model a hypothesis fixes the expected
score; in the normalised model it fixes the distance of the expected score from 1/2 in standard deviations. Method: M.
Van den Bergh, *Comments on Normalized Elo*, proposition 1.1 and section 4.1
(https://www.cantate.be/Fishtest/normalized_elo_practical.pdf), as applied by fastchess and fishtest; like them, this
code counts a pair score that never occurred as 1/1000.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from statistics import NormalDist


def levels(count: int) -> tuple[float, ...]:
    """Return `count` scores from 0 to 1 in equal steps."""
    return tuple(number / (count - 1) for number in range(count))


PAIR_SCORES = levels(5)
NORMALIZED_ELO_PER_SIGMA = 800 / math.log(10)
CONFIDENCE = 0.95
MANY_PAIRS = 50
"""From this number on, Student's distribution counts as normal."""
NEVER_SEEN = 1e-3
"""Pseudo-count of a pair score that has not occurred."""
BISECTIONS = 200
MAX_T = 1e4
MAX_TILT = 500.0


@dataclass(frozen=True)
class Strength:
    """The estimates from pentanomial counts, for the first engine against the second.

    A value is None where the counts do not determine it, and infinite where the score is 0 or 1. The errors are half
    the width of the 95% interval; `elo_low` and `elo_high` are its ends, both infinite with fewer than three pairs.
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
    """The Elo difference at which `score` is the expected score; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """The expected score at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def mean_and_variance(values: Sequence[float], weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a distribution; `weights` need not add up to 1."""
    total = math.fsum(weights)
    mean = math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total
    squares = math.fsum(weight * (value - mean) ** 2 for value, weight in zip(values, weights, strict=True))
    return mean, squares / total


def strength(pentanomial: Sequence[int]) -> Strength:
    """All estimates from the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points."""
    pairs = sum(pentanomial)
    if pairs == 0:
        return Strength(0)
    mean, variance = mean_and_variance(PAIR_SCORES, pentanomial)
    elo = elo_of_score(mean)
    if variance == 0:
        low, high = map(elo_of_score, score_interval(pentanomial))
        nelo = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
        los = None if pairs == 1 else 0.5 if mean == 0.5 else float(mean > 0.5)
        return Strength(pairs, mean, elo, (high - low) / 2, low, high, nelo, None, los)
    is_few = pairs < MANY_PAIRS
    deviation = math.sqrt(variance / (pairs - is_few))
    spread = quantile(CONFIDENCE, pairs - 1) * deviation
    ends = score_interval(pentanomial) if is_few else (mean - spread, mean + spread)
    low, high = map(elo_of_score, ends)
    per_game = math.sqrt(2 * variance)
    nelo = (mean - 0.5) / per_game * NORMALIZED_ELO_PER_SIGMA
    nelo_error = spread / per_game * NORMALIZED_ELO_PER_SIGMA
    los = (1 + math.copysign(central(abs(mean - 0.5) / deviation, pairs - 1), mean - 0.5)) / 2
    return Strength(pairs, mean, elo, (high - low) / 2, low, high, nelo, nelo_error, los)


def score_interval(counts: Sequence[int], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the mean score, for counts of scores in equal steps from 0 to 1, as those of pairs are.

    The interval contains the means under which the counts are not too unlikely.

    The likelihood of the counts is at most `exp(quantile ** 2 / 2)` times that under the likeliest distribution with
    such a mean (A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", 1988); scores
    that never occurred count as in the test. From 0 to 1 with fewer than three pairs, which exclude no mean.
    """
    pairs = sum(counts)
    if pairs < 3:
        return 0.0, 1.0
    total, seen = _shares(counts)
    threshold = quantile(confidence, pairs - 1) ** 2 / 2 / total
    return _mean_at(seen, threshold, 1), _mean_at(seen, threshold, -1)


def _shares(counts: Sequence[int]) -> tuple[float, list[float]]:
    """The sum of the counts and the share of each; a count of 0 is replaced by `NEVER_SEEN`."""
    filled = [count or NEVER_SEEN for count in counts]
    total = math.fsum(filled)
    return total, [count / total for count in filled]


def _mean_at(seen: Sequence[float], threshold: float, sign: int) -> float:
    """The mean below (`sign` 1) or above (-1) that of `seen` at which the log-likelihood ratio is `threshold`.

    The likeliest distributions have shares in proportion to `seen / (1 - score + exp(tilt) * score)`.
    """
    scores = levels(len(seen))
    mean, low, high = 0.0, 0.0, MAX_TILT
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        factors = [1 - score + math.exp(sign * middle) * score for score in scores]
        shares = [share / factor for share, factor in zip(seen, factors, strict=True)]
        total = math.fsum(shares)
        ratio = math.fsum(share * math.log(factor * total) for share, factor in zip(seen, factors, strict=True))
        mean = math.fsum(share * score for share, score in zip(shares, scores, strict=True)) / total
        if ratio < threshold:
            low = middle
        else:
            high = middle
    return mean


@cache
def quantile(confidence: float, freedom: int) -> float:
    """The t such that Student's distribution has the probability `confidence` from -t to t; `freedom` is at least 1."""
    if freedom >= MANY_PAIRS - 1:
        return NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = 0.0, MAX_T
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if central(middle, freedom) < confidence else (low, middle)
    return high


def central(t: float, freedom: int) -> float:
    """The probability of Student's distribution between -t and t.

    Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.7.3 and 26.7.4.
    """
    if freedom >= MANY_PAIRS - 1:
        return math.erf(t / math.sqrt(2))
    angle = math.atan(t / math.sqrt(freedom))
    is_odd = freedom % 2
    term, total = (math.cos(angle) if is_odd else 1.0), 0.0
    for number in range(is_odd, freedom - 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (number + 1) / (number + 2)
    return 2 / math.pi * (angle + math.sin(angle) * total) if is_odd else math.sin(angle) * total


MAX_ELO = 2000
"""Beyond it, the expected score is too close to 0 or 1 to compute with."""
ITERATIONS = 100
HALVINGS_OF_MEAN = 40
CONVERGED = 1e-10


class Model(StrEnum):
    NORMALIZED = "normalized"
    LOGISTIC = "logistic"


class SprtVerdict(StrEnum):
    CONTINUE = "continue"
    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True)
class Sprt:
    """Wald's test of `elo1` (H1) against `elo0` (H0), with the error rates `alpha` and `beta`."""

    elo0: float
    elo1: float
    model: Model = Model.NORMALIZED
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not abs(elo) <= MAX_ELO:
                raise ValueError(f"{name} ({elo:g}) must be from -{MAX_ELO} to {MAX_ELO}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 ({self.elo0:g}) must be below elo1 ({self.elo1:g})")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 1:
                raise ValueError(f"{name} ({rate:g}) must be between 0 and 1")
        if self.alpha + self.beta >= 1:
            raise ValueError(f"alpha and beta ({self.alpha:g} + {self.beta:g}) must add up to less than 1")

    @property
    def lower(self) -> float:
        """The ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Sequence[int]) -> float:
        """The log-likelihood ratio of the counts of pairs; 0 before the first pair."""
        if sum(pentanomial) == 0:
            return 0.0
        total, seen = _shares(pentanomial)
        if self.model == Model.LOGISTIC:
            zero, one = (_likeliest_with_mean(seen, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        else:
            # Normalised Elo uses the standard deviation of a game, which is sqrt(2) times that of a pair.
            scale = math.sqrt(2) / NORMALIZED_ELO_PER_SIGMA
            zero, one = (_likeliest_with_t(seen, scale * elo) for elo in (self.elo0, self.elo1))
        return total * math.fsum(
            share * math.log(under_one / under_zero)
            for share, under_zero, under_one in zip(seen, zero, one, strict=True)
        )

    def verdict(self, llr: float) -> SprtVerdict:
        """The decision at a log-likelihood ratio."""
        if llr >= self.upper:
            return SprtVerdict.H1
        return SprtVerdict.H0 if llr <= self.lower else SprtVerdict.CONTINUE


def _root(values: Sequence[float], weights: Sequence[float]) -> float:
    """The x for which the sum of weight * value / (1 + x * value) is 0 and every 1 + x * value is positive.

    The sum decreases from plus to minus infinity between the two poles next to 0.
    """
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if math.fsum(w * v / (1 + middle * v) for v, w in zip(values, weights, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _likeliest_with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The distribution with the given mean that maximises the likelihood of `seen`."""
    shifted = [score - mean for score in levels(len(seen))]
    x = _root(shifted, seen)
    return [share / (1 + x * value) for share, value in zip(seen, shifted, strict=True)]


def _likeliest_with_t(seen: Sequence[float], t: float) -> list[float]:
    """The distribution with (mean - 1/2) / deviation = t that maximises the likelihood of `seen`.

    Each step solves the problem linearised at the previous estimate, starting from the uniform distribution. Far from
    `seen` the linearised problem has no solution there; the iteration then starts from `_near_t`.
    """
    estimate = [1 / len(PAIR_SCORES)] * len(PAIR_SCORES)
    if not _has_root(_slopes(estimate, t)):
        estimate = _near_t(seen, t)
    for _ in range(ITERATIONS):
        slopes = _slopes(estimate, t)
        if not _has_root(slopes):
            break
        x = _root(slopes, seen)
        previous = estimate
        estimate = [share / (1 + x * slope) for share, slope in zip(seen, slopes, strict=True)]
        if max(abs(new - old) for new, old in zip(estimate, previous, strict=True)) < CONVERGED:
            break
    return estimate


def _slopes(estimate: Sequence[float], t: float) -> list[float]:
    """The gradient of mean - 1/2 - t * deviation at a distribution, by pair score."""
    mean, variance = mean_and_variance(PAIR_SCORES, estimate)
    deviation = math.sqrt(variance)
    return [score - 0.5 - t * deviation * (1 + ((score - mean) / deviation) ** 2) / 2 for score in PAIR_SCORES]


def _has_root(slopes: Sequence[float]) -> bool:
    return min(slopes) < 0 < max(slopes)


def _near_t(seen: Sequence[float], t: float) -> list[float]:
    """A starting point for `_likeliest_with_t`: of the likeliest distributions by mean, the one with the given t."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS_OF_MEAN):
        middle = (low + high) / 2
        estimate = _likeliest_with_mean(seen, middle)
        mean, variance = mean_and_variance(PAIR_SCORES, estimate)
        if mean - 0.5 < t * math.sqrt(variance):
            low = middle
        else:
            high = middle
    return estimate
