"""What strangers and guests can take of the board: places, memory, processor time.

Meanwhile two people play on undisturbed, and what they play is saved.
"""

import asyncio
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from junqi_board.access_tokens import GUEST_PAGES, GUEST_SHARE, SPECTATOR_PAGES, AccessTokens, Allowance
from junqi_board.connection import CLOSE_TOO_MANY, MAX_OUTGOING_CHARS, Connection
from junqi_board.game.record import MAX_MOVES
from junqi_engine.rules import lineup
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from tests.helpers.asynchronous import run
from tests.helpers.board import DEADLINE_S, Page, Server, broken, connections, fetch, serving
from tests.helpers.board_bounds import ANSWER_S, Table, beside, longest_record, memory_of
from tests.helpers.engine import SLACK

GUEST_BYTES = 150 << 20
"""What one guest can make the board keep."""
FIRST_USE_BYTES = 20 << 20
"""What the first page takes that opens any record."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, broken("script")) as server:
        yield server
    assert (tmp_path / "stderr.txt").read_text() == ""


def processor_s_of(server: Server) -> float:
    """The processor time that the board has used."""
    times = psutil.Process(server.process.pid).cpu_times()
    return times.user + times.system


def guess(number: int) -> str:
    """A record of the game that is being played with a guess of the enemy's line-up."""
    lineups = {"S": lineup.mirror(lineup.DEFAULT) if number % 2 else lineup.DEFAULT, "N": lineup.DEFAULT}
    record = GameRecord(
        1, "luzhanqi", "partner", {}, 0, {"version": 2}, lineups, "S", [], [], [], ending=Ending.INTERRUPTED
    )
    return record.as_line()


def attack(server: Server, token: str) -> None:
    """A guest that guesses line-ups, and opens the longest record on as many pages as it can, as every pair of eyes."""
    line = longest_record()
    with ExitStack() as stack:
        pages = [stack.enter_context(Page(server, token=token)).socket for _ in range(GUEST_PAGES)]
        number = 0
        while True:
            for page in pages:
                number += 1
                eyes = ("*", "SN", "EW", "S", "E", "N", "W")[number % 7]
                for kind, fields in (
                    ("replay_open", {"line": guess(number)}),
                    ("replay_open", {"line": line}),
                    ("replay_story", {"eyes": eyes}),
                    ("replay_show", {"eyes": eyes, "ply": MAX_MOVES}),
                    ("name", {"name": f"guest {number}"}),
                ):
                    with suppress(ConnectionClosed, TimeoutError):
                        page.send(json.dumps({"type": kind, "id": number, **fields}))
                with suppress(ConnectionClosed, TimeoutError):
                    while True:
                        page.recv(timeout=0.001)


