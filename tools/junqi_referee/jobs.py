"""Jobs in threads, in processes or on Dask.

    with open_pool(4) as pool:
        for found in pool.results((f"game {number}", partial(play, number)) for number in missing):
            keep(found)

A job is a function without arguments; unless it runs in a thread, it is pickled. Results come in the order in which
jobs end. The caller stores each result immediately, so that another run can resume with the missing jobs. Leaving the
block ends all jobs that still run.

An exception in a job ends the run with a `RefereeError`, which names the job unless the job has raised one itself. A
lost worker ends the run too; on a cluster its job is first given to other workers, several times.

`LineProgress` prints how much of a run is done and how long the rest will take.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from functools import partial
from itertools import islice
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import Any, Self, TextIO

from junqi_referee.exit_codes import ExitCode, RefereeError

Job = Callable[[], Any]
SIGNALS_SEEN_S = 0.2
STOP_AGAIN_S = 0.05
CONNECT_S = 10
GIVE_UP_S = 0.5
AHEAD = 2
"""Jobs submitted per thread of a cluster, so that no thread waits for the next one."""
MAX_TRIES = 20


class WorkerPool:
    """An executor that runs jobs, as a context manager. At most `capacity` jobs may be submitted at a time.

    `stop` ends everything that jobs have started, and may be called again. A job that raises one of the exceptions
    `lost` has lost its worker, and is submitted again.
    """

    def __init__(
        self,
        executor: Executor,
        capacity: Callable[[], int],
        stop: Callable[[], None],
        lost: tuple[type[Exception], ...] = (),
    ) -> None:
        self._executor, self._capacity, self._stop, self._lost = executor, capacity, stop, lost
        self._running: dict[Future[Any], tuple[str, Job, int]] = {}

    @property
    def capacity(self) -> int:
        return self._capacity()

    def submit(self, name: str, job: Job, tries: int = 1) -> None:
        """Begin a job; its name is for messages."""
        try:
            self._running[self._executor.submit(job)] = name, job, tries
        except BrokenExecutor as error:
            raise RefereeError("a worker process has died", ExitCode.INTERNAL) from error
        except RuntimeError as error:
            raise RefereeError(f"{name}: {error}; use a smaller --concurrency", ExitCode.INTERNAL) from error

    def wait(self) -> Any:
        """The result of the next job that ends."""
        while True:
            # A signal that arrives just before the wait begins is handled only after it, hence the timeout.
            ended, _ = wait(self._running, SIGNALS_SEEN_S, FIRST_COMPLETED)
            if not ended:
                continue
            future = ended.pop()
            name, job, tries = self._running.pop(future)
            try:
                return future.result()
            except (RefereeError, OSError, MemoryError):
                raise
            except BrokenExecutor:
                raise RefereeError("a worker process has died", ExitCode.INTERNAL) from None
            except CancelledError:
                raise RefereeError(f"{name}: the connection to the cluster was lost", ExitCode.INTERNAL) from None
            except self._lost:
                if tries == MAX_TRIES:
                    raise RefereeError(f"{name}: its worker was lost {tries} times", ExitCode.INTERNAL) from None
                self.submit(name, job, tries + 1)
            except Exception as error:
                raise RefereeError(f"{name}: {type(error).__name__}: {error}", ExitCode.INTERNAL) from error

    def results(self, jobs: Iterable[tuple[str, Job]]) -> Iterator[Any]:
        """Yield the results of jobs, which are given with their names."""
        ahead = iter(jobs)
        while True:
            for name, job in islice(ahead, max(0, self.capacity - len(self._running))):
                self.submit(name, job)
            if not self._running:
                return
            yield self.wait()

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        """Return the results of a function for some items, in the order of the items."""
        jobs = ((f"job {at + 1}", partial(_with_place, function, at, item)) for at, item in enumerate(items))
        found = dict(self.results(jobs))
        return [found[at] for at in range(len(items))]

    def end(self, abandon: bool) -> None:
        """Stop all workers. With `abandon`, some jobs still run; they are ended immediately."""
        for future in self._running:
            future.cancel()
        self._stop()
        while running := [future for future in self._running if not future.done()]:
            self._stop()  # again, because a job may be about to start something
            wait(running, STOP_AGAIN_S)
        self._executor.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        self.end(abandon=kind is not None)


def _with_place(function: Callable[[Any], Any], at: int, item: Any) -> tuple[int, Any]:
    return at, function(item)


def open_pool(count: int, scheduler: str | None = None) -> WorkerPool:
    """Return a pool: this process alone, this many other processes, or the workers of a Dask scheduler."""
    if scheduler is not None:
        return Cluster(scheduler)
    return process_pool(count) if count > 1 else WorkerPool(_Here(), lambda: 1, lambda: None)


class _Here(Executor):
    """An executor that runs a job in this thread when it is submitted."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:  # noqa: BLE001  `result` raises it again
            future.set_exception(error)
        return future


