"""Games as jobs, in threads of this machine or on a cluster. Threads suffice, because they wait for their engines.

A game that a cluster returns twice counts once, by its number. Workers need this package and the commands of the
engines; a worker builds revisions from its own repository. On a cluster, the stderr of engines is kept only if a log
folder is set; the workers must be able to write to it.
"""

import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.engine_client import Patience
from junqi_engine.client.line_process import WaiterStopped
from junqi_referee.exit_codes import RefereeError, one_line
from junqi_referee.jobs import Cluster, WorkerPool, thread_pool
from junqi_referee.playing.arbiter import Arbiter, GameRequest
from junqi_referee.playing.engine_pool import EnginePool, LogFolder, build_revisions, prepare_own
from junqi_referee.settings.engine import Program
from junqi_referee.settings.settings import MatchSettings

MAX_REPEATS = 5
"""Most repetitions of a game during which the referee was suspended; after them it has no result."""
IDLE_S = 30.0
"""A worker of a cluster without a game for this time, at most twice this time, stops its engines."""


@dataclass(frozen=True)
class FailedGame:
    """A game that an unexpected exception ended. It has no record and does not affect other games."""

    game: int
    reason: str


Play = Callable[[GameRequest], GameRecord | FailedGame]


def pool_for(
    settings: MatchSettings, logs: LogFolder, patience: Patience, say: Callable[[str], None]
) -> tuple[WorkerPool, Play]:
    """The pool for the games of some settings, and the function that plays one. `say` gets the progress."""
    if settings.scheduler is not None:
        return Cluster(settings.scheduler, _stop_engines), partial(_play, settings, patience)
    build_revisions((engine.program for engine in settings.engines), settings.variant, say)
    if settings.concurrency > 1:  # else nothing runs while an engine gets ready
        prepare_own(settings.engines, settings.variant, settings.rules, patience)
    arbiters = Arbiters(say, logs)
    return thread_pool(settings.concurrency, arbiters.close), partial(arbiters.play, settings, patience)


class Arbiters:
    """The arbiters of a process: one per thread, each with its own engines, kept from game to game.

    `logs` are the logs of the run. On a worker of a cluster, which serves many runs, each arbiter has its own.
    """

    def __init__(self, say: Callable[[str], None], logs: LogFolder | None = None, is_remote: bool = False) -> None:
        self._say, self._logs, self._is_remote = say, logs, is_remote
        self._own = threading.local()
        self._lock = threading.Lock()
        self._pools: dict[EnginePool, bool] = {}
        """The pools in use, and whether a game is being played with each."""
        self._made = 0
        self.begun = 0
        """The number of games that have begun."""

    def play(self, settings: MatchSettings, patience: Patience, request: GameRequest) -> GameRecord | FailedGame:
        """Play a game. Raises only errors that end the other games too: wrong settings, a lack of files or memory."""
        arbiter = self._arbiter(settings, patience)
        try:
            for _ in range(MAX_REPEATS):
                try:
                    return arbiter.play(request)
                except WaiterStopped as stop:
                    arbiter.pool.close()
                    self._say(f"game {request.plan.game} is played again: {stop}")
            return arbiter.play(request)
        except (RefereeError, OSError, MemoryError):
            arbiter.pool.close()
            raise
        except Exception as error:  # noqa: BLE001  a bug in one game must not end the others; it is reported
            arbiter.pool.close()
            place = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__}: {error} at {Path(place.filename).name}:{place.lineno}"
            return FailedGame(request.plan.game, one_line(reason))
        finally:
            with self._lock:
                self._pools[arbiter.pool] = False
                if arbiter.pool.is_killed:
                    self._end([arbiter.pool])

    def close(self) -> None:
        """Stop all engines; running games end at once."""
        with self._lock:
            for pool, is_busy in self._pools.items():
                if is_busy:
                    pool.kill()
        self.close_idle()

    def close_idle(self) -> None:
        """Stop the engines that play no game."""
        with self._lock:
            self._end([pool for pool, is_busy in self._pools.items() if not is_busy])

    def _arbiter(self, settings: MatchSettings, patience: Patience) -> Arbiter:
        """The arbiter of this thread; its pool is then busy."""
        with self._lock:
            arbiter: Arbiter | None = getattr(self._own, "arbiter", None)
            if arbiter is None or arbiter.pool not in self._pools or arbiter.settings != settings:
                if arbiter is not None and arbiter.pool in self._pools:
                    self._end([arbiter.pool])
                arbiter = self._own.arbiter = self._new(settings, patience)
            self._pools[arbiter.pool] = True
            self.begun += 1
            return arbiter

    def _new(self, settings: MatchSettings, patience: Patience) -> Arbiter:
        self._made += 1
        name, logs = str(self._made), self._logs
        if self._is_remote:
            name = f"{socket.gethostname()}-{os.getpid()}-{name}"
            logs = LogFolder(settings.log) if settings.log else None
        transcripts = LogFolder(settings.transcript) if settings.transcript else None
        return Arbiter(settings, EnginePool(settings.variant, settings.rules, logs, patience, name, transcripts))

    def _end(self, pools: Sequence[EnginePool]) -> None:
        try:
            with ThreadPoolExecutor() as executor:
                list(executor.map(EnginePool.close, pools))
        except RuntimeError:  # there are too many threads
            for pool in pools:
                pool.close()
        for pool in pools:
            del self._pools[pool]
            if self._is_remote and pool.logs is not None:
                pool.logs.close()


_say = partial(print, file=sys.stderr, flush=True)
_arbiters = Arbiters(_say, is_remote=True)
_building = threading.Lock()
_built: set[tuple[Program, str]] = set()
"""The revisions that this worker of a cluster has built, by variant."""


def _play(settings: MatchSettings, patience: Patience, request: GameRequest) -> GameRecord | FailedGame:
    """Play a game on the Dask worker. A `RefereeError` about a revision names the machine."""
    programs = {(engine.program, settings.variant) for engine in settings.engines}
    with _building:
        if not _watcher.is_alive():
            _watcher.start()
        try:
            missing = [program for program, _ in programs - _built]
            build_revisions(missing, settings.variant, _say)
        except RefereeError as error:
            raise RefereeError(f"worker on {socket.gethostname()}: {error}", error.code) from error
        _built.update(programs)
    return _arbiters.play(settings, patience, request)


def _stop_engines() -> None:
    """Runs on the Dask worker."""
    _arbiters.close()


def _stop_idle_engines() -> None:
    """Stop the engines of a worker that gets no more games, because the referee was killed."""
    while True:
        before = _arbiters.begun
        time.sleep(IDLE_S)
        if _arbiters.begun == before:
            _arbiters.close_idle()


_watcher = threading.Thread(target=_stop_idle_engines, daemon=True)
