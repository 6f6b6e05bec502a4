"""The part of the belief that comes from line-ups. `opponents` combines it with the likelihood of the moves.

A *style* is a way to set up: for each place, the probability of each kind. The styles are in `styles.json`: line-ups of
this engine, of people, random sensible ones, and all that the rules allow; some belong to one variant. Each style comes
twice, with the flag in the left headquarters and mirrored, so landmines are expected around the headquarters where the
flag may be, and a landmine that is found says where the flag is.

The weight of a line-up in a style is the product over its pieces of the probability of the kind on its starting point,
times the likelihood of the piece's moves. The likelihood of a seat in a style is the sum of the weights of all line-ups
that the masks allow, divided by the same sum over all line-ups. Both sums are estimated by the factors of Sinkhorn
scaling (Sinkhorn and Knopp 1967; the capacity of Gurvits and Samorodnitsky, 2002, which bounds a permanent). The two
seats of a team share what they show of the style, but not the side of the flag.

Worlds are drawn from the marginals of the mixture. To draw each world from one style was no stronger.

In a view from a snapshot in the middle of a game, a piece on a point of its own line-up counts as one that started
there, unless its mask says that it has come there; the start of the others is unknown.

`python -m junqi_training styles` makes `styles.json`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types

from junqi_engine.information.belief.marginals import SUMS_TYPE, sinkhorn
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
FALLBACK_PRIOR = 1e-6
"""The prior of the style without rules, for studies that no legal line-up fits."""
ROUNDS = 60

PRECISION = 1e-6
_NEGLIGIBLE = 1e-100

_TABLES_TYPE = types.Array(types.float64, 3, "C")
_COUNTS = np.array(COUNTS, float)


@dataclass(frozen=True)
class Styles:
    """n styles of line-ups.

    `origins` (n,): the index of each style's origin, the same for a style and its mirror image; `tables` (n, 26, 12):
    the probability of each kind by place, the last row for `NO_PLACE`; `prior` (n,); `log_normalisers` (n,): the
    logarithm of the sum of the weights of all line-ups.
    """

    names: tuple[str, ...]
    origins: np.ndarray
    tables: np.ndarray
    prior: np.ndarray
    log_normalisers: np.ndarray

    def select(self, entries: np.ndarray, prior: np.ndarray, origins: np.ndarray) -> "Styles":
        """The styles at some indices, in any number and order, with a new prior and new origins."""
        return Styles(
            tuple(self.names[entry] for entry in entries), np.unique(origins, return_inverse=True)[1],
            self.tables[entries], prior / prior.sum(), self.log_normalisers[entries],
        )  # fmt: skip

    def of_origins(self, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self.origins, weights)


@dataclass(frozen=True)
class SeatPosterior:
    """The posterior of a hidden seat: `weights` (n,) of the styles, and `marginals_by_style` (n, 25, 12)."""

    weights: np.ndarray
    marginals_by_style: np.ndarray

    @property
    def marginals(self) -> np.ndarray:
        """(25, 12) by piece and kind, in the mixture of the styles."""
        return np.tensordot(self.weights, self.marginals_by_style, 1)


@kernel(types.void(_TABLES_TYPE, SUMS_TYPE, SUMS_TYPE))
def sinkhorn_styles(weights, factors, sums):
    """Scale the weights of each style; `sums` (n,) receives the results of `sinkhorn`. `factors` (12,) is scratch."""
    for style in range(len(weights)):
        sums[style] = sinkhorn(weights[style], ROUNDS, PRECISION, factors)


def posterior_of_styles(styles: Styles, likelihoods: np.ndarray, places: Sequence[int] = ALL_PLACES) -> SeatPosterior:
    """The posterior of a seat by itself, from likelihoods (25, 12) by piece and kind, or (n, 25, 12) by style too."""
    weights = np.ascontiguousarray(styles.tables[:, places] * likelihoods)
    sums = np.empty(len(weights))
    sinkhorn_styles(weights, np.empty(KINDS), sums)
    evidence = sums - styles.log_normalisers
    posterior = styles.prior * np.exp(evidence - evidence.max())
    return SeatPosterior(posterior / posterior.sum(), weights)


def combine_partners(styles: Styles, posteriors: Sequence[SeatPosterior]) -> list[SeatPosterior]:
    """The posteriors of the seats of a team, given that both set up in styles of one origin.

    Posteriors without an origin in common stay as they are.
    """
    if len(posteriors) < 2:
        return list(posteriors)
    prior = styles.of_origins(styles.prior)
    alone = [styles.of_origins(posterior.weights) for posterior in posteriors]
    together = prior * np.prod([weights / prior for weights in alone], axis=0)
    if together.sum() < _NEGLIGIBLE:
        return list(posteriors)
    together /= together.sum()
    combined = []
    for posterior, own in zip(posteriors, alone, strict=True):
        factors = np.divide(together, own, out=np.zeros_like(own), where=own > 0)
        combined.append(replace(posterior, weights=posterior.weights * factors[styles.origins]))
    return combined


def read_styles(variant: str | None = None) -> list[dict[str, Any]]:
    """The styles of a variant, or all, as the file has them: `name`, `places` (25, 12), the prior `share` of the style,
    `players` with the prior of the style with each policy, and `variant` if it belongs to one alone.
    """
    styles = json.loads(STYLES_FILE.read_text(encoding="utf-8"))["styles"]
    return [style for style in styles if variant is None or style.get("variant") in (None, variant)]


@cache
def load_styles(variant: str) -> Styles:
    styles = read_styles(variant)
    left = np.array([style["places"] for style in styles])
    shares = np.array([style["share"] for style in styles])
    return with_mirrors(tuple(style["name"] for style in styles), left, shares)


def with_mirrors(names: tuple[str, ...], left: np.ndarray, shares: np.ndarray) -> Styles:
    """Styles from tables (n, 25, 12) of line-ups with the flag in the left headquarters, their mirror images, and the
    style without rules.
    """
    even = np.tile(_COUNTS / PIECES_PER_SEAT, (1, PIECES_PER_SEAT, 1))
    tables = np.concatenate((left, left[:, list(MIRRORED_PLACES)], even))
    log_normalisers = np.empty(len(tables))
    sinkhorn_styles(tables.copy(), np.empty(KINDS), log_normalisers)
    rows = np.concatenate((tables, np.tile(even[:, :1], (len(tables), 1, 1))), axis=1)
    each = shares / (2 * shares.sum())
    own = range(len(names))
    return Styles(
        (*names, *(f"{name}{MIRRORED}" for name in names), "no rules"), np.array((*own, *own, len(names))), rows,
        np.concatenate((each, each, [FALLBACK_PRIOR])), log_normalisers,
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
    """Whether a piece on this place of its own line-up may have stood there since the start.

    A piece that may be of a kind that never starts there has come there, such as a bomb in the front row; so has a
    piece that can move on a place where landmines and flags start.
    """
    starts = MASK_AT[place]
    return mask & ~starts == 0 and (mask & IMMOBILE_MASK != 0 or starts & IMMOBILE_MASK == 0)
