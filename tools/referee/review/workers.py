"""Search processes on this machine, each of which evaluates one step at a time."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from junqi_engine.analysis.evaluation import Settings, StepEvaluator, StepValues
from junqi_engine.analysis.game import ReviewedGame
from tools.referee.exits import ExitCode, RefereeError


class SearchProcesses:
    """Processes that search, as a context manager. Their number does not change what they find."""

    def __init__(self, settings: Settings, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(settings, theirs), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(ours)

    def __enter__(self) -> "SearchProcesses":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        for pipe in self._pipes:
            pipe.close()

    def evaluate(self, game: ReviewedGame, steps: Sequence[int]) -> Iterator[StepValues]:
        """The values before each of `steps`, as they are found. `RefereeError` if a process ends."""
        ahead = iter(sorted(steps))
        busy: dict[Connection, int] = {}
        for pipe in self._pipes:
            self._give(pipe, game, ahead, busy)
        while busy:
            for ready in wait(list(busy)):
                pipe = next(pipe for pipe in busy if pipe is ready)
                step = busy.pop(pipe)
                found = self._take(pipe, step)
                self._give(pipe, game, ahead, busy)
                yield found

    def _give(self, pipe: Connection, game: ReviewedGame, ahead: Iterator[int], busy: dict[Connection, int]) -> None:
        step = next(ahead, None)
        if step is not None:
            try:
                pipe.send((game, step))
            except (BrokenPipeError, ConnectionResetError):
                raise self._ended(pipe, step) from None
            busy[pipe] = step

    def _take(self, pipe: Connection, step: int) -> StepValues:
        try:
            found = pipe.recv()
        except (EOFError, ConnectionResetError):
            raise self._ended(pipe, step) from None
        if isinstance(found, str):
            raise RefereeError(f"step {step}: {found}", ExitCode.INTERNAL)
        return found

    def _ended(self, pipe: Connection, step: int) -> RefereeError:
        process = self._processes[self._pipes.index(pipe)]
        process.join()
        code = process.exitcode or 0
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"it ended with exit code {code}"
        return RefereeError(f"step {step}: a search process has died: {how}", ExitCode.INTERNAL)


def _serve(settings: Settings, pipe: Connection) -> None:
    """A search process: evaluates what it is told to, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    evaluator: StepEvaluator | None = None
    try:
        while True:
            game, step = pipe.recv()
            if evaluator is None or evaluator.game != game:
                evaluator = StepEvaluator(game, settings)
            pipe.send(evaluator.values_before(step))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)
    except Exception as error:  # noqa: BLE001  it is raised in the parent, which names the step
        pipe.send(f"{type(error).__name__}: {error}")
