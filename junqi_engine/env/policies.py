"""The players of this project as policies, from a view to a move."""

import threading
from dataclasses import dataclass, field
from operator import index

import numpy as np

from junqi_engine.api.game import View
from junqi_engine.api.move import Move
from junqi_engine.errors import expect_at_least, expect_one_of
from junqi_engine.notation.moves import format_code
from junqi_engine.players.events import PRIORITIES, choose_move
from junqi_engine.players.search_player import SearchPlayer
from junqi_engine.players.versions import VERSIONS
from junqi_engine.search.root import SearchLimits


@dataclass
class Policy:
    """A player of one version, as in the protocol: deterministic for its seed, view and limits."""

    version: str
    seed: int = 1
    nodes: int = 1000
    _player: SearchPlayer | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def move(self, view: View) -> Move:
        """The move for the seat to move, which the view sees."""
        state, moves = view.state, view.state.legal_moves()
        if self.version in PRIORITIES:
            return Move(format_code(state.board, choose_move(self.version, state, self.seed, moves).move))
        with self._lock:
            self._player = self._player or SearchPlayer()
            limits, stop = SearchLimits(nodes=self.nodes), np.zeros(1, np.uint8)
            found = self._player.best_moves(state, self.seed, moves, limits, stop)[0].move
        return Move(format_code(state.board, found))

    def __reduce__(self) -> tuple[type["Policy"], tuple[str, int, int]]:
        """Pickle without the memory of the search, which does not change the moves."""
        return Policy, (self.version, self.seed, self.nodes)


def policy(version: str, seed: int = 1, nodes: int = 1000) -> Policy:
    """The player `version` as a policy; a player that searches has `nodes` per move. `Refused` for another version."""
    expect_one_of("player", version, VERSIONS)
    expect_at_least(1, "nodes", nodes)
    return Policy(version, index(seed), int(nodes))
