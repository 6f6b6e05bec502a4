"""The clock of one party: it runs while the party is to move."""

import asyncio
import time
from collections.abc import Callable


class PartyClock:
    """Times are in milliseconds. With `base_ms` None it only measures."""

    def __init__(self, base_ms: int | None, increment_ms: int) -> None:
        self.base_ms = base_ms
        self.increment_ms = increment_ms
        self.left_ms = float(base_ms or 0)
        self._began: float | None = None
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        return self._began is not None

    @property
    def elapsed_ms(self) -> float:
        """The time since it was started; 0 while it stands."""
        return 0.0 if self._began is None else 1000 * (time.monotonic() - self._began)

    @property
    def shown_ms(self) -> float | None:
        """What is left at this moment; None without a limit."""
        return None if self.base_ms is None else max(0.0, self.left_ms - self.elapsed_ms)

    def start(self, run_out: Callable[[], None] | None = None) -> None:
        """Let it run, if it does not already; `run_out` is called when nothing is left."""
        if self._began is not None:
            return
        self._began = time.monotonic()
        if run_out is not None and self.base_ms is not None:
            self._alarm = asyncio.get_running_loop().call_later(self.left_ms / 1000, run_out)

    def stop(self) -> float:
        """Stop after a move: the time that it took. The increment is added."""
        spent_ms = self.halt()
        if self.base_ms is not None:
            self.left_ms += self.increment_ms
        return spent_ms

    def halt(self) -> float:
        """Stop without a move having been made; the time since the start is spent."""
        spent_ms = self.elapsed_ms
        self.forgive()
        if self.base_ms is not None:
            self.left_ms = max(0.0, self.left_ms - spent_ms)
        return spent_ms

    def forgive(self) -> None:
        """Stop as if it had never been started."""
        self._began = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
