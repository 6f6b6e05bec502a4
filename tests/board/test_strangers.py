"""What strangers, who have shown no token, can take of the board: places, memory, time; and when they must go."""

import asyncio
import json
import socket
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from starlette.types import Message, Receive, Scope, Send

from junqi_board.app import REQUESTS_A_SECOND, SameOrigin
from junqi_board.limits import EXCHANGE_S, MAX_STRANGERS, Door
from junqi_board.messages import MAX_FRAME_BYTES
from junqi_board.network import LOOPBACK
from tests.helpers.asynchronous import run
from tests.helpers.board import DEADLINE_S, Page, Server, broken, connections, fetch, serving
from tests.helpers.board_bounds import ANSWER_S, files_of
from tests.helpers.engine import SLACK

STRANGER_BYTES = 100 << 20
"""What a stranger can make the board keep by all that it sends at once, and what the board itself loads meanwhile."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, broken("script")) as server:
        yield server
    assert (tmp_path / "stderr.txt").read_text() == ""


def peak_memory_of(server: Server) -> int:
    """The most bytes that the board ever had in memory."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


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
    run(serve())
    assert served[-1] == here
    assert time.monotonic() - began_s < SLACK * ANSWER_S
