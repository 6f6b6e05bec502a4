"""Games on the workers of a Dask cluster. A game is a task; the games of a lost worker are played by others.

Workers need the same revision of this package: a game of another one would not be of the same kind.
"""

import threading
from collections.abc import Generator as Producer
from collections.abc import Iterator
from typing import Any

from tools.training.selfplay.local import Played, RunError, play_one
from tools.training.selfplay.play import Generator
from tools.training.selfplay.revision import own_revision
from tools.training.selfplay.settings import Settings
from tools.training.workers import cluster_client

AHEAD = 2
"""Games submitted per thread of the cluster, so that no thread waits for the next game."""

_of_thread = threading.local()


def cluster_games(
    settings: Settings, numbers: Iterator[int], scheduler: str, revision: str
) -> Producer[Played, None, None]:
    """Play the games of `numbers`, in any order. `RunError` if a worker has another revision; the errors of
    `cluster_client`.
    """
    with cluster_client(scheduler) as client:
        from distributed import as_completed

        completed = as_completed(loop=client.loop)
        waiting = 0
        while True:
            capacity = AHEAD * max(1, sum(client.nthreads().values()))
            while waiting < capacity and (number := next(numbers, None)) is not None:
                completed.add(client.submit(_play, settings, revision, number, pure=False))
                waiting += 1
            if not waiting:
                return
            done: Any = next(completed).result()
            waiting -= 1
            if isinstance(done, str):
                raise RunError(done)
            yield done


def _play(settings: Settings, revision: str, number: int) -> Played | str:
    """Play a game on a worker; a text says why that is not possible."""
    if own_revision() != revision:
        return f"a worker has revision {own_revision()}, not {revision}"
    generator = getattr(_of_thread, "generator", None)
    if generator is None or generator.settings != settings:
        generator = _of_thread.generator = Generator(settings)
    return play_one(generator, number)
