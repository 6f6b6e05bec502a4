"""Playing games on this machine: one thread a game, each with engine processes of its own.

A thread does little but wait for its engines, so that threads are enough; what computes are the engines.
"""

import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol

from protocol.client import Patience
from tools.referee.playing.arbiter import Request, Table
from tools.referee.playing.engine_pool import Slot
from tools.referee.records.game_record import GameRecord
from tools.referee.settings.settings import Settings

KILL_AGAIN_S = 0.05
SIGNALS_SEEN_S = 0.2


class Runner(Protocol):
    """Where games are played. `submit` takes at most `capacity` games at a time; `wait` gives them back as they end."""

    @property
    def capacity(self) -> int: ...

    def submit(self, request: Request) -> None: ...

    def wait(self) -> GameRecord:
        """The next game that ends; whatever ended the match instead is raised."""

    def interrupt(self) -> None:
        """Give up all games at once."""

    def close(self) -> None:
        """Stop all engines."""


class LocalRunner:
    """As many slots as games may run at a time."""

    def __init__(self, settings: Settings, logs: Path | None, patience: Patience | None = None) -> None:
        self.capacity = settings.concurrency
        self._requests: SimpleQueue[Request | None] = SimpleQueue()
        self._done: SimpleQueue[GameRecord | BaseException] = SimpleQueue()
        self._stopped = threading.Event()
        waiting = patience or Patience()
        self._slots = [
            Slot(settings.variant, settings.rules, logs, waiting, str(number)) for number in range(1, self.capacity + 1)
        ]
        self._threads = [
            threading.Thread(target=self._serve, args=(Table(settings, slot), slot), name=f"game {number}", daemon=True)
            for number, slot in enumerate(self._slots, 1)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, request: Request) -> None:
        self._requests.put(request)

    def wait(self) -> GameRecord:
        done = None
        while done is None:
            # Not for ever at once: a signal that comes just before such a wait begins is seen only after it.
            with suppress(Empty):
                done = self._done.get(timeout=SIGNALS_SEEN_S)
        if isinstance(done, BaseException):
            raise done
        return done

    def interrupt(self) -> None:
        self._stopped.set()
        self._dismiss()
        while any(thread.is_alive() for thread in self._threads):
            # Again and again, for a thread may have been about to start an engine.
            for slot in self._slots:
                slot.kill()
            for thread in self._threads:
                thread.join(KILL_AGAIN_S)

    def close(self) -> None:
        self._dismiss()
        for thread in self._threads:
            thread.join()

    def _dismiss(self) -> None:
        for _ in self._threads:
            self._requests.put(None)

    def _serve(self, table: Table, slot: Slot) -> None:
        try:
            while (request := self._requests.get()) is not None and not self._stopped.is_set():
                record = table.play(request)
                if not self._stopped.is_set():
                    self._done.put(record)
        except BaseException as error:  # noqa: BLE001  it is raised again in the thread that waits
            self._done.put(error)
        finally:
            slot.close()
