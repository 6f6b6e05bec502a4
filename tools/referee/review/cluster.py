"""Steps evaluated by the workers of a Dask cluster. A step is a task; those of a lost worker are given to others.

Workers need the same version of this package: another one may find other values.
"""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from junqi_engine.analysis.evaluation import Settings, StepEvaluator, StepValues
from junqi_engine.analysis.game import ReviewedGame
from junqi_engine.version import __version__
from tools.referee.exits import ExitCode, RefereeError

CONNECT_S = 10
AHEAD = 2
"""Steps submitted per thread of the cluster, so that no thread waits for the next one."""

_of_thread = threading.local()


class Cluster:
    """All workers that a scheduler knows at the time, as a context manager."""

    def __init__(self, settings: Settings, scheduler: str) -> None:
        self._settings, self._scheduler = settings, scheduler
        try:
            from distributed import Client
        except ImportError:
            raise RefereeError("a scheduler needs dask and distributed: pip install junqi-engine[cluster]") from None
        try:
            self._client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise RefereeError(f"scheduler {scheduler}: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError:
            self._client.close()
            raise RefereeError(f"scheduler {scheduler} has no workers") from None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def evaluate(self, game: ReviewedGame, steps: Sequence[int]) -> Iterator[StepValues]:
        """The values before each of `steps`, as they are found. `RefereeError` if the workers are lost."""
        from distributed import KilledWorker, as_completed

        ahead, running = iter(sorted(steps)), 0
        completed = as_completed(loop=self._client.loop)
        try:
            while True:
                capacity = AHEAD * max(1, sum(self._client.nthreads().values()))
                while running < capacity and (step := next(ahead, None)) is not None:
                    completed.add(self._client.submit(_evaluate, game, self._settings, step, __version__, pure=False))
                    running += 1
                if not running:
                    return
                found: Any = next(completed).result()
                running -= 1
                if isinstance(found, str):
                    raise RefereeError(f"scheduler {self._scheduler}: {found}", ExitCode.INTERNAL)
                yield found
        except KilledWorker as error:
            text = f"scheduler {self._scheduler}: the workers of a step were lost again and again: {error}"
            raise RefereeError(text, ExitCode.INTERNAL) from None
        except CancelledError:
            raise RefereeError(f"scheduler {self._scheduler}: the connection was lost", ExitCode.INTERNAL) from None


def _evaluate(game: ReviewedGame, settings: Settings, step: int, version: str) -> StepValues | str:
    """Evaluate a step on a worker; a text says why that is not possible."""
    if version != __version__:
        return f"a worker has version {__version__}, not {version}"
    evaluator = getattr(_of_thread, "evaluator", None)
    if evaluator is None or (evaluator.game, evaluator.settings) != (game, settings):
        evaluator = _of_thread.evaluator = StepEvaluator(game, settings)
    return evaluator.values_before(step)
