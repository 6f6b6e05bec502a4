"""All players, in the only registry: one recipe for each version. A recipe is data; old recipes stay as they are."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from junqi_engine.evaluation.hand import HAND_WRITTEN
from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.evaluation.learned import LEARNED, TUNED
from junqi_engine.evaluation.pressing import pressing
from junqi_engine.information import place_belief, reading_belief, style_belief
from junqi_engine.information.belief import Belief
from junqi_engine.information.view import SeatView
from junqi_engine.players import events
from junqi_engine.players.event_player import choose
from junqi_engine.players.events import EventMove, Finder
from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.search.compiled import search_kernels
from junqi_engine.search.record import SearchParameters
from junqi_engine.search.root import TeamSearch


@dataclass(frozen=True)
class EventRecipe:
    """A player that answers events: their finders, highest priority first."""

    version: str
    priority: tuple[Finder, ...]

    def choose(self, view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
        """The move that answers the position, one of `moves`; see `event_player.choose`."""
        return choose(self.priority, view, seed, moves)


@dataclass(frozen=True)
class SearchRecipe:
    """A player that searches worlds."""

    version: str
    evaluator: Evaluator
    belief: Belief = place_belief.log_weights
    parameters: SearchParameters = field(default_factory=SearchParameters)

    def new_search(self, hash_mb: int, threads: int = 1) -> TeamSearch:
        """A search with memory of its own."""
        return TeamSearch(self.evaluator, self.parameters, hash_mb, threads, belief=self.belief)


Recipe = EventRecipe | SearchRecipe

_BELIEF_OF_31 = partial(style_belief.log_weights, file=style_belief.STYLES_OF_31)
_BELIEF_OF_34 = partial(reading_belief.log_weights, crossed=0.0, equal=0.0)
_BELIEF_OF_35 = partial(reading_belief.log_weights, equal=0.0)

RECIPES: dict[str, Recipe] = {
    recipe.version: recipe
    for recipe in (
        EventRecipe("1.0", ()),
        EventRecipe("1.1", (events.bomb, events.capture, events.camp, events.unknown, events.engineer)),
        EventRecipe(
            "1.2",
            (
                events.bomb,
                events.flag,
                events.capture,
                events.unknown,
                events.engineer,
                events.false_flag,
                events.camp,
            ),
        ),
        SearchRecipe("2.0", HAND_WRITTEN),
        SearchRecipe("3.0", LEARNED),
        SearchRecipe("3.1", LEARNED, _BELIEF_OF_31),
        SearchRecipe("3.2", TUNED, _BELIEF_OF_31),
        SearchRecipe("3.3", TUNED, style_belief.log_weights),
        SearchRecipe("3.4", TUNED, _BELIEF_OF_34),
        SearchRecipe("3.5", pressing(TUNED), _BELIEF_OF_35),
        SearchRecipe("3.6", pressing(TUNED), reading_belief.log_weights),
    )
}

if tuple(RECIPES) != VERSIONS:
    raise ImportError(f"the recipes are {tuple(RECIPES)}, but versions.py names {VERSIONS}")

# Compile now, with all other kernels, so that a first `go` does not wait.
for _recipe in RECIPES.values():
    if isinstance(_recipe, SearchRecipe):
        search_kernels(_recipe.evaluator)


def event_recipe(version: str) -> EventRecipe:
    """The recipe of a player that answers events; KeyError for another version."""
    recipe = RECIPES[version]
    if not isinstance(recipe, EventRecipe):
        raise KeyError(f"player {version} does not answer events")
    return recipe


def newest_search() -> SearchRecipe:
    """The newest player that searches; also the evaluator of `eval`."""
    return next(recipe for recipe in reversed(RECIPES.values()) if isinstance(recipe, SearchRecipe))


def explaining_recipe(version: str = NEWEST) -> SearchRecipe:
    """The recipe whose evaluator explains a position: the version's own, or the newest for a player without one."""
    recipe = RECIPES[version]
    return recipe if isinstance(recipe, SearchRecipe) else newest_search()
