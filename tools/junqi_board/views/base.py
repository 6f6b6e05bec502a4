"""What all views have in common: the commands that they answer, and what they know of the page."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from junqi_board.access import Access
from junqi_board.engines import BoardEngine
from junqi_board.errors import RequestError
from junqi_board.game.game import Phase
from junqi_board.messages import Check
from junqi_board.server import Server
from junqi_referee.records.game_record import GameRecord

if TYPE_CHECKING:
    from junqi_board.table import Table

T = TypeVar("T")

MessageId = int | None
"""The `id` of a message, which its answer repeats."""


@dataclass(frozen=True)
class Command:
    """A message that a page may send. The key in `View.commands` is its `type`.

    `handler` is a method of the view; it is awaited with the message id and the fields, and raises `RequestError` for a
    request that it refuses. A slow command runs beside others; `host_only` refuses guests.
    """

    handler: Callable[..., Awaitable[None]]
    fields: Mapping[str, Check] = field(default_factory=dict)
    is_slow: bool = False
    host_only: bool = False


@dataclass
class PageContext:
    """One page, as its views see it. `shown` is the game that it shows."""

    server: Server
    access: Access
    send: Callable[[dict[str, Any]], None]
    shown: "Table | None" = None

    @property
    def table(self) -> "Table":
        """The game that the page shows; `RequestError` if it is over for the page."""
        if self.shown is None or self.shown is not self.server.table:
            raise RequestError("no-game", "this game is over: the board shows another")
        return self.shown

    def own_seats(self, table: "Table") -> str:
        """The seats that the page may play in a game; empty if it only watches."""
        return table.game.seating.host_seats if self.access.is_host else self.access.seats

    def refuse_running_game(self, record: GameRecord) -> None:
        """Refuse a record that may be of a game that the page's person plays or watches now: it shows all pieces.

        Only the line-ups that the person sees are compared. If hidden ones were, the answer would tell whether a guess
        of them is right.
        """
        table = self.server.table_of(self.access)
        if table is None or table.game.phase != Phase.PLAYING:
            return
        game, seen = table.game, table.pages.seen_by(self.own_seats(table))
        is_alike = all(record.lineups.get(seat) == game.lineups[seat] for seat in seen)
        if is_alike and record.variant == game.board.variant:
            told = "you are playing with these line-ups; a record with them can be opened after that game"
            raise RequestError("game-running", told)


class View:
    """One view of one page. A subclass lists its messages in `commands`."""

    commands: ClassVar[Mapping[str, Command]] = {}

    def __init__(self, page: PageContext) -> None:
        self.page = page

    def open(self) -> None:
        """The page has connected."""

    def close(self) -> None:
        """The page has gone."""


class EngineView(View):
    """A view with an engine process of its own, started when it is first asked; one task at a time asks it."""

    def __init__(self, page: PageContext) -> None:
        super().__init__(page)
        self._engine: BoardEngine | None = None
        self._lock = asyncio.Lock()
        self._stop = threading.Event()
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True
        self._drop_engine()

    def _replace_stop(self) -> threading.Event:
        """End the search that is going on; what ends the next one."""
        self._stop.set()
        self._stop = threading.Event()
        return self._stop

    async def _end_search(self, message_id: MessageId) -> None:
        self._stop.set()

    async def _ready_engine(self) -> BoardEngine:
        if self._engine is None:
            engine = await self.page.server.engines.take(self.page.server.programs[0])
            if self._is_closed:
                engine.close()
                raise RequestError("busy", "the page is closed")
            self._engine = engine
        return self._engine

    def _drop_engine(self) -> None:
        """Give up a process that has failed; the next task starts another one."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
