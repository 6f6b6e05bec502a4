"""The line-ups of `go setup`: each is drawn in one of several styles, so that no style does well against all of them.

Four styles score about alike against each other, and all of them beat the population by worths (docs/strength.md).

One style is a population of line-ups by their worths: a mixed strategy, so that an opponent who knows it cannot guess
the pieces.

A line-up is drawn with a probability proportional to `exp(worth / temperature)`. Its worth, in logits of winning, is a
sum over its places, as seen with the flag in the left headquarters; every second line-up is mirrored. Of all mixtures
with the same mean worth, this one is the least predictable. The temperature is the exchange rate of the two: 0.1 nats
of belief a piece are worth about 25 Elo, which is as much as 0.14 logits, so in luzhanqi 0.06 logits for each nat of
a line-up, in siguo half of that, because a team has two. The temperatures are a little higher, because fitted worths
promise too much.

Line-ups are drawn by swapping two pieces again and again (Metropolis et al. 1953), from high temperatures down.

The worths are in `lineup_worths.json`, by variant, place and kind, fitted by `python -m junqi_training.value lineups`.
"""

import json
import random
from functools import cache
from math import exp
from pathlib import Path

import numpy as np

from junqi_engine.information.belief.styles import ALL_PLACES, load
from junqi_engine.rules import lineup
from junqi_engine.rules.pieces import KINDS, LETTERS, PIECES_PER_SEAT

WORTHS_FILE = Path(__file__).with_name("lineup_worths.json")
TEMPERATURES = {"siguo": 0.05, "luzhanqi": 0.08}
"""By variant, in logits."""
COOLING = ((8.0, 300), (4.0, 300), (2.0, 600), (1.0, 2400))
"""How many swaps are tried at which multiple of the temperature."""
_ALLOWED = [[bool(allowed) for allowed in row] for row in lineup.allowed_with_flag_left()]
_START = tuple(map(LETTERS.index, lineup.with_flag_left(lineup.DEFAULT)))


def draw_by_worths(rng: random.Random, variant: str, factor: float = 1.0) -> str:
    """A random line-up of the population of a variant, or of one with a temperature this many times higher."""
    return draw_by(rng, worths_of(variant), factor * TEMPERATURES[variant])


def draw_by(rng: random.Random, worths: list[list[float]], temperature: float) -> str:
    """A random line-up by other worths, by place and kind, (25, 12)."""
    kinds = list(_START)
    for factor, tries in COOLING:
        _swap(kinds, worths, temperature * factor, tries, rng)
    letters = "".join(map(LETTERS.__getitem__, kinds))
    return lineup.mirror(letters) if rng.random() < 0.5 else letters


def _swap(kinds: list[int], worths: list[list[float]], temperature: float, tries: int, rng: random.Random) -> None:
    for _ in range(tries):
        one, other = int(rng.random() * PIECES_PER_SEAT), int(rng.random() * PIECES_PER_SEAT)
        kind, new = kinds[one], kinds[other]
        if kind == new or not _ALLOWED[one][new] or not _ALLOWED[other][kind]:
            continue
        gain = worths[one][new] + worths[other][kind] - worths[one][kind] - worths[other][new]
        if gain >= 0 or rng.random() < exp(gain / temperature):
            kinds[one], kinds[other] = new, kind


@cache
def worths_of(variant: str) -> list[list[float]]:
    rows = json.loads(WORTHS_FILE.read_text(encoding="utf-8"))["variants"][variant]
    table = np.array(rows, float) / 100
    if table.shape != (PIECES_PER_SEAT, KINDS):
        raise ValueError(f"{WORTHS_FILE}: {variant} has the shape {table.shape}")
    return [[float(number) for number in row] for row in table]


BY_WORTHS = "engine 3.3"
"""The style of `draw_by_worths`."""
_SMALLEST_SHARE = 1e-4


OWN_STYLES = ("engine 3.2", "engine 2.0", "people", "sensible")
"""The styles of `go setup`, each as often."""


def draw(rng: random.Random, variant: str) -> str:
    return draw_style(rng, variant, rng.choices(OWN_STYLES)[0])


def draw_style(rng: random.Random, variant: str, style: str) -> str:
    """A random line-up in a style. ValueError if the variant has no such style."""
    if style == BY_WORTHS:
        return draw_by_worths(rng, variant)
    return draw_by(rng, _logarithms(variant, style), 1.0)


@cache
def _logarithms(variant: str, style: str) -> list[list[float]]:
    """By place and kind: by these worths, line-ups come as often as a table of shares says."""
    styles = load(variant)
    if style not in styles.names:
        raise ValueError(f"{variant} has no style {style!r}")
    table = styles.tables[styles.names.index(style), ALL_PLACES]
    found: list[list[float]] = np.log(np.maximum(table, _SMALLEST_SHARE)).tolist()
    return found
