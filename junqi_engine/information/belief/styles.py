"""Belief by styles of line-ups; `opponents` adds who plays.

A *style* is a way to set up: for each place, how often each kind stands there. The styles are in `styles.json`:
line-ups of this engine, of people, random sensible ones, and whatever the rules allow; some of one variant alone.
Each style comes twice, with the flag in the left headquarters and mirrored; so landmines are expected around the
headquarters where the flag may be, and a landmine that is found says where the flag is.

The weight of a line-up in a style is the product over its pieces of the kind's share on its starting point, and of what
the moves tell of the piece. How well a style explains a seat is the sum of the weights
of all line-ups that the masks allow, divided by the same sum over all line-ups. The posterior share of the style is its
prior share times that. The two seats of a team share what they show of the style, but not on which side the flag is.
The sums are estimated from the factors that scale the weights' rows to 1 and their columns to the counts (Sinkhorn and
Knopp 1967; the capacity of Gurvits and Samorodnitsky, 2002, which bounds a permanent).

Worlds are drawn by the chances of the mixture. Drawing each world by one style was no stronger.

`python -m junqi_training styles` makes `styles.json`.

For a view from a snapshot in the middle of a game, a piece on a point of its own line-up counts as one that started
there, unless its mask says that it has come there; nothing is known of the start of the others.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types

from junqi_engine.information.belief.chances import SUMS_TYPE, scale
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import LINEUP_INDICES
from junqi_engine.rules.layout import contains, piece_of
from junqi_engine.rules.lineup import MASK_AT, MIRRORED_PLACES
from junqi_engine.rules.pieces import COUNTS, IMMOBILE_MASK, KINDS, PIECES_PER_SEAT

STYLES_FILE = Path(__file__).with_name("styles.json")
MIRRORED = ", mirrored"
"""Added to the name of a style for its mirror image."""
ALL_PLACES = range(PIECES_PER_SEAT)
NO_PLACE = PIECES_PER_SEAT
"""The place of a piece whose start is not known."""
FALLBACK_SHARE = 1e-6
"""The share of the style without rules, for studies that no legal line-up fits."""
ROUNDS = 60

PRECISION = 1e-6
_NEGLIGIBLE = 1e-100

_TABLES_TYPE = types.Array(types.float64, 3, "C")
_COUNTS = np.array(COUNTS, float)


@dataclass(frozen=True)
class Styles:
    """n styles of line-ups.

    `names` by style; `origins` (n,): the number of each style's origin, the same for a style and its mirror image;
    `tables` (n, 26, 12): the share of each kind by place, the last row for `NO_PLACE`; `shares` (n,): how likely each
    style is before anything is known; `log_sums` (n,): the logarithm of the sum of the weights of all line-ups.
    """

    names: tuple[str, ...]
    origins: np.ndarray
    tables: np.ndarray
    shares: np.ndarray
    log_sums: np.ndarray

    def chosen(self, entries: np.ndarray, shares: np.ndarray, origins: np.ndarray) -> "Styles":
        """Some of the styles, of any number and order: their `entries`, with new shares and origins."""
        return Styles(
            tuple(self.names[entry] for entry in entries), np.unique(origins, return_inverse=True)[1],
            self.tables[entries], shares / shares.sum(), self.log_sums[entries],
        )  # fmt: skip

    def of_origins(self, shares: np.ndarray) -> np.ndarray:
        return np.bincount(self.origins, shares)


@dataclass(frozen=True)
class SeatBelief:
    """What is believed of a hidden seat: `shares` (n,) of the styles, and `scaled` (n, 25, 12), the chances of its
    pieces in each style.
    """

    shares: np.ndarray
    scaled: np.ndarray

    @property
    def chances(self) -> np.ndarray:
        """(25, 12) by piece and kind, in the mixture of the styles."""
        return np.tensordot(self.shares, self.scaled, 1)


@kernel(types.void(_TABLES_TYPE, SUMS_TYPE, SUMS_TYPE))
def scale_all(weights, factors, sums):
    """Scale the weights of each style; `sums` are what `scale` returns. `factors` (12,) is scratch."""
    for style in range(len(weights)):
        sums[style] = scale(weights[style], ROUNDS, PRECISION, factors)


def explain(styles: Styles, factors: np.ndarray, places: Sequence[int] = ALL_PLACES) -> SeatBelief:
    """The belief of a seat by itself, from what multiplies the tables: (25, 12) by piece and kind, or (n, 25, 12) by
    style too.
    """
    weights = np.ascontiguousarray(styles.tables[:, places] * factors)
    sums = np.empty(len(weights))
    scale_all(weights, np.empty(KINDS), sums)
    evidence = sums - styles.log_sums
    shares = styles.shares * np.exp(evidence - evidence.max())
    return SeatBelief(shares / shares.sum(), weights)


def share_origins(styles: Styles, beliefs: Sequence[SeatBelief]) -> list[SeatBelief]:
    """The beliefs of the seats of a team, if both set up in styles of one origin: an origin is a style and its mirror
    image. Beliefs that have no origin in common stay as they are.
    """
    if len(beliefs) < 2:
        return list(beliefs)
    prior = styles.of_origins(styles.shares)
    alone = [styles.of_origins(belief.shares) for belief in beliefs]
    together = prior * np.prod([shares / prior for shares in alone], axis=0)
    if together.sum() < _NEGLIGIBLE:
        return list(beliefs)
    together /= together.sum()
    found = []
    for belief, own in zip(beliefs, alone, strict=True):
        factors = np.divide(together, own, out=np.zeros_like(own), where=own > 0)
        found.append(replace(belief, shares=belief.shares * factors[styles.origins]))
    return found


def stored(variant: str | None = None) -> list[dict[str, Any]]:
    """The styles of a variant, or all, as the file has them: `name`, `places` (25, 12), `share` of the style before
    anything is known, `players` with the share of the style with each policy, and `variant` if it is of one alone.
    """
    styles = json.loads(STYLES_FILE.read_text(encoding="utf-8"))["styles"]
    return [style for style in styles if variant is None or style.get("variant") in (None, variant)]


@cache
def load(variant: str) -> Styles:
    styles = stored(variant)
    left = np.array([style["places"] for style in styles])
    shares = np.array([style["share"] for style in styles])
    return with_mirrors(tuple(style["name"] for style in styles), left, shares)


def with_mirrors(names: tuple[str, ...], left: np.ndarray, shares: np.ndarray) -> Styles:
    """Styles from tables (n, 25, 12) of line-ups with the flag in the left headquarters, their mirror images, and the
    style without rules.
    """
    even = np.tile(_COUNTS / PIECES_PER_SEAT, (1, PIECES_PER_SEAT, 1))
    tables = np.concatenate((left, left[:, list(MIRRORED_PLACES)], even))
    log_sums = np.empty(len(tables))
    scale_all(tables.copy(), np.empty(KINDS), log_sums)
    rows = np.concatenate((tables, np.tile(even[:, :1], (len(tables), 1, 1))), axis=1)
    each = shares / (2 * shares.sum())
    own = range(len(names))
    return Styles(
        (*names, *(f"{name}{MIRRORED}" for name in names), "no rules"), np.array((*own, *own, len(names))), rows,
        np.concatenate((each, each, [FALLBACK_SHARE])), log_sums,
    )  # fmt: skip


def places_of(view: SeatView, seat: int) -> Sequence[int]:
    """By slot, the place where the piece started, or `NO_PLACE`."""
    if view.is_followed:
        return ALL_PLACES
    at = {view.board.block(seat)[index]: place for place, index in enumerate(LINEUP_INDICES)}
    present = int(view.position["present"][seat])
    places = []
    for slot in range(PIECES_PER_SEAT):
        piece = piece_of(seat, slot)
        place = at.get(int(view.position["where"][piece]), NO_PLACE)
        stands = contains(present, slot) and place != NO_PLACE
        places.append(place if stands and _may_start_at(place, int(view.masks[piece])) else NO_PLACE)
    return places


def _may_start_at(place: int, mask: int) -> bool:
    """Whether a piece on this place of its own line-up may have stood there since the start. What may be of a kind that
    never starts there, such as a bomb in the front row, has come; so has what moves where landmines and flags start.
    """
    starts = MASK_AT[place]
    return mask & ~starts == 0 and (mask & IMMOBILE_MASK != 0 or starts & IMMOBILE_MASK == 0)
