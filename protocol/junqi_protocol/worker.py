"""The thread that carries out jobs, one after the other, and the guard that turns every error in them into a line.

Also the events in the inbox of a session, to which the worker reports, and answers that are given exactly once.
"""

import math
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple

from junqi_protocol.options import quoted
from junqi_protocol.variant_game import Control, Rejection

ERROR = "info string error"
"""How the line begins that says why a command was rejected."""


class EndOfInput(NamedTuple):
    """No more lines will come."""


class Signal(NamedTuple):
    """The operating system asked the process to end."""

    exit_code: int


class PendingAnswer:
    """An answer that is due: `readyok`, or the `bestmove` of a `go`, in `line` once it is known. It is printed once,
    whichever thread comes first; that of an `isready` at `due` at the latest, in seconds of `time.monotonic`.
    """

    def __init__(self, write: Callable[[str], None], line: str, due: float = math.inf) -> None:
        self.line, self.due = line, due
        self._write = write
        self._lock = threading.Lock()
        self._is_given = False

    def give(self) -> None:
        """Print the answer, unless it was printed before."""
        with self._lock:
            if not self._is_given:
                self._is_given = True
                self._write(self.line)


class Job(NamedTuple):
    """Work for the worker. `isready` is answered while a job runs that `is_search`.

    A job that `is_loading` can take a minute. `size` is what it counts for, in bytes, in the backlog. `bestmove` is
    answered when the work is done, after any error that it printed.
    """

    work: Callable[[], None]
    control: Control
    is_search: bool = False
    is_loading: bool = False
    size: int = 0
    bestmove: PendingAnswer | None = None


class Worker:
    """Carries out jobs in the order in which they were given.

    `report` is called with each job that is done, in the worker's thread. All methods and properties are for the
    session's thread, which calls `finish` for each of these: until then the job counts as waiting or running.
    """

    def __init__(self, write: Callable[[str], None], report: Callable[[Job], None]) -> None:
        self.jobs: deque[Job] = deque()
        """Those that wait or run, oldest first."""
        self.backlog_bytes = 0
        self._write = write
        self._report = report
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    @property
    def is_searching(self) -> bool:
        return bool(self.jobs) and self.jobs[0].is_search

    @property
    def is_loading(self) -> bool:
        """Whether some job may take a minute to load."""
        return any(job.is_loading for job in self.jobs)

    def give(self, job: Job) -> None:
        self.jobs.append(job)
        self.backlog_bytes += job.size
        self._queue.put(job)

    def finish(self) -> None:
        """Forget the oldest job, which is done."""
        self.backlog_bytes -= self.jobs.popleft().size

    def stop_searches(self, *, only_unlimited: bool = False) -> None:
        """Stop all searches that run or wait, or only those that nothing else would end."""
        for job in self.jobs:
            if job.is_search and not (only_unlimited and job.control.is_released):
                job.control.stop()

    def end(self, within_s: float) -> None:
        """Finish the jobs, as far as time allows. Then give every `go` its answer."""
        for job in self.jobs:
            job.control.stop()
        self._queue.put(None)
        self._thread.join(within_s)
        for job in self.jobs:
            if job.bestmove is not None:
                job.bestmove.give()

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            guard(job.work, self._write)
            if job.bestmove is not None:
                job.bestmove.give()
            self._report(job)


def guard(work: Callable[[], None], write: Callable[[str], None]) -> None:
    """Do some work. If it is rejected or fails, print an error line; no exception gets out."""
    try:
        work()
    except Rejection as rejection:
        write(error_line(rejection.code, str(rejection)))
    except MemoryError:
        write(error_line("too-large", "not enough memory"))
    except Exception as error:  # noqa: BLE001  a bug must not end the process; it is printed
        write(error_line("internal", describe_exception(error)))


def error_line(code: str, text: str) -> str:
    return f"{ERROR} {code} {text}"


def describe_exception(error: BaseException) -> str:
    """An exception in one line: its type, its text, and the place in the source."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        file_name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
        place = f" at {file_name}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {quoted(str(error), 200)}{place}"
