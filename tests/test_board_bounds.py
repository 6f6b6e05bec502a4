"""What strangers and guests can take of the board: places, memory, file descriptors, processor time.

Meanwhile two people play on undisturbed, and what they play is saved.
"""

import asyncio
import json
import os
import re
import socket
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import ConnectionClosed

from junqi_engine.rules import lineup
from tests.board_help import DEADLINE_S, Page, Server, broken, connections, fetch, new_game, serving
from tests.engine import SLACK
from tests.marking import long_after
from tools.board.app import REQUESTS_A_SECOND, SameOrigin
from tools.board.connection import CLOSE_TOO_MANY
from tools.board.game.record import MAX_MOVES
from tools.board.limits import EXCHANGE_S, GUEST_PAGES, GUEST_SHARE, MAX_STRANGERS, SPECTATOR_PAGES, Door
from tools.board.messages import MAX_FRAME_BYTES
from tools.board.network import LOOPBACK
from tools.referee.endings import Ending
from tools.referee.records.game_record import GameRecord

ANSWER_S = 0.5
"""How long the two players wait at most for a move to be shown, with other programs on the processor."""
STEPS = {"S": ("a6b5", "b5a6"), "N": ("e7d8", "d8e7")}
PEOPLE = {"S": "me", "N": "guest"}
GUEST_BYTES = 150 << 20
"""What one guest can make the board keep."""
FIRST_USE_BYTES = 20 << 20
"""What the first page takes that opens any record."""
STRANGER_BYTES = 100 << 20
"""What a stranger can make the board keep by all that it sends at once, and what the board itself loads meanwhile."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, broken("script")) as server:
        yield server
    assert (tmp_path / "stderr.txt").read_text() == ""


def files_of(server: Server) -> int:
    """The file descriptors that the board has open."""
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def memory_of(server: Server) -> int:
    """The bytes that the board has in memory."""
    return psutil.Process(server.process.pid).memory_info().rss


def peak_memory_of(server: Server) -> int:
    """The most bytes that the board ever had in memory."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


def processor_s_of(server: Server) -> float:
    """The processor time that the board has used."""
    times = psutil.Process(server.process.pid).cpu_times()
    return times.user + times.system


