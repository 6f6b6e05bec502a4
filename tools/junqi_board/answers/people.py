"""The persons of a game: their names, a few words to each other, and another game of the same players."""

import re
from typing import Annotated

import segno
from msgspec import Meta

from junqi_board.chat import MAX_WORDS_CHARS
from junqi_board.connection import Connection, Count, answers, chars
from junqi_board.game.game import Phase
from junqi_board.game.record import MAX_NAME_CHARS
from junqi_board.messages.game import OpenedGame, QrCode, RematchAsked
from junqi_engine.errors import Refused

MAX_ADDRESS_CHARS = 106
NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line separators, and what changes the direction of text."""


@answers()
async def name(connection: Connection, name: Annotated[str, Meta(max_length=MAX_NAME_CHARS)]) -> None:
    table, seats = connection.table, connection.seats
    refused = NOT_IN_NAMES.search(name)
    if refused is not None:
        raise Refused("bad-name", f"name: {refused[0]!r} would turn or break the lines of others")
    table.game.names[seats] = name.strip()
    table.send_state()


@answers()
async def chat(connection: Connection, words: Annotated[str, chars(MAX_WORDS_CHARS)], to_all: bool) -> None:
    table, seats = connection.table, connection.seats
    if not words.strip():
        raise Refused("bad-words", "words: expected a text")
    table.chat.expect_pause(seats)
    table.say(seats, words.strip(), to_all)


@answers()
async def ping(connection: Connection, point: Count) -> None:
    """Show the partner a point of the board."""
    table, seats = connection.table, connection.seats
    if point >= len(table.game.board.points):
        raise Refused("bad-message", f"point: {point} is not on the board")
    table.chat.expect_pause(seats)
    table.send_ping(seats, point)


@answers()
async def rematch(connection: Connection) -> OpenedGame | RematchAsked:
    """Another game of the same players begins as soon as all persons have asked for it."""
    table, is_host = connection.table, connection.access.is_host
    if table.game.phase != Phase.OVER:
        raise Refused("too-early", "a rematch can be asked for when the game is over")
    wants = table.chat.wants_rematch
    wants.add(connection.seats_at(table) if is_host else connection.seats)
    if not wants >= {party.seats for party in table.game.seating.parties if not party.is_engine}:
        table.send_state()
        return RematchAsked()
    new = connection.host.start_game(table.game.seating.for_rematch(), keeps_guests=True, before=table)
    return connection.host.opened_game(new, is_host)


@answers(host_only=True)
async def qr(connection: Connection, address: Annotated[str, chars(MAX_ADDRESS_CHARS)]) -> QrCode:
    """A picture of an address for the camera of a telephone: a text of 0 and 1 a row, without the quiet zone."""
    rows = ["".join(map(str, row)) for row in segno.make_qr(address, error="l", boost_error=False).matrix]
    return QrCode(rows)
