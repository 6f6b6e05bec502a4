"""The saved games of the host, and what its page asks the board to keep until its next start."""

import asyncio
from typing import Annotated, Literal

from junqi_board import saving
from junqi_board.game.record import entries_of, would_be_lost
from junqi_board.game.seating import ENGINE
from junqi_board.kept import MAX_NAME_CHARS, MAX_VALUE_CHARS, OWN
from junqi_board.page import Answer, Count, Page, Text, answers, chars
from junqi_engine.errors import Refused

FactKind = Literal["coached", "daily", "done", "learned", "lineups", "solved"]


@answers(host_only=True, is_slow=True)
async def library(page: Page) -> Answer:
    found = await asyncio.to_thread(saving.summaries, page.host.folder, page.host.running)
    saved = await asyncio.to_thread(saving.saved_games, page.host.folder)
    return {"type": "library", "games": found, "all": len(saved)}


@answers(host_only=True, is_slow=True)
async def library_open(page: Page, name: Text) -> Answer:
    line = await asyncio.to_thread(saving.read_over, saving.path_of(page.host.folder, name))
    return {"type": "library_game", "line": line}


@answers(host_only=True, is_slow=True)
async def library_delete(page: Page, name: Text) -> Answer:
    """Delete a saved game. A rated one that goes on counts as a loss."""
    host, path = page.host, saving.path_of(page.host.folder, name)
    _, record = await asyncio.to_thread(saving.read, path)
    elos = [entry.elo for entry in entries_of(record).values() if entry.who == ENGINE] if would_be_lost(record) else []
    await asyncio.to_thread(saving.delete, path, host.running)
    if elos:
        host.ladder.count(record.variant, elos[0], 0.0)
    if elos and host.table is not None:
        host.table.send_state()
    return await library(page)


@answers(host_only=True, is_slow=True)
async def resume(page: Page, name: Text) -> Answer:
    host, path = page.host, saving.path_of(page.host.folder, name)
    if path == host.running and host.table is not None and host.table.game.result is None:
        raise Refused("busy", "this game is on the board now")
    return host.opened_game(await host.resume_game(path))


@answers(host_only=True)
async def keep(
    page: Page, name: Annotated[str, chars(MAX_NAME_CHARS)], value: Annotated[str, chars(MAX_VALUE_CHARS)]
) -> None:
    """Keep a text that only the page reads; `welcome` gives it back."""
    if name.startswith(OWN):
        raise Refused("not-kept", f"name: {name!r} belongs to the board")
    await asyncio.to_thread(page.host.kept.keep, name, value)
    page.host.tell_kept(name)


@answers(host_only=True)
async def fact(page: Page, of: FactKind, name: Annotated[str, chars(2000)], value: bool | Count | None) -> None:
    """Keep a fact beside those of its kind, such as a lesson that was done; null removes it."""
    await asyncio.to_thread(page.host.kept.add_fact, of, name, value)
    page.host.tell_kept(of)
