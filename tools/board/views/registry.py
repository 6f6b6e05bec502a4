"""All that a page can ask for, by the message's type."""

from collections.abc import Awaitable, Callable
from typing import Any

from junqi_engine.rules.board import BOARDS
from tools.board.game_desk import GameDesk
from tools.board.house import House
from tools.board.lineup_desk import LineupDesk
from tools.board.messages import BadMessage
from tools.board.passes import Pass
from tools.board.positions import known_positions
from tools.board.puzzle_desk import PuzzleDesk
from tools.board.replay_desk import ReplayDesk

HOST_ONLY = ("puzzle_",)
SLOW = {"advice", "new_engine", "replay_open", "replay_show", "puzzle_open", "puzzle_move", "puzzle_solve"}
"""What may take long: other messages are taken meanwhile."""


class Desks:
    """The desks of one page."""

    def __init__(self, house: House, held: Pass, send: Callable[[dict[str, Any]], None]) -> None:
        self._house = house
        self._held = held
        self._send = send
        self._game_desk = GameDesk(house, held, send)
        self._desks = (self._game_desk, LineupDesk(send), ReplayDesk(send), PuzzleDesk(house, send))
        self._handlers: dict[str, Callable[..., Awaitable[None]]] = {}
        for desk in self._desks:
            self._handlers |= desk.handlers

    def welcome(self) -> None:
        """Tell a page what there is, then let it join the game."""
        self._send(
            {
                "type": "welcome",
                "token": self._held.token,
                "is_host": self._held.is_host,
                "seats": self._held.seats,
                "positions": known_positions() if self._held.is_host else {},
                "tables": {variant: BOARDS[variant].seats for variant in self._house.variants if variant in BOARDS},
                **self._house.catalogue(),
            }
        )
        self._house.desks.append(self._game_desk)
        self._game_desk.join()

    async def handle(self, kind: str, identity: int | None, fields: dict[str, Any]) -> None:
        """Carry out a message of the right shape; `BadMessage` if it cannot be."""
        if kind.startswith(HOST_ONLY) and not self._held.is_host:
            raise BadMessage("host-only", "a guest has a seat in this game only")
        await self._handlers[kind](identity, **fields)

    def close(self) -> None:
        if self._game_desk in self._house.desks:
            self._house.desks.remove(self._game_desk)
        for desk in self._desks:
            desk.close()
