"""The client side of the protocol: starts an engine, sends it commands under deadlines, and stops it.

Whatever an engine does, a call returns by its deadline: with a reply, or with an `EngineError` that names the fault.
"""

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, fields

from junqi_engine.client.engine_lines import (
    MAX_TEXT,
    LineFault,
    SpinBounds,
    best_score,
    option_name,
    quoted_line,
    spin_bounds,
)
from junqi_engine.client.line_process import MS, LineProcess, OutOfResources, S, WaiterStopped
from junqi_engine.errors import EngineError, EngineFault, Refused

__all__ = [
    "EngineClient",
    "EngineError",
    "EngineFault",
    "Identity",
    "MalformedLine",
    "OutOfResources",
    "Patience",
    "Reply",
    "WaiterStopped",
]

STOP_POLL_MS = 30
LONG_STOP_MS = 1000
"""An answer on a clock counts although this program was stopped for less, if it was in time all the same."""
LISTEN_MOST_S = 30.0
"""`listen` ends after this time, although the engine still writes."""


class MalformedLine(EngineError):
    """A line of the engine has a field with a wrong value."""

    def __init__(self, error: LineFault) -> None:
        super().__init__(EngineFault.PROTOCOL, f"malformed line {error}")


FOREVER_S = 1e9
"""The longest patience: that with a search that is not limited and that the user ends."""


@dataclass(frozen=True)
class Patience:
    """How long an engine may stay silent, in seconds.

    | field | waiting for |
    |---|---|
    | `uciok_s` | `uciok` after the start |
    | `first_ready_s` | the first `readyok`; long, because an engine may have to compile |
    | `ready_s` | any later `readyok`, and for the engine to read its input |
    | `grace_s` | a reply, after the clock has run out |
    | `unclocked_s` | a reply to a `go` without a clock |
    | `setup_s` | a reply to `go setup` |
    | `quit_s` | the exit of the process after `quit` |

    `math.inf` is for ever. `Refused` for what is below 0.

    >>> from junqi_engine import Engine, Patience
    >>> with Engine(patience=Patience(ready_s=20.0)) as engine:
    ...     engine.id["author"] != ""
    True
    """

    uciok_s: float = 10.0
    first_ready_s: float = 300.0
    ready_s: float = 10.0
    grace_s: float = 5.0
    unclocked_s: float = 600.0
    setup_s: float = 30.0
    quit_s: float = 1.0

    def __post_init__(self) -> None:
        for entry in fields(self):
            seconds = getattr(self, entry.name)
            if not seconds >= 0:  # nor is NaN
                raise Refused("bad-argument", f"{entry.name} {seconds!r} is not at least 0")
            object.__setattr__(self, entry.name, min(seconds, FOREVER_S))


@dataclass(frozen=True)
class Reply:
    """The reply to a `go`: the word after `bestmove`, and how long it took.

    `score` is the last one that an `info` line reported for the best line, such as `cp 31` or `mate -4`, or None.
    `lines` counts the lines of output.
    """

    move: str
    time_ms: float
    score: str | None = None
    lines: int = 0


@dataclass
class Identity:
    """What the engine said in reply to `uci`.

    `options` holds the declarations by lower-case name, `spins` the bounds of those of type spin.
    """

    name: str = ""
    author: str = ""
    options: dict[str, str] = field(default_factory=dict)
    spins: dict[str, SpinBounds] = field(default_factory=dict)
    protocol_version: str = ""


