"""Kills the engines of a program that was killed: no engine outlives the process that started it.

A program that ends regularly stops its engines itself. One that is killed by SIGKILL cannot, and an engine that hangs
does not notice. So the first engine that a program starts is accompanied by a guard, a small process that reads from a
pipe. The program tells it which process groups it starts and ends. When the program is gone, however it ended, the
system closes the pipe, and the guard kills what is left:

- every process group that was told, on any POSIX system;
- on Linux also every process with the program's mark in its environment, which all descendants inherit: those that
  left the group of their engine or lost their parent, and an engine that was just being started.

On Linux, what has the mark of one engine is killed when that engine is ended.

A process that leaves its group, and on Linux also clears its environment, escapes. So does everything if the guard is
killed together with the program. Systems that are not POSIX have no guard.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

MARK = "JUNQI_ENGINE_OF"
"""The environment variable of engines. Its value is unique for each of them, and begins with that of its program."""
SCANS_S = (0.0, 0.05, 0.2, 0.5, 1.0)
"""When the guard looks for marked processes, in seconds after the previous time."""
BEHIND_PROGRAM = "."
"""What is between the program's mark and the number of its engine."""
STARTING, STARTED, ENDED = "starting", "started", "ended"


class _Program:
    """The side of the program: its mark, and the pipe to its guard."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = 0
        self._pipe: int | None = None
        self._mark = ""
        self._numbers = count(1)

    def environment(self) -> dict[str, str]:
        """The environment for an engine that is about to be started. Starts the guard, if there is none."""
        with self._lock:
            if self._pid != os.getpid():  # a fork has its own engines
                self._mark = f"{os.getpid()}-{time.time_ns()}"
                self._pipe = self._start_guard() if os.name == "posix" else None
                self._pid = os.getpid()
            self._tell(STARTING)
            return {**os.environ, MARK: f"{self._mark}{BEHIND_PROGRAM}{next(self._numbers)}"}

    def started(self, group: int) -> None:
        """An engine leads the process group `group`."""
        with self._lock:
            self._tell(f"{STARTED} {group}")

    def not_started(self) -> None:
        """The engine could not be started."""
        with self._lock:
            self._tell(STARTED)

    def ended(self, group: int) -> None:
        """The group has been killed. To be called before its leader is reaped: its number may then be reused."""
        with self._lock:
            self._tell(f"{ENDED} {group}")

    def _start_guard(self) -> int:
        """Start the guard; the end of its pipe that this program writes to."""
        # Without the mark of a program above, whose guard would otherwise kill this one before it has done its work.
        environment = {name: value for name, value in os.environ.items() if name != MARK}
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", os.path.abspath(__file__), self._mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            env=environment,
            start_new_session=True,
        )
        assert guard.stdin is not None
        pipe = os.dup(guard.stdin.fileno())
        guard.stdin.close()
        guard.returncode = 0  # nobody waits for the guard, which ends after this program; Python need not warn of it
        return pipe

    def _tell(self, line: str) -> None:
        # Without a guard, a program that is not killed stops its engines all the same.
        if self._pipe is not None:
            with suppress(OSError):
                os.write(self._pipe, f"{line}\n".encode())


program = _Program()
"""That of this process."""


def guard(mark: str) -> None:
    """Read what the program tells until it is gone, then kill what is left of its engines."""
    if sys.platform == "win32":
        raise NotImplementedError
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    starting = 0
    for line in sys.stdin:
        word, _, group = line.strip().partition(" ")
        if word == STARTING:
            starting += 1
        elif word == STARTED:
            starting -= 1
            groups |= {int(group)} if group else set()
        elif word == ENDED:
            groups.discard(int(group))
    for group_left in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group_left, signal.SIGKILL)
    for seconds in SCANS_S:
        time.sleep(seconds)
        if not _kill_marked(f"{MARK}={mark}{BEHIND_PROGRAM}".encode()) and not starting:
            return


def kill_descendants(mark: str) -> None:
    """Kill the processes that an engine has started, by the value of `MARK` in its environment. Linux only."""
    if sys.platform == "linux":
        for _ in SCANS_S:  # what is being started while we look is found the next time
            if not _kill_marked(f"{MARK}={mark}\0".encode()):
                return


def _kill_marked(beginning: bytes) -> bool:
    """Kill all processes with an entry of this beginning in their environment, whose entries end with a null byte;
    whether there was one. False without a Linux `/proc`.
    """
    if sys.platform == "win32":
        raise NotImplementedError
    found = False
    names: list[str] = []
    with suppress(OSError):  # there is no such folder, or no descriptor left
        names = os.listdir("/proc")
    for name in filter(str.isdecimal, names):
        try:
            is_marked = b"\0" + beginning in b"\0" + Path("/proc", name, "environ").read_bytes()
        except OSError:
            continue  # it ended meanwhile, or belongs to another user
        if is_marked:
            found = True
            with suppress(ProcessLookupError, PermissionError):
                os.kill(int(name), signal.SIGKILL)
    return found


if __name__ == "__main__":
    guard(sys.argv[1])
