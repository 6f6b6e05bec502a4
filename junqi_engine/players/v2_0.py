"""Player 2.0: draws worlds from its belief and searches them by teams."""

from collections.abc import Callable, Sequence

import numpy as np

from junqi_engine import worlds as worlds_module
from junqi_engine.belief import log_weights, marginals, public_view
from junqi_engine.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.players.v1_0 import random_of
from junqi_engine.root import WORLD_COUNT, Limits, Line, Report, TeamSearch
from junqi_engine.view import SeatView


def think(
    team_search: TeamSearch,
    view: SeatView,
    seed: int,
    moves: Sequence[int],
    limits: Limits,
    stop: np.ndarray,
    report: Callable[[Report], None] = lambda report: None,
    may_deepen: Callable[[], bool] = lambda: True,
) -> list[Line]:
    """The best of `moves` (`256 * from + to`, at least one) and what the search found of them, best first."""
    weights = log_weights(view)
    count = 1 if view.is_open else WORLD_COUNT
    worlds = worlds_module.draw(view, count, random_of(view, seed).getrandbits(63), weights)
    return team_search.run(view, worlds, chances_of(view, weights), moves, limits, stop, report, may_deepen)


def chances_of(view: SeatView, weights: np.ndarray) -> np.ndarray:
    """What the other team believes of each piece, (128, 12) float32: of ours what is public, of theirs what we do."""
    chances = np.zeros((128, KINDS), np.float32)
    spectator = public_view(view) or view
    for seat in range(len(view.board.seats)):
        is_known_to_us = view.sees(seat) and not view.is_open
        rows = slice(32 * seat, 32 * seat + PIECES_PER_SEAT)
        chances[rows] = marginals(spectator if is_known_to_us else view, seat, weights)
    return chances
