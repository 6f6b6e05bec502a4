"""All players, in the only registry: one recipe for each version that the package keeps. Every other version is a git
revision, which the referee builds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.information.belief import opponents
from junqi_engine.information.view import SeatView
from junqi_engine.players.events import Event, EventMove, choose
from junqi_engine.players.search_player import SearchRecipe
from junqi_engine.players.versions import VERSIONS
from junqi_engine.search.parameters import SearchParameters


@dataclass(frozen=True)
class EventRecipe:
    version: str
    priority: tuple[Event, ...]

    def choose(self, view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
        return choose(self.priority, view, seed, moves)


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
        SearchRecipe("4.4", Evaluator(), opponents.belief, SearchParameters(merges_worlds=True)),
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
