"""Line-ups drawn in a style, so that no counter-style beats all and knowing the style does not give the pieces away.

A style (`belief.styles`) has the share of each kind on each place, with the flag in the left headquarters. The
probability of a line-up is proportional to the product of the shares of its pieces; every second one is mirrored. Pairs
of pieces are swapped by the Metropolis rule (Metropolis et al. 1953), from high temperatures down.
"""

import random
from functools import cache

import numpy as np
from numba.core import types

from junqi_engine.information.belief.styles import read_styles
from junqi_engine.kernels import kernel
from junqi_engine.rules import lineup
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT
from junqi_engine.splitmix import GOLDEN, mix

OWN_STYLES = ("engine 3.2", "engine 2.0", "people", "sensible")
"""The styles of `go setup`, drawn with equal probability. They score alike against each other (docs/strength.md)."""
SENSIBLE = OWN_STYLES[0]
_TEMPERATURES, _TRIES = np.array([8.0, 4.0, 2.0, 1.0]), np.array([300, 300, 600, 2400])
"""The temperatures, and the number of swaps tried at each."""
_MIN_SHARE, _NEVER = 1e-4, -1e9
_START = np.array([LETTERS.index(letter) for letter in lineup.with_flag_left(lineup.DEFAULT)], np.uint8)
_PLACES, _SHIFT_16, _SHIFT_32, _SHIFT_48 = map(np.uint64, (PIECES_PER_SEAT, 16, 32, 48))
_LOW_16, _LOW_32 = np.uint64((1 << 16) - 1), np.uint64((1 << 32) - 1)
_RANGE_32 = float(1 << 32)


@kernel(types.void(types.Array(types.float64, 2, "C"), types.uint64, types.Array(types.uint8, 1, "C")))
def swap(logarithms, seed, kinds):
    """Anneal the `kinds` of a line-up, (25,), by the logarithms of the shares, (25, 12) by place and kind."""
    state = seed
    for stage in range(len(_TRIES)):
        for _ in range(_TRIES[stage]):
            state += GOLDEN
            bits = mix(state)
            one = np.intp((bits >> _SHIFT_48) * _PLACES >> _SHIFT_16)
            other = np.intp((bits >> _SHIFT_32 & _LOW_16) * _PLACES >> _SHIFT_16)
            kind, new = kinds[one], kinds[other]
            gain = logarithms[one, new] + logarithms[other, kind] - logarithms[one, kind] - logarithms[other, new]
            if gain >= 0 or np.float64(bits & _LOW_32) < _RANGE_32 * np.exp(gain / _TEMPERATURES[stage]):
                kinds[one], kinds[other] = new, kind


def sensible(rng: random.Random) -> str:
    """A random line-up in the style `SENSIBLE`."""
    return draw_style(rng, SENSIBLE)


def draw(rng: random.Random) -> str:
    """A random line-up of `go setup`."""
    return draw_style(rng, rng.choice(OWN_STYLES))


def draw_style(rng: random.Random, style: str, variant: str | None = None) -> str:
    """A random line-up in a style. ValueError if there is none, or not in the variant."""
    kinds = _START.copy()
    swap(_logarithms(style, variant), np.uint64(rng.getrandbits(64)), kinds)
    letters = "".join(map(LETTERS.__getitem__, kinds))
    return lineup.mirror(letters) if rng.random() < 0.5 else letters


@cache
def _logarithms(style: str, variant: str | None) -> np.ndarray:
    tables = [entry["places"] for entry in read_styles(variant) if entry["name"] == style]
    if not tables:
        raise ValueError(f"there is no style {style!r}")
    logarithms = np.log(np.maximum(tables[0], _MIN_SHARE))
    return np.where(lineup.allowed_with_flag_left() > 0, logarithms, _NEVER)
