"""Playing games on the workers of a Dask cluster.

A game is a task. The scheduler gives the games of a lost worker to others; a game that comes back twice is counted
once, by its number. Workers need this package and the engines' commands. An engine's stderr is kept only when a log
folder is named that the workers can write to.
"""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from protocol.client import Patience
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.playing.arbiter import Request, Table
from tools.referee.playing.engine_pool import Slot
from tools.referee.records.game_record import GameRecord
from tools.referee.settings.settings import Settings

CONNECT_S = 10
AHEAD = 2
"""Games handed out for each thread of the cluster, so that none waits for the next."""
MOST_TRIES = 20
GIVE_UP_S = 0.5
IDLE_S = 30.0
"""After which a worker stops engines that nobody asks for any more."""


class ClusterRunner:
    """The workers known to one scheduler, however many they are at a time."""

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
            raise RefereeError(f"scheduler {settings.scheduler}: it has no workers") from error
        self._completed = as_completed(loop=self._client.loop)
        self._given_up = threading.Event()
        self._requests: dict[Any, tuple[Request, int]] = {}

    @property
    def capacity(self) -> int:
        """Grows and shrinks with the cluster."""
        return AHEAD * max(1, sum(self._client.nthreads().values()))

    def submit(self, request: Request) -> None:
        self._submit(request, 1)

    def wait(self) -> GameRecord:
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
        # The workers are told, but not waited for: a lost one would take longer than whoever interrupts has patience.
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

    def _submit(self, request: Request, tries: int) -> None:
        future = self._client.submit(_play, self._settings, self._patience, request, pure=False)
        self._requests[future] = request, tries
        self._completed.add(future)


class _Pool:
    """The tables of one worker process, each with its engines, for as many games as it plays at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[Settings, Table]] = []
        self._busy: list[Table] = []
        self._made = 0
        self._timer: threading.Timer | None = None

    @contextmanager
    def table(self, settings: Settings, patience: Patience) -> Iterator[Table]:
        table = self._take(settings, patience)
        try:
            yield table
        except BaseException:
            table.slot.close()
            raise
        finally:
            self._give_back(settings, table)

    def close(self) -> None:
        """Stop the engines of all tables; games that are still played on them end at once."""
        with self._lock:
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for table in busy:
            table.slot.kill()
        for _, table in idle:
            table.slot.close()

    def _take(self, settings: Settings, patience: Patience) -> Table:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            match = next((entry for entry in self._idle if entry[0] == settings), None)
            if match is not None:
                self._idle.remove(match)
                table = match[1]
            else:
                self._made += 1
                name = f"{socket.gethostname()}-{os.getpid()}-{self._made}"
                logs = Path(settings.log) if settings.log else None
                table = Table(settings, Slot(settings.variant, settings.rules, logs, patience, name))
            self._busy.append(table)
            return table

    def _give_back(self, settings: Settings, table: Table) -> None:
        with self._lock:
            self._busy.remove(table)
            self._idle.append((settings, table))
            if not self._busy:
                self._timer = threading.Timer(IDLE_S, self.close)
                self._timer.daemon = True
                self._timer.start()


_pool = _Pool()


def _play(settings: Settings, patience: Patience, request: Request) -> GameRecord:
    """The task."""
    with _pool.table(settings, patience) as table:
        return table.play(request)


def _stop_engines() -> None:
    _pool.close()
