"""Jobs in threads or processes of this machine, or on a Dask cluster: one way to hand out, wait, stop and fail.

    with workers(4) as hired:
        for found in hired.results((f"game {number}", partial(play, number)) for number in missing):
            keep(found)

A job is a function without arguments; unless it runs in a thread, it is pickled. Results come as jobs end, in any
order. The caller keeps each of them at once, and later begins again with the jobs that are missing: so every run is
continued. The end of the block abandons what still runs.

What a job raises ends the run: `wait` raises it, from another process as a `RefereeError` of one line that names the
job. So does a lost worker; on a cluster, other workers get its job several times before.

`LineProgress` says on stderr how far a run is and how long it still takes.
"""

import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, TextIO

from junqi_referee.exits import ExitCode, RefereeError

Job = Callable[[], Any]
SIGNALS_SEEN_S = 0.2
STOP_AGAIN_S = 0.05
CONNECT_S = 10
GIVE_UP_S = 0.5
AHEAD = 2
"""Jobs submitted per thread of a cluster, so that no thread waits for the next one."""
MOST_TRIES = 20


class Workers(ABC):
    """Whoever carries out jobs, as a context manager. `capacity` jobs may be submitted at a time."""

    capacity: int

    @abstractmethod
    def submit(self, name: str, job: Job) -> None:
        """Begin a job; messages call it by its name."""

    @abstractmethod
    def wait(self) -> Any:
        """The result of the next job that ends."""

    @abstractmethod
    def end(self, abandon: bool) -> None:
        """Dismiss all workers. With `abandon`, jobs still run, and are ended at once."""

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        self.end(abandon=kind is not None)

    def results(self, jobs: Iterable[tuple[str, Job]]) -> Iterator[Any]:
        """The results of jobs with names. A worker has its next job before its result is used."""
        ahead, running, found = iter(jobs), 0, list[Any]()
        while True:
            for name, job in islice(ahead, max(0, self.capacity - running)):
                self.submit(name, job)
                running += 1
            yield from found
            if not running:
                return
            found = [self.wait()]
            running -= 1

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        """What a function gives for each item, in their order."""
        jobs = ((f"job {at + 1}", partial(_with_place, function, at, item)) for at, item in enumerate(items))
        found = dict(self.results(jobs))
        return [found[at] for at in range(len(items))]


def _carry_out(name: str, job: Job) -> Any:
    """What a job gives in another process; `RefereeError` for whatever it raises."""
    try:
        return job()
    except RefereeError:
        raise
    except Exception as error:
        raise RefereeError(f"{name}: {type(error).__name__}: {error}", ExitCode.INTERNAL) from error


def _with_place(function: Callable[[Any], Any], at: int, item: Any) -> tuple[int, Any]:
    return at, function(item)


def workers(count: int, scheduler: str | None = None) -> Workers:
    """This process alone, this many other processes, or the workers of a Dask scheduler."""
    if scheduler is not None:
        return Cluster(scheduler)
    return Here() if count == 1 else Processes(count)


class Here(Workers):
    """This thread, which carries out one job at a time while it waits."""

    capacity = 1

    def submit(self, name: str, job: Job) -> None:
        self._job = job

    def wait(self) -> Any:
        return self._job()

    def end(self, abandon: bool) -> None:
        pass


class Threads(Workers):
    """This many threads, for jobs that mostly wait. `stop` ends what the jobs have started, running or not."""

    def __init__(self, count: int, stop: Callable[[], None]) -> None:
        self.capacity = count
        self._stop = stop
        self._executor = ThreadPoolExecutor(count)
        self._running: set[Future[Any]] = set()
        self._ended: SimpleQueue[Future[Any]] = SimpleQueue()

    def submit(self, name: str, job: Job) -> None:
        try:
            future = self._executor.submit(job)
        except RuntimeError as error:
            raise RefereeError(f"{name}: {error}; use a smaller --concurrency", ExitCode.INTERNAL) from error
        self._running.add(future)
        future.add_done_callback(self._ended.put)

    def wait(self) -> Any:
        while True:
            # With a timeout, because a signal that arrives just before the wait begins is only handled after it.
            with suppress(Empty):
                future = self._ended.get(timeout=SIGNALS_SEEN_S)
                self._running.remove(future)
                return future.result()

    def end(self, abandon: bool) -> None:
        self._executor.shutdown(wait=not abandon, cancel_futures=True)
        self._stop()
        while running := [future for future in self._running if not future.done()]:
            self._stop()  # again, because a job may be about to start something
            wait_for(running, STOP_AGAIN_S)
        self._stop()


