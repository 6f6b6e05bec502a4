"""All views of the board. To add one, write its file and add the class to `VIEWS`."""

from datetime import date
from typing import Any

from junqi_board.errors import RequestError
from junqi_board.views.analysis import Analysis
from junqi_board.views.base import PageContext, View
from junqi_board.views.library import Library
from junqi_board.views.lineup_editor import LineupEditor
from junqi_board.views.people import People
from junqi_board.views.play import PlayView
from junqi_board.views.puzzles import PuzzleView, known_positions
from junqi_board.views.quiz import Quiz
from junqi_board.views.replay import ReplayView
from junqi_board.views.review import ReviewView
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules

VIEWS: tuple[type[View], ...] = (
    PlayView,
    People,
    Library,
    LineupEditor,
    ReplayView,
    ReviewView,
    PuzzleView,
    Analysis,
    Quiz,
)
COMMANDS = {kind: command for view in VIEWS for kind, command in view.commands.items()}
SHAPES = {kind: command.fields for kind, command in COMMANDS.items()}
"""The checks of the fields of every message."""


class PageViews:
    def __init__(self, page: PageContext) -> None:
        self._page = page
        self._views = tuple(view(page) for view in VIEWS)
        self._view_of = {kind: view for view in self._views for kind in view.commands}

    def open(self) -> None:
        """Send the page what there is to choose from, then open all views."""
        server, access = self._page.server, self._page.access
        boards = [BOARDS[variant] for variant in server.variants if variant in BOARDS]
        self._page.send(
            {
                "type": "welcome",
                "token": access.token,
                "is_host": access.is_host,
                "seats": access.seats,
                "positions": known_positions() if access.is_host else {},
                "tables": {board.variant: board.seats for board in boards},
                "limits": {board.variant: _limits(board) for board in boards},
                "kept": server.kept.of_pages if access.is_host else {},
                "ladder": server.ladder.table if access.is_host else None,
                "run": server.run,
                "today": date.today().isoformat(),
                "lan": server.network.lan if access.is_host else "",
                "url": server.network.url if access.is_host else "",
                "has_games": access.is_host and server.games is not None,
                **server.catalogue(access),
            }
        )
        for view in self._views:
            view.open()

    async def handle(self, kind: str, message_id: int | None, fields: dict[str, Any]) -> None:
        """Carry out a message whose shape has been checked; `RequestError` if it is refused."""
        command = COMMANDS[kind]
        access = self._page.access
        if not access.is_host and not self._page.server.tokens.game_of(access):
            raise RequestError("no-game", "this game is over: the board shows another")
        if command.host_only and not access.is_host:
            raise RequestError("host-only", f"{kind}: only the page that opened the board may do this")
        await command.handler(self._view_of[kind], message_id, **fields)

    def close(self) -> None:
        for view in self._views:
            view.close()


def _limits(board: Board) -> dict[str, Any]:
    """The plies without a battle that end a game of a variant, and whether the side to move then loses."""
    rules = Rules.of(board)
    return {"no_contact": rules.no_contact, "loses": rules.no_contact_loses}
