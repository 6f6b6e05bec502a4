"""The thread of a contest session that makes line-ups and searches. Its results come back as events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any, NamedTuple

from junqi_engine.engines.engine_lines import NO_MOVE
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.game_interface import SEEDS, Control, GoRequest, Rejection
from junqi_protocol.worker import describe_exception


class LineupMade(NamedTuple):
    """The line-up for a game, given by its number."""

    game: int
    lineup: str


@dataclass(eq=False)
class PendingMove:
    """A `GO` that is being answered.

    `positions` are arguments of `position`, best first. After `quiet_plies` plies without a battle the side to move
    loses. `stop_at`, `answer_at` and `flag_falls_at` are times of the session's clock, in seconds. `fallback` is a
    legal move as soon as one is known.
    """

    control: Control
    positions: Sequence[Sequence[str]]
    quiet_plies: int
    stop_at: float
    answer_at: float
    flag_falls_at: float
    fallback: str = NO_MOVE


class MoveFound(NamedTuple):
    """The result of a search: a move of the text protocol, or `NO_MOVE` if there is none."""

    pending: PendingMove
    move: str


class Failed(NamedTuple):
    """Something went wrong; the text says what."""

    text: str


class ContestWorker:
    """Carries out its tasks one after the other with the luzhanqi player.

    `report` is called with each event, in the worker's thread; `log` with each line for the log. `clock` is that of the
    session.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        seed: int,
        report: Callable[[Any], None],
        log: Callable[[str, str], None],
        clock: Callable[[], float],
    ) -> None:
        self._dispatcher = dispatcher
        self._seed = seed
        self._report = report
        self._log = log
        self._clock = clock
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._tasks.put(lambda: dispatcher.load(self.control()))
        Thread(target=self._run, name="worker", daemon=True).start()

    def control(self) -> Control:
        """A control whose `info` lines go to the log, because the dialect has none."""
        return Control(lambda line: self._log("--", line))

    def make_lineup(self, game: int) -> None:
        """Make the line-up for a game, which depends on the seed and the game's number. Reports `LineupMade`."""
        self._tasks.put(lambda: self._make_lineup(game))

    def find_move(self, pending: PendingMove) -> None:
        """Search the first of the positions that the rules accept. Reports one `MoveFound`, even after an error."""
        self._tasks.put(lambda: self._find_move(pending))

    def game_over(self, result: str) -> None:
        """Tell the player the result: `win`, `loss` or `draw`."""
        self._tasks.put(lambda: self._dispatcher.game.game_over(result))

    def _run(self) -> None:
        while True:
            task = self._tasks.get()
            try:
                task()
            except Exception as error:  # noqa: BLE001  a bug must not end the process; it is reported
                self._report(Failed(describe_exception(error)))

    def _make_lineup(self, number: int) -> None:
        control = self.control()
        self._dispatcher.load(control)
        options, game = self._dispatcher.options, self._dispatcher.game
        seed = Random(f"{self._seed} {number}").randrange(SEEDS) if number else self._seed
        options.set(options.find("Seed"), seed)
        game.new_game()
        self._report(LineupMade(number, game.setup("S", control)))

    def _find_move(self, pending: PendingMove) -> None:
        move = NO_MOVE
        try:
            # A referee that asks for a move does not consider the game finished: without the limit there may be one.
            if self._take_position(pending, pending.quiet_plies) or self._take_position(pending, 0):
                game = self._dispatcher.game
                pending.fallback = game.legal()[0]
                remaining_ms = int(1000 * (pending.flag_falls_at - self._clock()))
                move = game.go(GoRequest(time_ms=max(1, remaining_ms), inc_ms=0), pending.control)
        except Exception as error:  # noqa: BLE001  after any error, a legal move is better than none
            self._report(Failed(describe_exception(error)))
        self._report(MoveFound(pending, pending.fallback if move == NO_MOVE else move))

    def _take_position(self, pending: PendingMove, quiet_plies: int) -> bool:
        """Set up the first position that the rules accept and that has a legal move; False if there is none."""
        if self._dispatcher.options["NoContactLimit"] != quiet_plies:
            self._dispatcher.set_option(["name", "NoContactLimit", "value", str(quiet_plies)], self.control())
        for words in pending.positions:
            try:
                self._dispatcher.game.set_position(list(words))
                if self._dispatcher.game.legal():
                    return True
            except Rejection as rejection:
                self._report(Failed(f"position {rejection.code} {rejection}"))
        return False
