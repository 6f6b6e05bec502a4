"""The events in a session's inbox, the jobs for its worker, and answers that are given exactly once."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from junqi_engine.engines.engine_lines import NO_MOVE
from protocol.game_interface import Control


class EndOfInput(NamedTuple):
    """No more lines will come."""


class Signal(NamedTuple):
    """The operating system asked the process to end."""

    exit_code: int


class PendingAnswer:
    """An answer that is due. It is printed once, whichever thread comes first."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._lock = threading.Lock()
        self._is_given = False

    def give(self, line: str) -> None:
        """Print the answer, unless one was printed before."""
        with self._lock:
            if not self._is_given:
                self._is_given = True
                self._write(line)


class PendingBestmove(PendingAnswer):
    """The answer to a `go`. `move` is the best move once it is known."""

    move = NO_MOVE

    def answer(self) -> None:
        self.give(f"bestmove {self.move}")


class PendingReadyok(PendingAnswer):
    """The answer to an `isready`: given after the jobs before it, or at `due`, in seconds of `time.monotonic`."""

    def __init__(self, write: Callable[[str], None], due: float) -> None:
        super().__init__(write)
        self.due = due

    def answer(self) -> None:
        self.give("readyok")


class Job(NamedTuple):
    """Work for the worker. `isready` is answered while a job runs that `is_search`.

    A job that `is_loading` can take a minute. `size` is what it counts for, in bytes, in the backlog. `bestmove` is
    answered when the work is done, after any error that it printed.
    """

    work: Callable[[], None]
    control: Control
    is_search: bool = False
    is_loading: bool = False
    size: int = 0
    bestmove: PendingBestmove | None = None


class JobDone(NamedTuple):
    """The worker has finished its oldest job."""

    job: Job
