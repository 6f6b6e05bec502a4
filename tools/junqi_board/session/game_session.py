"""A game in the running server: it feeds the game with inputs and the time, and hands events to the subscribers.

All of it happens in the event loop; engines search in threads of their own and are awaited.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from junqi_board.engine_pool import EnginePool
from junqi_board.errors import InternalErrors, RequestError
from junqi_board.game.parts import Events
from junqi_board.game.record import resumed
from junqi_board.game.seating import Seating
from junqi_board.game.state import BoardGame
from junqi_board.session.advisers import Advisers
from junqi_board.session.engine_supervision import EngineSupervision
from junqi_board.session.game_pages import GamePages, Page
from junqi_board.session.saving import Held, SavedGame, hold
from junqi_engine.players import lineup_choice
from junqi_referee.settings.settings import new_secret


@dataclass(frozen=True)
class Checkpoint:
    """All that an input may change: the fields of a game and of its players, and the moves.

    A game returns to it if the input fails for an internal error.
    """

    fields: dict[str, Any]
    players: tuple[tuple[dict[str, Any], dict[str, Any]], ...]
    moves: tuple[str, ...] | None

    @classmethod
    def of(cls, game: BoardGame) -> "Checkpoint":
        return cls(
            {name: _copy(value) for name, value in vars(game).items() if name not in ("truth", "players")},
            tuple((dict(vars(player)), dict(vars(player.clock))) for player in game.players),
            None if game.truth is None else tuple(game.truth.moves),
        )

    def restore(self, game: BoardGame) -> None:
        """Give a game the state that it had; its position is made anew, because it may be half changed."""
        vars(game).update({name: _copy(value) for name, value in self.fields.items()})
        for player, (fields, clock) in zip(game.players, self.players, strict=True):
            vars(player).update(fields)
            vars(player.clock).update(clock)
        game.truth = None if self.moves is None else game.truth_after(self.moves)


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list) else value


class GameSession:
    """One game with its engines, advisers, pages and file. `close` ends it."""

    def __init__(
        self, game: BoardGame, pool: EnginePool, folder: Path, errors: InternalErrors, resumed: Held | None = None
    ) -> None:
        """`resumed` is the file of a game that is resumed; any other game gets a new file in `folder`."""
        self.game = game
        self._saved = SavedGame(game, folder, self._save_failed, resumed)
        self.pages = GamePages(game, self._saved)
        self.advisers = Advisers(game, pool, self.pages, self.run)
        self._pool = pool
        self._errors = errors
        self._engines = EngineSupervision(game, pool, self.apply, self.run, errors)
        # The file comes before the pages: they show its name.
        self._subscribers = (self._engines.receive, self._saved.receive, self._show)
        self._tasks: set[asyncio.Task] = set()
        self._flag_timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def open(self) -> None:
        self._engines.start_all()

    def apply(self, action: Callable[[float], Events]) -> None:
        """Call an input of the game with the present time, and hand its events to the subscribers.

        A `RequestError` passes through. So does an internal error, after the game has returned to the state before the
        input. Once the session is closed nothing happens.
        """
        if self._is_closed:
            return
        before = Checkpoint.of(self.game)
        try:
            events = action(time.monotonic())
        except RequestError:
            raise
        except BaseException:
            before.restore(self.game)
            raise
        finally:
            self._set_flag_timer()
        for receive in self._subscribers:
            self._hand_over(events, receive)

    def join(self, page: Page, seats: str) -> None:
        """A page has come for the seats of a party, or, with any other seats, to watch."""
        self.pages.join(page, seats)
        self._refresh_pages()

    def leave(self, page: Page) -> None:
        self.pages.leave(page)
        if not self._is_closed:
            self._refresh_pages()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine until the session is closed; an exception in it is reported."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)

    def close(self) -> None:
        """Save the game and let its engines go: the board turns to another game."""
        self._is_closed = True
        self._saved.close()
        if self._flag_timer is not None:
            self._flag_timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._engines.close()
        self.advisers.close()

    def _hand_over(self, events: Events, receive: Callable[[Events], None]) -> None:
        """The game has changed: an internal error of one subscriber must not keep the others from knowing."""
        with self._errors.handled("events of the game", self._tell):
            receive(events)

    def _show(self, events: Events) -> None:
        self.pages.receive(events)
        if events:
            self.advisers.refresh_all()

    def _refresh_pages(self) -> None:
        self.pages.send_state()
        self.advisers.refresh_all()

    def _save_failed(self, reason: str) -> None:
        self.pages.send_notice("not-saved", f"the game cannot be saved: {reason}")

    def _set_flag_timer(self) -> None:
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        delay_s = self.game.time_to_flag_s(time.monotonic())
        if delay_s is not None:
            self._flag_timer = asyncio.get_running_loop().call_later(delay_s, self._tick)

    def _tick(self) -> None:
        with self._errors.handled("the end of a clock", self._tell):
            self.apply(self.game.tick)

    def _task_ended(self, task: asyncio.Task) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            with self._errors.handled("a task of the game", self._tell):
                task.result()

    def _tell(self, text: str) -> None:
        self.pages.send_notice("internal", text)


def new_session(number: int, seating: Seating, pool: EnginePool, folder: Path, errors: InternalErrors) -> GameSession:
    drafts = {seat: lineup_choice.sensible(secrets.SystemRandom()) for seat in seating.board.seats}
    return GameSession(BoardGame(number, seating, new_secret(), drafts), pool, folder, errors)


async def resumed_session(
    number: int, name: str, variants: tuple[str, ...], pool: EnginePool, folder: Path, errors: InternalErrors
) -> GameSession:
    """A session of the saved game in the file `name`, which goes on in that file; `RequestError` if it cannot."""
    held, game = await asyncio.to_thread(_load, number, name, variants, pool, folder)
    return GameSession(game, pool, folder, errors, held)


def _load(number: int, name: str, variants: tuple[str, ...], pool: EnginePool, folder: Path) -> tuple[Held, BoardGame]:
    """A saved game, and its file, which is held; in a thread, because a long record takes seconds to check."""
    held = hold(folder, name)
    try:
        return held, resumed(held.record, number, pool.programs, variants)
    except BaseException:
        held.release()
        raise