class Table:
    """A game of Luzhanqi of the host and a guest, who step to and fro."""

    def __init__(self, server: Server, stack: ExitStack, kind: str = "new_game") -> None:
        self.mine = stack.enter_context(Page(server))
        self.mine.until("game")
        opened = self.mine.ask(kind, **new_game(PEOPLE, variant="luzhanqi", no_contact=0))
        self.number = opened["game"]
        self.invitation = opened["invitations"][0]["token"]
        self.guest = stack.enter_context(Page(server, token=self.invitation))
        self.moves: list[str] = []
        self.slowest_s = 0.0
        for page in (self.mine, self.guest):
            state = page.state(lambda state: state["game"] == self.number and bool(state.get("drafts")))
            page.say("ready", lineups=state["drafts"] | dict.fromkeys(state["drafts"], lineup.DEFAULT))
        for page in (self.mine, self.guest):
            page.state(lambda state: state["phase"] == "playing")

    @property
    def token(self) -> str:
        """The token of the guest."""
        welcome = next(json.loads(frame) for frame in self.guest.frames if '"welcome"' in frame[:30])
        return str(welcome["token"])

    def play(self, count: int) -> None:
        """Play some moves; how long until both pages show one?"""
        for _ in range(count):
            ply = len(self.moves)
            seat = "SN"[ply % 2]
            move = STEPS[seat][ply // 2 % 2]
            self.moves.append(move)
            began_s = time.monotonic()
            (self.mine if seat == "S" else self.guest).say("move", ply=ply, move=move)
            for page in (self.mine, self.guest):
                page.state(lambda state: state["moves"] == self.moves)
            self.slowest_s = max(self.slowest_s, time.monotonic() - began_s)

    def saved(self, server: Server) -> list[str]:
        """The moves on the disk."""
        return next(record["moves"] for record in server.records() if record["game"] == self.number)


@contextmanager
def beside(work: Callable[..., None], server: Server, *arguments: Any) -> Iterator[None]:
    """Do something to a server meanwhile, in a process of its own, so that it does not slow down what is measured."""
    address = SimpleNamespace(port=server.port, base=server.base, token=server.token)
    context = get_context("spawn")
    begins = context.Event()
    process = context.Process(target=do, args=(begins, work, address, *arguments))
    process.start()
    try:
        assert begins.wait(DEADLINE_S)
        yield
        assert process.is_alive()
    finally:
        process.kill()
        process.join()


def do(begins: Any, work: Callable[..., None], *arguments: Any) -> None:
    begins.set()
    work(*arguments)


def longest_record(count: int = MAX_MOVES) -> str:
    """A record of passed turns, which are short and legal in any number, in which seats are named."""
    moves = [f"pass:{'SENW'[number % 4]}" for number in range(count)]
    record = GameRecord(
        1, "siguo", "partner", {}, 0, {"version": 2}, dict.fromkeys("SENW", lineup.DEFAULT), "S", moves,
        [1] * count, [None] * count, ending=Ending.INTERRUPTED,
    )  # fmt: skip
    return record.as_line()


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
    count = 1200
    with ExitStack() as stack:
        people = Table(server, stack)
        other = Table(server, stack, "new_table")
        people.play(4)
        quiet_s, people.slowest_s = people.slowest_s, 0.0
        before = files_of(server), memory_of(server)
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
            files, memory = files_of(server) - before[0], memory_of(server) - before[1]
        with capsys.disabled():
            print(
                f"\n{count} silent connections and a guest that attacks: {moves} moves, the slowest shown after "
                f"{1000 * people.slowest_s:.0f} ms ({1000 * quiet_s:.0f} ms before), "
                f"{files} more files, {memory >> 20} MiB more memory"
            )
        assert people.slowest_s < SLACK * ANSWER_S
        assert files <= MAX_STRANGERS + 2 * GUEST_PAGES + 20
        assert memory < GUEST_BYTES
        people.play(2)
        assert people.saved(server) == people.moves


@pytest.mark.long
def test_the_newest_connections_find_a_place_and_silent_ones_are_gone_in_time(server: Server) -> None:
    with Page(server) as page:
        page.until("game")
        before = files_of(server)
        with connections(server.port, 3 * MAX_STRANGERS) as silent:
            assert fetch(server)[0] == 200
            assert files_of(server) - before <= MAX_STRANGERS + 2
            # The oldest have been ended, the newest not yet; in time they are too.
            assert silent[0].recv(1) == b""
            began_s = time.monotonic()
            silent[-1].settimeout(DEADLINE_S)
            with suppress(ConnectionResetError):
                assert silent[-1].recv(1) == b""
            assert time.monotonic() - began_s > EXCHANGE_S / 2
        page.ask("lineup_random")
        assert files_of(server) - before <= 2


UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n%sOrigin: http://127.0.0.1:%d\r\n\r\n"
)
SLOW = {
    "half a request": b"GET / HTTP/1.1\r\nHost: ",
    "a request whose answer is not read": b"GET /index.html HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" * 500,
    "a request with an endless body": b"POST / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 99999999\r\n\r\nx",
    "a WebSocket without hello": UPGRADE.replace(b"%s", b""),
    "an upgrade with many headers": UPGRADE.replace(b"%s", b"X: y\r\n" * 200),
    "an upgrade with a long header": UPGRADE.replace(b"%s", b"X: " + 20_000 * b"y" + b"\r\n"),
    "an upgrade with a body": UPGRADE.replace(b"%s", b"Content-Length: 10\r\n") + b"0123456789",
    "an upgrade with a body in chunks": UPGRADE.replace(b"%s", b"Transfer-Encoding: chunked\r\n"),
    "nonsense": b"\0\xff\r\n\r\n",
}


@pytest.mark.long
@pytest.mark.parametrize("more", [b"", b"x"])
def test_no_connection_without_a_token_lasts(server: Server, more: bytes) -> None:
    with Page(server) as page, ExitStack() as stack:
        page.until("game")
        left = {}
        for name, start in SLOW.items():
            one = left[name] = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.send(start.replace(b"%d", b"%d" % server.port))
        end_s = time.monotonic() + DEADLINE_S
        while left:
            assert time.monotonic() < end_s, list(left)
            time.sleep(0.1)
            for one in left.values():
                with suppress(OSError):
                    one.send(more)
            ports = {
                one.raddr.port for one in psutil.net_connections("tcp") if one.pid == server.process.pid and one.raddr
            }
            left = {name: one for name, one in left.items() if one.getsockname()[1] in ports}


@pytest.mark.long
def test_a_page_that_does_not_read_is_cut_off(server: Server) -> None:
    """Closing it would wait for ever until it has read what was sent before."""
    with Page(server) as page, ExitStack() as stack:
        page.until("game")
        before = files_of(server)
        deaf = stack.enter_context(socket.socket())
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(SLOW["a WebSocket without hello"].replace(b"%d", b"%d" % server.port))
        deaf.recv(1)
        deaf.sendall(frame({"type": "hello", "token": server.token}))
        with suppress(ConnectionError):
            for _ in range(20_000):
                deaf.sendall(frame({"type": "lineup_gallery"}))
        end_s = time.monotonic() + DEADLINE_S
        while files_of(server) > before:
            assert time.monotonic() < end_s
            time.sleep(0.05)
        assert page.ask("lineup_random")["type"] == "lineup"


