"""The thread of a contest session that sets up and thinks; what it has done comes back as events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any, NamedTuple

from protocol.dispatch import Dispatcher
from protocol.game import NO_MOVE, Control, GoRequest, Rejection
from protocol.worker import describe_exception

SEEDS = 2**31


class SetUp(NamedTuple):
    """There is a line-up for a game, by its number."""

    game: int
    lineup: str


@dataclass(eq=False)
class Search:
    """A `GO` in work. `fallback` is a legal move, once there is one. Times are those of the session's clock."""

    control: Control
    stop_at: float
    answer_at: float
    fallback: str = NO_MOVE


class Thought(NamedTuple):
    """A search has come to a move, in the text protocol's words; `NO_MOVE` if there is none."""

    search: Search
    move: str


class Failed(NamedTuple):
    """Something could not be done."""

    text: str


class ContestWorker:
    """Does one thing after the other with the luzhanqi player; `report` takes the events, in the worker's thread."""

    def __init__(
        self, dispatcher: Dispatcher, seed: int, report: Callable[[Any], None], log: Callable[[str, str], None]
    ) -> None:
        self._dispatcher = dispatcher
        self._seed = seed
        self._report = report
        self._log = log
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._work.put(lambda: dispatcher.load(self.control()))
        Thread(target=self._run, name="worker", daemon=True).start()

    def control(self) -> Control:
        """A control whose `info` lines go to the log, since the dialect has no place for them."""
        return Control(lambda line: self._log("--", line))

    def make_lineup(self, game: int) -> None:
        """A line-up for a game by its number, on which it depends and on the seed; `SetUp` comes of it."""
        self._work.put(lambda: self._make_lineup(game))

    def find_move(
        self, search: Search, positions: Sequence[Sequence[str]], quiet_plies: int, left_ms: Callable[[], int]
    ) -> None:
        """Think about the first of some positions that the rules accept; one `Thought` comes of it, whatever happens.

        `quiet_plies` are the plies without a battle that lose; `left_ms` gives the time that is left.
        """
        self._work.put(lambda: self._find_move(search, positions, quiet_plies, left_ms))

    def game_over(self, result: str) -> None:
        """Tell the player `win`, `loss` or `draw`."""
        self._work.put(lambda: self._dispatcher.game.game_over(result))

    def _run(self) -> None:
        while True:
            work = self._work.get()
            try:
                work()
            except Exception as error:  # noqa: BLE001  the process outlives any fault of ours, and says it
                self._report(Failed(describe_exception(error)))

    def _make_lineup(self, number: int) -> None:
        control = self.control()
        self._dispatcher.load(control)
        options, game = self._dispatcher.options, self._dispatcher.game
        seed = Random(f"{self._seed} {number}").randrange(SEEDS) if number else self._seed
        options.set(options.find("Seed"), seed)
        game.new_game()
        self._report(SetUp(number, game.setup("S", control)))

    def _find_move(
        self, search: Search, positions: Sequence[Sequence[str]], quiet_plies: int, left_ms: Callable[[], int]
    ) -> None:
        move = NO_MOVE
        try:
            # Whoever asks for a move does not think that the game has ended; without the limit there may be one.
            if self._take_position(positions, quiet_plies) or self._take_position(positions, 0):
                game = self._dispatcher.game
                search.fallback = game.legal()[0]
                move = game.go(GoRequest(time_ms=max(1, left_ms()), inc_ms=0), search.control)
        except Exception as error:  # noqa: BLE001  whatever went wrong, a legal move is better than none
            self._report(Failed(describe_exception(error)))
        self._report(Thought(search, search.fallback if move == NO_MOVE else move))

    def _take_position(self, positions: Sequence[Sequence[str]], quiet_plies: int) -> bool:
        """Set up the first position that the rules accept and in which there is something to play."""
        if self._dispatcher.options["NoContactLimit"] != quiet_plies:
            self._dispatcher.set_option(["name", "NoContactLimit", "value", str(quiet_plies)], self.control())
        for words in positions:
            try:
                self._dispatcher.game.set_position(list(words))
                if self._dispatcher.game.legal():
                    return True
            except Rejection as rejection:
                self._report(Failed(f"position {rejection.code} {rejection}"))
        return False
