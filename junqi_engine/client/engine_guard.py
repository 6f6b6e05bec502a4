"""Kills the engines of a program that was killed: no engine outlives the process that started it.

A program that ends regularly stops its engines itself. One that is killed by SIGKILL cannot, and an engine that hangs
does not notice that its input has ended. So the first engine that a program starts is accompanied by a guard, a small
process that reads from a pipe. The program tells it which process groups it starts and ends. When the program is gone,
however it ended, the system closes the pipe, and the guard kills the groups that remain.

A process that leaves the group of its engine escapes. So does everything if the guard is killed together with the
program. Systems that are not POSIX have no guard.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

STARTED, ENDED = "started", "ended"


class _Program:
    """The side of the program: the pipe to its guard."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = 0
        self._pipe: int | None = None

    def prepare(self) -> None:
        """An engine is about to be started. Starts the guard, if there is none; OSError if that fails."""
        with self._lock:
            if self._pid != os.getpid():  # a fork has its own engines
                self._pipe = _start_guard() if os.name == "posix" else None
                self._pid = os.getpid()

    def started(self, group: int) -> None:
        """An engine leads the process group `group`."""
        self._tell(STARTED, group)

    def ended(self, group: int) -> None:
        """The group has been killed. To be called before its leader is reaped: its number may then be reused."""
        self._tell(ENDED, group)

    def _tell(self, what: str, group: int) -> None:
        # Without a guard, a program that is not killed stops its engines all the same.
        with self._lock, suppress(OSError):
            if self._pipe is not None:
                os.write(self._pipe, f"{what} {group}\n".encode())


def _start_guard() -> int:
    """Start the guard; the end of its pipe that this program writes to."""
    guard = subprocess.Popen(
        # The number of the program is for whoever lists the processes.
        [sys.executable, "-I", "-S", os.path.abspath(__file__), str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        cwd="/",
        start_new_session=True,
    )
    assert guard.stdin is not None
    pipe = os.dup(guard.stdin.fileno())
    guard.stdin.close()
    guard.returncode = 0  # nobody waits for the guard, which ends after this program; Python need not warn of it
    return pipe


program = _Program()
"""That of this process."""


def guard() -> None:
    """Read what the program tells until it is gone, then kill what is left of its engines."""
    if sys.platform == "win32":
        raise NotImplementedError
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        word, _, group = line.strip().partition(" ")
        (groups.add if word == STARTED else groups.discard)(int(group))
    for group_left in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group_left, signal.SIGKILL)


if __name__ == "__main__":
    guard()
