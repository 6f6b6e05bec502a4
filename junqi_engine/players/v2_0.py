"""Player 2.0: draws worlds from its belief and searches them by teams."""

from collections.abc import Callable, Sequence

import numpy as np

from junqi_engine import worlds as worlds_module
from junqi_engine.belief import marginals
from junqi_engine.pieces import COUNTS, KINDS, PIECES_PER_SEAT
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
    count = 1 if view.is_open else WORLD_COUNT
    worlds = worlds_module.draw(view, count, random_of(view, seed).getrandbits(63))
    return team_search.run(view, worlds, chances_of(view), moves, limits, stop, report, may_deepen)


def chances_of(view: SeatView) -> np.ndarray:
    """What the other team may believe of each piece, (128, 12) float32."""
    chances = np.zeros((128, KINDS), np.float32)
    for seat in range(len(view.board.seats)):
        rows = slice(32 * seat, 32 * seat + PIECES_PER_SEAT)
        if view.is_open or not view.sees(seat):
            chances[rows] = marginals(view, seat)
        else:
            chances[rows] = np.array(COUNTS) / PIECES_PER_SEAT
    return chances