@pytest.mark.long
def test_two_people_play_on_beside_silent_connections_and_a_guest_that_attacks(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    count = 100
    with ExitStack() as stack:
        people = Table(server, stack)
        other = Table(server, stack, "new_table")
        people.play(4)
        quiet_s, people.slowest_s = people.slowest_s, 0.0
        before = memory_of(server)
        with connections(server.port, count), beside(attack, server, other.token):
            began_s, moves = time.monotonic(), 0
            while time.monotonic() - began_s < 6:
                people.play(2)
                moves += 2
                assert people.saved(server) == people.moves, "saved before it is shown"
            # A new page loads, and its person finds the game.
            assert fetch(server)[0] == 200 and fetch(server, "main.js")[0] == 200
            with Page(server) as page:
                page.until("game")
            memory = memory_of(server) - before
        with capsys.disabled():
            print(
                f"\n{count} silent connections and a guest that attacks: {moves} moves, the slowest shown after "
                f"{1000 * people.slowest_s:.0f} ms ({1000 * quiet_s:.0f} ms before), "
                f"{memory >> 20} MiB more memory"
            )
        assert people.slowest_s < SLACK * ANSWER_S
        assert memory < GUEST_BYTES
        people.play(2)
        assert people.saved(server) == people.moves


def test_a_guest_has_so_many_pages(server: Server) -> None:
    with ExitStack() as stack:
        table = Table(server, stack)
        more = [stack.enter_context(Page(server, token=table.token)) for _ in range(GUEST_PAGES - 1)]
        for page in more:
            page.until("game")
        with Page(server, token=table.token) as one_more, pytest.raises(ConnectionClosed) as closed:
            one_more.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == CLOSE_TOO_MANY
        more[0].socket.close()
        with Page(server, token=table.token) as again:
            again.until("game")
        table.play(2)


def test_spectators_share_so_many_pages_and_a_place_comes_free(server: Server) -> None:
    with ExitStack() as stack:
        table = Table(server, stack)
        link = table.mine.ask("spectators")["token"]
        pages = [stack.enter_context(Page(server, token=link)) for _ in range(SPECTATOR_PAGES)]
        for page in pages:
            page.until("game")
        with Page(server, token=link) as one_more, pytest.raises(ConnectionClosed) as closed:
            one_more.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == CLOSE_TOO_MANY
        for page in pages:
            page.socket.socket.shutdown(socket.SHUT_RDWR)
        with Page(server, token=link) as again:
            again.until("game")
        table.play(2)


@pytest.mark.parametrize(
    ("count", "pages"),
    [(300, 2), pytest.param(MAX_MOVES, GUEST_PAGES, marks=[pytest.mark.long, pytest.mark.release])],
)
def test_a_record_costs_little_memory_on_every_page_of_a_guest(server: Server, count: int, pages: int) -> None:
    line = longest_record(count)
    with ExitStack() as stack:
        table = Table(server, stack)
        opened = [table.guest]
        opened += [stack.enter_context(Page(server, token=table.token)) for _ in range(pages - 1)]
        before = memory_of(server)
        for page in opened:
            assert page.ask("replay_open", line=longest_record(MAX_MOVES + 1))["code"] == "bad-record"
            assert page.ask("replay_open", line=line)["type"] == "replay"
            assert len(page.ask("replay_story", eyes="SN")["entries"]) == count
        used = memory_of(server) - before
        assert used < GUEST_BYTES * count * pages / (MAX_MOVES * GUEST_PAGES) + FIRST_USE_BYTES
        assert page.ask("replay_show", eyes="SN", ply=count)["ply"] == 0, "passed turns are not plies"


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


def flood_of_messages(server: Server, token: str, count: int) -> None:
    """A guest or spectators that send what costs most, on this many pages, as fast as they can."""
    with ExitStack() as stack:
        pages = [stack.enter_context(Page(server, token=token)) for _ in range(count)]
        number = 0
        while True:
            number += 1
            for page in pages:
                page.say("name", name=f"guest {number}")
                page.say("story")
                page.say("lineup_load", data="A" * 4000)
                with suppress(TimeoutError):
                    while True:
                        page.socket.recv(timeout=0)


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


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a guest", "a spectator"])
def test_the_processor_time_that_others_can_take_is_bounded(
    server: Server, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        table = Table(server, stack)
        other = Table(server, stack, "new_table")
        floods = {
            "a guest": (flood_of_messages, server, other.token, 1),
            "a spectator": (flood_of_messages, server, other.mine.ask("spectators")["token"], 16),
        }
        with beside(*floods[kind]):
            time.sleep(3.0)  # the burst
            began_s, used_s = time.monotonic(), processor_s_of(server)
            time.sleep(4.0)
            share = (processor_s_of(server) - used_s) / (time.monotonic() - began_s)
            table.play(4)
        with capsys.disabled():
            print(f"\n{kind} that sends all it can: {100 * share:.0f}% of a processor")
        assert share < 2 * GUEST_SHARE
        assert table.slowest_s < SLACK * ANSWER_S


WATCH = """
import sys
from pathlib import Path
from junqi_board import app
open_board = app.open_board
async def open_and_watch(server):
    await open_board(server)
    Path({folder!r}, "watch").touch()
app.open_board = open_and_watch
seen = open(Path({folder!r}, "opened.txt"), "w", buffering=1)
def watch(event, arguments, state=[False]):
    if event in ("import", "open") and Path({folder!r}, "watch").exists() and not state[0]:
        state[0] = True
        seen.write(f"{{event}} {{arguments[0]}}" + chr(10))
        state[0] = False
sys.addaudithook(watch)
"""


def test_nothing_is_imported_or_read_once_the_board_is_open(tmp_path: Path) -> None:
    """When there are no file descriptors left, that would fail."""
    games = tmp_path / "games"
    with serving(tmp_path, broken("script"), games=games, sabotage=WATCH.format(folder=str(tmp_path))) as server:
        with Page(server) as page:
            page.until(lambda message: message["type"] == "starting" and message["is_ready"])
            page.until("game")
            end_s = time.monotonic() + DEADLINE_S
            while not (tmp_path / "watch").exists():
                assert time.monotonic() < end_s
                time.sleep(0.1)
        with ExitStack() as stack:
            table = Table(server, stack)
            table.play(6)
            table.mine.say("draw")
            table.guest.say("draw_answer", accept=False)
            line = longest_record(8)
            assert table.guest.ask("replay_open", line=line)["type"] == "replay"
            assert table.guest.ask("replay_story", eyes="*")["type"] == "replay_story"
            assert table.guest.ask("past", ply=1)["type"] == "past"
            table.mine.say("resign")
            table.guest.state(lambda state: state["phase"] == "over")
            assert table.guest.ask("record")["type"] == "record"
    opened = [line for line in (tmp_path / "opened.txt").read_text().splitlines() if str(games) not in line]
    others = re.compile(r"open /proc/\d+/environ")  # to find what an engine that ends has started
    opened = [line for line in opened if "/dev/null" not in line and str(tmp_path) not in line]
    assert [line for line in opened if not others.fullmatch(line)] == []
