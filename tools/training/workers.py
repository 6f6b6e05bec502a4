"""Jobs in this process, in several, or on a Dask cluster."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import Client


CONNECT_S = 10
Run = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]
"""Calls a function of a module, or a `partial` of one, with each of some items; the results in their order."""


@contextmanager
def workers(count: int, scheduler: str | None = None) -> Iterator[Run]:
    """A way to run jobs in so many processes, or on the workers of a Dask scheduler. OSError if there is none, or if it
    is lost, or if a process ends. Jobs that have not begun are dropped at the end.
    """
    if scheduler is not None:
        with cluster_client(scheduler) as client:
            yield lambda job, items: client.gather(client.map(job, items, pure=False))
    elif count == 1:
        yield lambda job, items: list(map(job, items))
    else:
        with process_pool(count) as pool:
            yield lambda job, items: list(pool.map(job, items))


@contextmanager
def process_pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. ChildProcessError if one ends. Jobs that have not begun are dropped at the end."""
    pool = ProcessPoolExecutor(count, get_context("spawn"), _begin)
    try:
        yield pool
    except BrokenProcessPool:
        raise ChildProcessError("a worker process has ended") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Ctrl-C reaches all processes of a terminal; the parent decides. A worker ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def cluster_client(scheduler: str) -> "Iterator[Client]":
    """A client of a scheduler that has workers. ConnectionError if there is none or if it is lost, ChildProcessError if
    a job kills its workers, ImportError without Dask.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise ImportError("a scheduler needs dask and distributed: pip install junqi-engine[cluster]") from None
    try:
        client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ConnectionError(f"scheduler {scheduler}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_S)
        yield client
    except TimeoutError:
        raise ConnectionError(f"scheduler {scheduler} has no workers") from None
    except KilledWorker as error:
        raise ChildProcessError(f"scheduler {scheduler}: workers were lost again and again: {error}") from None
    except CancelledError:
        raise ConnectionError(f"scheduler {scheduler}: the connection was lost") from None
    finally:
        client.close()
