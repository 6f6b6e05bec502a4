"""The client side of the protocol: start an engine, send it commands under deadlines, and end it.

A call always returns by its deadline: with a reply, or with an `EngineError` that names the fault.
"""

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, fields

from junqi_engine.client.engine_lines import MAX_QUOTED, MAX_TEXT, SIGUO_TEAMS, Info, option_name, read_info
from junqi_engine.client.line_process import MS, LineProcess, S, WaiterStopped
from junqi_engine.errors import EngineError, EngineFault, Refused, quoted

STOP_POLL_MS = 30
LONG_STOP_MS = 1000
"""If this program was suspended for less than this, an answer on a clock that arrived in time still counts."""
MAX_ANSWER_BYTES = 32 << 20
"""Maximal output before a `readyok`; it is kept in memory."""
NO_DEADLINE_S = 1e9
"""Stands for "no deadline", for a search without a limit that the user ends."""


@dataclass(frozen=True)
class Patience:
    """The time that an engine may stay silent, in seconds.

    | field | waiting for |
    |---|---|
    | `first_ready_s` | the first `readyok`; an engine may have to compile, which takes long |
    | `ready_s` | `uciok`, any later `readyok`, and for the engine to read its input |
    | `unclocked_s` | a reply to a `go` without a clock |

    `math.inf` is no deadline. `Refused` for a negative number.

    >>> from junqi_engine import Engine, Patience
    >>> with Engine(patience=Patience(ready_s=20.0)) as engine:
    ...     engine.id["author"] != ""
    True
    """

    first_ready_s: float = 300.0
    ready_s: float = 10.0
    unclocked_s: float = 600.0

    def __post_init__(self) -> None:
        for entry in fields(self):
            seconds = getattr(self, entry.name)
            if not seconds >= 0:  # also rejects NaN
                raise Refused("bad-argument", f"{entry.name} {seconds!r} is not at least 0")
            object.__setattr__(self, entry.name, min(seconds, NO_DEADLINE_S))


@dataclass(frozen=True)
class Reply:
    """The reply to a `go`: the word after `bestmove`, and the time it took.

    `score` is the last score of the best line in an `info` line, such as `cp 31` or `mate -4`, or None. `info` is the
    last report with a principal variation.
    """

    move: str
    time_ms: float
    score: str | None = None
    info: Info = field(default_factory=Info)


@dataclass
class Identity:
    """The reply to `uci`; `options` holds the declarations by lower-case name."""

    name: str = ""
    author: str = ""
    options: dict[str, str] = field(default_factory=dict)
    protocol_version: str = ""


