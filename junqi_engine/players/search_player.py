"""Players that draw worlds from their belief and search them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from junqi_engine.information.belief import worlds
from junqi_engine.information.view import SeatView
from junqi_engine.players.randomness import random_of
from junqi_engine.search.root import Comparison, Limits, RootMove, TeamSearch

FULL_SKILL = 20
WEAK_NODES = 200
"""The node limit of skill level 0."""
WEAK_NODES_GROWTH = 1.5
"""The factor from one skill level to the next. `FULL_SKILL` has no limit."""
WEAK_NOISE = 25
"""The standard deviation of the noise on scores, in hundredths of a Lieutenant, for each level below full skill."""
WEAK_LINES = 8


def think(
    team_search: TeamSearch,
    view: SeatView,
    seed: int,
    skill: float,
    moves: Sequence[int],
    limits: Limits,
    stop: np.ndarray,
    report: Callable[[Comparison], None] = lambda comparison: None,
    may_deepen: Callable[[Comparison], bool] = lambda comparison: True,
) -> list[RootMove]:
    """The best of `moves` (`layout.move_of`, at least one) with their scores, best first.

    The result depends on the view, the seed, the skill (0 to `FULL_SKILL`) and the limits alone, unless `stop[0]` or
    `may_deepen` ends the search. `report` is called after each iteration.
    """
    rng = random_of(view, seed)
    count = 1 if view.is_open else team_search.parameters.world_count(limits.nodes or limits.expected_nodes)
    draw = worlds.draw_different if team_search.parameters.merges_worlds else worlds.draw
    drawn = draw(view, count, rng.getrandbits(63), team_search.belief(view), stop)
    if skill >= FULL_SKILL:
        return team_search.run(view, drawn, moves, limits, stop, report, may_deepen)
    weak_nodes = int(WEAK_NODES * WEAK_NODES_GROWTH**skill)
    weak = replace(
        limits,
        nodes=min(limits.nodes or weak_nodes, weak_nodes),
        lines=max(limits.lines, min(WEAK_LINES, len(moves))),
    )
    found = team_search.run(view, drawn, moves, weak, stop, report, may_deepen)
    return _with_noise(found, rng, WEAK_NOISE * (FULL_SKILL - skill))[: limits.lines]


def _with_noise(found: list[RootMove], rng: random.Random, deviation: float) -> list[RootMove]:
    """The moves in the order of their scores plus normal noise."""
    return sorted(found, key=lambda candidate: -(candidate.score + rng.gauss(0.0, deviation)))