def thread_pool(count: int, stop: Callable[[], None]) -> WorkerPool:
    """Return a pool of threads, for jobs that mostly wait."""
    return WorkerPool(ThreadPoolExecutor(count), lambda: count, stop)


def process_pool(count: int) -> WorkerPool:
    """Return a pool of processes, which end with this one. One job more than processes is submitted, so none waits."""
    theirs, ours = Pipe(duplex=False)
    context = get_context("spawn")
    return WorkerPool(ProcessPoolExecutor(count, context, _begin, (theirs,)), lambda: count + 1, ours.close)


def _begin(parent: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    """End this process when the other end of a pipe is closed, which the end of the parent does too."""
    parent.poll(None)
    os._exit(1)


class Cluster(WorkerPool):
    """All workers that a scheduler has at a time. At the end, `stop` runs on each of them.

    `RefereeError` if there is no scheduler, no worker or no Dask.
    """

    def __init__(self, scheduler: str, stop: Callable[[], None] | None = None) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise RefereeError(
                "a scheduler needs dask and distributed: pip install '.[cluster]' in a checkout"
            ) from None
        try:
            client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise RefereeError(f"scheduler {scheduler}: {error}") from None
        try:
            client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError:
            client.close()
            raise RefereeError(f"scheduler {scheduler} has no workers") from None
        self._client, self._stop_there = client, stop
        executor = client.get_executor(pure=False)
        super().__init__(executor, self._threads_and_more, lambda: None, (KilledWorker,))

    def end(self, abandon: bool) -> None:
        # Lost workers are not waited for: they would delay the end of the command.
        ending = threading.Thread(target=self._end, args=(abandon,), daemon=True)
        ending.start()
        ending.join(GIVE_UP_S if abandon else None)

    def _end(self, abandon: bool) -> None:
        super().end(abandon)
        if self._stop_there is not None:
            self._client.run(self._stop_there, on_error="ignore")
        self._client.close()

    def _threads_and_more(self) -> int:
        """The capacity, which follows the size of the cluster."""
        return AHEAD * max(1, sum(self._client.nthreads().values()))


SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_REWRITES = 0.25
CLEAR = "\r\x1b[2K"


class LineProgress:
    """The progress of a run: one line, rewritten on a terminal, elsewhere a line every few seconds. A context manager.

    `done` of `total` units are done; `before` of them were done before the run. The estimate of the remaining time
    leaves out the time of the first unit of the run, in which workers start.
    """

    def __init__(
        self, out: TextIO, total: int, before: int, units: str, seconds: float = SECONDS_BETWEEN_LINES
    ) -> None:
        self._out, self._units = out, units
        self._is_terminal = out.isatty()
        self._pause_s = SECONDS_BETWEEN_REWRITES if self._is_terminal else seconds
        self._last_s = time.monotonic()
        self.begin(total, before)

    def begin(self, total: int, before: int) -> None:
        self.total, self.done = total, before
        self._first: tuple[float, int] | None = None
        """The time when the first unit of this run was done, and the number of units then."""
        if before:
            self.say(f"{before} of {total} {self._units} are known; continuing")

    def count(self, units: int = 1, where: str = "") -> None:
        """Count more units as done; `where` is put before the line."""
        self.done += units
        now_s = time.monotonic()
        self._first = self._first or (now_s, self.done)
        if now_s - self._last_s >= self._pause_s:
            self._last_s = now_s
            self._write(f"{CLEAR}{where}{self.state()}" if self._is_terminal else f"{where}{self.state()}\n")

    def state(self) -> str:
        return f"{self.done}/{self.total} {self._units}, {self.remaining()} remaining"

    def remaining(self) -> str:
        """The estimated remaining time as h:mm:ss, `?` until there is an estimate."""
        if self._first is None or self.done == self._first[1]:
            return "?"
        seconds_each = (time.monotonic() - self._first[0]) / (self.done - self._first[1])
        minutes, seconds = divmod(int((self.total - self.done) * seconds_each), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._write(f"{CLEAR if self._is_terminal else ''}{text}\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._write(CLEAR)
