"""An engine process as the board uses it: behind a thread of its own, awaited from the event loop.

This file imports nothing of the rules, so the first engine can start while they are still being loaded.
"""

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from protocol.client import EngineClient, EngineError, EngineFault, Identity, Patience, Reply
from tools.board.programs import Program

KEPT_LINES = 60
LONGEST_LINE = 2_000
SHOW_EVERY_S = 0.1
ERROR_PREFIX = "info string error "

T = TypeVar("T")


@dataclass(frozen=True)
class Choice:
    """A combo option that an engine declares."""

    default: str
    values: tuple[str, ...]


class CommandRejected(Exception):
    """The engine has rejected a command; the text is the engine's message, which starts with its error code."""


class Engine:
    """One process. After an `EngineError` the only call that makes sense is `close`, except that a late reply
    (`TIMEOUT`) changes nothing: the engine can be asked again.

    `listener` is called in the event loop with the `info` lines of searches: several at a time, at most every 100 ms,
    and only the last ones of a flood.
    """

    def __init__(self, program: Program, patience: Patience) -> None:
        self.program = program
        self.identity = Identity()
        self.listener: Callable[[list[str]], None] | None = None
        self.is_busy = False
        self.pv: list[str] = []
        self.texts: deque[str] = deque(maxlen=KEPT_LINES)
        self._patience = patience
        self._client: EngineClient | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._stop = threading.Event()
        self._is_searching = False
        self._is_closed = False
        self._closing: Future[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._flush_is_due = False

    async def start(self) -> Identity:
        """Start the process and read its name and options; an `EngineError` with the fault `no-start` if that fails."""
        self.identity = await self._do(self._start)
        return self.identity

    async def set_options(self, options: Mapping[str, str]) -> None:
        """Set those of `options` that the engine declares, then a new game; `CommandRejected` if it rejects one."""
        wanted = {name: value for name, value in options.items() if name.lower() in self.identity.options}
        lines = [f"setoption name {name} value {value}" for name, value in wanted.items()]
        await self.consult(*lines, "ucinewgame")

    async def consult(self, *lines: str) -> list[str]:
        """Send commands that are answered at once; return the answer. `CommandRejected` if the engine rejects one."""
        found = await self._do(partial(self._consult, lines))
        for line in found:
            if line.startswith(ERROR_PREFIX):
                raise CommandRejected(line.removeprefix(ERROR_PREFIX)[:LONGEST_LINE])
        return found

    async def search(
        self, position: str, go: str, allowed_ms: float | None = None, patience_s: float | None = None
    ) -> Reply:
        """Search a position, as `EngineClient.ask` does; `stop` may be called meanwhile.

        Afterwards `pv` holds the last principal variation, and `texts` the last `info string` texts.
        """
        stop = self._stop = threading.Event()
        answer = await self._do(partial(self._search, (position, go), allowed_ms, patience_s, stop))
        self.flush()
        return answer

    def stop(self) -> None:
        """End the running search; its answer follows soon."""
        self._stop.set()

    def close(self) -> None:
        """Stop the process, at once if it is busy; `wait_closed` waits for its end."""
        if self._is_closed:
            return
        self._is_closed = True
        self.listener = None
        if self.is_busy and self._client is not None:
            self._client.kill()
        # The engine's thread does it, so a start that is under way ends first.
        self._closing = self._thread.submit(self._end)
        self._thread.shutdown(wait=False)

    async def wait_closed(self) -> None:
        """Wait for the end of a process that `close` has stopped."""
        if self._closing is not None:
            await asyncio.wrap_future(self._closing)

    @property
    def is_gone(self) -> bool:
        return self._closing is not None and self._closing.done()

    def choice(self, option: str) -> Choice | None:
        """A combo option by name; None if the engine does not declare it."""
        words = re.split(r"\s+", self.identity.options.get(option.lower(), "").partition(" type combo ")[2])
        values = tuple(words[place + 1] for place, word in enumerate(words[:-1]) if word == "var")
        default = words[1] if words[0] == "default" and len(words) > 1 else ""
        return Choice(default if default in values else values[0], values) if values else None

    async def _do(self, work: Callable[[], T]) -> T:
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        self.is_busy = True
        try:
            return await self._loop.run_in_executor(self._thread, work)
        finally:
            self.is_busy = False

    def _start(self) -> Identity:
        self._client = EngineClient(self.program.command, patience=self._patience, witness=self._receive)
        identity = self._client.start()
        self._client.ready()
        return identity

    def _end(self) -> None:
        if self._client is not None:
            self._client.close()

    def _consult(self, lines: Sequence[str]) -> list[str]:
        client = self._process()
        client.send(*lines)
        return client.ready(may_load=any("UCI_Variant" in line for line in lines))

    def _process(self) -> EngineClient:
        if self._client is None:
            raise EngineError(EngineFault.NO_START, "the engine has not been started")
        return self._client

    def _search(
        self, lines: Sequence[str], allowed_ms: float | None, patience_s: float | None, stop: threading.Event
    ) -> Reply:
        self.pv, self._is_searching = [], True
        self.texts.clear()
        try:
            return self._process().ask(lines, allowed_ms, patience_s, stop.is_set)
        finally:
            self._is_searching = False

    def _receive(self, line: bytes) -> None:
        """Called in the engine's thread with every line of output."""
        if not self._is_searching or not line.startswith(b"info"):
            return
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("info string "):
            self.texts.append(text[:LONGEST_LINE])
        elif " pv " in text and (" multipv " not in text or " multipv 1 " in text):
            self.pv = text.partition(" pv ")[2].split()
        self._lines.append(text[:LONGEST_LINE])
        if not self._flush_is_due:
            self._flush_is_due = True
            with suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._loop.call_later, SHOW_EVERY_S, self.flush)

    def flush(self) -> None:
        """Pass the lines received so far to the listener."""
        self._flush_is_due = False
        lines = []
        while self._lines:
            lines.append(self._lines.popleft())
        if lines and self.listener is not None:
            self.listener(lines)
