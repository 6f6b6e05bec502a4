"""What the session knows of a game: one interface, which Junqi and every puzzle stand behind.

A game is made and called by the worker thread, one call at a time, with two exceptions: the commands in `quick` may be
called by the session's thread while `go` runs, so they must not change anything; and `Control` is shared by both.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, NoReturn

NO_MOVE = "(none)"


class Rejection(ValueError):
    """A command that is not carried out: one of the protocol's error codes, and what is wrong where."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class GoRequest(NamedTuple):
    """The words of a `go`; None where a limit was not given. `clocks_ms` is (South's team, the other)."""

    depth: int | None = None
    nodes: int | None = None
    movetime_ms: int | None = None
    time_ms: int | None = None
    inc_ms: int | None = None
    clocks_ms: tuple[int | None, int | None] = (None, None)
    increments_ms: tuple[int | None, int | None] = (None, None)
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()
    perft: int | None = None
    setup: bool = False
    setup_seat: str | None = None

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing at all says when to stop."""
        limits = (self.depth, self.nodes, self.movetime_ms, self.time_ms, *self.clocks_ms)
        return not self.infinite and not self.ponder and all(limit is None for limit in limits)


class Control:
    """What a running job and the session share: the stop flag, the clock, and the way out for `info` lines."""

    def __init__(
        self, write: Callable[[str], None], is_open_ended: bool = False, waits_for_ponderhit: bool = False
    ) -> None:
        self.stop_flag = bytearray(1)
        """Set to 1 to stop. Kernels see the same byte through `numpy.frombuffer(stop_flag, numpy.uint8)`."""
        self.started = time.monotonic()
        self._write = write
        self._released = threading.Event()
        self.is_open_ended = is_open_ended
        self._waits_for_ponderhit = waits_for_ponderhit
        if not is_open_ended:
            self._released.set()

    @property
    def stopped(self) -> bool:
        return bool(self.stop_flag[0])

    def elapsed_ms(self) -> int:
        return int(1000 * (time.monotonic() - self.started))

    def info(self, text: str) -> None:
        """Print one `info` line."""
        self._write(f"info {text}")

    def say(self, text: str) -> None:
        """Print free text."""
        self._write(f"info string {text}")

    def restart(self) -> None:
        """Count the time from now on."""
        self.started = time.monotonic()

    def stop(self) -> None:
        self.stop_flag[0] = 1
        self._released.set()

    def stop_search(self) -> None:
        """End the search, but not the wait for `stop` or `ponderhit`."""
        self.stop_flag[0] = 1

    def ponderhit(self) -> None:
        """The answer may be given, the clock runs. Nothing to a search that does not ponder."""
        if self._waits_for_ponderhit:
            self.started = time.monotonic()
            self._released.set()

    @property
    def is_released(self) -> bool:
        """False while an answer would come too early: in `go infinite` and `go ponder`, until the session says so."""
        return self._released.is_set()

    def wait_for_release(self) -> None:
        self._released.wait()


class BenchResult(NamedTuple):
    """`signature` depends on behaviour alone, never on time."""

    nodes: int
    seconds: float
    signature: int
    is_complete: bool = True
    lines: Sequence[str] = ()


class Game:
    """One variant. A method raises `Rejection` when the command can't be carried out, and then changes nothing."""

    quick: frozenset[str] = frozenset({"d", "legal"})

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        self.variant = variant
        self.options = options

    def new_game(self) -> None:
        """Forget everything about the last game; the position stays."""

    def option_changed(self, name: str) -> None:
        """An option, by its declared name, has a new value in `options`."""

    def set_position(self, words: list[str]) -> None:
        """`words` are what follows `position`."""
        raise NotImplementedError

    def go(self, request: GoRequest, control: Control) -> str:
        """Search and give the best move, or `NO_MOVE`. With a `control` that isn't released, the session holds it
        back.
        """
        raise NotImplementedError

    def perft(self, depth: int, control: Control) -> None:
        self._refuse("go perft")

    def setup(self, seat: str | None, control: Control) -> str:
        """A line-up of 25 letters."""
        self._refuse("go setup")

    def legal(self) -> list[str]:
        raise NotImplementedError

    def describe(self) -> list[str]:
        """The lines of `d`."""
        raise NotImplementedError

    def evaluate(self, control: Control) -> list[str]:
        """The lines of `eval`."""
        self._refuse("eval")

    def belief(self, point: str | None) -> list[str]:
        """The lines of `belief`, each without its `info`."""
        self._refuse("belief")

    def bench(self, control: Control) -> BenchResult:
        self._refuse("bench")

    def export(self, path: str) -> None:
        self._refuse("export")

    def game_over(self, result: str) -> None:
        """The game has ended for us in `win`, `loss` or `draw`."""

    def _refuse(self, command: str) -> NoReturn:
        raise Rejection("not-supported", f"{command} in {self.variant}")
