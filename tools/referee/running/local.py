"""Games on this machine: one thread per simultaneous game, each with its own engine processes.

Threads suffice, because they mostly wait for their engines.
"""

import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol

from junqi_engine.engines.client import Patience
from tools.referee.exits import ExitCode, RefereeError, one_line
from tools.referee.playing.arbiter import Arbiter, GameRequest
from tools.referee.playing.engine_pool import EnginePool
from tools.referee.playing.log_folder import LogFolder
from tools.referee.records.game_record import GameRecord
from tools.referee.settings.settings import Settings

KILL_AGAIN_S = 0.05
SIGNALS_SEEN_S = 0.2


@dataclass(frozen=True)
class FailedGame:
    """A game that an unexpected exception has ended. It has no record, and does not affect other games."""

    game: int
    reason: str


class Runner(Protocol):
    """Plays games. `submit` takes at most `capacity` games at a time; `wait` returns their records as they end."""

    @property
    def capacity(self) -> int: ...

    def submit(self, request: GameRequest) -> None: ...

    def wait(self) -> GameRecord | FailedGame:
        """The record of the next game that ends; raises the exception that ended the match instead."""

    def interrupt(self) -> None:
        """Abandon all games at once."""

    def close(self) -> None:
        """Stop all engines; no game may be running."""


class LocalRunner:
    """One engine pool and one thread per simultaneous game."""

    def __init__(self, settings: Settings, logs: LogFolder | None, patience: Patience | None = None) -> None:
        self.capacity = settings.concurrency
        self._requests: SimpleQueue[GameRequest | None] = SimpleQueue()
        self._done: SimpleQueue[GameRecord | FailedGame | BaseException] = SimpleQueue()
        self._stopped = threading.Event()
        patience = patience or Patience()
        self._pools = [
            EnginePool(settings.variant, settings.rules, logs, patience, str(number))
            for number in range(1, self.capacity + 1)
        ]
        self._threads = [
            threading.Thread(target=self._serve, args=(Arbiter(settings, pool),), name=f"game {number}", daemon=True)
            for number, pool in enumerate(self._pools, 1)
        ]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:
            self._dismiss()
            text = f"{self.capacity} games at a time: {error}; use a smaller --concurrency"
            raise RefereeError(text, ExitCode.INTERNAL) from error

    def submit(self, request: GameRequest) -> None:
        self._requests.put(request)

    def wait(self) -> GameRecord | FailedGame:
        done = None
        while done is None:
            # With a timeout, because a signal that arrives just before the wait begins is only handled after it.
            with suppress(Empty):
                done = self._done.get(timeout=SIGNALS_SEEN_S)
        if isinstance(done, BaseException):
            raise done
        return done

    def interrupt(self) -> None:
        self._stopped.set()
        self._dismiss()
        while any(thread.is_alive() for thread in self._threads):
            # Repeatedly, because a thread may be about to start an engine.
            for pool in self._pools:
                pool.kill()
            for thread in self._threads:
                thread.join(KILL_AGAIN_S)

    def close(self) -> None:
        self._dismiss()
        for thread in self._threads:
            thread.join()

    def _dismiss(self) -> None:
        for _ in self._threads:
            self._requests.put(None)

    def _serve(self, arbiter: Arbiter) -> None:
        try:
            while (request := self._requests.get()) is not None and not self._stopped.is_set():
                done = play(arbiter, request)
                if not self._stopped.is_set():
                    self._done.put(done)
        except BaseException as error:  # noqa: BLE001  raised again in the thread that waits
            self._done.put(error)
        finally:
            arbiter.pool.close()


def play(arbiter: Arbiter, request: GameRequest) -> GameRecord | FailedGame:
    """Play a game. Only what also ends the other games is raised: wrong settings, a lack of files or memory."""
    try:
        return arbiter.play(request)
    except (RefereeError, OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001  a bug that one game shows must not end the others; it is reported
        arbiter.pool.close()
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} at {Path(place.filename).name}:{place.lineno}"
        return FailedGame(request.plan.game, one_line(reason))