class EngineClient(LineProcess):
    """An engine process. A subclass for another dialect has its own `ANSWER` and `FAREWELL`, and may have no `info`.

    Every line is read, passed over as not one of the protocol, or raises `MalformedLine`.
    """

    ANSWER = b"bestmove"
    HAS_INFO = True
    FAREWELL = b"quit\n"

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str | None = None,
        stderr: int | None = None,
        patience: Patience | None = None,
        witness: Callable[[bytes], None] | None = None,
    ) -> None:
        self.patience = patience or Patience()
        self.identity = Identity()
        self._was_ready = False
        super().__init__(command, folder=folder, stderr=stderr, witness=witness)

    def start(self) -> Identity:
        """Send `uci` and wait for `uciok`; raises `NO_START` if it does not come."""
        try:
            self.send("uci")
            self.wait_for(self._learn, self.patience.uciok_s, "uciok")
        except MalformedLine:
            raise
        except EngineError as error:
            text = str(error)
            raise EngineError(EngineFault.NO_START, text if "uciok" in text else f"no uciok: {text}") from error
        return self.identity

    def ready(self, may_load: bool = False) -> list[str]:
        """Send `isready`, wait for `readyok`, and return the lines before it; raises `STALL` if it does not come.

        The first time, and with `may_load`, the engine may have to load or compile, and gets more time.
        """
        seconds = self.patience.ready_s if self._was_ready and not may_load else self.patience.first_ready_s
        self.send("isready")
        lines: list[str] = []

        def is_readyok(line: bytes) -> bool:
            if line == b"readyok":
                return True
            if self._is_answer(line):
                raise EngineError(EngineFault.PROTOCOL, f"an answer without a go: {quoted_line(line)}")
            self._score_in(line)
            lines.append(_text(line))
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
        on_line: Callable[[bytes], object] = lambda line: None,
    ) -> Reply:
        """Send lines that end in a `go`, and wait for its `bestmove`, as `search` does.

        `on_line` is called with each line before it.
        """
        search = self.search(lines, allowed_ms, patience_s, should_stop)
        while True:
            try:
                line = next(search)
            except StopIteration as end:
                reply: Reply = end.value
                return reply
            on_line(line)

    def search(
        self,
        lines: Sequence[str],
        allowed_ms: float | None = None,
        patience_s: float | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Generator[bytes, None, Reply]:
        """Send lines that end in a `go`, give each line before its `bestmove`, and return the reply.

        The time runs from the end of writing to the arrival of the reply. A reply after more than `allowed_ms` raises
        `TIMEOUT`; silence for `grace_s` longer raises `STALL`. Without `allowed_ms`, silence for `patience_s` raises
        `STALL`; the default is `unclocked_s`.

        `should_stop` is called about every 30 ms. Once it returns True, `stop` is sent, and the reply must come within
        `grace_s`. `WaiterStopped` if this program was stopped meanwhile, so that the time of the reply is not known.
        """
        strays, stopped_ns = self._drain(), self.stopped_ns
        if allowed_ms is None:
            span_ns = int((self.patience.unclocked_s if patience_s is None else patience_s) * S)
        else:
            span_ns = int(allowed_ms * MS + self.patience.grace_s * S)
        self.write(_as_bytes(lines), time.monotonic_ns() + span_ns)
        asked_ns = time.monotonic_ns()
        deadline_ns = asked_ns + span_ns
        score = None
        count = strays
        while True:
            while not self.pending:
                now_ns = time.monotonic_ns()
                if should_stop is not None and should_stop():
                    should_stop = None
                    self.send("stop")
                    deadline_ns = min(deadline_ns, now_ns + int(self.patience.grace_s * S))
                wake_ns = deadline_ns if should_stop is None else min(deadline_ns, now_ns + STOP_POLL_MS * MS)
                if not self.fill(wake_ns) and time.monotonic_ns() >= deadline_ns + self.stopped_ns - stopped_ns:
                    waited_ms = (deadline_ns - asked_ns) / MS
                    raise EngineError(EngineFault.STALL, f"no {self.ANSWER.decode()} within {waited_ms:.0f} ms")
            line = self.pending.popleft()
            count += 1
            if self._is_answer(line):
                break
            score = self._score_in(line) or score
            yield line
        time_ms = (self.arrived_ns - asked_ns) / MS
        words = line.split()
        self._refuse_second_answer()
        self.allow_more()
        stopped_ms = (self.stopped_ns - stopped_ns) / MS
        if allowed_ms is not None and stopped_ms > (LONG_STOP_MS if time_ms <= allowed_ms else 0):
            raise WaiterStopped(stopped_ms)
        if allowed_ms is not None and time_ms > allowed_ms:
            text = f"the answer came after {time_ms:.0f} ms, {allowed_ms:.0f} were allowed"
            raise EngineError(EngineFault.TIMEOUT, text)
        move = words[1].decode("utf-8", "replace") if len(words) > 1 else ""
        return Reply(move, time_ms, score, count)

    def answers_again(self, seconds: float) -> bool:
        """Whether another `bestmove` arrives within `seconds`, although nothing more was asked."""
        deadline_ns = time.monotonic_ns() + int(seconds * S)
        try:
            while self.fill(deadline_ns):
                self._refuse_second_answer()
        except EngineError as error:
            return error.fault == EngineFault.PROTOCOL and not isinstance(error, MalformedLine)
        return False

    def listen(self, seconds: float) -> list[str]:
        """The lines that arrive until the engine has been silent for `seconds`. A process that ended is silent.

        An engine that does not fall silent is listened to for `LISTEN_MOST_S` at most.
        """
        lines = self._take_pending()
        end_ns = time.monotonic_ns() + int(max(seconds, LISTEN_MOST_S) * S)
        while not self.has_closed_output and (now_ns := time.monotonic_ns()) < end_ns:
            try:
                if not self.fill(now_ns + int(seconds * S)):
                    break
            except EngineError:
                if not self.has_closed_output:
                    raise
            lines += self._take_pending()
        self.allow_more()
        return lines

    def send(self, *lines: str) -> None:
        """Write lines, given without their newlines; `Refused` for a text of several."""
        self.send_bytes(_as_bytes(lines))

    def send_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.write(data, time.monotonic_ns() + int(self.patience.ready_s * S))

    def wait_for(self, is_last: Callable[[bytes], bool], seconds: float, what: str) -> None:
        """Pass each line that arrives to `is_last` until it returns True; raises `STALL` after `seconds`."""
        deadline_ns = time.monotonic_ns() + int(seconds * S)
        while True:
            while not self.pending:
                if not self.fill(deadline_ns):
                    raise EngineError(EngineFault.STALL, f"no {what} within {seconds:.3g} s")
            if is_last(self.pending.popleft()):
                self.allow_more()
                return

    def close(self) -> int | None:
        """Ask the engine to quit, and kill its process group; the exit code, None if it had to be killed."""
        return self.end(self.FAREWELL, self.patience.quit_s)

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
            name = option_name(text).lower()
            self.identity.options[name] = text
            try:
                bounds = spin_bounds(text)
            except LineFault as error:
                raise MalformedLine(error) from error
            if bounds is not None:
                self.identity.spins[name] = bounds
        else:
            self._score_in(line)
        return False

    def _is_answer(self, line: bytes) -> bool:
        return line.partition(b" ")[0] == self.ANSWER

    def _score_in(self, line: bytes) -> str | None:
        """The score of the best line, if the line reports it; raises `MalformedLine`."""
        try:
            return best_score(line) if self.HAS_INFO else None
        except LineFault as error:
            raise MalformedLine(error) from error

    def _take_pending(self) -> list[str]:
        lines = [_text(line) for line in self.pending]
        self.pending.clear()
        return lines

    def _drain(self) -> int:
        """Drop the lines that arrived since the last reply and count them; a second reply raises `PROTOCOL`."""
        count = 0
        now_ns = time.monotonic_ns()
        while self.fill(now_ns):
            count += self._refuse_second_answer()
        return count + self._refuse_second_answer()

    def _refuse_second_answer(self) -> int:
        count = len(self.pending)
        for line in self.pending:
            if self._is_answer(line):
                raise EngineError(EngineFault.PROTOCOL, f"a second answer to one go: {quoted_line(line)}")
            self._score_in(line)
        self.pending.clear()
        return count


def _as_bytes(lines: Sequence[str]) -> bytes:
    for line in lines:
        if "\n" in line:
            raise Refused("bad-argument", f"a command is one line, this text has a line break: {line[:MAX_TEXT]!r}")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _text(line: bytes) -> str:
    """A line as text, without the byte-order mark that some systems write before the first one."""
    return line.decode("utf-8", "replace").removeprefix("\ufeff").strip()
