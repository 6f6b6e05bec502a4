"""Engine processes as the board uses them: each behind a thread of its own, awaited from the event loop.

This file imports nothing of the rules, so the first engine can start while they are still being loaded.
"""

import asyncio
import logging
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeVar

from junqi_engine.client.engine_client import EngineClient, Identity, Patience, Reply
from junqi_engine.client.engine_lines import option_choices, spaced
from junqi_engine.client.line_process import split_command
from junqi_engine.errors import CommandRejected, EngineError, EngineFault

PATIENCE = Patience(unclocked_s=10.0)
"""Without clocks, an engine counts as hung when its answer is so late."""
KEPT_LINES = 60
COMPILING = re.compile(rb"info string compiling kernels: ([0-9]{1,3})% done")
"""What an engine of this project writes once a second while it compiles."""
MAX_PV_CHARS = 100_000
MAX_CHOICES = 100
MAX_CHOICE_CHARS = 100
LONGEST_LINE = 2_000
MAX_REASON_CHARS = 300
SHOW_EVERY_S = 0.1
ERROR_PREFIX = "info string error "
VARIANT = "UCI_Variant"

log = logging.getLogger("junqi-board")

T = TypeVar("T")


@dataclass(frozen=True)
class Program:
    """An engine program: the name that the page shows, and its command line."""

    name: str
    command: tuple[str, ...]


def parse_program(text: str) -> Program:
    """Read `NAME=COMMAND`; the command is split as a shell splits it. ValueError for any other form."""
    name, _, command = text.partition("=")
    words = split_command(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} does not have the form NAME=COMMAND")
    return Program(name.strip(), tuple(words))


FULL = "master"
"""The name of full strength, which has no Elo."""


class Level(NamedTuple):
    """A limited strength: its Elo, and the `Skill Level` of each variant that was measured to have about this Elo."""

    elo: int
    siguo: int
    luzhanqi: int


LEVELS = {
    "beginner": Level(936, 0, 0),
    "novice": Level(1102, 1, 2),
    "casual": Level(1268, 3, 5),
    "regular": Level(1434, 4, 8),
    "strong": Level(1600, 6, 12),
    "expert": Level(1766, 8, 12),
}
"""By name, from the weakest; on a scale on which player 1.2 has 1000."""
ELO_OF_LEVELS: Mapping[str, int | None] = {name: level.elo for name, level in LEVELS.items()} | {FULL: None}
ELO_OF_FULL = 2 * LEVELS["expert"].elo - LEVELS["strong"].elo
"""One level above the last."""
SKILL = "Skill Level"


def options_of(elo: int | None, variant: str) -> dict[str, str]:
    """The options that limit an engine to the level whose Elo is next; none for full strength."""
    if elo is None:
        return {}
    level = min(LEVELS.values(), key=lambda level: abs(level.elo - elo))
    return {SKILL: str(getattr(level, variant))}


@dataclass(frozen=True)
class Choice:
    """A combo option that an engine declares."""

    default: str
    values: tuple[str, ...]


