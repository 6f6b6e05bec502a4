"""Plays the pairs of a tuning."""

import random
import threading
from dataclasses import dataclass
from functools import cache

import numpy as np

from junqi_engine.rules.position import Result
from tools.training.selfplay.play import draw_lineup
from tools.training.selfplay.quick import QuickGame
from tools.training.selfplay.revision import own_revision
from tools.training.selfplay.settings import Settings
from tools.training.value.directions import Worths
from tools.training.value.spsa import Trial

LINEUPS = 1500
"""Games begin with line-ups from a list of so many, of every quality."""
WINS = {Result.TEAM_0: 1, Result.TEAM_1: -1}
_of_thread = threading.local()


@dataclass(frozen=True)
class Match:
    """What all pairs have in common. `fitted` are the bytes of int16 direct worths, empty for none."""

    variant: str
    nodes: int
    seed: int
    most_plies: int
    fitted: bytes
    revision: str


class _Table:
    """The memory of one thread that plays."""

    def __init__(self, match: Match) -> None:
        self.match = match
        settings = Settings(match.variant, f"quick@{match.nodes}", max_plies=match.most_plies)
        self._lineups = _lineups(match.variant, match.seed)
        self._game = QuickGame(settings, self._lineups, match.nodes)
        self._seats = len(settings.board.seats)
        fitted = np.frombuffer(match.fitted, np.int16).astype(np.float32) if match.fitted else None
        self._worths = Worths(settings.board, fitted)
        self._game.worths["seats"] = self._seats

    def play(self, trial: Trial) -> int:
        """Both games of a pair: the wins of plus less those of minus."""
        rng = random.Random(f"{self.match.seed} {trial.pair}")
        lineups = [rng.choice(self._lineups) for _ in range(self._seats)]
        seed = rng.getrandbits(63)
        plus, minus = (self._worths.direct(numbers) for numbers in (trial.plus, trial.minus))
        return self._won((plus, minus), lineups, seed) - self._won((minus, plus), lineups, seed)

    def _won(self, teams: tuple[np.ndarray, np.ndarray], lineups: list[str], seed: int) -> int:
        """The result of a game for its first team: 1, 0 or -1."""
        for team, direct in enumerate(teams):
            self._game.worths["worth"][team, : len(direct)] = direct
        state, _, _ = self._game.play(lineups, seed)
        return WINS.get(Result(state.result), 0)


@cache
def _lineups(variant: str, seed: int) -> list[str]:
    rng = random.Random(f"line-ups {seed}")
    return [draw_lineup(rng, variant) for _ in range(LINEUPS)]


def play_pair(match: Match, trial: Trial) -> int:
    """Play a pair in this thread. ValueError if this program is of another revision."""
    if own_revision() != match.revision:
        raise ValueError(f"a worker has revision {own_revision()}, not {match.revision}")
    table = getattr(_of_thread, "table", None)
    if table is None or table.match != match:
        table = _of_thread.table = _Table(match)
    return table.play(trial)
