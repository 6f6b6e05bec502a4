"""Pairs of games between quick players with different evaluators, from the same line-ups with the teams exchanged."""

import random
import threading
from dataclasses import dataclass
from functools import cache

import numpy as np

from junqi_engine.rules.position import Result
from junqi_referee.exit_codes import RefereeError
from junqi_training.selfplay.quick import QuickGame
from junqi_training.selfplay.run import draw_lineup
from junqi_training.selfplay.settings import SelfPlaySettings, own_revision

LINEUPS = 1500
"""Games begin with line-ups from a list of this many, of every quality."""
POINTS = {Result.TEAM_0: 1, Result.TEAM_1: -1}
_of_thread = threading.local()


@dataclass(frozen=True)
class PairSettings:
    """Settings that all pairs of a run share; workers of another `revision` refuse to play."""

    variant: str
    nodes: int
    seed: int
    max_plies: int
    revision: str


class PairPlayer:
    """Plays pairs, with the memory of one thread. A pair depends on the settings, its number and the weights alone."""

    def __init__(self, settings: PairSettings) -> None:
        self.settings = settings
        self._lineups = _lineups(settings.variant, settings.seed)
        plan = SelfPlaySettings(settings.variant, settings.nodes, max_plies=settings.max_plies)
        self._game = QuickGame(plan, self._lineups)
        self._seats = len(plan.board.seats)

    @classmethod
    def of_thread(cls, settings: PairSettings) -> "PairPlayer":
        """The player of this thread. RefereeError if this program is of another revision."""
        if own_revision() != settings.revision:
            raise RefereeError(f"a worker has revision {own_revision()}, not {settings.revision}")
        player: PairPlayer | None = getattr(_of_thread, "player", None)
        if player is None or player.settings != settings:
            player = _of_thread.player = cls(settings)
        return player

    def play(self, number: int, first: np.void, second: np.void) -> tuple[int, int]:
        """The results of both games for the side with the weights `first` (`WEIGHTS`): 1, 0 for a draw, or -1."""
        rng = random.Random(f"{self.settings.seed} {number}")
        lineups = [rng.choice(self._lineups) for _ in range(self._seats)]
        seed = rng.getrandbits(63)
        return self._result((first, second), lineups, seed), -self._result((second, first), lineups, seed)

    def _result(self, teams: tuple[np.void, np.void], lineups: list[str], seed: int) -> int:
        for team, weights in enumerate(teams):
            self._game.weights[team] = weights
        state, _, _ = self._game.play(lineups, seed)
        return POINTS.get(Result(state.result), 0)


@cache
def _lineups(variant: str, seed: int) -> list[str]:
    rng = random.Random(f"line-ups {seed}")
    return [draw_lineup(rng, variant) for _ in range(LINEUPS)]