class BoardEngine:
    """One process. A call returns or raises `EngineError`, whatever the process writes. After an error call `close`;
    after a late reply (`TIMEOUT`) the engine can also be asked again.

    `listener` is called in the event loop with the `info` lines of searches: several at a time, at most every 100 ms,
    and only the last ones of a flood. `on_compiling` is called there with the share, from 0 to 1, of the kernels that
    the engine has compiled.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.identity = Identity()
        self.listener: Callable[[list[str]], None] | None = None
        self.on_compiling: Callable[[float], None] | None = None
        self.pv: list[str] = []
        self.texts: deque[str] = deque(maxlen=KEPT_LINES)
        self._client: EngineClient | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._jobs: list[Future[Any]] = []
        self._last: Future[Any] | None = None
        self._is_searching = False
        self._loop = asyncio.get_running_loop()
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._flush_is_due = False

    async def start(self) -> Identity:
        """Start the process and read its name and options; an `EngineError` with the fault `no-start` if that fails."""
        self.identity = await self._do(self._start)
        return self.identity

    async def get_ready(self) -> None:
        """Wait until a process that has just started can be asked: it may have to compile first."""
        await self._do(lambda: self._process().ready())

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
                text = line.removeprefix(ERROR_PREFIX)[:LONGEST_LINE]
                raise CommandRejected(text.partition(" ")[0], text)
        return found

    async def search(
        self,
        position: str,
        go: str,
        allowed_ms: float | None = None,
        patience_s: float | None = None,
        stop: threading.Event | None = None,
    ) -> Reply:
        """Search a position, as `EngineClient.ask` does.

        Once `stop` is set, before the search or during it, its answer follows soon. Afterwards `pv` holds the last
        principal variation, and `texts` the last `info string` texts.
        """
        answer = await self._do(partial(self._search, (position, go), allowed_ms, patience_s, stop))
        self.flush()
        return answer

    def close(self) -> None:
        """Stop the process, at once if it is busy; `wait_closed` waits for its end."""
        if self._last is not None:
            return
        self.listener = None
        if self._client is not None and any(not job.done() for job in self._jobs):
            self._client.kill()
        # The engine's thread does it, so a start that is under way ends first.
        self._last = self._thread.submit(self._end)
        self._thread.shutdown(wait=False)

    async def wait_closed(self) -> None:
        """Wait for the end of a process that `close` has stopped."""
        if self._last is not None:
            await asyncio.wrap_future(self._last)

    @property
    def is_gone(self) -> bool:
        return self._last is not None and self._last.done()

    def choice(self, option: str) -> Choice | None:
        """A combo option by name; None if the engine does not declare it. Values no page could send are omitted."""
        declared = self.identity.options.get(option.lower(), "")
        words = declared.partition(" type combo ")[2].split() or [""]
        named = option_choices(declared)
        values = tuple(name for name in named if name.isprintable() and len(name) <= MAX_CHOICE_CHARS)[:MAX_CHOICES]
        default = words[1] if words[0] == "default" and len(words) > 1 else ""
        return Choice(default if default in values else values[0], values) if values else None

    async def _do(self, work: Callable[[], T]) -> T:
        """The result of `work`, which the thread carries out in its turn, also if the caller is cancelled."""
        if self._last is not None:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        job = self._thread.submit(self._guarded, work)
        self._jobs = [other for other in self._jobs if not other.done()] + [job]
        return await asyncio.wrap_future(job)

    def _guarded(self, work: Callable[[], T]) -> T:
        """Any exception means that the board cannot read what the engine wrote: the engine is at fault."""
        try:
            return work()
        except EngineError:
            raise
        except Exception as error:
            log.exception("the output of the engine %s cannot be read", self.program.name)
            text = f"its output cannot be read: {type(error).__name__}: {error}"
            raise EngineError(EngineFault.PROTOCOL, text[:MAX_REASON_CHARS]) from error

    def _start(self) -> Identity:
        self._client = EngineClient(self.program.command, patience=PATIENCE, witness=self._receive)
        if self._last is not None:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        return self._client.start()

    def _end(self) -> None:
        if self._client is not None:
            self._client.close()

    def _consult(self, lines: Sequence[str]) -> list[str]:
        client = self._process()
        client.send(*lines)
        return client.ready(may_load=any(VARIANT in line for line in lines))

    def _process(self) -> EngineClient:
        if self._client is None:
            raise EngineError(EngineFault.NO_START, "the engine has not been started")
        return self._client

    def _search(
        self, lines: Sequence[str], allowed_ms: float | None, patience_s: float | None, stop: threading.Event | None
    ) -> Reply:
        self.pv, self._is_searching = [], True
        self.texts.clear()
        try:
            return self._process().ask(lines, allowed_ms, patience_s, None if stop is None else stop.is_set)
        finally:
            self._is_searching = False

    def _receive(self, line: bytes) -> None:
        """Called in the engine's thread with every line of output."""
        line = spaced(line)
        compiling = COMPILING.match(line)
        if compiling and self.on_compiling is not None:
            with suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self.on_compiling, min(1.0, int(compiling[1]) / 100))
        if not self._is_searching or not line.startswith(b"info "):
            return
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("info string "):
            self.texts.append(text[:LONGEST_LINE])
        elif " pv " in text and (" multipv " not in text or " multipv 1 " in text):
            self.pv = text.partition(" pv ")[2][:MAX_PV_CHARS].split()
        self._lines.append(text[:LONGEST_LINE])
        if not self._flush_is_due:
            self._flush_is_due = True
            with suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._loop.call_later, SHOW_EVERY_S, self.flush)

    def flush(self) -> None:
        self._flush_is_due = False
        lines = []
        while self._lines:
            lines.append(self._lines.popleft())
        if lines and self.listener is not None:
            self.listener(lines)


@dataclass
class Engines:
    """The programs that can be chosen, and all processes of them. Whoever takes a process closes it."""

    programs: tuple[Program, ...]
    _started: list[BoardEngine] = field(default_factory=list)
    _first: dict[Program, asyncio.Task[BoardEngine]] = field(default_factory=dict)
    """By program, its first process, which may be compiling; others would only compile the same."""
    _given: set[Program] = field(default_factory=set)
    """The programs whose first process somebody has taken."""
    _is_closed: bool = False

    async def introduce(self, program: Program, on_compiling: Callable[[float], None]) -> BoardEngine:
        """Start the first process of a program and read its options; `EngineError` if it does not start.

        It gets ready in the background, see `first_ready`, and is then for whoever takes the first one.
        """
        engine = await self._start(program)
        engine.on_compiling = on_compiling
        self._first[program] = asyncio.create_task(_ready(engine))
        return engine

    async def first_ready(self, program: Program) -> None:
        """Wait until the first process of a program is ready; `EngineError` if it has failed."""
        await asyncio.shield(self._first[program])

    async def take(self, program: Program) -> BoardEngine:
        """A process that nobody uses; `EngineError` if it does not start.

        It is not ready yet: it loads what the options of its user need, and nothing else, when it is first asked.
        """
        first = self._first.get(program)
        if first is not None:
            # Whoever waits for the first process learns why it failed; here, another one is tried.
            await asyncio.wait([first])
            if program not in self._given and first.exception() is None:
                self._given.add(program)
                return first.result()
        return await self._start(program)

    async def compile_variants(self, program: Program, variants: Iterable[str]) -> None:
        """Have a process of its own load each of the variants, so that what it compiles is in the cache afterwards.

        `EngineError` or `CommandRejected` if it cannot.
        """
        engine = await self.take(program)
        try:
            for variant in variants:
                await engine.consult(f"setoption name UCI_Variant value {variant}")
        finally:
            engine.close()

    async def close(self) -> None:
        """Stop every process that was ever started, whoever uses it, and wait for their end."""
        self._is_closed = True
        for task in self._first.values():
            task.cancel()
        await asyncio.gather(*self._first.values(), return_exceptions=True)
        for engine in self._started:
            engine.close()
        await asyncio.gather(*(engine.wait_closed() for engine in self._started))

    async def _start(self, program: Program) -> BoardEngine:
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engines have been stopped")
        engine = BoardEngine(program)
        self._started = [other for other in self._started if not other.is_gone] + [engine]
        try:
            await engine.start()
        except BaseException:
            engine.close()
            raise
        return engine


async def _ready(engine: BoardEngine) -> BoardEngine:
    try:
        await engine.get_ready()
    except BaseException:
        engine.close()
        raise
    return engine
