"""A child process that reads and writes lines under deadlines.

A `LineProcess` belongs to one thread; only `kill` may be called from another. The pipes do not block, and nothing is
passed between threads, so a question and its reply cost little more than two system calls. A call always returns by its
deadline or raises `EngineError`.

The process leads its own process group, and the whole group is killed in the end. POSIX only.
"""

import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from junqi_engine.client.engine_lines import spaced
from junqi_engine.errors import EngineError, EngineFault

OWN_MODULE = "junqi_protocol"
READ_BYTES = 1 << 16
MAX_LINE_BYTES = 1 << 20
READ_AHEAD_BYTES = 8 << 20
"""Output that is read ahead of pending lines, so that each line gets its time of arrival."""
MAX_WAIT_MS = 100.0
"""Maximal time of a single wait. If it takes twice as long, this program was suspended."""
EXIT_POLL_MS = 10
LAST_WORDS_S = 0.1
EXIT_AFTER_PIPES_S = 0.2
"""Seconds to wait for the exit code of a process that has closed its pipes."""
MS, S = 1_000_000, 1_000_000_000
"""A millisecond and a second in nanoseconds, the unit of all deadlines."""
QUOTED_BYTES = 1 << 12
"""Bytes at the end of stderr that are searched for its last line."""
MAX_QUOTED = 200


class WaiterStopped(EngineError):
    """This program was suspended, by Ctrl-Z or with its container, while an engine thought on a clock: the time of the
    answer is not known.
    """

    def __init__(self, stopped_ms: float) -> None:
        super().__init__(EngineFault.TIMEOUT, f"this program was stopped for {stopped_ms:.0f} ms during the search")


