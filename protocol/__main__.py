"""The process: `junqi-engine`, or `python -m protocol`."""

import os
import signal

# A signal that comes during the imports below ends the process as the protocol says.
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import errno
import select
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, NoReturn

from protocol.game import Rejection
from protocol.grammar import Line, LineSplitter
from protocol.jobs import EndOfInput, Signal
from protocol.session import Session

READ_BYTES = 1 << 16
WAITING_BYTES = 64 * 1024 * 1024
WAITING_LINES = 100_000
"""Of output, before nothing more is read: who does not listen is not listened to."""
BATCH_LINES = 1000
PAUSE_S = 0.002
LEAVE_WITHIN_S = 0.9
FLUSH_AT_LEAST_S = 0.1
CONTEST = "--contest"
USAGE = 2


class Writer:
    """Prints lines from any thread in the order in which they were given, and copies them to the log."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._log: IO[str] | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        self.log("<<", line)  # first: what somebody has read is in the log
        self._lines.put(line)

    def log(self, direction: str, line: str) -> None:
        log = self._log
        if log is None:
            return
        try:
            log.write(f"{time.time():.3f} {direction} {line}\n")
            log.flush()
        except (OSError, ValueError) as error:
            self._log = None
            self._lines.put(f"info string error bad-file option Log File: {error}; no longer written")

    def open_log(self, path: str) -> None:
        """Start a log, or with an empty path end it; OSError when it can't be opened, and then nothing changes."""
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(errno.EINVAL, "no regular file")  # a pipe that nobody reads would stop us all
        opened = open(path, "a", encoding="utf-8") if path else None  # noqa: SIM115  it lives as long as the process
        previous, self._log = self._log, opened
        if previous is not None:
            previous.close()

    @property
    def is_behind(self) -> bool:
        """Whether more waits to be printed than ever should."""
        return self._lines.qsize() > WAITING_LINES

    def close(self, within_s: float) -> None:
        """Print what is left, as far as somebody reads it in that time."""
        self._lines.put(None)
        self._thread.join(within_s)

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


class Reader:
    """Cuts stdin into lines and puts them into a session's inbox.

    Waits while too much lies there, while the session `is_behind`, and while nobody reads what is printed; but not once
    the other end has hung up, for then there is little left to read, and the end must be seen.
    """

    def __init__(self, inbox: SimpleQueue[Any], writer: Writer, is_behind: Callable[[], bool] = lambda: False) -> None:
        self._inbox = inbox
        self._writer = writer
        self._is_behind = is_behind
        threading.Thread(target=self._run, name="reader", daemon=True).start()

    def _run(self) -> None:
        splitter = LineSplitter()
        given = 0
        while data := self._read():
            for line in splitter.feed(data):
                self._give(line)
                given += len(line.content) + 1
            if given > WAITING_BYTES:
                while not self._inbox.empty():
                    time.sleep(PAUSE_S)
                given = 0
            while (self._writer.is_behind or self._is_behind()) and not _has_hung_up():
                time.sleep(PAUSE_S)
        for line in splitter.end():
            self._give(line)
        self._inbox.put(EndOfInput())

    def _give(self, line: Line) -> None:
        self._writer.log(">>", line.content.decode("utf-8", "replace"))
        self._inbox.put(line)

    def _read(self) -> bytes:
        while True:
            try:
                return os.read(0, READ_BYTES)
            except BlockingIOError:
                select.select([0], [], [])
            except OSError:
                return b""  # a stdin that was never open is one that has ended


def _has_hung_up() -> bool:
    """Whether the other end of stdin is closed, although there may be something left in it."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(0, 0)
    return bool(poll.poll(0))


def main() -> NoReturn:
    """Serve stdin, or, with arguments, each argument as one line; then leave with the exit code.

    Behind `--contest` stdin is of the contest's dialect, and the arguments are `setoption` lines that come before it.
    """
    writer = Writer()
    arguments = sys.argv[1:]
    if arguments[:1] == [CONTEST]:
        _leave(_serve_contest(writer, arguments[1:]), writer, FLUSH_AT_LEAST_S)
    session = Session(writer.write, open_log=writer.open_log)
    _take_signals(session.inbox)
    if arguments:
        for argument in arguments:
            session.handle(Line(argument.encode("utf-8", "surrogateescape")))
            session.drain()
        session.inbox.put(EndOfInput())
    else:
        Reader(session.inbox, writer, lambda: session.is_behind)
    exit_code = session.run()
    _leave(exit_code, writer, max(FLUSH_AT_LEAST_S, LEAVE_WITHIN_S - (time.monotonic() - session.end_asked)))


def _serve_contest(writer: Writer, settings: Sequence[str]) -> int:
    """The same process, speaking the contest's dialect; its exit code."""
    from protocol.contest.session import ContestSession, complain_on_stderr

    try:
        session = ContestSession(
            writer.write, settings, complain=complain_on_stderr, log=writer.log, open_log=writer.open_log
        )
    except Rejection as rejection:
        complain_on_stderr(f"{rejection.code} {rejection}")
        return USAGE
    _take_signals(session.inbox)
    Reader(session.inbox, writer)
    return session.run()


def _take_signals(inbox: SimpleQueue[Any]) -> None:
    for number, exit_code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        signal.signal(number, lambda *_, code=exit_code: inbox.put(Signal(code)))


def _leave(exit_code: int, writer: Writer, within_s: float) -> NoReturn:
    writer.close(within_s)
    # The worker may be in the middle of importing the kernels' module, or never have come to it.
    remove_temporary_folders = getattr(sys.modules.get("junqi_engine.kernels"), "remove_temporary_folders", None)
    if remove_temporary_folders is not None:
        remove_temporary_folders()
    # Taking the interpreter down in order would cost tenths of a second, and the worker may be in the middle of a job.
    os._exit(exit_code)


if __name__ == "__main__":
    main()
