"""How likely each hidden piece is of each kind: the masks weighted by where the piece started and what it has done.

The weight of a line-up is `exp` of a sum over its pieces: one term for the kind on its starting point, one for each of
its features (`behaviour`). This log-linear model of whole line-ups obeys counts and masks exactly, and what one piece
is changes what the others may be. `worlds.draw` draws from it. `marginals` are its probabilities by piece; they come
from scaling the weights' rows to 1 and their columns to the counts (Sinkhorn and Knopp 1967), which is close to exact.

`belief.json` holds the weights; `python -m tools.training.calibration --fit` makes it. There is a weight for each
starting point and kind, and for each feature and `GROUPS` of kinds: finer groups would learn to tell apart the players
of the games that it was fitted on.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from junqi_engine.information.behaviour import FEATURES
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import PIECES, contains, piece_of, slice_of
from junqi_engine.rules.pieces import COUNTS, KINDS, LETTERS, PIECES_PER_SEAT

GROUPS = ("ab", "cd", "ef", "gh", "i", "j", "k", "l")
BY_GROUP = np.array([[letter in group for letter in LETTERS] for group in GROUPS], float)
"""(8, 12): 1 for the kinds of a group."""
WEIGHTS_FILE = Path(__file__).with_name("belief.json")

_ROUNDS = 200
_PRECISION = 1e-9


def log_weights(view: SeatView) -> np.ndarray:
    """The weights by piece and kind, (128, 12) float32, for `worlds.draw`.

    All 0 for a view from a snapshot in the middle of a game: where its pieces started and what they did is not known.
    """
    weights = np.zeros((PIECES, KINDS), np.float32)
    if not view.is_followed:
        return weights
    places, features = tables()
    for seat in range(len(view.board.seats)):
        weights[slice_of(seat, PIECES_PER_SEAT)] = places
    return weights + view.behaviour() @ features


def marginals(view: SeatView, seat: int, weights: np.ndarray | None = None) -> np.ndarray:
    """Probabilities, (25, 12) by slot and kind; the row of a known piece has a single 1.

    A caller that already has the `log_weights` passes them as `weights`.
    """
    own = slice_of(seat, PIECES_PER_SEAT)
    masks = view.masks[own].astype(np.int64)
    allowed = contains(masks[:, None], np.arange(KINDS)).astype(float)
    if view.sees(seat) or not masks.all():
        return allowed
    weights = log_weights(view) if weights is None else weights
    return scale_to_counts(allowed * np.exp(weights[own].astype(float)))


def scale_to_counts(weights: np.ndarray, rounds: int = _ROUNDS) -> np.ndarray:
    """Scale (..., 25, 12) weights until the rows sum to 1 and the columns to the counts."""
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
    """The unidentified pieces of a hidden seat on the board: their number, and how many of each kind are expected,
    (12,).
    """
    present = int(view.position["present"][seat])
    probabilities = marginals(view, seat)
    unidentified = [
        slot
        for slot in range(PIECES_PER_SEAT)
        if contains(present, slot) and int(view.masks[piece_of(seat, slot)]).bit_count() > 1
    ]
    return len(unidentified), probabilities[unidentified].sum(axis=0)


@cache
def tables() -> tuple[np.ndarray, np.ndarray]:
    """The weights of kinds by place, (25, 12), and by feature, (8, 12)."""
    table = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return np.array(table["places"]), np.array([table["behaviour"][name] for name in FEATURES]) @ BY_GROUP
