"""The line-ups of `go setup`: each is drawn in one of several styles, so that no style does well against all of
them.

Four styles score about alike against each other, and all of them beat the population by worths (docs/strength.md).
"""

import random
from functools import cache

import numpy as np

from junqi_engine.information.belief.styles import ALL_PLACES, OWN_STYLES, load
from junqi_engine.players import lineup_population

BY_WORTHS = "engine 3.3"
"""The style of `lineup_population`, which draws its line-ups by their worths."""
_SMALLEST_SHARE = 1e-4


def draw(rng: random.Random, variant: str) -> str:
    """A random line-up in one of the styles."""
    (style,) = rng.choices(list(OWN_STYLES), list(OWN_STYLES.values()))
    return draw_style(rng, variant, style)


def draw_style(rng: random.Random, variant: str, style: str) -> str:
    """A random line-up in a style. ValueError if the variant has no such style."""
    if style == BY_WORTHS:
        return lineup_population.draw(rng, variant)
    return lineup_population.draw_by(rng, _logarithms(variant, style), 1.0)


@cache
def _logarithms(variant: str, style: str) -> list[list[float]]:
    """By place and kind: by these worths, line-ups come as often as a table of shares says."""
    styles = load(variant)
    if style not in styles.names:
        raise ValueError(f"{variant} has no style {style!r}")
    table = styles.tables[styles.names.index(style), ALL_PLACES]
    found: list[list[float]] = np.log(np.maximum(table, _SMALLEST_SHARE)).tolist()
    return found
