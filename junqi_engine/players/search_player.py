"""Players that draw worlds from their belief and search them."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from junqi_engine.information.belief import worlds
from junqi_engine.information.view import SeatView
from junqi_engine.players.events import random_of
from junqi_engine.search.root import Report, RootMove, SearchLimits, TeamSearch

FULL_SKILL = 20
WEAK_NODES = 200
"""The node limit of skill level 0."""
WEAK_NODES_GROWTH = 1.5
"""The factor from one skill level to the next. `FULL_SKILL` has no limit."""
WEAK_NOISE = 25
"""The standard deviation of the noise on scores, in hundredths of a Lieutenant, for each level below full skill."""
WEAK_LINES = 8


def iterate(
    team_search: TeamSearch,
    view: SeatView,
    seed: int,
    skill: float,
    moves: Sequence[int],
    limits: SearchLimits,
    stop: np.ndarray,
    may_deepen: Callable[[Report], bool] = lambda report: True,
) -> Iterator[Report]:
    """Search the best of `moves` (`layout.move_of`, at least one); the last report has the choice.

    It depends on the view, the seed, the skill (0 to `FULL_SKILL`) and the limits alone, unless `stop[0]` or
    `may_deepen`, which is asked after each report, ends the search.
    """
    rng = random_of(view, seed)
    count = 1 if view.is_open else team_search.parameters.world_count(limits.nodes or limits.expected_nodes)
    draw = worlds.draw_different if team_search.parameters.merges_worlds else worlds.draw
    drawn = draw(view, count, rng.getrandbits(63), team_search.belief(view), stop)
    lines = limits.lines
    if skill < FULL_SKILL:
        nodes = int(WEAK_NODES * WEAK_NODES_GROWTH**skill)
        limits = replace(limits, nodes=min(limits.nodes or nodes, nodes), lines=max(lines, min(WEAK_LINES, len(moves))))
    for report in team_search.iterate(view, drawn, moves, limits, stop):
        yield report
        if not may_deepen(report):
            break
    if skill < FULL_SKILL:
        yield replace(report, best=_with_noise(report.best, rng, WEAK_NOISE * (FULL_SKILL - skill))[:lines])


def think(
    team_search: TeamSearch, view: SeatView, seed: int, skill: float, moves: Sequence[int], limits: SearchLimits,
    stop: np.ndarray,
) -> list[RootMove]:  # fmt: skip
    """As `iterate`: the best moves with their scores, best first."""
    *_, last = iterate(team_search, view, seed, skill, moves, limits, stop)
    return last.best


def _with_noise(found: list[RootMove], rng: random.Random, deviation: float) -> list[RootMove]:
    """The moves in the order of their scores plus normal noise."""
    return sorted(found, key=lambda candidate: -(candidate.score + rng.gauss(0.0, deviation)))