def upgraded(server: Server, *headers: bytes) -> tuple[socket.socket, bytes]:
    """A connection whose upgrade to a WebSocket the board has answered, and the answer."""
    found = socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE_S)
    found.sendall(UPGRADE % (server.port, b"".join(header + b"\r\n" for header in headers), server.port))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += found.recv(4096)
    return found, answer


def test_compressed_messages_of_a_stranger_are_not_unpacked(server: Server) -> None:
    packer = zlib.compressobj(wbits=-12)
    packed = (packer.compress(b" " * MAX_FRAME_BYTES) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")
    message = bytes([0xC1, 0xFE]) + len(packed).to_bytes(2, "big") + bytes(4) + packed
    with Page(server) as page:
        page.until("game")
        before = peak_memory_of(server)
        stranger, answer = upgraded(server, b"Sec-WebSocket-Extensions: permessage-deflate")
        with stranger:
            assert b" 101 " in answer
            with suppress(ConnectionError):
                stranger.sendall(message * (MAX_FRAME_BYTES // len(message)))
                while stranger.recv(4096):
                    pass
        assert peak_memory_of(server) - before < STRANGER_BYTES
        assert page.ask("lineup_random")["type"] == "lineup"


def test_frames_before_the_answer_to_an_upgrade_leave_no_trace(server: Server) -> None:
    with Page(server) as page, ExitStack() as stack:
        page.until("game")
        for _ in range(60):
            busy = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            busy.sendall(b"GET /nope HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port * 100)
        time.sleep(1)  # until the burst is used up
        for data in (
            bytes([0x88, 0x81, 0, 0, 0, 0, 1]),
            bytes([0x80, 0x80, 0, 0, 0, 0]),
            bytes([0x83, 0x80, 0, 0, 0, 0]),
        ):
            early = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE_S))
            early.sendall(UPGRADE % (server.port, b"", server.port))
            time.sleep(0.03)
            with suppress(ConnectionError):
                early.sendall(data)
                while early.recv(4096):
                    pass
        assert page.ask("lineup_random")["type"] == "lineup"


def frame(message: dict[str, Any]) -> bytes:
    """A masked text frame of a short message."""
    data = json.dumps(message).encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


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
            page.socket.close()
        with Page(server, token=link) as again:
            again.until("game")
        table.play(2)


@pytest.mark.parametrize(("count", "pages"), long_after(1, [(300, 2), (MAX_MOVES, GUEST_PAGES)]))
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


def flood_of_requests(server: Server) -> None:
    """A stranger that fetches a file again and again, on several connections."""
    request = b"GET /main.js HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port
    while True:
        with suppress(OSError), ExitStack() as stack:
            several = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(8)]
            while True:
                for one in several:
                    one.sendall(request)
                for one in several:
                    if not one.recv(1 << 16):
                        raise OSError


def test_a_flood_of_requests_leaves_nothing_behind() -> None:
    """Those whose connections have ended do not keep the next page waiting: here, for ten seconds."""
    here, served = ("127.0.0.1", 1), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope["client"])

    async def serve() -> None:
        door = Door()
        door.come(here, asyncio.Transport())
        guard = SameOrigin(app, LOOPBACK, 80, door)
        scope = {"type": "http", "headers": [(b"host", b"127.0.0.1:80")]}
        clients = [*(("127.0.0.1", port) for port in range(2, 10 * REQUESTS_A_SECOND)), here]
        await asyncio.gather(*(guard(scope | {"client": client}, receive, send) for client in clients))

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        raise AssertionError("nothing is answered")

    began_s = time.monotonic()
    with ThreadPoolExecutor(1) as pool:  # the tests with a browser leave an event loop in this one
        pool.submit(asyncio.run, serve()).result()
    assert served[-1] == here
    assert time.monotonic() - began_s < SLACK * ANSWER_S


def flood_of_messages(server: Server, token: str, count: int) -> None:
    """A guest or spectators that send what costs most, on so many pages, as fast as they can."""
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


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a guest", "a stranger", "a spectator"])
def test_the_processor_time_that_others_can_take_is_bounded(
    server: Server, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        table = Table(server, stack)
        other = Table(server, stack, "new_table")
        floods = {
            "a guest": (flood_of_messages, server, other.token, 1),
            "a stranger": (flood_of_requests, server),
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
from tools.board import app
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
