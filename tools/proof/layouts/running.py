"""Where the sets of pieces are surveyed: in processes of this machine, or on the workers of a Dask cluster.

Both give (pieces, contents of the file) in the order in which they are done. Dask gives the sets of a lost worker to
other workers, which need this package.
"""

import multiprocessing
import signal
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from tools.proof.layouts.enumeration import Pieces
from tools.proof.layouts.survey import survey_to_bytes

CONNECT_S = 10
Done = Generator[tuple[Pieces, bytes], None, None]


class RunningError(Exception):
    """Why the sets cannot be surveyed, in one line."""


def on_this_machine(sets: Sequence[Pieces], workers: int) -> Done:
    """Survey the sets in `workers` processes."""
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),  # an interruption ends the command, which then ends them
    )
    try:
        pieces_of = {pool.submit(survey_to_bytes, pieces): pieces for pieces in sets}
        for future in as_completed(pieces_of):
            # A result that is written is not kept.
            yield pieces_of.pop(future), future.result()
    except BrokenProcessPool as error:
        raise RunningError("a worker process was killed; run the command again to continue") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def on_cluster(sets: Sequence[Pieces], address: str) -> Done:
    """Survey the sets on all workers of the Dask scheduler at `address`."""
    try:
        from distributed import Client, KilledWorker
        from distributed import as_completed as dask_as_completed
    except ImportError as error:
        raise RunningError("a scheduler needs dask and distributed: pip install junqi-engine[cluster]") from error
    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise RunningError(f"scheduler {address}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError as error:
            raise RunningError(f"scheduler {address} has no workers") from error
        pieces_of = {client.submit(survey_to_bytes, pieces, pure=False): pieces for pieces in sets}
        try:
            for future in dask_as_completed(list(pieces_of), loop=client.loop):
                yield pieces_of.pop(future), future.result()
                future.release()
        except KilledWorker as error:
            raise RunningError(f"scheduler {address}: too many workers were lost: {error}") from error
