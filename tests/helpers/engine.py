"""A real engine process for tests: lines in, lines out, with deadlines."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

import psutil

from junqi_engine.client.line_process import own_command
from junqi_protocol.catalogue import OPTIONS

DEADLINE_S = 100.0
SLACK = 10
"""The factor of the deadlines that a test asserts, because the machine may be busy."""
COMMAND = tuple(own_command())
PROGRESS = re.compile(r"info string compiling kernels: (\d+)% done")
LIMITED = """
import os, resource, sys
resource.setrlimit(int(sys.argv[1]), 2 * (int(sys.argv[2]),))
os.execv(sys.argv[3], sys.argv[3:])
"""


def limited(command: Sequence[str], kind: int, most: int) -> list[str]:
    """A command that runs with a resource limit. (`preexec_fn` can hang in a process with threads.)"""
    return [sys.executable, "-S", "-c", LIMITED, str(kind), str(most), *command]


class Engine:
    """A running engine. `lines` has all lines that were read, `times` their times. Without `reads`, nothing is read."""

    def __init__(
        self,
        arguments: Sequence[str] = (),
        environment: dict[str, str] | None = None,
        reads: bool = True,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | (environment or {}),
        )
        self.lines: list[str] = []
        self.times: list[float] = []
        self._queue: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        if reads:
            threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue

    def _read(self) -> None:
        for line in self.process.stdout:
            self._queue.put((time.monotonic(), line))
        self._queue.put((time.monotonic(), b""))

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end_input(self) -> None:
        self.process.stdin.close()

    def lines_until(self, is_last: str | Callable[[str], bool], deadline_s: float = DEADLINE_S) -> list[str]:
        """Return the next lines, up to a line that starts with a text or for which a function is true."""
        wanted = is_last if callable(is_last) else lambda line: line.startswith(is_last)
        got: list[str] = []
        end = time.monotonic() + deadline_s
        while not got or not wanted(got[-1]):
            try:
                if not self._take(end):
                    raise AssertionError(f"the output ended before {is_last!r}; got {got}")
            except queue.Empty:
                raise AssertionError(f"no {is_last!r} within {deadline_s} s; got {got}") from None
            got.append(self.lines[-1])
        return got

    def _take(self, end: float) -> bool:
        """Add a line to `lines`; False at the end of the output. `queue.Empty` if none comes by the time `end`."""
        moment, line = self._queue.get(timeout=max(0.0, end - time.monotonic()))
        if line:
            self.lines.append(line.decode().rstrip("\n"))
            self.times.append(moment)
        return bool(line)

    def ask(self, *lines: str, until: str = "readyok") -> list[str]:
        """Send lines and return the output up to the line `until`, by default the answer to an added `isready`."""
        self.send(*lines, *(["isready"] if until == "readyok" else []))
        return self.lines_until(until)

    def be_as_new(self) -> None:
        """Reset all options, the game and the lines that were read."""
        options = [f"setoption name {option.name} value {option.default}" for option in OPTIONS]
        lines = (line + "<empty>" if line.endswith(" ") else line for line in options)
        self.ask(*lines, "ucinewgame", "position startpos")
        self.lines.clear()
        self.times.clear()

    def rest(self, deadline_s: float = DEADLINE_S) -> list[str]:
        """The lines up to the end of the output."""
        begin, end = len(self.lines), time.monotonic() + deadline_s
        while self._take(end):
            pass
        return self.lines[begin:]

    def exit_code(self, deadline_s: float = DEADLINE_S) -> int:
        return self.process.wait(deadline_s)

    def processor_s(self) -> float:
        """The processor time of the process so far, which a busy machine does not change."""
        times = psutil.Process(self.process.pid).cpu_times()
        return times.user + times.system

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


def errors(lines: Sequence[str]) -> list[str]:
    """The codes of the error lines."""
    return [line.split()[3] for line in lines if line.startswith("info string error ")]


def bestmoves(lines: Sequence[str]) -> list[str]:
    """The moves of the `bestmove` lines."""
    return [line.removeprefix("bestmove ") for line in lines if line.startswith("bestmove ")]
