"""What the games say: Elo on the scale of the anchors, luck taken out, calibration of the belief."""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from tools.benchmark.playing import ALONE, BESIDE, SMALLEST, Row
from tools.referee.results.report import finite
from tools.referee.statistics.sprt import Z, score_of_elo, strength

MOST_ELO = 4000
BISECTIONS = 60
TENTHS = 10
FEWEST = 3
"""Pairs from which a gain is measured."""
ONE_SIDED_Z = 1.645


def pairs_of(rows: Sequence[Row], part: str, other: str) -> list[tuple[Row, Row]]:
    """The two games of each pair, in the order of their numbers."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        if (row["part"], row["other"]) == (part, other):
            found.setdefault(row["pair"], []).append(row)
    return [(games[0], games[1]) for _, games in sorted(found.items())]


def match(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    """The results of some pairs."""
    pentanomial = [0] * 5
    for first, second in pairs:
        pentanomial[round(2 * (first["points"] + second["points"]))] += 1
    found, games = strength(pentanomial), [game for pair in pairs for game in pair]
    return {
        "games": len(games),
        "score": finite(sum(game["points"] for game in games) / len(games)) if games else None,
        "elo": finite(found.elo), "elo_interval": [finite(found.elo_low), finite(found.elo_high)],
        "faults": sum(bool(game["fault"]) for game in games),
    }  # fmt: skip


def rating(by_anchor: Mapping[float, Sequence[float]]) -> dict[str, Any]:
    """The likeliest Elo, from the scores of pairs by the Elo of the anchor, with its 95% interval.

    None if the player won or lost everything.
    """
    scores = [score for found in by_anchor.values() for score in found]
    if not scores or set(scores) <= {0.0} or set(scores) <= {1.0}:
        return {"elo": None, "error": None}

    def surplus(elo: float) -> float:
        return sum(score_of_elo(elo - anchor) - score for anchor, found in by_anchor.items() for score in found)

    low, high = -float(MOST_ELO), float(MOST_ELO)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if surplus(middle) > 0 else (middle, high)
    expected = {anchor: score_of_elo(low - anchor) for anchor in by_anchor}
    slope = sum(len(found) * expected[anchor] * (1 - expected[anchor]) for anchor, found in by_anchor.items())
    squares = sum((score - expected[anchor]) ** 2 for anchor, found in by_anchor.items() for score in found)
    return {"elo": finite(low, 0), "error": finite(Z * math.sqrt(squares) / slope * 400 / math.log(10), 0)}


def without_luck(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any] | None:
    """The score with the luck as a control variate: its mean is 0, so what it explains of the points is taken out.

    `games_needed` is the share of games that give the same interval. None without luck or with fewer than three pairs.
    """
    values = [[(one[key] + two[key]) / 2 for one, two in pairs if "luck" in one and "luck" in two]
              for key in ("points", "luck")]  # fmt: skip
    count = len(values[0])
    if count < 3:
        return None
    mean, luck = (sum(each) / count for each in values)
    spread = [sum((value - middle) ** 2 for value in each) for each, middle in zip(values, (mean, luck), strict=True)]
    shared = sum((one - mean) * (two - luck) for one, two in zip(*values, strict=True))
    share = shared / spread[1] if spread[1] else 0.0
    rest = max(0.0, spread[0] - share * shared)
    width = Z / math.sqrt(count * (count - 1))
    return {
        "games": 2 * count, "score": finite(mean), "error": finite(width * math.sqrt(spread[0])),
        "score_without_luck": finite(mean - share * luck), "error_without_luck": finite(width * math.sqrt(rest)),
        "mean_luck": finite(luck), "share_of_luck": finite(share),
        "games_needed": finite(rest / spread[0]) if spread[0] else None,
    }  # fmt: skip


def exploitability(games: Mapping[str, Sequence[tuple[Row, Row]]]) -> dict[str, Any] | None:
    """What the best of some opponents gains over an even score, which is no more than a best response would.

    Which one is the best is chosen by every second pair, and its gain, with the lower end of its one-sided 95%
    interval, measured by the others: so the choice does not flatter it. None with fewer than three pairs to measure.
    """

    def gains(other: str, first: int) -> list[float]:
        return [0.5 - (one["points"] + two["points"]) / 2 for one, two in games[other][first::2]]

    measured = {other: gains(other, 1) for other in games if len(games[other]) >= 2 * FEWEST}
    if not measured:
        return None
    best = max(measured, key=lambda other: fmean(gains(other, 0)))
    gain, error = fmean(measured[best]), stdev(measured[best]) / math.sqrt(len(measured[best]))
    return {
        "opponent": best, "games": 2 * len(measured[best]), "gain": finite(gain),
        "at_least": finite(max(0.0, gain - ONE_SIDED_Z * error)),
    }  # fmt: skip


def calibration(rows: Sequence[Row]) -> dict[str, Any] | None:
    """How often what was believed came true: the log-loss of the true kinds in nats, and a row for each tenth of
    chance. None without a belief.
    """
    entries = [(chance, came_true) for row in rows for chance, came_true in row["belief"]]
    losses = [-math.log(max(chance, SMALLEST)) for chance, came_true in entries if came_true]
    if not losses:
        return None
    tenths = []
    for tenth in range(TENTHS):
        inside = [entry for entry in entries if min(int(entry[0] * TENTHS), TENTHS - 1) == tenth]
        if inside:
            told, true = (sum(each) / len(inside) for each in zip(*inside, strict=True))
            tenths.append({"entries": len(inside), "told": finite(told), "came_true": finite(true)})
    return {"pieces": len(losses), "log_loss": finite(sum(losses) / len(losses)), "tenths": tenths}


def measure(rows: Sequence[Row], parts: Sequence[tuple[str, str]], elos: Mapping[str, float]) -> dict[str, Any]:
    """All results."""
    games = {part: pairs_of(rows, *part) for part in parts}
    anchors = {other: pairs for (part, other), pairs in games.items() if part == ALONE}
    scores = {
        elos[other]: [(one["points"] + two["points"]) / 2 for one, two in pairs] for other, pairs in anchors.items()
    }
    return {
        "rating": rating(scores),
        "against": {other: match(pairs) for other, pairs in anchors.items()},
        "without_luck": {other: without_luck(pairs) for other, pairs in anchors.items()},
        "exploitability": exploitability({other: pairs for (part, other), pairs in games.items() if part != BESIDE}),
        "belief": calibration(rows),
        "beside": {other: match(pairs) for (part, other), pairs in games.items() if part == BESIDE},
    }  # fmt: skip
