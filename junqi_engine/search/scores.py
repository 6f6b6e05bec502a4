"""Scores: the score of a won game, and the bound on all other scores.

Invariant: `|value of an evaluator| <= LARGEST_VALUE < WON < MATE - plies of the longest line`, and
`MATE < INFINITE < UNKNOWN_VALUE`.
Scores are for the team to move.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import LARGEST_VALUE, UNKNOWN_VALUE
from junqi_engine.kernels import kernel
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.position import POSITION_TYPE, Result

MATE = 30_000
"""The score of a game that is won at the root; a win in n plies is worth n less."""
WON = MATE - 1000
"""A score above it is a win, a score below `-WON` a loss."""
INFINITE = 32_000

if not LARGEST_VALUE < WON < MATE < INFINITE < UNKNOWN_VALUE:
    raise ImportError("the scores of values, wins, bounds and unknown values are not in this order")

_TEAM_0, _DRAW = int(Result.TEAM_0), int(Result.DRAW)


@kernel(types.int64(POSITION_TYPE, types.int64))
def final_score(position, ply):
    """The score of a finished game, `ply` plies below the root."""
    if position.result == _DRAW:
        return np.int64(0)
    is_won = (position.result == _TEAM_0) == (team_of(position.turn) == 0)
    return MATE - ply if is_won else ply - MATE