class Processes(Workers):
    """This many processes, which end with this one."""

    def __init__(self, count: int) -> None:
        self.capacity = count
        self._processes: dict[Connection, BaseProcess] = {}
        self._running: dict[Connection, str] = {}
        context = get_context("spawn")
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._processes[ours] = process

    def submit(self, name: str, job: Job) -> None:
        pipe = next(pipe for pipe in self._processes if pipe not in self._running)
        self._running[pipe] = name
        try:
            pipe.send(partial(_carry_out, name, job))
        except (BrokenPipeError, ConnectionResetError):
            raise self._lost(pipe) from None

    def wait(self) -> Any:
        pipe = wait(list(self._running))[0]
        assert isinstance(pipe, Connection)
        try:
            result, error = pipe.recv()
        except (EOFError, ConnectionResetError):
            raise self._lost(pipe) from None
        del self._running[pipe]
        if error is not None:
            raise error
        return result

    def end(self, abandon: bool) -> None:
        for process in self._processes.values():
            process.kill()
        for pipe, process in self._processes.items():
            process.join()
            pipe.close()

    def _lost(self, pipe: Connection) -> RefereeError:
        process = self._processes[pipe]
        process.join()
        code = process.exitcode or 0
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"it ended with exit code {code}"
        return RefereeError(f"{self._running[pipe]}: a worker process has died: {how}", ExitCode.INTERNAL)


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        while True:
            job = pipe.recv()
            try:
                pipe.send((job(), None))
            except RefereeError as error:
                pipe.send((None, error))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster(Workers):
    """All workers that a scheduler knows at the time. `stop` ends what jobs have started on a worker.

    `RefereeError` if there is no scheduler, no worker or no Dask.
    """

    def __init__(self, scheduler: str, stop: Callable[[], None] | None = None) -> None:
        try:
            from distributed import Client, as_completed
        except ImportError:
            raise RefereeError(
                "a scheduler needs dask and distributed: pip install '.[cluster]' in a checkout"
            ) from None
        self._scheduler, self._stop = scheduler, stop
        try:
            self._client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise RefereeError(f"scheduler {scheduler}: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError:
            self._client.close()
            raise RefereeError(f"scheduler {scheduler} has no workers") from None
        self._completed = as_completed(loop=self._client.loop)
        self._running: dict[Any, tuple[str, Job, int]] = {}

    @property
    def capacity(self) -> int:  # type: ignore[override]
        """Follows the size of the cluster."""
        return AHEAD * max(1, sum(self._client.nthreads().values()))

    def submit(self, name: str, job: Job) -> None:
        self._submit(name, job, 1)

    def wait(self) -> Any:
        from distributed import KilledWorker

        while True:
            future = next(self._completed)
            name, job, tries = self._running.pop(future)
            try:
                return future.result()
            except KilledWorker:
                if tries == MOST_TRIES:
                    text = f"scheduler {self._scheduler}: {name}: its worker was lost {tries} times"
                    raise RefereeError(text, ExitCode.INTERNAL) from None
                self._submit(name, job, tries + 1)
            except CancelledError:
                text = f"scheduler {self._scheduler}: the connection was lost"
                raise RefereeError(text, ExitCode.INTERNAL) from None

    def end(self, abandon: bool) -> None:
        # Lost workers are told, but not waited for: they would delay the end of the command.
        ending = threading.Thread(target=self._end, daemon=True)
        ending.start()
        ending.join(GIVE_UP_S if abandon else None)

    def _end(self) -> None:
        self._client.cancel(list(self._running))
        if self._stop is not None:
            self._client.run(self._stop, on_error="ignore")
        self._client.close()

    def _submit(self, name: str, job: Job, tries: int) -> None:
        future = self._client.submit(_carry_out, name, job, pure=False)
        self._running[future] = name, job, tries
        self._completed.add(future)


SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_REWRITES = 0.25
CLEAR = "\r\x1b[2K"


class Pace:
    """`done` of `total` units are there, of which `before` were there at the start.

    The time up to the first of the others is not counted: most of it is the start of the workers.
    """

    def __init__(self, total: int, before: int) -> None:
        self.total = total
        self.done = self._done_first = before
        self._first_s: float | None = None

    def count(self, units: int = 1) -> None:
        """This many more are done."""
        self.done += units
        if self._first_s is None:
            self._first_s, self._done_first = time.monotonic(), self.done

    def remaining(self) -> str:
        """The estimated time as h:mm:ss, `?` until there is a measure."""
        counted = self.done - self._done_first
        if self._first_s is None or not counted:
            return "?"
        remaining_s = (self.total - self.done) * (time.monotonic() - self._first_s) / counted
        minutes, seconds = divmod(int(remaining_s), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


class RewrittenLine:
    """A line that is rewritten on a terminal; elsewhere a new line, at most once in `seconds`."""

    def __init__(self, out: TextIO, seconds: float) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._pause_s = SECONDS_BETWEEN_REWRITES if self._is_terminal else seconds
        self._last_s = time.monotonic()

    def show(self, text: Callable[[], str]) -> None:
        """Show a text, if it is time for it."""
        now_s = time.monotonic()
        if now_s - self._last_s >= self._pause_s:
            self._last_s = now_s
            self._write(f"{CLEAR}{text()}" if self._is_terminal else f"{text()}\n")

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._write(f"{CLEAR if self._is_terminal else ''}{text}\n")

    def clear(self) -> None:
        if self._is_terminal:
            self._write(CLEAR)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


class LineProgress:
    """How far a run is, in a rewritten line; `units` is what is counted. A context manager."""

    def __init__(self, out: TextIO, total: int, before: int, units: str) -> None:
        self._line, self._pace, self._units = RewrittenLine(out, SECONDS_BETWEEN_LINES), Pace(total, before), units
        if before:
            self.say(f"{before} of {total} {units} are known; continuing")

    def count(self, units: int = 1, where: str = "") -> None:
        """This many more are done; `where` is put before the line."""
        pace = self._pace
        pace.count(units)
        self._line.show(lambda: f"{where}{pace.done}/{pace.total} {self._units}, {pace.remaining()} remaining")

    def say(self, text: str) -> None:
        self._line.say(text)

    def __enter__(self) -> "LineProgress":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.clear()
