"""The saved games of the host, and what its page asks the board to keep until its next start."""

import asyncio
from typing import Annotated, Literal

from junqi_board import saving
from junqi_board.answers.scenes import read_record
from junqi_board.connection import Connection, Count, LongText, Text, answers, chars
from junqi_board.game.record import entries_of, is_unfinished, would_be_lost
from junqi_board.game.seating import ENGINE
from junqi_board.messages.connection import Fact, Setting
from junqi_board.messages.game import OpenedGame
from junqi_board.messages.records import AddedRecord, Library, RecordLine
from junqi_board.store import MAX_ID_CHARS, MAX_NAME_CHARS, MAX_VALUE_CHARS, OWN, REMOVABLE
from junqi_engine.errors import Refused


@answers(host_only=True, is_slow=True)
async def library(connection: Connection) -> Library:
    found = await asyncio.to_thread(saving.summaries, connection.host.folder, connection.host.running)
    saved = await asyncio.to_thread(saving.saved_games, connection.host.folder)
    return Library(found, len(saved))


@answers(host_only=True, is_slow=True)
async def library_open(connection: Connection, name: Text) -> RecordLine:
    line = await asyncio.to_thread(saving.read_over, saving.path_of(connection.host.folder, name))
    return RecordLine(line)


@answers(host_only=True, is_slow=True)
async def library_add(connection: Connection, line: LongText) -> AddedRecord:
    """Save a record that was opened, unless it is there already or its game can be resumed; the name of its file."""
    record = await read_record(connection, line)
    name = "" if is_unfinished(record) else await asyncio.to_thread(saving.add, connection.host.folder, record)
    return AddedRecord(name)


@answers(host_only=True, is_slow=True)
async def library_delete(connection: Connection, name: Text) -> Library:
    """Delete a saved game. A rated game in progress counts as a loss."""
    host, path = connection.host, saving.path_of(connection.host.folder, name)
    _, record = await asyncio.to_thread(saving.read, path)
    elos = [entry.elo for entry in entries_of(record).values() if entry.who == ENGINE] if would_be_lost(record) else []
    await asyncio.to_thread(saving.delete, path, host.running)
    if elos:
        host.ladder.count(record.variant, elos[0], 0.0)
    if elos and host.table is not None:
        host.table.send_state()
    return await library(connection)


@answers(host_only=True, is_slow=True)
async def resume(connection: Connection, name: Text) -> OpenedGame:
    host, path = connection.host, saving.path_of(connection.host.folder, name)
    if path == host.running and host.table is not None and host.table.game.result is None:
        raise Refused("game-running", "this game is on the board now")
    return host.opened_game(await host.resume_game(path))


@answers(host_only=True)
async def setting(
    connection: Connection, name: Annotated[str, chars(MAX_NAME_CHARS)], value: Annotated[str, chars(MAX_VALUE_CHARS)]
) -> None:
    """Keep a text that only the page reads; `welcome` gives it back."""
    if name.startswith(OWN):
        raise Refused("not-kept", f"name: {name!r} belongs to the board")
    await asyncio.to_thread(connection.host.store.set, name, value)
    connection.host.send_host(Setting(name, value))


@answers(host_only=True)
async def fact(
    connection: Connection,
    kind: Literal["learned", "tip", "teaser", "lineup", "own_teaser"],
    fact: Annotated[str, chars(MAX_ID_CHARS)],
    value: bool | Count | None,
) -> None:
    """Add a fact, such as a completed lesson; null removes a line-up or an own teaser."""
    store = connection.host.store
    # The oldest msgspec that is allowed knows no literal true.
    if value is False:
        raise Refused("bad-message", "fact: the value is true, a count or null, not false")
    if value is None and kind not in REMOVABLE:
        raise Refused("not-kept", f"fact: one of the kind {kind!r} stays")
    if value is None:
        await asyncio.to_thread(store.remove, kind, fact)
    elif not await asyncio.to_thread(store.add, kind, fact, value):
        return
    connection.host.send_host(Fact(kind, fact, value))
