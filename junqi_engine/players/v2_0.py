"""Player 2.0: draws worlds from its belief and searches them by teams."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from junqi_engine.information import worlds as worlds_module
from junqi_engine.information.belief import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.players.v1_0 import random_of
from junqi_engine.search.root import Comparison, Limits, Line, TeamSearch

FULL_SKILL = 20
WEAK_NODES = 200
"""Positions a move at skill level 0; half as many again at each level above, without a limit at `FULL_SKILL`."""
WEAK_NODES_GROWTH = 1.5
WEAK_NOISE = 25
"""Below full skill scores are blurred by a normal error: so much, in hundredths of a Lieutenant, for each level."""
WEAK_LINES = 8


def think(
    team_search: TeamSearch,
    view: SeatView,
    seed: int,
    skill: int,
    moves: Sequence[int],
    limits: Limits,
    stop: np.ndarray,
    report: Callable[[Comparison], None] = lambda comparison: None,
    may_deepen: Callable[[], bool] = lambda: True,
) -> list[Line]:
    """The best of `moves` (`256 * from + to`, at least one) and what the search found of them, best first.

    Depends on the view, the seed, the skill (0 to `FULL_SKILL`) and the limits alone, but where `stop[0]` or
    `may_deepen` end it. `report` is called after each round.
    """
    rng = random_of(view, seed)
    weights = log_weights(view)
    worlds = worlds_module.draw(view, 1 if view.is_open else limits.world_count, rng.getrandbits(63), weights)
    if skill >= FULL_SKILL:
        return team_search.run(view, worlds, moves, limits, stop, report, may_deepen)
    weak_nodes = int(WEAK_NODES * WEAK_NODES_GROWTH**skill)
    weak = replace(
        limits,
        nodes=min(limits.nodes or weak_nodes, weak_nodes),
        lines=max(limits.lines, min(WEAK_LINES, len(moves))),
    )
    lines = team_search.run(view, worlds, moves, weak, stop, report, may_deepen)
    return _blurred(lines, rng, WEAK_NOISE * (FULL_SKILL - skill))[: limits.lines]


def _blurred(lines: list[Line], rng: random.Random, error: float) -> list[Line]:
    """The lines in the order of their scores with a normal error."""
    return sorted(lines, key=lambda line: -(line.score + rng.gauss(0.0, error)))
