"""What the session gives its worker, and what comes back: jobs, and answers that are given exactly once."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from protocol.game import Control


class EndOfInput(NamedTuple):
    """No more lines will come."""


class Signal(NamedTuple):
    """The process was asked to end."""

    exit_code: int


class Job(NamedTuple):
    """Work for the worker. `is_search`: `isready` is answered beside it; `is_loading`: it may take a minute."""

    work: Callable[[], None]
    control: Control
    is_search: bool = False
    is_loading: bool = False
    size: int = 0


class Done(NamedTuple):
    """The worker has finished a job."""

    job: Job


class Search:
    """A `go` that waits for its one answer."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._lock = threading.Lock()
        self._is_answered = False

    def answer(self, move: str) -> None:
        """Print `bestmove`, unless it was printed before."""
        with self._lock:
            if not self._is_answered:
                self._is_answered = True
                self._write(f"bestmove {move}")


class Readiness:
    """An `isready` that waits for the jobs before it, or until it is `due`, and is answered once."""

    def __init__(self, write: Callable[[str], None], due: float) -> None:
        self.due = due
        self._write = write
        self._lock = threading.Lock()
        self._is_answered = False

    def answer(self) -> None:
        """Print `readyok`, unless it was printed before."""
        with self._lock:
            if not self._is_answered:
                self._is_answered = True
                self._write("readyok")
