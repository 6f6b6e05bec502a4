"""How long a policy takes for all moves of a position."""

import time

import numpy as np
from numba.core import types

from junqi_engine.information.style_belief import log_weights
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.position import POSITION_TYPE
from tools.training.games import Game, team_view
from tools.training.policy.features import (
    FACTS_TYPE,
    FEATURES,
    FEATURES_TYPE,
    POLICY_TYPE,
    SCORES_TYPE,
    facts_of,
    score_moves,
)

PLY = 20
CALLS = 20_000


def microseconds_a_position(game: Game, policy: np.void) -> float:
    """The mean time of `score_moves` in the position after `PLY` plies of a game, or its last one."""
    start = GameState.start(game.board, game.lineups, game.rules)
    views = [team_view(start, team, game.first) for team in range(2)]
    for seen in game.moves[:PLY]:
        for view in views:
            view.observe(seen)
    view = views[team_of(views[0].turn)]
    facts, moves = facts_of(view, log_weights(view)), np.array(view.legal_moves(), np.uint16)
    features, scores = np.zeros(len(FEATURES), np.float32), np.zeros(len(moves), np.float32)
    arguments = game.board.tables, view.position, facts, policy, moves, features, scores
    score_often(*arguments, 1)
    started = time.perf_counter()
    score_often(*arguments, CALLS)
    return (time.perf_counter() - started) / CALLS * 1e6


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, FACTS_TYPE, POLICY_TYPE, MOVES_TYPE, FEATURES_TYPE, SCORES_TYPE, types.int64
    )
)  # fmt: skip
def score_often(tables, position, facts, policy, moves, features, scores, calls):
    """Score the moves again and again, as a caller does that is compiled itself."""
    for _ in range(calls):
        score_moves(tables, position, facts, policy, moves, features, scores)