class EngineClient(LineProcess):
    """An engine process. A subclass for another dialect has its own `ANSWER` and `FAREWELL`, and may have no `info`.

    Each line is parsed, ignored (not part of the protocol), or raises `LineFault`.
    """

    ANSWER = b"bestmove"
    HAS_INFO = True
    FAREWELL = b"quit\n"
    GRACE_S = 5.0
    """Seconds that the engine may take to reply after its clock has run out or after `stop`."""
    SETUP_S = 30.0
    QUIT_S = 1.0

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str | None = None,
        stderr: int | None = None,
        patience: Patience | None = None,
        on_line: Callable[[bytes], None] | None = None,
    ) -> None:
        self.patience = patience or Patience()
        self.identity = Identity()
        self.point_of_view = "", SIGUO_TEAMS
        """The seat to move in the searched position, or "" if it is not known, and the teams."""
        self._was_ready = False
        super().__init__(command, folder=folder, stderr=stderr, on_line=on_line)

    def start(self) -> Identity:
        """Send `uci` and wait for `uciok`; `NO_START` if it does not come."""
        try:
            self.send("uci")
            self.wait_for(self._learn, self.patience.ready_s, "uciok")
        except EngineError as error:
            text = str(error)
            raise EngineError(EngineFault.NO_START, text if "uciok" in text else f"no uciok: {text}") from error
        return self.identity

    def ready(self, may_load: bool = False) -> list[str]:
        """Send `isready`, wait for `readyok`, and return the lines before it; `STALL` if it does not come.

        The first time, and with `may_load`, the engine gets more time, because it may have to load or compile.
        """
        seconds = self.patience.ready_s if self._was_ready and not may_load else self.patience.first_ready_s
        self.send("isready")
        lines: list[str] = []
        size = 0

        def is_readyok(line: bytes) -> bool:
            nonlocal size
            if line == b"readyok":
                return True
            if self._is_answer(line):
                raise EngineError(EngineFault.PROTOCOL, f"unexpected {quoted(line, MAX_QUOTED)}: no search was running")
            self._info(line)
            lines.append(_text(line))
            size += len(line)
            if size > MAX_ANSWER_BYTES:
                raise EngineError(EngineFault.PROTOCOL, f"more than {MAX_ANSWER_BYTES >> 20} MiB before readyok")
            return False

        self.wait_for(is_readyok, seconds, "readyok")
        self._was_ready = True
        return lines

    def ask(
        self,
        lines: Sequence[str],
        allowed_ms: float | None = None,
        patience_s: float | None = None,
        should_stop: Callable[[], bool] | None = None,
        on_info: Callable[[Info], object] = lambda info: None,
    ) -> Reply:
        """Send lines that end in a `go`, and wait for its `bestmove`, as `search` does.

        `on_info` is called with each report before it.
        """
        search = self.search(lines, allowed_ms, patience_s, should_stop)
        while True:
            try:
                on_info(next(search))
            except StopIteration as end:
                reply: Reply = end.value
                return reply

    def search(
        self,
        lines: Sequence[str],
        allowed_ms: float | None = None,
        patience_s: float | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Generator[Info, None, Reply]:
        """Send lines that end in a `go`, yield each report before its `bestmove`, and return the reply.

        The time runs from the end of writing to the arrival of the reply. A reply after more than `allowed_ms` raises
        `TIMEOUT`, no reply for `GRACE_S` longer raises `STALL`. Without `allowed_ms`, no reply within `patience_s`, by
        default `unclocked_s`, raises `STALL`.

        `should_stop` is called about every 30 ms. Once it returns True, `stop` is sent, and the reply must come within
        `GRACE_S`. `WaiterStopped` if this program was suspended, so that the time of the reply is not known.
        """
        self.fill(time.monotonic_ns())  # late output of the last search
        self._refuse_second_answer()
        stopped_ns = self.stopped_ns
        patience_s = self.patience.unclocked_s if patience_s is None else patience_s
        span_ns = int(patience_s * S if allowed_ms is None else allowed_ms * MS + self.GRACE_S * S)
        self.write(_as_bytes(lines), time.monotonic_ns() + span_ns)
        asked_ns = time.monotonic_ns()
        deadline_ns = asked_ns + span_ns
        score, best = None, Info()
        while True:
            now_ns = time.monotonic_ns()
            if should_stop is not None and should_stop():
                should_stop = None
                self.send("stop")
                deadline_ns = min(deadline_ns, now_ns + int(self.GRACE_S * S))
            line = self.read_line(deadline_ns if should_stop is None else min(deadline_ns, now_ns + STOP_POLL_MS * MS))
            if line is not None and self._is_answer(line):
                break
            if self.arrived_ns >= deadline_ns + self.stopped_ns - stopped_ns:
                waited_ms = (deadline_ns - asked_ns) / MS
                raise EngineError(EngineFault.STALL, f"no {self.ANSWER.decode()} within {waited_ms:.0f} ms")
            info = self._info(line or b"")
            if info is not None:
                if info.multipv == 1:
                    score = score if info.score is None else str(info.score)
                    best = info if info.pv else best
                yield info
        time_ms = (self.arrived_ns - asked_ns) / MS
        words = line.split()
        self._refuse_second_answer()
        if allowed_ms is not None:
            _expect_in_time(time_ms, allowed_ms, (self.stopped_ns - stopped_ns) / MS)
        move = words[1].decode("utf-8", "replace") if len(words) > 1 else ""
        return Reply(move, time_ms, score, best)

    def send(self, *lines: str) -> None:
        """Write lines, which are passed without newlines; `Refused` for a text that has one."""
        self.send_bytes(_as_bytes(lines))

    def send_bytes(self, data: bytes) -> None:
        self.write(data, time.monotonic_ns() + int(self.patience.ready_s * S))

    def wait_for(self, is_last: Callable[[bytes], bool], seconds: float, what: str) -> None:
        """Pass each line that arrives to `is_last` until it returns True; `STALL` after `seconds`."""
        deadline_ns, stopped_ns = time.monotonic_ns() + int(seconds * S), self.stopped_ns
        while True:
            line = self.read_line(deadline_ns)
            if line is not None and is_last(line):
                return
            if self.arrived_ns >= deadline_ns + self.stopped_ns - stopped_ns:
                raise EngineError(EngineFault.STALL, f"no {what} within {seconds:.3g} s")

    def close(self) -> int | None:
        """Ask the engine to quit, and kill its process group. Return the exit code, None if it had to be killed."""
        return self.end(self.FAREWELL, self.QUIT_S)

    def _learn(self, line: bytes) -> bool:
        text = _text(line)
        if text == "uciok":
            return True
        if text.startswith("id name "):
            self.identity.name = text.removeprefix("id name ")[:MAX_TEXT]
        elif text.startswith("id author "):
            self.identity.author = text.removeprefix("id author ")[:MAX_TEXT]
        elif text.startswith("info string protocol-version "):
            self.identity.protocol_version = text.removeprefix("info string protocol-version ")[:MAX_TEXT]
        elif text.startswith("option name "):
            self.identity.options[option_name(text).lower()] = text
        return False

    def _is_answer(self, line: bytes) -> bool:
        return line.partition(b" ")[0] == self.ANSWER

    def _info(self, line: bytes) -> Info | None:
        return read_info(line, *self.point_of_view) if self.HAS_INFO else None

    def _refuse_second_answer(self) -> None:
        """Drop the lines that arrived since the last reply; a second reply raises `PROTOCOL`."""
        for _ in range(len(self.pending)):
            line = self.take_line()
            if self._is_answer(line):
                raise EngineError(EngineFault.PROTOCOL, f"a second answer to one go: {quoted(line, MAX_QUOTED)}")
            self._info(line)


def _expect_in_time(time_ms: float, allowed_ms: float, stopped_ms: float) -> None:
    """Check the time of a reply; `WaiterStopped` if this program was suspended too long to know it."""
    if stopped_ms > (LONG_STOP_MS if time_ms <= allowed_ms else 0):
        raise WaiterStopped(stopped_ms)
    if time_ms > allowed_ms:
        text = f"the answer came after {time_ms:.0f} ms, {allowed_ms:.0f} were allowed"
        raise EngineError(EngineFault.TIMEOUT, text)


def _as_bytes(lines: Sequence[str]) -> bytes:
    for line in lines:
        if "\n" in line:
            raise Refused(
                "bad-argument", f"a command is one line, this text has a line break: {quoted(line, MAX_TEXT)}"
            )
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _text(line: bytes) -> str:
    """A line as text, without the byte-order mark that some systems write before the first one."""
    return line.decode("utf-8", "replace").removeprefix("\ufeff").strip()
