"""The other end of the protocol: starts an engine process, speaks to it under deadlines, stops it.

An `EngineClient` belongs to one thread; only `kill` may be called from another. Pipes don't block and nothing is handed
from thread to thread, so that a question costs little more than the two system calls that it needs. Whatever an engine
does, a call ends by its deadline: with an answer, or with an `EngineError` that names the fault.

The process leads a process group of its own, and whatever is left of the group dies with it. POSIX only.
"""

import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum

READ_BYTES = 1 << 16
MAX_LINE_BYTES = 1 << 20
MAX_LINES_A_GO = 10_000
EXIT_POLL_MS = 10
STOP_POLL_MS = 30
MS, S = 1_000_000, 1_000_000_000
"""A millisecond and a second in the nanoseconds of the clock used throughout."""


class Fault(StrEnum):
    """What an engine can do wrong on the line, by the names of the referee's endings."""

    NO_START = "no-start"
    STALL = "stall"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    PROTOCOL = "protocol"


class EngineError(Exception):
    """An engine has failed; after this it is only good for `close`."""

    def __init__(self, fault: Fault, text: str) -> None:
        super().__init__(text)
        self.fault = fault


@dataclass(frozen=True)
class Patience:
    """How long an engine may stay silent, in seconds.

    `first_ready_s` is long because an engine may compile before its first `readyok`; `grace_s` is what is waited after
    a clock has run out; `unclocked_s` bounds a `go` without a clock, `setup_s` a `go setup`; `quit_s` is what a process
    has to end by itself.
    """

    uciok_s: float = 10.0
    first_ready_s: float = 300.0
    ready_s: float = 10.0
    grace_s: float = 5.0
    unclocked_s: float = 600.0
    setup_s: float = 30.0
    quit_s: float = 1.0


@dataclass(frozen=True)
class Answer:
    """What came back from a `go`: the word behind `bestmove`, the time it took, the last score that was reported.

    `score` is as in the `info` line, such as `cp 31` or `mate -4`, or None.
    """

    move: str
    time_ms: float
    score: str | None = None
    lines: int = 0


@dataclass
class Identity:
    """What `uci` said. `options` are the declarations by lower-case name."""

    name: str = ""
    author: str = ""
    options: dict[str, str] = field(default_factory=dict)
    protocol_version: str = ""


