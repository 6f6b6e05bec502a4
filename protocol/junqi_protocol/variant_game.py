"""The interface between the session and a game. Junqi and every puzzle implement it.

The worker thread makes a game and calls it, one call at a time. `Control` is shared with the main thread.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from junqi_engine.errors import Refused
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_engine.search.clock import Clock


class GoRequest(NamedTuple):
    """The arguments of a `go`; None for a missing limit. `clocks_ms` and `increments_ms` are by team, South's first."""

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
    hint: bool = False
    generate: bool = False
    level: str | None = None
    clamped: tuple[str, ...] = ()
    """One message for each argument that was clamped to its range."""

    def clock(self, team: int, overhead_ms: float = 0.0) -> Clock | None:
        """The clock for a move of a team (0 is South's); None if something else ends the search. `time` and `inc` take
        precedence over team clocks.
        """
        is_of_mover = self.time_ms is not None
        remaining_ms = self.time_ms if is_of_mover else self.clocks_ms[team]
        has_other_limit = self.depth is not None or self.nodes is not None or self.ponder
        if self.infinite or (has_other_limit and self.movetime_ms is None and remaining_ms is None):
            return None
        increment_ms = self.inc_ms if is_of_mover else self.increments_ms[team]
        return Clock(self.movetime_ms, remaining_ms, increment_ms, self.movestogo, overhead_ms)


RELEASED = threading.Event()
RELEASED.set()
"""One event for all searches with a limit: an event takes a kilobyte, and many searches may be queued."""


class Control:
    """The state that a running call shares with the session: a stop flag, a clock, and the output for `info` lines.

    A call that `is_open_ended` is not answered before its release: by `stop`, or by `ponderhit` if it
    `waits_for_ponderhit`.
    """

    def __init__(
        self, write: Callable[[str], None], is_open_ended: bool = False, waits_for_ponderhit: bool = False
    ) -> None:
        self.stop_flag = bytearray(1)
        """1 stops the search. Kernels see the same byte through `numpy.frombuffer(stop_flag, numpy.uint8)`."""
        self.started = time.monotonic()
        self.best = NO_MOVE_TEXT
        """The best move so far, for `quit`, which does not wait for the search."""
        self._write = write
        self._released = threading.Event() if is_open_ended else RELEASED
        self._waits_for_ponderhit = waits_for_ponderhit

    @property
    def stopped(self) -> bool:
        return bool(self.stop_flag[0])

    def elapsed_ms(self) -> int:
        return int(1000 * (time.monotonic() - self.started))

    def info(self, text: str) -> None:
        self._write(f"info {text}")

    def say(self, text: str) -> None:
        self._write(f"info string {text}")

    def stop(self) -> None:
        self.stop_flag[0] = 1
        self._released.set()

    def stop_search(self) -> None:
        """End the search, but not the wait for `stop` or `ponderhit`."""
        self.stop_flag[0] = 1

    def ponderhit(self) -> None:
        """Release a pondering search and start its clock. Other searches are not affected."""
        if self._waits_for_ponderhit:
            self.started = time.monotonic()
            self._released.set()

    @property
    def is_released(self) -> bool:
        """False while `go infinite` or `go ponder` must not be answered yet."""
        return self._released.is_set()

    def wait_for_release(self) -> None:
        self._released.wait()


class VariantGame:
    """One variant. A method that cannot carry out a command raises `Refused` and changes nothing."""

    searches_to_evaluate = False
    """Whether `eval` is a search, which may take a long time."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        self.variant = variant
        self.options = options

    def warm_up(self) -> None:
        """Warm up: run a silent `go` with the current options, so that the first real one loads nothing.

        The position stays. `Refused` if the `go` is refused.
        """

    def new_game(self) -> None:
        """Discard everything about the last game except the position."""

    def option_changed(self, name: str) -> None:
        """React to a new value in `options`; `name` is the declared name of the option."""

    def set_position(self, words: list[str]) -> None:
        """Set up a position; `words` are the arguments of `position`."""
        raise NotImplementedError

    def prepare(self, control: Control) -> None:
        """Do the work that the first search of a new position needs, unless `control` is stopped."""

    def go(self, request: GoRequest, control: Control) -> str:
        """Search; the best move or `NO_MOVE_TEXT`. The session delays the answer until `control` is released."""
        raise NotImplementedError

    def perft(self, depth: int, control: Control) -> None:
        self._refuse("go perft")

    def setup(self, seat: str | None, control: Control) -> str:
        """A line-up of 25 letters for a seat, by default the seat to move."""
        self._refuse("go setup")

    def hint(self, request: GoRequest, control: Control) -> str:
        """The first move of a best solution, or `NO_MOVE_TEXT`. Prints the number of moves that are left."""
        self._refuse("go hint")

    def generate(self, request: GoRequest, control: Control) -> None:
        self._refuse("go generate")

    def legal(self) -> list[str]:
        raise NotImplementedError

    def describe(self) -> list[str]:
        """The lines of `d`."""
        raise NotImplementedError

    def record(self) -> list[str]:
        """The moves so far with their suffixes: the public record."""
        self._refuse("moves")

    def ending(self) -> list[str]:
        """The lines after `moves` that say how the game ended; none while it continues."""
        return []

    def evaluate(self, control: Control) -> list[str]:
        """The lines of `eval`."""
        self._refuse("eval")

    def belief(self, point: str | None) -> list[str]:
        """The lines of `belief`, each without its `info`."""
        self._refuse("belief")

    def bench(self, control: Control) -> list[str]:
        """The lines of `bench`; the last one has a signature that changes only when the behaviour changes."""
        self._refuse("bench")

    def export(self, path: str) -> None:
        self._refuse("export")

    def _refuse(self, command: str) -> NoReturn:
        raise Refused("not-supported", f"{self.variant} does not support '{command}'")


SEEDS = 2**31
"""Exclusive upper bound of a seed."""
DRAWN = -1
"""The value of the option `Seed` that draws a new seed for each game."""


class GameSeed:
    """The seed of all random choices in a game. With `Seed` -1 it is drawn at the start and by `renew`."""

    def __init__(self, options: Mapping[str, int | bool | str]) -> None:
        self._options = options
        self.renew()

    def renew(self) -> None:
        self._drawn = secrets.randbelow(SEEDS)
        self._is_printed = False

    def value(self, control: Control) -> int:
        """The seed. A drawn one is printed when it is first used."""
        seed = int(self._options["Seed"])
        if seed != DRAWN:
            return seed
        if not self._is_printed:
            self._is_printed = True
            control.say(f"seed {self._drawn}")
        return self._drawn
