"""What the games of a benchmark say: Elo on the scale of the anchors, luck taken out, calibration of the belief."""

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from junqi_referee.playing.standings import finite
from junqi_referee.sprt import CONFIDENCE, quantile, score_interval, score_of_elo, strength

ALONE, BESIDE, EXPLOITED = "against", "beside", "exploited by"
"""The kinds of games: against an anchor, beside a stranger, against an engine that looks for weaknesses."""
MOST_ELO = 4000
BISECTIONS = 60
TENTHS = 10
SMALLEST = 0.01
"""A chance that is said to be less counts as this: chances come with two decimals."""
FEWEST = 3
"""Pairs from which a gain is measured."""
FEWEST_WITH_LUCK = 5
ONE_SIDED = 2 * CONFIDENCE - 1
"""The confidence of the interval whose lower end is that of a one-sided one."""
Row = dict[str, Any]
"""A game: the `points` of the player, whether it lost by its own `fault`, what it believed (`belief`: chances, and
whether each came true), and the `attack_luck` of both sides, if that was measured.
"""
Pairs = Mapping[tuple[str, str], Sequence[tuple[Row, Row]]]
"""By the kind of the games and the other player, the two games of each pair."""


def match(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
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

    None if the player won or lost everything; the error is None if the scores have no spread.
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
    if not squares:
        return {"elo": finite(low, 0), "error": None}
    deviation = math.sqrt(squares * len(scores) / (len(scores) - 1))
    error = quantile(CONFIDENCE, len(scores) - 1) * deviation / slope * 400 / math.log(10)
    return {"elo": finite(low, 0), "error": finite(error, 0)}


def without_luck(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any] | None:
    """The score with two control variates, the luck of either side in the battles that it began, in its own eyes.

    Their means ought to be 0 (docs/benchmark.md says why), so what they explain of the points is taken out; the share
    of each is fitted. Lists have the player first, then the other side. `games_needed` is the share of games that give
    the same interval. None without luck or with fewer than five pairs.
    """
    told = [pair for pair in pairs if all(game.get("attack_luck") is not None for game in pair)]
    count = len(told)
    if count < FEWEST_WITH_LUCK:
        return None
    points = np.array([(one["points"] + two["points"]) / 2 for one, two in told])
    luck = np.array([np.add(one["attack_luck"], two["attack_luck"]) / 2 for one, two in told])
    mean, means = float(points.mean()), luck.mean(axis=0)
    shares = np.linalg.lstsq(luck - means, points - mean, rcond=None)[0]
    rest = points - mean - (luck - means) @ shares
    # Each share that is fitted takes a degree of freedom.
    freedom = count - 1 - len(shares)
    spread, left = float(points.var(ddof=1)), float(rest @ rest) / freedom
    width = quantile(CONFIDENCE, count - 1) / math.sqrt(count)
    return {
        "games": 2 * count, "score": finite(mean), "error": finite(width * math.sqrt(spread)),
        "score_without_luck": finite(float(mean - means @ shares)),
        "error_without_luck": finite(quantile(CONFIDENCE, freedom) / math.sqrt(count) * math.sqrt(left)),
        "mean_luck": [finite(each) for each in means.tolist()],
        "mean_luck_error": [finite(width * each) for each in luck.std(axis=0, ddof=1).tolist()],
        "share_of_luck": [finite(share) for share in shares.tolist()],
        "games_needed": finite(left / spread) if spread else None,
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
    scores = [round(4 * (0.5 + gain)) for gain in measured[best]]
    least, _ = score_interval([scores.count(quarters) for quarters in range(5)], ONE_SIDED)
    return {
        "opponent": best, "games": 2 * len(scores), "gain": finite(fmean(measured[best])),
        "at_least": finite(max(0.0, least - 0.5)),
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


def measure(games: Pairs, elos: Mapping[str, float]) -> dict[str, Any]:
    """All results; `elos` are those of the anchors."""
    anchors = {other: pairs for (part, other), pairs in games.items() if part == ALONE}
    scores = {
        elos[other]: [(one["points"] + two["points"]) / 2 for one, two in pairs] for other, pairs in anchors.items()
    }
    return {
        "rating": rating(scores),
        "against": {other: match(pairs) for other, pairs in anchors.items()},
        "without_luck": {other: without_luck(pairs) for other, pairs in anchors.items()},
        "exploitability": exploitability({other: pairs for (part, other), pairs in games.items() if part != BESIDE}),
        "belief": calibration([game for pairs in games.values() for pair in pairs for game in pair]),
        "beside": {other: match(pairs) for (part, other), pairs in games.items() if part == BESIDE},
    }


def lines_of(table: Mapping[str, Any]) -> list[str]:
    return ["  ".join(row).rstrip() for row in _rows(table)]


def _rows(table: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    found = table["rating"]
    yield "Elo on the scale of the anchors", _with_error(found["elo"], found["error"])
    for title in ("against", "beside"):
        for other, match in table[title].items():
            what = f"{title} {other}" if title == "against" else f"beside {other} against two of it"
            low, high = match["elo_interval"]
            score = f"{match['games']} games, score {_text(match['score'])}"
            faults = f", {match['faults']} lost by a fault" if match["faults"] else ""
            yield what, f"{score}, Elo {_text(match['elo'])} ({_text(low)} to {_text(high)}){faults}"
    for other, found in table["without_luck"].items():
        if found is not None:
            score = _with_error(found["score"], found["error"])
            fair = _with_error(found["score_without_luck"], found["error_without_luck"])
            needed = f"the same interval from {_text(found['games_needed'])} of the games"
            own, enemy = map(_with_error, found["mean_luck"], found["mean_luck_error"])
            mean = f"mean luck {own}, of the other side {enemy}, which ought to be 0"
            yield f"score against {other}", f"{score}; without luck {fair}; {needed}; {mean}"
    if (found := table["exploitability"]) is not None:
        gain = f"{found['opponent']} gains {_text(found['gain'])} over an even score in {found['games']} games"
        yield "exploitability", f"at least {_text(found['at_least'])} (95%): {gain}"
    if (belief := table["belief"]) is not None:
        yield "belief", f"log-loss {belief['log_loss']} nats over {belief['pieces']} hidden pieces"
        for row in belief["tenths"]:
            yield "  told, came true", f"{row['told']}, {row['came_true']} of {row['entries']}"


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _with_error(value: float | None, error: float | None) -> str:
    return f"{_text(value)} +/- {_text(error)}"
