"""The players of this project as policies: what each does where its seat is to move."""

import threading
from copy import deepcopy
from dataclasses import dataclass, field, replace
from operator import index
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from junqi_engine.api.game import View
from junqi_engine.api.move import Move
from junqi_engine.errors import JunqiError, expect, expect_at_least
from junqi_engine.information.belief.learning import OpponentMemory
from junqi_engine.notation.moves import format_code
from junqi_engine.players.registry import FULL_SKILL, RECIPES, SearchRecipe, think
from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.rules.board import Board
from junqi_engine.search.root import SearchLimits, TeamSearch

HASH_MB = 16


@dataclass
class Policy:
    """A player of the registry. It is deterministic for its seed, view and limits, as behind the protocol; with a
    `memory`, for the games that it was told of too.
    """

    version: str
    seed: int = 1
    nodes: int = 1000
    weights: str | None = None
    memory: OpponentMemory | None = None
    _search: TeamSearch | None = field(default=None, init=False, repr=False)
    _board: Board | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def move(self, view: View) -> Move:
        """The move for the seat to move, which the view sees."""
        expect(View, "view", view)
        recipe, state = RECIPES[self.version], view.state
        moves = state.legal_moves()
        if isinstance(recipe, SearchRecipe):
            with self._lock:
                if self._search is None or (self.weights is not None and state.board is not self._board):
                    self._search = self._recipe(recipe, state.board).new_search(HASH_MB)
                    self._board = state.board
                limits, stop = SearchLimits(nodes=self.nodes), np.zeros(1, np.uint8)
                found = think(self._search, state, self.seed, FULL_SKILL, moves, limits, stop)[0].move
        else:
            found = recipe.choose(state, self.seed, moves).move
        return Move(format_code(state.board, found))

    def learn(self, view: View) -> None:
        """Learn from a game that is over how the opponent sets up and moves; `view` is that of this player."""
        if self.memory is None:
            raise JunqiError("not-supported", "this policy does not learn; make it with learns=True")
        expect(View, "view", view)
        with self._lock:
            self.memory.learn(view.state)

    def _recipe(self, recipe: SearchRecipe, board: Board) -> SearchRecipe:
        """The recipe with what is remembered, and the network in the file `weights`, which fits one variant."""
        if self.memory is not None:
            recipe = replace(recipe, belief=self.memory.belief)
        if self.weights is None:
            return recipe
        try:
            return recipe.with_weights(board, Path(self.weights))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise JunqiError("bad-file", f"weights {self.weights!r}: {reason}") from error

    def __reduce__(self) -> tuple[type["Policy"], tuple[str, int, int, str | None, OpponentMemory | None]]:
        """A copy, in this process or another, has a search of its own: what a search remembers decides nothing."""
        return Policy, (self.version, self.seed, self.nodes, self.weights, deepcopy(self.memory))


def policy(
    version: str, seed: int = 1, nodes: int = 1000, weights: str | PathLike[str] | None = None, learns: bool = False
) -> Policy:
    """The player `version` as a policy; one that searches has `nodes` for each move. `JunqiError` if there is none.

    `weights` is a file with a network for the newest player instead of the packaged one (docs/training.md). It is read
    with the first move; `JunqiError` then, if it does not fit the variant. With `learns`, the newest player learns its
    opponent from the games that `Policy.learn` is given.
    """
    if version not in VERSIONS:
        raise JunqiError("bad-argument", f"player {version!r} is not one of {', '.join(VERSIONS)}")
    expect_at_least(1, "nodes", nodes)
    if learns and version != NEWEST:
        raise JunqiError("bad-argument", f"player {version} does not learn; player {NEWEST} does")
    memory = OpponentMemory() if learns else None
    return Policy(version, index(seed), int(nodes), None if weights is None else fspath(weights), memory)
