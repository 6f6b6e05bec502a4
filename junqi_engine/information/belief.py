"""What each hidden piece is likely to be: the masks weighed by where the piece began and by what it has done.

A line-up has the weight `exp` of a sum over its pieces, a term for the kind at the piece's starting place and one for
each of its `FEATURES`. That is a log-linear model of whole line-ups: counts and masks are obeyed exactly, and what one
piece is tells of the others. `worlds.draw` draws from it; `marginals` are its chances piece by piece, by scaling the
weights' rows to 1 and their columns to the counts (Sinkhorn and Knopp 1967), which is close to exact.

`belief.json` holds the weights; `python -m tools.calibration --fit` makes it again. A place has a weight for each kind,
a feature one for each of eight `GROUPS` of kinds: finer ones would tell the players it was fitted on from others, not
a kind from a kind. Behaviour is eight numbers a piece, from the record alone, 0 where there is nothing to tell:

| feature | meaning |
|---|---|
| still | never moved: ln(1 + its seat's turns / 8) |
| moves | ln(1 + moves without a battle) |
| ventured | 1 once it has left its own seat's block |
| attacked | ln(1 + attacks on pieces that had won no battle, those below apart) |
| attacked home | ln(1 + attacks on pieces in rows 4 and 5 of their block that had never moved) |
| attacked winner | ln(1 + attacks on pieces that had won a battle) |
| fled | ln(1 + moves without a battle just after an enemy had come beside it) |
| stood | ln(1 + turns on which an enemy that had won a battle had just come beside it and it stayed) |
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from junqi_engine.information.behaviour import FEATURES, PIECES, behaviour
from junqi_engine.information.view import SeatView
from junqi_engine.rules.pieces import COUNTS, KINDS, LETTERS, PIECES_PER_SEAT

GROUPS = ("ab", "cd", "ef", "gh", "i", "j", "k", "l")
BY_GROUP = np.array([[letter in group for letter in LETTERS] for group in GROUPS], float)
"""(8, 12): 1 for the kinds of a group."""
WEIGHTS_FILE = Path(__file__).with_name("belief.json")

_ROUNDS = 200
_PRECISION = 1e-9


def log_weights(view: SeatView) -> np.ndarray:
    """The weights of the kinds of all pieces, (128, 12) float32, as `worlds.draw` takes them.

    All 0 for a view from a snapshot within a game: its pieces' places and deeds are not known.
    """
    weights = np.zeros((PIECES, KINDS), np.float32)
    if not view.is_followed:
        return weights
    places, deeds = tables()
    for seat in range(len(view.board.seats)):
        weights[32 * seat : 32 * seat + PIECES_PER_SEAT] = places
    return weights + behaviour(view) @ deeds


def marginals(view: SeatView, seat: int, weights: np.ndarray | None = None) -> np.ndarray:
    """Probabilities, (25, 12) by slot and kind. Known pieces have a single 1. `weights` are those of `log_weights`,
    for a caller that has them.
    """
    own = slice(32 * seat, 32 * seat + PIECES_PER_SEAT)
    masks = view.masks[own].astype(np.int64)
    allowed = (masks[:, None] >> np.arange(KINDS) & 1).astype(float)
    if view.sees(seat) or not masks.all():
        return allowed
    weights = log_weights(view) if weights is None else weights
    return scale_to_counts(allowed * np.exp(weights[own].astype(float)))


def scale_to_counts(weights: np.ndarray, rounds: int = _ROUNDS) -> np.ndarray:
    """Scale (..., 25, 12) weights until rows add up to 1 and columns to the counts."""
    weights = weights.copy()
    counts = np.array(COUNTS, float)
    for _ in range(rounds):
        weights *= counts / weights.sum(axis=-2, keepdims=True)
        sums = weights.sum(axis=-1, keepdims=True)
        weights /= sums
        if np.abs(sums - 1).max() < _PRECISION:
            break
    return weights


def hidden_counts(view: SeatView, seat: int) -> tuple[int, np.ndarray]:
    """Of a hidden seat, how many of its pieces are on the board unidentified, and the expected number of each kind,
    (12,).
    """
    present = int(view.position["present"][seat])
    probabilities = marginals(view, seat)
    unidentified = [
        slot
        for slot in range(PIECES_PER_SEAT)
        if present >> slot & 1 and int(view.masks[32 * seat + slot]).bit_count() > 1
    ]
    return len(unidentified), probabilities[unidentified].sum(axis=0)


@cache
def tables() -> tuple[np.ndarray, np.ndarray]:
    """The weights of kinds by place, (25, 12), and by feature, (8, 12)."""
    table = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return np.array(table["places"]), np.array([table["behaviour"][name] for name in FEATURES]) @ BY_GROUP
