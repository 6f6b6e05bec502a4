"""How likely each hidden piece of a seat is of each kind, by the newest belief.

Pieces are judged each by itself, and so too timidly if the opponent is known well: what has a chance of 0.8 comes true
more often among this engine's own versions. So their chances are sharpened, and those of people and of other programs
are not. Worlds are drawn by the timid ones, which play better (docs/players.md).
"""

import numpy as np

from junqi_engine.information.belief import allowed_kinds, scale_to_counts
from junqi_engine.information.policy import OTHERS, PEOPLE
from junqi_engine.information.reading_belief import load_opponents, seat_beliefs
from junqi_engine.information.style_belief import logarithms
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import contains, piece_of, slice_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT

SHARPNESS = 1.2
"""The power of the chances of this engine's versions that makes them true to what happens; of others it is 1."""


def sharp_weights(view: SeatView) -> np.ndarray:
    """The newest `belief.Belief`, sharpened by who plays."""
    beliefs, opponents = seat_beliefs(view), load_opponents(view.board.variant)
    weights = logarithms(beliefs)
    for seat, belief in beliefs.items():
        own = 1.0 - opponents.share_of(belief.shares, PEOPLE) - opponents.share_of(belief.shares, OTHERS)
        weights[slice_of(seat, PIECES_PER_SEAT)] *= 1.0 + (SHARPNESS - 1.0) * own
    return weights


def marginals(view: SeatView, seat: int, weights: np.ndarray | None = None) -> np.ndarray:
    """Probabilities, (25, 12) by slot and kind; the row of a known piece has a single 1.

    `weights` are those of a `belief.Belief` for this view, by default `sharp_weights`. One call of it serves all seats.
    """
    allowed = allowed_kinds(view, seat)
    if view.sees(seat) or not allowed.any(axis=1).all():
        return allowed
    if weights is None:
        weights = sharp_weights(view)
    return scale_to_counts(allowed * np.exp(weights[slice_of(seat, PIECES_PER_SEAT)].astype(float)))


def marginals_by_seat(view: SeatView) -> dict[int, np.ndarray]:
    """`marginals` of all seats."""
    weights = sharp_weights(view)
    return {seat: marginals(view, seat, weights) for seat in range(len(view.board.seats))}


def hidden_counts(view: SeatView, seat: int, chances: np.ndarray) -> tuple[int, np.ndarray]:
    """The unidentified pieces of a hidden seat on the board: their number, and how many of each kind are expected,
    (12,). `chances` are its `marginals`.
    """
    present = int(view.position["present"][seat])
    unidentified = [
        slot
        for slot in range(PIECES_PER_SEAT)
        if contains(present, slot) and int(view.masks[piece_of(seat, slot)]).bit_count() > 1
    ]
    return len(unidentified), chances[unidentified].sum(axis=0)