class EngineClient:
    """An engine process.

    `stderr` is a file descriptor for its error output, by default nowhere; `witness` sees every line that it writes.
    Another dialect has an `ANSWER` and a `FAREWELL` of its own.
    """

    ANSWER = b"bestmove"
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
        self._witness = witness
        self._pending: deque[bytes] = deque()
        self._rest = b""
        self._arrived = 0
        self._was_ready = False
        self._ended = False
        self._lock = threading.Lock()
        self._reaped = False
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if stderr is None else stderr,
                bufsize=0,
                cwd=folder,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise EngineError(Fault.NO_START, f"{' '.join(command)!r} could not be started: {reason}") from error
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        self._in, self._out = stdin.fileno(), stdout.fileno()
        os.set_blocking(self._in, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> Identity:
        """Say `uci` and wait for `uciok`; `NO_START` without."""
        try:
            self.send("uci")
            self.wait_for(self._learn, time.monotonic_ns() + int(self.patience.uciok_s * S), "uciok")
        except EngineError as error:
            raise EngineError(Fault.NO_START, f"no uciok: {error}") from error
        return self.identity

    def ready(self, may_load: bool = False) -> list[str]:
        """Say `isready`, wait for `readyok`, and give the lines that came before it. `STALL` without.

        The first time, and with `may_load`, the engine may have something to load or compile and gets longer.
        """
        seconds = self.patience.ready_s if self._was_ready and not may_load else self.patience.first_ready_s
        self.send("isready")
        lines: list[str] = []

        def is_readyok(line: bytes) -> bool:
            if line.split() == [b"readyok"]:
                return True
            if line.startswith(self.ANSWER):
                raise EngineError(Fault.PROTOCOL, f"an answer without a go: {_shown(line)}")
            lines.append(line.decode("utf-8", "replace").strip())
            return False

        self.wait_for(is_readyok, time.monotonic_ns() + int(seconds * S), "readyok")
        self._was_ready = True
        return lines

    def ask(
        self,
        lines: Sequence[str],
        allowed_ms: float | None = None,
        patience_s: float | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Answer:
        """Send lines that end in a `go`, and wait for its `bestmove`.

        The time runs from the end of the writing to the arrival of the answer. More than `allowed_ms` is a `TIMEOUT`,
        silence for `grace_s` longer a `STALL`; without a limit, silence for `patience_s`, by default `unclocked_s`.
        Once `should_stop`, which is asked about every 30 ms, is true, `stop` is sent, and the answer is due within
        `grace_s`.
        """
        strays = self._drain()
        if allowed_ms is None:
            span = int((patience_s or self.patience.unclocked_s) * S)
        else:
            span = int(allowed_ms * MS + self.patience.grace_s * S)
        self._write(("\n".join(lines) + "\n").encode(), time.monotonic_ns() + span)
        asked = time.monotonic_ns()
        deadline = asked + span
        score = None
        count = strays
        while True:
            while not self._pending:
                if should_stop is not None and should_stop():
                    should_stop = None
                    self.send("stop")
                    deadline = min(deadline, time.monotonic_ns() + int(self.patience.grace_s * S))
                look_up = deadline if should_stop is None else min(deadline, time.monotonic_ns() + STOP_POLL_MS * MS)
                if not self._fill(look_up) and time.monotonic_ns() >= deadline:
                    raise EngineError(Fault.STALL, f"no {self.ANSWER.decode()} within {(deadline - asked) / MS:.0f} ms")
            line = self._pending.popleft()
            count += 1
            if line.startswith(b"info"):
                score = _score(line) or score
            elif line.startswith(self.ANSWER):
                break
            if count > MAX_LINES_A_GO:
                raise EngineError(Fault.PROTOCOL, f"more than {MAX_LINES_A_GO} lines for one go")
        time_ms = (self._arrived - asked) / MS
        words = line.split()
        self._refuse_second_answer()
        if allowed_ms is not None and time_ms > allowed_ms:
            raise EngineError(Fault.TIMEOUT, f"the answer came after {time_ms:.0f} ms, {allowed_ms:.0f} were allowed")
        move = words[1].decode("utf-8", "replace") if len(words) > 1 else ""
        return Answer(move, time_ms, score, count)

    def answers_again(self, seconds: float) -> bool:
        """Whether another `bestmove` comes within some seconds, although nothing more was asked."""
        deadline = time.monotonic_ns() + int(seconds * S)
        try:
            while self._fill(deadline):
                self._refuse_second_answer()
        except EngineError as error:
            return error.fault == Fault.PROTOCOL
        return False

    def listen(self, seconds: float) -> list[str]:
        """The lines that come until there has been silence for so long. A dead engine is silent."""
        lines = [line.decode("utf-8", "replace").strip() for line in self._pending]
        self._pending.clear()
        while not self._ended and len(lines) <= MAX_LINES_A_GO:
            try:
                if not self._fill(time.monotonic_ns() + int(seconds * S)):
                    break
            except EngineError:
                if not self._ended:
                    raise
            lines += [line.decode("utf-8", "replace").strip() for line in self._pending]
            self._pending.clear()
        return lines

    def send(self, *lines: str) -> None:
        """Write lines, each of them without its newline."""
        deadline = time.monotonic_ns() + int(self.patience.ready_s * S)
        self._write(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"), deadline)

    def send_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._write(data, time.monotonic_ns() + int(self.patience.ready_s * S))

    def wait_for(self, is_last: Callable[[bytes], bool], deadline_ns: int, what: str) -> None:
        """Give each line that arrives to `is_last` until it says True; `STALL` when `deadline_ns` is over."""
        began = time.monotonic_ns()
        count = 0
        while True:
            while not self._pending:
                if not self._fill(deadline_ns):
                    raise EngineError(Fault.STALL, f"no {what} within {(deadline_ns - began) / S:.3g} s")
            count += 1
            if is_last(self._pending.popleft()):
                return
            if count > MAX_LINES_A_GO:
                raise EngineError(Fault.PROTOCOL, f"more than {MAX_LINES_A_GO} lines and no {what}")

    def close(self) -> int | None:
        """Ask the engine to quit, kill it with its whole group if it doesn't; its exit code, None if it was killed."""
        if self._reaped:
            return self._process.returncode
        with suppress(EngineError):  # it is on its way out, or deaf; either way it is waited for, then killed
            self._write(self.FAREWELL, time.monotonic_ns() + int(0.1 * S))
        self._close_stdin()
        exited = self.wait_for_exit(self.patience.quit_s)
        self.kill()
        with self._lock:
            self._process.wait()
            self._reaped = True
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        return self._process.returncode if exited else None

    def kill(self) -> None:
        """Kill the process and its whole group at once. May be called from any thread; `close` is still due."""
        with self._lock:
            if self._reaped:
                return  # the number of the group may belong to others by now
            with suppress(ProcessLookupError, PermissionError):  # nothing may be left of the group
                os.killpg(self._process.pid, signal.SIGKILL)

    def signal(self, number: int) -> None:
        """Send the process, not its group, a signal."""
        with self._lock:
            if not self._reaped:
                os.kill(self._process.pid, number)

    def close_stdout(self) -> None:
        """Close our end of the engine's output."""
        if self._process.stdout is not None and not self._process.stdout.closed:
            self._poll.unregister(self._out)
            self._process.stdout.close()
        self._ended = True

    def end_input(self) -> None:
        """Close the engine's input."""
        self._close_stdin()

    def wait_for_exit(self, seconds: float) -> bool:
        """Whether the process ends within `seconds`. What it still writes is thrown away, lest it block."""
        deadline = time.monotonic_ns() + int(seconds * S)
        while not self._has_exited():
            if time.monotonic_ns() > deadline:
                return False
            if self._ended:
                time.sleep(EXIT_POLL_MS / 1000)
            elif self._poll.poll(EXIT_POLL_MS) and not os.read(self._out, READ_BYTES):
                self._ended = True
        return True

    def exit_code(self) -> int | None:
        """The exit code of a process that has ended, minus the signal's number if one killed it; None before."""
        if hasattr(os, "waitid"):
            status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) if not self._reaped else None
            if status is not None:
                return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status
            return self._process.returncode
        return self._process.poll()

    def _has_exited(self) -> bool:
        # Where the system can, without reaping: as long as the leader is a zombie its group's number is not given away.
        return self.exit_code() is not None

    def _close_stdin(self) -> None:
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()

    def _learn(self, line: bytes) -> bool:
        text = line.decode("utf-8", "replace").strip()
        if text == "uciok":
            return True
        if text.startswith("id name "):
            self.identity.name = text[8:]
        elif text.startswith("id author "):
            self.identity.author = text[10:]
        elif text.startswith("info string protocol-version "):
            self.identity.protocol_version = text[29:]
        elif text.startswith("option name "):
            name = text[12:].partition(" type ")[0]
            self.identity.options[name.lower()] = text
        return False

    def _drain(self) -> int:
        """Take in what came since the last answer; the number of its lines. A second answer is a `PROTOCOL` fault."""
        count = 0
        now = time.monotonic_ns()
        while self._fill(now):
            count += self._refuse_second_answer()
            if count > MAX_LINES_A_GO:
                raise EngineError(Fault.PROTOCOL, f"more than {MAX_LINES_A_GO} lines for one go")
        return count + self._refuse_second_answer()

    def _refuse_second_answer(self) -> int:
        count = len(self._pending)
        for line in self._pending:
            if line.startswith(self.ANSWER):
                raise EngineError(Fault.PROTOCOL, f"a second answer to one go: {_shown(line)}")
        self._pending.clear()
        return count

    def _write(self, data: bytes, deadline_ns: int) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                # It may be waiting for us to read before it reads on.
                poll = select.poll()
                poll.register(self._in, select.POLLOUT)
                poll.register(self._out, select.POLLIN)
                left_ms = (deadline_ns - time.monotonic_ns()) / MS
                ready = poll.poll(left_ms) if left_ms > 0 else []
                if not ready:
                    raise EngineError(Fault.STALL, "it does not read its input") from None
                if any(number == self._out for number, _ in ready):
                    self._fill(deadline_ns)
                    if len(self._pending) > MAX_LINES_A_GO:
                        raise EngineError(Fault.PROTOCOL, f"more than {MAX_LINES_A_GO} lines for one go") from None
            except (OSError, ValueError):
                raise EngineError(Fault.DISCONNECT, self._how_it_ended("closed its input")) from None

    def _fill(self, deadline_ns: int) -> bool:
        """Take in one piece of output; False when none came by the deadline."""
        if self._ended:
            raise EngineError(Fault.DISCONNECT, self._how_it_ended("closed its output"))
        left_ms = (deadline_ns - time.monotonic_ns()) / MS
        if not self._poll.poll(left_ms if left_ms > 0 else 0):
            return False
        data = os.read(self._out, READ_BYTES)
        self._arrived = time.monotonic_ns()
        if not data:
            self._ended = True
            raise EngineError(Fault.DISCONNECT, self._how_it_ended("closed its output"))
        pieces = (self._rest + data).split(b"\n")
        self._rest = pieces.pop()
        self._pending.extend(pieces)
        if self._witness is not None:
            for piece in pieces:
                self._witness(piece)
        if len(self._rest) > MAX_LINE_BYTES or (pieces and len(pieces[0]) > MAX_LINE_BYTES):
            raise EngineError(Fault.PROTOCOL, "a line of over 1 MiB")
        return True

    def _how_it_ended(self, otherwise: str) -> str:
        """Why the line is dead; the process gets a moment to end, since its pipes go first."""
        deadline = time.monotonic_ns() + int(0.2 * S)
        while (code := self.exit_code()) is None and time.monotonic_ns() < deadline:
            time.sleep(0.002)
        if code is None:
            return f"the process {otherwise}"
        return f"the process ended with exit code {code}" if code >= 0 else f"the process was killed by signal {-code}"


def _score(line: bytes) -> str | None:
    """`cp N` or `mate N` from an `info` line about the best line; None from any other."""
    words = line.split()
    if b"score" not in words or words[1:2] == [b"string"]:
        return None
    if b"multipv" in words and words[words.index(b"multipv") + 1 :][:1] != [b"1"]:
        return None
    found = words[words.index(b"score") + 1 :][:2]
    if len(found) == 2 and found[0] in (b"cp", b"mate") and found[1].lstrip(b"-").isdigit():
        return f"{found[0].decode()} {int(found[1])}"
    return None


def _shown(line: bytes) -> str:
    text = line[:80].decode("utf-8", "replace").strip()
    return repr(text)
