"""What the session knows of a game: one interface, which Junqi and every puzzle implement.

The worker thread makes a game and calls it, one call at a time. `Control` is shared with the session's thread.
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
    """The arguments of a `go`; None for a limit that was not given. `clocks_ms` and `increments_ms` are by team, that
    of South first.
    """

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
    """What was taken for arguments that cannot be meant, a line of text for each."""

    def clock(self, team: int, overhead_ms: float = 0.0) -> Clock | None:
        """The time for a move of a team (0 is South's); None if something else ends the search. `time` and `inc` take
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
"""Shared by all searches that have a limit: an event takes a kilobyte, and many searches may wait."""


class Control:
    """What a running job shares with the session: a stop flag, a clock, and the output for `info` lines.

    A job that `is_open_ended` must not be answered before it is released: by `stop`, or by `ponderhit` if it
    `waits_for_ponderhit`.
    """

    def __init__(
        self, write: Callable[[str], None], is_open_ended: bool = False, waits_for_ponderhit: bool = False
    ) -> None:
        self.stop_flag = bytearray(1)
        """Set to 1 to stop. Kernels see the same byte through `numpy.frombuffer(stop_flag, numpy.uint8)`."""
        self.started = time.monotonic()
        self.best = NO_MOVE_TEXT
        """The best move so far, for an end that does not wait for the search."""
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
        """Release a search that ponders and start its clock. Other searches are not affected."""
        if self._waits_for_ponderhit:
            self.started = time.monotonic()
            self._released.set()

    @property
    def is_released(self) -> bool:
        """False while an answer would be too early, in `go infinite` and `go ponder`."""
        return self._released.is_set()

    def wait_for_release(self) -> None:
        self._released.wait()


class VariantGame:
    """One variant. A method that cannot carry out a command raises `Refused` and changes nothing."""

    searches_to_evaluate = False
    """Whether `eval` is a search, which may take long."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        self.variant = variant
        self.options = options

    def warm_up(self) -> None:
        """Do, unseen, all that a first `go` with the current options does, so that it will not have to load anything.

        Changes nothing that can be seen. A `Refused` if such a `go` is refused.
        """

    def new_game(self) -> None:
        """Discard everything about the last game except the position."""

    def option_changed(self, name: str) -> None:
        """Use the new value in `options` of an option, given by its declared name."""

    def set_position(self, words: list[str]) -> None:
        """Set up a position; `words` are the arguments of `position`."""
        raise NotImplementedError

    def prepare(self, control: Control) -> None:
        """Do what the first search of a new position would have to do, unless `control` is stopped."""

    def go(self, request: GoRequest, control: Control) -> str:
        """Search; the best move or `NO_MOVE_TEXT`. The session delays the answer until `control` is released."""
        raise NotImplementedError

    def perft(self, depth: int, control: Control) -> None:
        self._refuse("go perft")

    def setup(self, seat: str | None, control: Control) -> str:
        """A line-up of 25 letters for a seat, by default the seat to move."""
        self._refuse("go setup")

    def hint(self, request: GoRequest, control: Control) -> str:
        """The next best move of a puzzle, or `NO_MOVE_TEXT`, with how good it is."""
        self._refuse("go hint")

    def generate(self, request: GoRequest, control: Control) -> None:
        self._refuse("go generate")

    def legal(self) -> list[str]:
        raise NotImplementedError

    def describe(self) -> list[str]:
        """The lines of `d`."""
        raise NotImplementedError

    def record(self) -> list[str]:
        """The moves so far, with what everyone saw."""
        self._refuse("moves")

    def ending(self) -> list[str]:
        """How the game has ended, as lines of text; none while it goes on, or if that is not known."""
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
        raise Refused("not-supported", f"{command}: {self.variant} does not have it")


SEEDS = 2**31
"""Seeds are below this number."""
DRAWN = -1
"""The value of the option for a new seed in each game."""


class GameSeed:
    """The seed of everything random in a game. With `Seed` -1 it is drawn at the start and by `renew`."""

    def __init__(self, options: Mapping[str, int | bool | str]) -> None:
        self._options = options
        self.renew()

    def renew(self) -> None:
        self._drawn = secrets.randbelow(SEEDS)
        self._is_printed = False

    def value(self, control: Control) -> int:
        """The seed, for a command that depends on it. Prints a drawn seed the first time."""
        seed = int(self._options["Seed"])
        if seed != DRAWN:
            return seed
        if not self._is_printed:
            self._is_printed = True
            control.say(f"seed {self._drawn}")
        return self._drawn
