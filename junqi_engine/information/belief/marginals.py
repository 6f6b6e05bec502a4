"""How likely each hidden piece of a seat is of each kind, by the newest belief."""

import numpy as np

from junqi_engine.information.belief.chances import allowed_kinds, chances_of
from junqi_engine.information.belief.opponents import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import contains, piece_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT


def marginals(view: SeatView, seat: int, weights: np.ndarray | None = None) -> np.ndarray:
    """Probabilities, (25, 12) by slot and kind; the row of a known piece has a single 1.

    `weights` are those of a `chances.Belief` for this view, by default of the newest. One call of it serves all seats.
    """
    allowed = allowed_kinds(view, seat)
    if view.sees(seat) or not allowed.any(axis=1).all():
        return allowed
    if weights is None:
        weights = log_weights(view)
    return chances_of(view, seat, weights)


def marginals_by_seat(view: SeatView) -> dict[int, np.ndarray]:
    """`marginals` of all seats."""
    weights = log_weights(view)
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
