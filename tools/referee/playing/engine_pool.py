"""The pool of engine processes that play one game at a time, kept from game to game."""

from collections.abc import Callable
from functools import partial

from junqi_engine.engines.client import Patience
from junqi_engine.rules.options import Rules
from tools.referee.playing.contest_process import ContestProcess
from tools.referee.playing.engine_process import EngineProcess
from tools.referee.playing.log_folder import LogFolder
from tools.referee.settings.engine import Dialect, Engine

MAX_NAME = 100
"""Characters of an engine's name in the name of its log."""


class EnginePool:
    """Processes by engine and by place in the team. The least recently used ones beyond `MAX_KEPT` are stopped."""

    MAX_KEPT = 12

    def __init__(self, variant: str, rules: Rules, logs: LogFolder | None, patience: Patience, name: str) -> None:
        self._variant = variant
        self._rules = rules
        self.logs = logs
        self._patience = patience
        self._name = name
        self._processes: dict[tuple[str, int], EngineProcess] = {}

    def process(self, engine: Engine, place: int) -> EngineProcess:
        """The process of an engine for its whole team (place 0) or for one seat of it (0 or 1); it may not run yet."""
        key = engine.name, place
        process = self._processes.pop(key, None)
        if process is None:
            kind = ContestProcess if engine.dialect == Dialect.CONTEST else EngineProcess
            process = kind(engine, self._variant, self._rules, self._log(engine, place), self._patience)
        self._processes[key] = process
        while len(self._processes) > self.MAX_KEPT:
            self._processes.pop(next(iter(self._processes))).close()
        return process

    def close(self) -> None:
        """Stop all processes."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()

    def kill(self) -> None:
        """Kill all processes; may be called from another thread."""
        for process in list(self._processes.values()):
            process.kill()

    def _log(self, engine: Engine, place: int) -> Callable[[], int] | None:
        """Opens the log of a process."""
        if self.logs is None:
            return None
        plain = "".join(char if char.isalnum() or char in "-._" else "_" for char in engine.name)
        return partial(self.logs.open, f"{plain[:MAX_NAME]}-{self._name}-{place}")
