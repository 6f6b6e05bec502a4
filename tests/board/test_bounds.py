"""What strangers and guests can take of the board: places, memory, processor time.

Meanwhile two people play on undisturbed, and what they play is saved.
"""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.exceptions import ConnectionClosed

from junqi_board.access_tokens import GUEST_PAGES, SPECTATOR_PAGES, AccessTokens, Allowance
from junqi_board.connection import CLOSE_TOO_MANY, MAX_OUTGOING_CHARS, Connection
from junqi_board.game.record import MAX_MOVES
from tests.helpers.asynchronous import run
from tests.helpers.board import DEADLINE_S, Page, Server, broken, serving
from tests.helpers.board_bounds import Table, longest_record


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, broken("script")) as server:
        yield server
    assert (tmp_path / "stderr.txt").read_text() == ""


@pytest.mark.parametrize(("most", "watches"), [(GUEST_PAGES, False), (SPECTATOR_PAGES, True)])
def test_a_token_has_so_many_pages_and_a_place_comes_free(server: Server, most: int, watches: bool) -> None:
    with ExitStack() as stack:
        table = Table(server, stack)
        token = table.mine.ask("spectators")["token"] if watches else table.token
        more = [stack.enter_context(Page(server, token=token)) for _ in range(most if watches else most - 1)]
        for page in more:
            page.until("game")
        with Page(server, token=token) as one_more, pytest.raises(ConnectionClosed) as closed:
            one_more.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == CLOSE_TOO_MANY
        for page in more:
            page.socket.socket.shutdown(socket.SHUT_RDWR)
        with Page(server, token=token) as again:
            again.until("game")
        table.play(2)


@pytest.mark.parametrize("more", [0, 1])
def test_a_saved_game_is_resumed_up_to_a_number_of_moves_and_others_play_on(server: Server, more: int) -> None:
    record = json.loads(longest_record(MAX_MOVES + more))
    person = {"name": "person", "command": "", "options": {}, "limits": {}, "who": "me", "program": ""}
    record["engines"] = {"SN": person, "EW": person | {"who": "guest"}}
    name = "2020-01-31-120000.jsonl"
    (server.folder / name).write_text(json.dumps(record, separators=(",", ":")) + "\n")
    with ExitStack() as stack:
        table = Table(server, stack)
        other = Table(server, stack, "new_table")
        other.mine.say("resume", id=1000, name=name)
        table.play(4)
        answer = other.mine.until(lambda message: message.get("id") == 1000)
        assert (answer["type"], answer.get("code")) == (("error", "bad-record") if more else ("opened", None))
        assert not more or f"at most {MAX_MOVES}" in answer["text"]
        table.play(2)


class DeafSocket:
    """A page that says hello and reads nothing."""

    def __init__(self, token: str) -> None:
        self._hello = json.dumps({"type": "hello", "token": token})

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, str]:
        return {"type": "websocket.receive", "text": self._hello}

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()


def test_a_page_that_does_not_read_is_let_go() -> None:
    async def serve() -> None:
        tokens = AccessTokens()
        allowance = Allowance(is_host=True)
        server: Any = SimpleNamespace(
            tokens=tokens, allowance=lambda _: allowance, wait_until_open=asyncio.Event().wait
        )
        page = Connection(server, cast(Any, DeafSocket(tokens.add_host("").token)))
        serving = asyncio.create_task(page.serve())
        for _ in range(3):
            page.send({"text": "x" * (MAX_OUTGOING_CHARS // 2)})
            await asyncio.sleep(0)
        await asyncio.wait_for(serving, DEADLINE_S)
        assert allowance.pages == 0

    run(serve())
