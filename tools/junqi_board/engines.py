"""An engine process as the board uses it: behind a thread of its own, awaited from the event loop.

This file imports nothing of the rules, so the first engine can start while they are still being loaded.
"""

import asyncio
import logging
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from junqi_board.engine_programs import Program
from junqi_board.engine_thread import EngineThread
from junqi_engine.client.engine_client import EngineClient, Identity, Patience, Reply
from junqi_engine.client.engine_lines import option_choices, spaced
from junqi_engine.errors import CommandRejected, EngineError, EngineFault

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
_SET_OPTION = re.compile(r"setoption name (.+?) value .*")

log = logging.getLogger("junqi-board")

T = TypeVar("T")


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

    def __init__(self, program: Program, patience: Patience) -> None:
        self.program = program
        self.identity = Identity()
        self.listener: Callable[[list[str]], None] | None = None
        self.on_compiling: Callable[[float], None] | None = None
        self.pv: list[str] = []
        self.texts: deque[str] = deque(maxlen=KEPT_LINES)
        self._patience = patience
        self._client: EngineClient | None = None
        self._thread = EngineThread()
        self._options_set: set[str] = set()
        self._is_searching = False
        self._is_closed = False
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

    async def reset(self) -> None:
        """Give every option that was set its default again, except the variant, which every user of an engine sets.

        `CommandRejected` if the engine declares no default.
        """
        lines = [self._default_line(name) for name in sorted(self._options_set) if name != VARIANT.lower()]
        if lines:
            await self.consult(*lines)
        self._options_set.intersection_update({VARIANT.lower()})

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
        if self._is_closed:
            return
        self._is_closed = True
        self.listener = None
        if self.is_busy and self._client is not None:
            self._client.kill()
        # The engine's thread does it, so a start that is under way ends first.
        self._thread.close(self._end)

    async def wait_closed(self) -> None:
        """Wait for the end of a process that `close` has stopped."""
        await self._thread.wait_closed()

    @property
    def is_busy(self) -> bool:
        """Whether the process is being asked something, also if nobody awaits the answer any more."""
        return self._thread.is_busy

    @property
    def is_gone(self) -> bool:
        return self._thread.is_gone

    def choice(self, option: str) -> Choice | None:
        """A combo option by name; None if the engine does not declare it. Values no page could send are omitted."""
        declared = self.identity.options.get(option.lower(), "")
        words = declared.partition(" type combo ")[2].split() or [""]
        named = option_choices(declared)
        values = tuple(name for name in named if name.isprintable() and len(name) <= MAX_CHOICE_CHARS)[:MAX_CHOICES]
        default = words[1] if words[0] == "default" and len(words) > 1 else ""
        return Choice(default if default in values else values[0], values) if values else None

    async def _do(self, work: Callable[[], T]) -> T:
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        return await self._thread.do(partial(self._guarded, work))

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

    def _default_line(self, name: str) -> str:
        """The command that gives an option its default; the option is named in lower case."""
        declared, _, form = self.identity.options.get(name, "").partition(" type ")
        kind, *words = form.split() or [""]
        if words[:1] != ["default"]:
            raise CommandRejected("no-default", f"the option {name} has no default")
        # The default of a string is the rest of the line.
        ends = [place for place, word in enumerate(words) if word in ("min", "max", "var") and kind != "string"]
        value = " ".join(words[1 : ends[0] if ends else None])
        return f"setoption {declared.removeprefix('option ')} value {'' if value == '<empty>' else value}"

    def _start(self) -> Identity:
        self._client = EngineClient(self.program.command, patience=self._patience, witness=self._receive)
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        return self._client.start()

    def _end(self) -> None:
        if self._client is not None:
            self._client.close()

    def _consult(self, lines: Sequence[str]) -> list[str]:
        client = self._process()
        matches = filter(None, map(_SET_OPTION.fullmatch, lines))
        self._options_set.update(match[1].lower() for match in matches)
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
