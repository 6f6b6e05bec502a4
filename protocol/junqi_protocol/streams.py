"""stdin and stdout: lines of input as they come, lines of output from any thread, an end when nobody reads them."""

import codecs
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

MAX_LINE_BYTES = 16 << 20
READ_BYTES = 1 << 16
LOOK_EVERY_MS = 500
NOT_READ = 1
"""The exit code when nobody reads the output."""


def lines() -> Iterator[bytes]:
    """The lines of stdin without their newlines, until its end. Of a line that is too long, `MAX_LINE_BYTES` + 1 bytes.

    A byte-order mark before the first line, which clients in C# write, is not a part of it.
    """
    if sys.stdin is None:
        return  # a stdin that was never open counts as the end of input
    _wait_for(0)
    stdin, mark = sys.stdin.buffer, codecs.BOM_UTF8
    while line := stdin.readline(MAX_LINE_BYTES + 1):
        rest = line
        while not rest.endswith(b"\n") and (rest := stdin.readline(READ_BYTES)):
            continue
        yield line.removeprefix(mark).removesuffix(b"\n")
        mark = b""


class Output:
    """stdout. The process ends, with the exit code `NOT_READ`, once nobody can read it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _wait_for(1)
        threading.Thread(target=_watch, name="watch", daemon=True).start()

    def write(self, line: str) -> None:
        data = memoryview(f"{line}\n".encode("utf-8", "replace"))
        with self._lock:
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                _leave()


def complain(text: str) -> None:
    """One line on stderr, if somebody can read it."""
    with suppress(OSError):
        os.write(2, f"junqi-engine: {text}\n".encode("utf-8", "backslashreplace"))


def _wait_for(stream: int) -> None:
    """Reading or writing waits, also on a pipe that a parent has made to return at once."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.set_blocking(stream, True)


def _watch() -> None:
    """Look at stdout now and then, and leave once the other end is closed: a search may print nothing for hours."""
    if sys.platform != "win32":
        poll = select.poll()
        poll.register(1, 0)
        while not poll.poll(LOOK_EVERY_MS):
            continue
        _leave()


_leaving = threading.Lock()


def _leave() -> NoReturn:
    with _leaving:  # whichever thread comes first
        complain("stdout is closed")
        os._exit(NOT_READ)
