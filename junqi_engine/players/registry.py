"""All players, in the only registry: one recipe for each version that the package keeps. Every other version is a git
revision, which the referee builds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from junqi_engine.evaluation.hand import HAND_WRITTEN
from junqi_engine.evaluation.headquarters import sparing
from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.evaluation.network import packaged_network, read_network, with_network
from junqi_engine.evaluation.pressing import pressing
from junqi_engine.evaluation.worths import TUNED
from junqi_engine.information.belief import opponents, places
from junqi_engine.information.belief.chances import Belief
from junqi_engine.information.view import SeatView
from junqi_engine.players.events import Event, EventMove, choose
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import Board
from junqi_engine.search.compiled import search_kernels
from junqi_engine.search.memory import SearchParameters
from junqi_engine.search.root import TeamSearch


@dataclass(frozen=True)
class EventRecipe:
    """A player that answers events, those of highest priority first."""

    version: str
    priority: tuple[Event, ...]

    def choose(self, view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
        """The move that answers the position, one of `moves`; see `events.choose`."""
        return choose(self.priority, view, seed, moves)


@dataclass(frozen=True)
class SearchRecipe:
    """A player that searches worlds."""

    version: str
    evaluator: Evaluator
    belief: Belief
    parameters: SearchParameters = field(default_factory=SearchParameters)
    has_network: bool = False
    """Whether the packaged network of the variant is added to the evaluator."""

    def with_weights(self, board: Board, path: Path) -> "SearchRecipe":
        """The same player with the network in a file; without one of its own it stays as it is. OSError, or ValueError
        if the file does not fit the board.
        """
        if not self.has_network:
            return self
        network = read_network(board, path)
        return replace(self, evaluator=with_network(NEWEST_TERMS, lambda variant: network))

    def new_search(self, hash_mb: int, threads: int = 1) -> TeamSearch:
        """A search with memory of its own."""
        return TeamSearch(self.evaluator, self.parameters, self.belief, hash_mb, threads)


Recipe = EventRecipe | SearchRecipe
NEWEST_TERMS = pressing(sparing(TUNED))
"""The evaluator of the newest player without its network."""

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
        SearchRecipe("2.0", HAND_WRITTEN, places.log_weights),
        SearchRecipe(
            "4.3",
            with_network(NEWEST_TERMS, packaged_network),
            opponents.log_weights,
            SearchParameters(merges_worlds=True),
            has_network=True,
        ),
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


def explaining_recipe(recipe: Recipe) -> SearchRecipe:
    """The recipe whose evaluator and belief explain a position: this one, or the newest one that searches."""
    return recipe if isinstance(recipe, SearchRecipe) else newest_search()