class LineProcess:
    """A child process. `pending` has the complete lines that have arrived, each with the time of its arrival.

    The error output goes to the file `stderr`, a descriptor for reading and appending, or to a temporary file; its last
    line is quoted in the message of a `DISCONNECT`. `on_line` is called with each line as it was written.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str | None = None,
        stderr: int | None = None,
        on_line: Callable[[bytes], None] | None = None,
    ) -> None:
        self.pending: deque[tuple[int, bytes]] = deque()
        self._pending_bytes = 0
        self.arrived_ns = 0
        """The time of arrival of the line that `read_line` returned last; if it returned None, the end of the wait."""
        self.stopped_ns = 0
        """The total time that this program was suspended while it waited for output."""
        self.has_closed_output = False
        self._on_line = on_line
        self._rest = bytearray()
        self._lock = threading.Lock()
        self._is_reaped = False
        shown = repr(" ".join(command))
        if not command:
            raise EngineError(EngineFault.NO_START, "the command is empty")
        try:
            self._errors = tempfile.TemporaryFile() if stderr is None else os.fdopen(os.dup(stderr), "rb")  # noqa: SIM115
            self._errors_begin = os.fstat(self._errors.fileno()).st_size
            try:
                self._process = subprocess.Popen(
                    list(command), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                    cwd=folder, start_new_session=True,
                )  # fmt: skip
            except BaseException:
                self._errors.close()
                raise
        except OSError as error:
            # Popen names the folder as the file if it cannot go there.
            where = f"its folder {folder}: " if folder is not None and error.filename == folder else ""
            text = f"{shown} could not be started: {where}{error.strerror}"
            raise EngineError(EngineFault.NO_START, text) from error
        except ValueError as error:
            raise EngineError(EngineFault.NO_START, f"{shown} could not be started: {error}") from error
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        self._in, self._out = stdin.fileno(), stdout.fileno()
        os.set_blocking(self._in, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    @property
    def pid(self) -> int:
        return self._process.pid

    def write(self, data: bytes, deadline_ns: int) -> None:
        """Write all of `data`, reading meanwhile what the process writes."""
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                # The process may wait for us to read before it continues to read.
                poll = select.poll()
                poll.register(self._in, select.POLLOUT)
                poll.register(self._out, select.POLLIN)
                wait_ms = _wait_ms(deadline_ns)
                ready = poll.poll(wait_ms) if wait_ms > 0 else []
                if not ready:
                    raise EngineError(EngineFault.STALL, "it does not read its input") from None
                if any(number == self._out for number, _ in ready):
                    self.fill(deadline_ns)
            except (OSError, ValueError):
                raise EngineError(EngineFault.DISCONNECT, self._how_it_ended("closed its input")) from None

    def fill(self, deadline_ns: int) -> bool:
        """Read one piece of output into `pending`; False if none arrived by the deadline, which a suspension delays.

        `PROTOCOL` for a line that is too long.
        """
        if self.has_closed_output:
            raise EngineError(EngineFault.DISCONNECT, self._how_it_ended("closed its output"))
        if not self._wait_for_output(deadline_ns):
            return False
        if not self._read():
            raise EngineError(EngineFault.DISCONNECT, self._how_it_ended("closed its output"))
        return True

    def _read(self) -> bool:
        """Read one piece of available output into `pending`; False at its end."""
        data = os.read(self._out, READ_BYTES)
        arrived_ns = time.monotonic_ns()
        if not data:
            self.has_closed_output = True
            return False
        pieces = data.split(b"\n")
        rest = pieces.pop()
        if pieces:
            pieces[0] = bytes(self._rest) + pieces[0]
            self._rest.clear()
        self._rest += rest
        if len(self._rest) > MAX_LINE_BYTES or (pieces and len(pieces[0]) > MAX_LINE_BYTES):
            raise EngineError(EngineFault.PROTOCOL, "a line of over 1 MiB")
        self.pending.extend((arrived_ns, piece) for piece in pieces)
        self._pending_bytes += len(data)
        if self._on_line is not None:
            for piece in pieces:
                self._on_line(piece)
        return True

    def read_line(self, deadline_ns: int) -> bytes | None:
        """The next line, as `take_line` returns it; None if no complete line arrived by the deadline."""
        while not self.has_closed_output and self._pending_bytes < READ_AHEAD_BYTES and self._poll.poll(0):
            self._read()
        while not self.pending:
            if not self.fill(deadline_ns):
                self.arrived_ns = time.monotonic_ns()
                return None
        return self.take_line()

    def take_line(self) -> bytes:
        """The first pending line, `spaced` and without its newline."""
        self.arrived_ns, line = self.pending.popleft()
        self._pending_bytes -= len(line) + 1
        return spaced(line)

    def _wait_for_output(self, deadline_ns: int) -> bool:
        while True:
            began_ns, wait_ms = time.monotonic_ns(), _wait_ms(deadline_ns)
            has_output, now_ns = bool(self._poll.poll(wait_ms)), time.monotonic_ns()
            late_ns = now_ns - began_ns - int(wait_ms * MS)
            if late_ns > MAX_WAIT_MS * MS:
                self.stopped_ns += late_ns
                deadline_ns += late_ns
            if has_output or now_ns >= deadline_ns:
                return has_output

    def end(self, farewell: bytes, wait_s: float) -> int | None:
        """Write a farewell, close the input, wait for the process to exit, and kill its group.

        Returns the exit code, None for a process that had to be killed.
        """
        if self._is_reaped:
            return self._process.returncode
        with suppress(EngineError):  # it is waited for and killed in any case
            self.write(farewell, time.monotonic_ns() + int(LAST_WORDS_S * S))
        self.end_input()
        has_exited = self.wait_for_exit(wait_s)
        self.kill()
        with self._lock:
            self._process.wait()
            self._is_reaped = True
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._errors.close()
        return self._process.returncode if has_exited else None

    def kill(self) -> None:
        """Kill the process and its group. May be called from any thread; `end` must still be called."""
        with self._lock:
            if self._is_reaped:
                return  # the system may have reused the group's number
            with suppress(ProcessLookupError, PermissionError):  # the group may be empty
                os.killpg(self._process.pid, signal.SIGKILL)

    def end_input(self) -> None:
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()

    def wait_for_exit(self, seconds: float) -> bool:
        """Whether the process exits within `seconds`. Its output is discarded, so that it cannot block."""
        deadline_ns = time.monotonic_ns() + int(seconds * S)
        while self.exit_code() is None:
            if time.monotonic_ns() > deadline_ns:
                return False
            if self.has_closed_output:
                time.sleep(EXIT_POLL_MS / 1000)
            elif self._poll.poll(EXIT_POLL_MS) and not os.read(self._out, READ_BYTES):
                self.has_closed_output = True
        return True

    def exit_code(self) -> int | None:
        """The exit code, or minus the number of the signal that killed the process; None while it runs."""
        if not hasattr(os, "waitid"):  # macOS
            return self._process.poll()
        # The process is not reaped: while it is a zombie, the system does not reuse the number of its group.
        status = None if self._is_reaped else os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if status is None:
            return self._process.returncode
        return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status

    def _how_it_ended(self, otherwise: str) -> str:
        """The reason for the end of the connection: how the process exited, or `otherwise` if it still runs."""
        deadline_ns = time.monotonic_ns() + int(EXIT_AFTER_PIPES_S * S)
        while (code := self.exit_code()) is None and time.monotonic_ns() < deadline_ns:
            time.sleep(0.002)
        if code is None:
            return f"the process {otherwise}"
        ended = f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        last = self._last_error()
        return f"the process {ended}; its stderr ends with {last}" if last else f"the process {ended}"

    def _last_error(self) -> str:
        """The last nonblank line of stderr, in quotes and cut to its last `MAX_QUOTED` characters, or nothing."""
        if self._errors.closed:
            return ""
        file = self._errors.fileno()
        begin = max(self._errors_begin, os.fstat(file).st_size - QUOTED_BYTES)
        lines = os.pread(file, QUOTED_BYTES, begin).decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return repr(last if len(last) <= MAX_QUOTED else f"...{last[-MAX_QUOTED:]}") if last else ""


def own_command(module: str = OWN_MODULE, *arguments: str) -> list[str]:
    """The command that runs a module of this project, by default the engine, and never a file of the current folder."""
    return [sys.executable, "-P", "-m", module, *arguments]


def split_command(command: str) -> list[str]:
    """The words of a command as a shell splits it; the path of a file is one word, with its blanks. ValueError for an
    open quotation.
    """
    return [command] if os.path.isfile(command) else shlex.split(command)


def _wait_ms(deadline_ns: int) -> float:
    return min(max(0.0, (deadline_ns - time.monotonic_ns()) / MS), MAX_WAIT_MS)
