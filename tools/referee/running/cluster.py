"""Games on the workers of a Dask cluster.

A game is a task. The scheduler gives the games of a lost worker to other workers; a game that is returned twice counts
once, by its number. Workers need this package and the engines' commands; a worker builds revisions from the repository
that it has itself. An engine's stderr is kept only if a log folder is set, which the workers must be able to write to.
"""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from junqi_engine.engines.client import Patience
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.playing.arbiter import Arbiter, GameRequest
from tools.referee.playing.builds import build_revisions
from tools.referee.playing.engine_pool import EnginePool
from tools.referee.playing.log_folder import LogFolder
from tools.referee.records.game_record import GameRecord
from tools.referee.running.local import FailedGame, play
from tools.referee.settings.program import Program
from tools.referee.settings.settings import Settings

CONNECT_S = 10
AHEAD = 2
"""Games submitted per thread of the cluster, so that no thread waits for the next game."""
MOST_TRIES = 20
GIVE_UP_S = 0.5
IDLE_S = 30.0
"""A worker without games stops its engines after this time."""


class ClusterRunner:
    """Plays games on all workers that a scheduler knows at the time."""

    def __init__(self, settings: Settings, patience: Patience | None = None) -> None:
        try:
            from distributed import Client, as_completed
        except ImportError as error:
            raise RefereeError("a scheduler needs dask and distributed: pip install junqi-engine[cluster]") from error
        self._settings = settings
        self._patience = patience or Patience()
        try:
            self._client = Client(settings.scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise RefereeError(f"scheduler {settings.scheduler}: {error}") from error
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError as error:
            self._client.close()
            raise RefereeError(f"scheduler {settings.scheduler} has no workers") from error
        self._completed = as_completed(loop=self._client.loop)
        self._given_up = threading.Event()
        self._requests: dict[Any, tuple[GameRequest, int]] = {}

    @property
    def capacity(self) -> int:
        """Follows the size of the cluster."""
        return AHEAD * max(1, sum(self._client.nthreads().values()))

    def submit(self, request: GameRequest) -> None:
        self._submit(request, 1)

    def wait(self) -> GameRecord | FailedGame:
        from distributed import KilledWorker

        while True:
            future = next(self._completed)
            request, tries = self._requests.pop(future)
            try:
                return future.result()
            except KilledWorker as error:
                if tries == MOST_TRIES:
                    raise RefereeError(
                        f"game {request.plan.game}: its worker was lost {tries} times", ExitCode.INTERNAL
                    ) from error
                self._submit(request, tries + 1)

    def interrupt(self) -> None:
        # The workers are told, but not waited for: a lost worker would delay the end of the command.
        threading.Thread(target=self._give_up, daemon=True).start()
        self._given_up.wait(GIVE_UP_S)

    def close(self) -> None:
        self._client.run(_stop_engines, on_error="ignore")
        self._client.close()

    def _give_up(self) -> None:
        self._client.cancel(list(self._requests))
        self._client.run(_stop_engines, on_error="ignore")
        self._client.close()
        self._given_up.set()

    def _submit(self, request: GameRequest, tries: int) -> None:
        future = self._client.submit(_play, self._settings, self._patience, request, pure=False)
        self._requests[future] = request, tries
        self._completed.add(future)


class _Arbiters:
    """The arbiters of one worker process, one per simultaneous game, each with its own engines."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[Settings, Arbiter]] = []
        self._busy: list[Arbiter] = []
        self._made = 0
        self._timer: threading.Timer | None = None

    @contextmanager
    def arbiter(self, settings: Settings, patience: Patience) -> Iterator[Arbiter]:
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
        for _, arbiter in idle:
            arbiter.pool.close()
            if arbiter.pool.logs is not None:
                arbiter.pool.logs.close()

    def _take(self, settings: Settings, patience: Patience) -> Arbiter:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            match = next((entry for entry in self._idle if entry[0] == settings), None)
            if match is not None:
                self._idle.remove(match)
                arbiter = match[1]
            else:
                self._made += 1
                name = f"{socket.gethostname()}-{os.getpid()}-{self._made}"
                logs = LogFolder(settings.log) if settings.log else None
                arbiter = Arbiter(settings, EnginePool(settings.variant, settings.rules, logs, patience, name))
            self._busy.append(arbiter)
            return arbiter

    def _give_back(self, settings: Settings, arbiter: Arbiter) -> None:
        with self._lock:
            self._busy.remove(arbiter)
            self._idle.append((settings, arbiter))
            if not self._busy:
                self._timer = threading.Timer(IDLE_S, self._stop_idle)
                self._timer.daemon = True
                self._timer.start()


class _Builds:
    """The revisions that one worker process has built."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._built: set[tuple[Program, str]] = set()

    def need(self, settings: Settings) -> None:
        """Build the revisions of a match, unless it has been done; a `RefereeError` names this machine."""
        programs = [engine.program for engine in settings.engines]
        with self._lock:
            missing = [program for program in programs if (program, settings.variant) not in self._built]
            try:
                build_revisions(missing, settings.variant, partial(print, file=sys.stderr, flush=True))
            except RefereeError as error:
                raise RefereeError(f"worker on {socket.gethostname()}: {error}", error.code) from error
            self._built |= {(program, settings.variant) for program in missing}


_arbiters = _Arbiters()
_builds = _Builds()


def _play(settings: Settings, patience: Patience, request: GameRequest) -> GameRecord | FailedGame:
    """The task."""
    _builds.need(settings)
    with _arbiters.arbiter(settings, patience) as arbiter:
        return play(arbiter, request)


def _stop_engines() -> None:
    _arbiters.close()
