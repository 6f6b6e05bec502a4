"""Pressing: when it happens, and where it draws the pieces."""

import numpy as np

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.evaluation.parameters import packaged_parameters
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import from_point_of, to_point_of
from junqi_engine.rules.position import Result
from junqi_engine.search.root import SearchLimits, WorldsSearch

MIN_QUIET = int(packaged_parameters("siguo")["min_quiet"])
STALLED = (
    "6NcNhNdNlNj6/6Nj1NeNbNj6/7Nh9/8Ng8/17/17/WjWa15/Wl16/We16/Wh15Sa/WcWj15/17/7Nf9/8Sh8/7Sh1Sg7/6SjSd1Sj7/"
    "6SdSiSeSlSc6"
)
"""East is eliminated. West has seven pieces left; South and North have 24, most of them at home."""


def stalled(turn: str = "S", quiet: int = MIN_QUIET) -> SeatView:
    return parse_fen(SIGUO, f"{STALLED} {turn} SNW * {quiet} 164")


def test_won_ending_is_won() -> None:
    """South and North against West, which waits on its campsites; everybody sees all pieces."""
    view = stalled(quiet=0)
    search = WorldsSearch(Evaluator(network_of=lambda variant: None), hash_mb=1)
    while view.result == Result.ONGOING:
        worlds = view.position["kind"].reshape(1, -1)
        moves, running = view.legal_moves(), np.zeros(1, np.uint8)
        *_, last = search.iterate(view, worlds, moves, SearchLimits(nodes=2000), running)
        view.observe(SeenMove(from_point_of(last.best[0].move), to_point_of(last.best[0].move)))
    assert view.result == Result.TEAM_0
