"""stdin and stdout: lines of input, lines of output from any thread, and the exit when stdout is closed."""

import codecs
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

MAX_LINE_BYTES = 16 << 20
READ_BYTES = 1 << 16
LOOK_EVERY_S = 0.3
NOT_READ = 1
"""Exit code when stdout is closed."""


def lines() -> Iterator[bytes]:
    """The lines of stdin without their newlines. A longer line is cut to `MAX_LINE_BYTES` + 1 bytes.

    A byte-order mark before the first line, which clients in C# write, is removed.
    """
    if sys.stdin is None:
        return  # stdin was never open
    stdin, mark = sys.stdin.buffer, codecs.BOM_UTF8
    while line := stdin.readline(MAX_LINE_BYTES + 1):
        rest = line
        while not rest.endswith(b"\n") and (rest := stdin.readline(READ_BYTES)):
            continue
        yield line.removeprefix(mark).removesuffix(b"\n")
        mark = b""


class Output:
    """stdout. The process exits with `NOT_READ` once stdout is closed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def write(self, line: str) -> None:
        data = memoryview(f"{line}\n".encode("utf-8", "replace"))
        with self._lock:
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                _leave()


def complain(text: str) -> None:
    """Print a line on stderr, if it is open."""
    with suppress(OSError):
        os.write(2, f"junqi-engine: {text}\n".encode("utf-8", "backslashreplace"))


def prepare() -> None:
    """Make stdin and stdout blocking, and check stdout by a timer: a search may print nothing for hours.

    The timer's signal also wakes the main thread if another signal came just before it began to wait for input.
    """
    if sys.platform != "win32":
        for stream in (0, 1):
            with suppress(OSError):
                os.set_blocking(stream, True)
        poll = select.poll()
        poll.register(1, 0)
        signal.signal(signal.SIGALRM, lambda *_: poll.poll(0) and _leave())
        signal.setitimer(signal.ITIMER_REAL, LOOK_EVERY_S, LOOK_EVERY_S)


_leaving = threading.RLock()
"""Reentrant, because the signal may come while the main thread leaves."""


def _leave() -> NoReturn:
    with _leaving:  # one complaint only
        complain("stdout is closed")
        os._exit(NOT_READ)
