"""Engine processes as the board uses them: each behind a thread of its own, awaited from the event loop.

Imports nothing of the rules, so that the first engine can be on its way before they are loaded.
"""

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from protocol.client import Answer, EngineClient, EngineError, Fault, Identity, Patience

KEPT_LINES = 60
LONGEST_LINE = 2_000
SHOW_EVERY_S = 0.1
ERROR_PREFIX = "info string error "

T = TypeVar("T")


@dataclass(frozen=True)
class Program:
    """An engine that can be chosen: what it is called, and its command line."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A combo option that an engine declares."""

    default: str
    values: tuple[str, ...]


class Refused(Exception):
    """The engine has rejected a command; the text is what it said, code first."""


class Engine:
    """One process. After an `EngineError` only `close` is left.

    `listener` is called in the event loop with the `info` lines of searches, several at a time, never more often than
    every 100 ms; of a flood it gets the last ones.
    """

    def __init__(self, program: Program, patience: Patience) -> None:
        self.program = program
        self.identity = Identity()
        self.listener: Callable[[list[str]], None] | None = None
        self.is_busy = False
        self.pv: list[str] = []
        self.said: deque[str] = deque(maxlen=KEPT_LINES)
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
        """Start the process and learn what it says of itself; an `EngineError` of fault `no-start` if it does not."""
        self.identity = await self._do(self._start)
        return self.identity

    async def set_options(self, options: Mapping[str, str]) -> None:
        """Set those of `options` that the engine declares, and be ready for a new game; `Refused` names a refusal."""
        wanted = {name: value for name, value in options.items() if name.lower() in self.identity.options}
        lines = [f"setoption name {name} value {value}" for name, value in wanted.items()]
        await self.consult(*lines, "ucinewgame")

    async def consult(self, *lines: str) -> list[str]:
        """Send commands that are answered at once; the lines that came. `Refused` if one was rejected."""
        found = await self._do(partial(self._consult, lines))
        for line in found:
            if line.startswith(ERROR_PREFIX):
                raise Refused(line.removeprefix(ERROR_PREFIX)[:LONGEST_LINE])
        return found

    async def search(
        self, position: str, go: str, allowed_ms: float | None = None, patience_s: float | None = None
    ) -> Answer:
        """The answer to a `go` in a position, as `EngineClient.ask` has it; `stop` may be called meanwhile.

        Afterwards `pv` has the moves of the best line that was reported last, and `said` the last free texts.
        """
        stop = self._stop = threading.Event()
        answer = await self._do(partial(self._search, (position, go), allowed_ms, patience_s, stop))
        self.flush()
        return answer

    def stop(self) -> None:
        """End the running search: its answer comes soon."""
        self._stop.set()

    def close(self) -> None:
        """Have the process stopped, at once if it is busy; `wait_closed` waits until it is."""
        if self._is_closed:
            return
        self._is_closed = True
        self.listener = None
        if self.is_busy and self._client is not None:
            self._client.kill()
        # In the engine's thread, so after a start that is under way.
        self._closing = self._thread.submit(self._end)
        self._thread.shutdown(wait=False)

    async def wait_closed(self) -> None:
        """Wait until a process that has been told to stop is gone."""
        if self._closing is not None:
            await asyncio.wrap_future(self._closing)

    @property
    def is_gone(self) -> bool:
        return self._closing is not None and self._closing.done()

    def choice(self, option: str) -> Choice | None:
        """A combo option by name; None if the engine declares none of that name."""
        words = re.split(r"\s+", self.identity.options.get(option.lower(), "").partition(" type combo ")[2])
        values = tuple(words[place + 1] for place, word in enumerate(words[:-1]) if word == "var")
        default = words[1] if words[0] == "default" and len(words) > 1 else ""
        return Choice(default if default in values else values[0], values) if values else None

    async def _do(self, work: Callable[[], T]) -> T:
        if self._is_closed:
            raise EngineError(Fault.DISCONNECT, "the engine has been stopped")
        self.is_busy = True
        try:
            return await self._loop.run_in_executor(self._thread, work)
        finally:
            self.is_busy = False

    def _start(self) -> Identity:
        self._client = EngineClient(self.program.command, patience=self._patience, witness=self._hear)
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
            raise EngineError(Fault.NO_START, "the engine has not been started")
        return self._client

    def _search(
        self, lines: Sequence[str], allowed_ms: float | None, patience_s: float | None, stop: threading.Event
    ) -> Answer:
        self.pv, self._is_searching = [], True
        self.said.clear()
        try:
            return self._process().ask(lines, allowed_ms, patience_s, stop.is_set)
        finally:
            self._is_searching = False

    def _hear(self, line: bytes) -> None:
        """Called in the engine's thread with every line that comes."""
        if not self._is_searching or not line.startswith(b"info"):
            return
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("info string "):
            self.said.append(text[:LONGEST_LINE])
        elif " pv " in text and (" multipv " not in text or " multipv 1 " in text):
            self.pv = text.partition(" pv ")[2].split()
        self._lines.append(text[:LONGEST_LINE])
        if not self._flush_is_due:
            self._flush_is_due = True
            with suppress(RuntimeError):  # the loop has ended: nobody listens any more
                self._loop.call_soon_threadsafe(self._loop.call_later, SHOW_EVERY_S, self.flush)

    def flush(self) -> None:
        """Give the listener the lines that have come by now."""
        self._flush_is_due = False
        lines = []
        while self._lines:
            lines.append(self._lines.popleft())
        if lines and self.listener is not None:
            self.listener(lines)


@dataclass
class Stable:
    """The programs that can be chosen, and processes that stand ready for use."""

    programs: tuple[Program, ...]
    patience: Patience = field(default_factory=Patience)
    most_idle: int = 4
    _idle: list[Engine] = field(default_factory=list)
    _made: list[Engine] = field(default_factory=list)

    def program(self, name: str) -> Program | None:
        return next((program for program in self.programs if program.name == name), None)

    async def take(self, program: Program) -> Engine:
        """A process of a program: one that stands ready, else a new one. `EngineError` if it does not start."""
        for engine in self._idle:
            if engine.program == program:
                self._idle.remove(engine)
                return engine
        engine = Engine(program, self.patience)
        self._made = [other for other in self._made if not other.is_gone] + [engine]
        try:
            await engine.start()
        except BaseException:
            engine.close()
            raise
        return engine

    def give_back(self, engine: Engine) -> None:
        """Keep a process that is in order for the next who needs one."""
        engine.listener = None
        if engine.is_busy or len(self._idle) >= self.most_idle:
            engine.close()
        else:
            self._idle.append(engine)

    async def close(self) -> None:
        """Stop every process that has been started, whoever has it, and wait until all are gone."""
        self._idle.clear()
        for engine in self._made:
            engine.close()
        await asyncio.gather(*(engine.wait_closed() for engine in self._made))
