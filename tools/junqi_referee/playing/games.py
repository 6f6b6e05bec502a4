"""Games as jobs, in threads of this machine or on a cluster. Threads suffice, because they wait for their engines.

A game that a cluster returns twice counts once, by its number. Workers need this package and the engines' commands; a
worker builds revisions from the repository that it has itself. An engine's stderr is kept on a cluster only if a log
folder is set, which the workers must be able to write to.
"""

import os
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from junqi_engine.client.engine_client import Patience
from junqi_engine.client.line_process import WaiterStopped
from junqi_referee.exits import RefereeError, one_line
from junqi_referee.jobs import Cluster, Threads, Workers
from junqi_referee.playing.arbiter import Arbiter, GameRequest
from junqi_referee.playing.engine_pool import EnginePool, LogFolder, build_revisions, prepare_own
from junqi_referee.records.game_record import GameRecord
from junqi_referee.settings.engine import Program
from junqi_referee.settings.settings import MatchSettings

MOST_REPEATS = 5
"""How often a game is played again in which the referee was stopped; then it has no result."""
IDLE_S = 30.0
"""A cluster's worker without games stops its engines after this time."""


@dataclass(frozen=True)
class FailedGame:
    """A game that an unexpected exception has ended. It has no record, and does not affect other games."""

    game: int
    reason: str


Play = Callable[[GameRequest], GameRecord | FailedGame]


def workers_for(
    settings: MatchSettings, logs: LogFolder, patience: Patience, say: Callable[[str], None]
) -> tuple[Workers, Play]:
    """Who plays the games of some settings, and the function that plays one. `say` is told what is prepared."""
    if settings.scheduler is not None:
        return Cluster(settings.scheduler, _stop_engines), partial(_play, settings, patience)
    build_revisions((engine.program for engine in settings.engines), settings.variant, say)
    if settings.concurrency > 1:  # else nothing runs while an engine gets ready
        prepare_own(settings.engines, settings.variant, settings.rules, patience)
    arbiters = Arbiters(say, logs)
    return Threads(settings.concurrency, arbiters.close), partial(arbiters.play, settings, patience)


class Arbiters:
    """The arbiters of a process, one per simultaneous game, each with its own engines, kept from game to game.

    Without the logs of a run, engines are stopped after `IDLE_S` without games.
    """

    def __init__(self, say: Callable[[str], None], logs: LogFolder | None = None) -> None:
        self._say = say
        self._logs = logs
        self._lock = threading.Lock()
        self._idle: list[tuple[MatchSettings, Arbiter]] = []
        self._busy: list[Arbiter] = []
        self._made = 0
        self._timer: threading.Timer | None = None

    def play(self, settings: MatchSettings, patience: Patience, request: GameRequest) -> GameRecord | FailedGame:
        """Play a game. Only what also ends the other games is raised: wrong settings, a lack of files or memory."""
        with self.arbiter(settings, patience) as arbiter:
            try:
                for _ in range(MOST_REPEATS):
                    try:
                        return arbiter.play(request)
                    except WaiterStopped as stop:
                        arbiter.pool.close()
                        self._say(f"game {request.plan.game} is played again: {stop}")
                return arbiter.play(request)
            except (RefereeError, OSError, MemoryError):
                raise
            except Exception as error:  # noqa: BLE001  a bug that one game shows must not end the others; it is reported
                arbiter.pool.close()
                place = traceback.extract_tb(error.__traceback__)[-1]
                reason = f"{type(error).__name__}: {error} at {Path(place.filename).name}:{place.lineno}"
                return FailedGame(request.plan.game, one_line(reason))

    @contextmanager
    def arbiter(self, settings: MatchSettings, patience: Patience) -> Iterator[Arbiter]:
        """An arbiter for one game."""
        arbiter = self._take(settings, patience)
        try:
            yield arbiter
        except BaseException:
            arbiter.pool.close()
            raise
        finally:
            self._give_back(settings, arbiter)

    def close(self) -> None:
        """Stop the engines of all arbiters; running games end at once."""
        with self._lock:
            for arbiter in self._busy:
                arbiter.pool.kill()
        self._stop_idle()

    def _stop_idle(self) -> None:
        """Stop the engines that play no game. The timer calls it, perhaps just when a game begins."""
        with self._lock:
            idle, self._idle = self._idle, []
        self._stop([arbiter.pool for _, arbiter in idle])

    def _stop(self, pools: Sequence[EnginePool]) -> None:
        try:
            with ThreadPoolExecutor() as threads:
                list(threads.map(EnginePool.close, pools))
        except RuntimeError:  # there are too many threads
            for pool in pools:
                pool.close()
        for pool in pools:
            if self._logs is None and pool.logs is not None:
                pool.logs.close()

    def _take(self, settings: MatchSettings, patience: Patience) -> Arbiter:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            match = next((entry for entry in self._idle if entry[0] == settings), None)
            if match is not None:
                self._idle.remove(match)
                arbiter = match[1]
            else:
                self._made += 1
                arbiter = self._new(settings, patience)
            self._busy.append(arbiter)
            return arbiter

    def _new(self, settings: MatchSettings, patience: Patience) -> Arbiter:
        name, logs = str(self._made), self._logs
        if logs is None:
            name = f"{socket.gethostname()}-{os.getpid()}-{name}"
            logs = LogFolder(settings.log) if settings.log else None
        transcripts = LogFolder(settings.transcript) if settings.transcript else None
        pool = EnginePool(settings.variant, settings.rules, logs, patience, name, transcripts)
        return Arbiter(settings, pool)

    def _give_back(self, settings: MatchSettings, arbiter: Arbiter) -> None:
        with self._lock:
            self._busy.remove(arbiter)
            if not arbiter.pool.is_killed:
                self._idle.append((settings, arbiter))
            if not self._busy and self._logs is None:
                self._timer = threading.Timer(IDLE_S, self._stop_idle)
                self._timer.daemon = True
                self._timer.start()
        if arbiter.pool.is_killed:
            self._stop([arbiter.pool])


_say = partial(print, file=sys.stderr, flush=True)
_arbiters = Arbiters(_say)
_building = threading.Lock()
_built: set[tuple[Program, str]] = set()
"""The revisions that this worker of a cluster has built, by variant."""


def _play(settings: MatchSettings, patience: Patience, request: GameRequest) -> GameRecord | FailedGame:
    """The task of a cluster; a `RefereeError` about a revision names the worker's machine."""
    programs = {(engine.program, settings.variant) for engine in settings.engines}
    with _building:
        try:
            missing = [program for program, _ in programs - _built]
            build_revisions(missing, settings.variant, _say)
        except RefereeError as error:
            raise RefereeError(f"worker on {socket.gethostname()}: {error}", error.code) from error
        _built.update(programs)
    return _arbiters.play(settings, patience, request)


def _stop_engines() -> None:
    """Of a cluster's worker, where this is carried out."""
    _arbiters.close()
