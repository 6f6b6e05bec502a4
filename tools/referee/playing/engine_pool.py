"""The engine processes of one game at a time, kept from game to game."""

from pathlib import Path

from junqi_engine.rules.options import Rules
from protocol.client import Patience
from tools.referee.playing.contest_process import ContestPlayer
from tools.referee.playing.engine_process import Player
from tools.referee.settings.settings import Dialect, Engine


class Slot:
    """The processes that one game at a time is played with, by engine and by seat of its team.

    Those that were used last are kept for the next game, at most `MOST_KEPT`.
    """

    MOST_KEPT = 12

    def __init__(self, variant: str, rules: Rules, logs: Path | None, patience: Patience, name: str) -> None:
        self._variant = variant
        self._rules = rules
        self._logs = logs
        self._patience = patience
        self._name = name
        self._players: dict[tuple[str, int], Player] = {}

    def player(self, engine: Engine, number: int) -> Player:
        """The process of an engine for its team (0) or for a seat of it (0, 1); not started yet, perhaps."""
        key = engine.name, number
        player = self._players.pop(key, None)
        if player is None:
            kind = ContestPlayer if engine.dialect == Dialect.CONTEST else Player
            player = kind(engine, self._variant, self._rules, self._log(engine, number), self._patience)
        self._players[key] = player
        while len(self._players) > self.MOST_KEPT:
            self._players.pop(next(iter(self._players))).close()
        return player

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._players.clear()

    def kill(self) -> None:
        """Kill all processes, from another thread."""
        for player in list(self._players.values()):
            player.kill()

    def _log(self, engine: Engine, number: int) -> Path | None:
        if self._logs is None:
            return None
        plain = "".join(char if char.isalnum() or char in "-._" else "_" for char in engine.name)
        return self._logs / f"{plain}-{self._name}-{number}.log"
