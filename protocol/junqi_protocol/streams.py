"""The threads at stdin and stdout: the reader cuts input into lines, the writer prints lines and keeps the log.

`LineSplitter` limits what is kept of a line that is too long.
"""

import codecs
import errno
import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

MAX_LINE_BYTES = 16 * 1024 * 1024
KEPT_OF_LONG_LINE = 256
"""Bytes that are kept of a line that is too long: enough for its command."""


class InputLine(NamedTuple):
    """A line of input without its newline. If it `is_cut`, only the beginning of a line that was too long."""

    content: bytes
    is_cut: bool = False


class EndOfInput(NamedTuple):
    """No more lines will come."""


class LineSplitter:
    """Cuts a stream of bytes at its newlines. Holds at most `MAX_LINE_BYTES` of an unfinished line.

    A byte-order mark before the first line, which clients in C# write, is not a part of it.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._start_of_cut: bytes | None = None
        self._is_first = True

    def feed(self, data: bytes) -> Iterator[InputLine]:
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._add(piece)
            yield self._finish()
        self._add(pieces[-1])

    def end(self) -> Iterator[InputLine]:
        """The line that the end of input completes, if there is one."""
        if self._parts or self._start_of_cut is not None:
            yield self._finish()

    def _add(self, piece: bytes) -> None:
        if self._start_of_cut is not None:
            self._start_of_cut = (self._start_of_cut + piece[:KEPT_OF_LONG_LINE]).lstrip()[:KEPT_OF_LONG_LINE]
            return
        if not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        if self._size > MAX_LINE_BYTES:
            self._start_of_cut = b"".join(self._parts).lstrip()[:KEPT_OF_LONG_LINE]
            self._parts.clear()

    def _finish(self) -> InputLine:
        is_cut = self._start_of_cut is not None
        content = self._start_of_cut or b"".join(self._parts)
        line = InputLine(content.removeprefix(codecs.BOM_UTF8) if self._is_first else content, is_cut)
        self._is_first = False
        self._parts.clear()
        self._size = 0
        self._start_of_cut = None
        return line


READ_BYTES = 1 << 16
MAX_WAITING_BYTES = 64 * 1024 * 1024
"""Input that may be read before the inbox has to be empty once."""
MAX_WAITING_LINES = 100_000
"""Lines of output that may wait to be printed. With more, no input is read until somebody reads the output."""
BATCH_LINES = 1000
PAUSE_S = 0.002
WAKE_AFTER_S = 1.0
"""The longest wait: Windows notices Ctrl-C only between two waits."""


class Writer:
    """Prints lines from any thread, in the order in which they come, and copies them to the log."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._log: IO[str] | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        self.log("<<", line)  # before it is printed: whatever a client has read is in the log
        self._lines.put(line)

    def log(self, direction: str, line: str) -> None:
        """Add a line to the log, if there is one. A log that cannot be written is given up."""
        log = self._log
        if log is None:
            return
        try:
            log.write(f"{time.time():.3f} {direction} {line}\n")
            log.flush()
        except (OSError, ValueError) as error:
            if self._log is not log:
                return  # another log was opened meanwhile, and this one closed
            self._log = None
            self._lines.put(f"info string error bad-file option Log File: {error}; logging has stopped")

    def open_log(self, path: str) -> None:
        """Start a log, or end it if the path is empty. OSError if it cannot be opened; then nothing changes."""
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(errno.EINVAL, "not a regular file")  # writing to a pipe without a reader would block
        opened = open(path, "a", encoding="utf-8") if path else None  # noqa: SIM115  it lives as long as the process
        previous, self._log = self._log, opened
        if previous is not None:
            previous.close()

    @property
    def is_behind(self) -> bool:
        return self._lines.qsize() > MAX_WAITING_LINES

    def close(self, within_s: float) -> None:
        """Print the waiting lines, as far as somebody reads them in that time."""
        self._lines.put(None)
        end = time.monotonic() + within_s
        while self._thread.is_alive() and time.monotonic() < end:
            self._thread.join(min(WAKE_AFTER_S, max(0.0, end - time.monotonic())))

    def is_read(self) -> bool:
        """False once nobody can read stdout any more. Always true where the system cannot tell."""
        return not _has_hung_up(1)

    def _run(self) -> None:
        line = self._lines.get()
        while line is not None:
            batch = [line]
            while line is not None and len(batch) < BATCH_LINES and not self._lines.empty():
                line = self._lines.get()
                if line is not None:
                    batch.append(line)
            self._print("\n".join(batch) + "\n")
            if line is not None:
                line = self._lines.get()

    def _print(self, text: str) -> None:
        data = memoryview(text.encode("utf-8", "replace"))
        try:
            while data:
                try:
                    data = data[os.write(1, data) :]
                except BlockingIOError:
                    select.select([], [1], [])
        except OSError as error:
            with suppress(OSError):
                os.write(2, f"junqi-engine: stdout is closed: {error.strerror}\n".encode())
            os._exit(1)


class InputReader:
    """Cuts stdin into lines and puts them into a session's inbox.

    Waits while the inbox holds too much, while the session `is_behind`, and while too much output waits. It does not
    wait for the output once the other end has closed stdin: little input remains, and the end of it must be noticed.
    """

    def __init__(self, inbox: SimpleQueue[Any], writer: Writer, is_behind: Callable[[], bool] = lambda: False) -> None:
        self._inbox = inbox
        self._writer = writer
        self._is_behind = is_behind
        threading.Thread(target=self._run, name="reader", daemon=True).start()

    def _run(self) -> None:
        splitter = LineSplitter()
        waiting_bytes = 0
        while data := self._read():
            for line in splitter.feed(data):
                self._pass_on(line)
                waiting_bytes += len(line.content) + 1
            if waiting_bytes > MAX_WAITING_BYTES:
                while not self._inbox.empty():
                    time.sleep(PAUSE_S)
                waiting_bytes = 0
            while (self._writer.is_behind or self._is_behind()) and not _has_hung_up(0):
                time.sleep(PAUSE_S)
        for line in splitter.end():
            self._pass_on(line)
        self._inbox.put(EndOfInput())

    def _pass_on(self, line: InputLine) -> None:
        self._writer.log(">>", line.content.decode("utf-8", "replace"))
        self._inbox.put(line)

    def _read(self) -> bytes:
        while True:
            try:
                return os.read(0, READ_BYTES)
            except BlockingIOError:
                select.select([0], [], [])
            except OSError:
                return b""  # a stdin that was never open counts as the end of input


def _has_hung_up(stream: int) -> bool:
    """Whether the other end of stdin or stdout is closed. There may still be input in stdin."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(stream, 0)
    return bool(poll.poll(0))
