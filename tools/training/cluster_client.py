"""A client of a Dask scheduler, and what its errors mean."""

from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10


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
