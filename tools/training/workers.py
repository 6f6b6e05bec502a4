"""Jobs in this process, in several, or on a Dask cluster."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any

from tools.training.cluster_client import cluster_client

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
        pool = ProcessPoolExecutor(count, get_context("spawn"), _begin)
        try:
            yield lambda job, items: list(pool.map(job, items))
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
