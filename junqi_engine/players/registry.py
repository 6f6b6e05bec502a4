"""All players, in the only registry: one recipe for each version that the package keeps. Every other version is a git
revision, which the referee builds. `iterate` is how those that search think: they draw worlds from their belief.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from junqi_engine.evaluation.evaluator import HAND_WRITTEN, TUNED, Evaluator
from junqi_engine.evaluation.network import packaged_network, read_network
from junqi_engine.evaluation.terms import Term
from junqi_engine.information.belief import opponents, version_2, worlds
from junqi_engine.information.belief.chances import Belief
from junqi_engine.information.view import SeatView
from junqi_engine.players.events import Event, EventMove, choose, random_of
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import Board
from junqi_engine.search.parameters import SearchParameters
from junqi_engine.search.root import Report, RootMove, SearchLimits, TeamSearch

FULL_SKILL = 20
WEAK_NODES = 200
"""The node limit of skill level 0."""
WEAK_NODES_GROWTH = 1.5
"""The factor from one skill level to the next. `FULL_SKILL` has no limit."""
WEAK_NOISE = 25
"""The standard deviation of the noise on scores, in hundredths of a Lieutenant, for each level below full skill."""
WEAK_LINES = 8
"""The moves with noise."""
BEGINNERS_SKILL = 8
"""Below it, `BEGINNERS_NOISE` times the square of the missing levels is added to the noise, and for each of them
`BEGINNERS_LINES` moves have noise: whoever begins must be able to win.
"""
BEGINNERS_NOISE, BEGINNERS_LINES = 16, 4


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
        missing = max(0.0, BEGINNERS_SKILL - skill)
        noisy = min(len(moves), WEAK_LINES + int(BEGINNERS_LINES * missing))
        noise = WEAK_NOISE * (FULL_SKILL - skill) + BEGINNERS_NOISE * missing**2
        limits = replace(limits, nodes=min(limits.nodes or nodes, nodes), lines=max(lines, noisy))
    for report in team_search.iterate(view, drawn, moves, limits, stop):
        yield report
        if not may_deepen(report):
            break
    if skill < FULL_SKILL:
        yield replace(report, best=_with_noise(report.best, rng, noise)[:lines])


def think(
    team_search: TeamSearch, view: SeatView, seed: int, skill: float, moves: Sequence[int], limits: SearchLimits,
    stop: np.ndarray,
) -> list[RootMove]:  # fmt: skip
    """As `iterate`: the best moves with their scores, best first."""
    *_, last = iterate(team_search, view, seed, skill, moves, limits, stop)
    return last.best


def _with_noise(found: list[RootMove], rng: random.Random, deviation: float) -> list[RootMove]:
    return sorted(found, key=lambda candidate: -(candidate.score + rng.gauss(0.0, deviation)))


@dataclass(frozen=True)
class EventRecipe:
    version: str
    priority: tuple[Event, ...]

    def choose(self, view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
        return choose(self.priority, view, seed, moves)


@dataclass(frozen=True)
class SearchRecipe:
    """A player that searches worlds."""

    version: str
    evaluator: Evaluator
    belief: Belief
    parameters: SearchParameters = field(default_factory=SearchParameters)

    def with_weights(self, board: Board, path: Path) -> "SearchRecipe":
        """The same player with the network in a file; without one of its own it stays as it is. OSError, or ValueError
        if the file does not fit the board.
        """
        if Term.NETWORK not in self.evaluator.terms:
            return self
        network = read_network(board, path)
        return replace(self, evaluator=self.evaluator.with_network(lambda variant: network))

    def new_search(self, hash_mb: int, threads: int = 1) -> TeamSearch:
        return TeamSearch(self.evaluator, self.parameters, self.belief, hash_mb, threads)


Recipe = EventRecipe | SearchRecipe

BY_PATHS = (
    *(Event.BOMB, Event.FLAG, Event.CAPTURE, Event.UNKNOWN, Event.ENGINEER),
    *(Event.FALSE_FLAG, Event.CAMP),
)
"""What player 1.2 answers."""

RECIPES: dict[str, Recipe] = {
    recipe.version: recipe
    for recipe in (
        EventRecipe("1.0", ()),
        EventRecipe("1.1", (Event.BOMB, Event.CAPTURE, Event.CAMP, Event.UNKNOWN, Event.ENGINEER)),
        EventRecipe("1.2", BY_PATHS),
        SearchRecipe("2.0", HAND_WRITTEN, version_2.belief),
        SearchRecipe(
            "4.4",
            TUNED.adding(Term.HEADQUARTERS, Term.PRESSING).with_network(packaged_network),
            opponents.belief,
            SearchParameters(merges_worlds=True),
        ),
    )
}

if tuple(RECIPES) != VERSIONS:
    raise ImportError(f"the recipes are {tuple(RECIPES)}, but versions.py names {VERSIONS}")


def event_recipe(version: str) -> EventRecipe:
    """The recipe of a player that answers events; KeyError for another version."""
    recipe = RECIPES[version]
    if not isinstance(recipe, EventRecipe):
        raise KeyError(f"player {version} does not answer events")
    return recipe


def newest_search() -> SearchRecipe:
    """The newest player that searches; also the evaluator of `eval`."""
    return next(recipe for recipe in reversed(RECIPES.values()) if isinstance(recipe, SearchRecipe))


def explaining_recipe(recipe: Recipe) -> SearchRecipe:
    """The recipe whose evaluator and belief explain a position: this one, or the newest one that searches."""
    return recipe if isinstance(recipe, SearchRecipe) else newest_search()
