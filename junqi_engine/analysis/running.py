"""The positions of a game evaluated on several threads. What they find does not depend on the number of threads."""

import threading
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue

import numpy as np

from junqi_engine.analysis.evaluation import ReviewStopped, Settings, StepEvaluator, StepValues
from junqi_engine.analysis.reviewed_game import ReviewedGame

SIGNALS_SEEN_S = 0.2


def evaluate(game: ReviewedGame, settings: Settings, steps: Sequence[int], threads: int) -> Iterator[StepValues]:
    """The values before each of `steps`, as they are found. All threads end with the iterator, within a moment."""
    stop = np.zeros(1, np.uint8)
    done: SimpleQueue[StepValues | BaseException] = SimpleQueue()
    waiting = iter(sorted(steps))
    lock = threading.Lock()

    def work() -> None:
        try:
            evaluator = StepEvaluator(game, settings, stop)
            while not stop[0]:
                with lock:
                    step = next(waiting, None)
                if step is None:
                    return
                done.put(evaluator.values_before(step))
        except ReviewStopped:
            pass
        except BaseException as error:  # noqa: BLE001  raised again in the thread that waits
            done.put(error)

    workers = [threading.Thread(target=work, name=f"review {n}", daemon=True) for n in range(min(threads, len(steps)))]
    for worker in workers:
        worker.start()
    try:
        for _ in steps:
            yield _next(done)
    finally:
        stop[0] = 1
        for worker in workers:
            worker.join()


def _next(done: "SimpleQueue[StepValues | BaseException]") -> StepValues:
    while True:
        try:
            # With a timeout, because a signal that arrives just before the wait begins is only handled after it.
            found = done.get(timeout=SIGNALS_SEEN_S)
        except Empty:
            continue
        if isinstance(found, BaseException):
            raise found
        return found
