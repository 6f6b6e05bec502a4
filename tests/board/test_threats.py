"""The table "Who can do what" in docs/web-board.md: one test for each row, named by it."""

import json
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import segno
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from junqi_board.addresses import LOOPBACK
from junqi_board.views.registry import COMMANDS
from tests.helpers.board import PERSONS, Page, Server, broken, fetch, fields_of, own_pieces, serving, unfinished
from tests.helpers.referee import scripted

SECRET_FOLDER = "folder of the host"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = tmp_path / SECRET_FOLDER
    folder.mkdir()
    missing = "missing", [str(folder / "no such engine")]
    dying = "dying", scripted("dies_on_go", str(folder))
    with serving(tmp_path, broken("script"), missing, dying, games=folder) as server:
        yield server
    assert "Traceback" not in (tmp_path / "stderr.txt").read_text()


def start(server: Server, mine: Page) -> tuple[str, Page]:
    """A game of a host and a guest, which has started; the invitation, and the page of the guest."""
    mine.until("game")
    opened = mine.new_game(PERSONS)
    invitation = opened["invitations"][0]["token"]
    guest = Page(server, token=invitation)
    for page in (mine, guest):
        page.ready(opened["game"])
    return invitation, guest


def test_row_a_page_of_another_origin(server: Server) -> None:
    foreign = "http://example.org"
    assert fetch(server, Origin=foreign)[0] == 403
    assert fetch(server, Host=f"example.org:{server.port}")[0] == 403, "also if a name of its own leads here"
    for origin in (foreign, "null", f"http://127.0.0.1:{server.port + 1}"):
        with pytest.raises(InvalidStatus) as refusal, Page(server, origin=origin):
            pytest.fail("the page was not refused")
        assert refusal.value.response.status_code == 403
    # A browser sends no origin for images and scripts. They say nothing of a game, and may not be read or framed.
    status, headers, body = fetch(server, "main.js")
    assert status == 200 and server.token.encode() not in body
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_row_a_guest(server: Server) -> None:
    with Page(server) as mine:
        invitation, guest = start(server, mine)
        with guest:
            mine.move(mine.my_turn())
            guest.move(guest.my_turn())
            state = guest.state(lambda state: state["ply"] >= 2)
            assert own_pieces(state) == {"E", "W"}
            for kind in (kind for kind, command in COMMANDS.items() if command.host_only):
                assert guest.ask(kind, **fields_of(kind))["code"] == "host-only", kind
            assert guest.ask("record")["code"] == "too-early"
            mine.say("resign")
            over = guest.state(lambda state: state["phase"] == "over")
            assert over["saved"] is None
            record = json.loads(guest.ask("record")["line"])
            assert {entry["command"] for entry in record["engines"].values()} == {""}
            mine.new_game(PERSONS)
            guest.until("gone")
            for kind, fields in (
                ("resign", {}), ("record", {}), ("story", {}), ("lineup_random", {}), ("replay_open", {"line": "x"}),
            ):  # fmt: skip
                assert guest.ask(kind, **fields)["code"] == "no-game", kind
            text = "".join(guest.frames)
            for secret in (SECRET_FOLDER, "broken_engines", server.token, str(server.folder)):
                assert secret not in text
        with Page(server, token=invitation) as late, pytest.raises(ConnectionClosed):
            late.hear(10)


def test_a_guest_does_not_read_why_an_engine_failed(server: Server) -> None:
    """The reason shows the command of the engine, with its folder."""
    with Page(server) as mine:
        mine.until("game")
        for name in ("missing", "dying"):
            opened = mine.new_game({"S": "me", "E": "guest", "N": name, "W": name}, visibility="dark")
            with Page(server, token=opened["invitations"][0]["token"]) as guest:
                fault = guest.state(lambda state: state["fault"] is not None)["fault"]
                assert fault["text"] in (f"{name} (N): {fault['code']}", f"{name} (W): {fault['code']}")
                assert not any(SECRET_FOLDER in frame for frame in guest.frames)
        assert any(SECRET_FOLDER in frame for frame in mine.frames), "the host reads it"


def test_row_a_spectator(server: Server) -> None:
    with Page(server) as host:
        opened = host.new_game({"S": "me", "N": "guest"}, variant="luzhanqi", visibility="dark")
        guest = Page(server, token=opened["invitations"][0]["token"])
        with guest:
            link = host.ask("spectators")["token"]
            assert guest.ask("spectators")["code"] == "host-only"
            with Page(server, token=link) as one, Page(server, token=link) as two:
                assert {page.until("welcome")["token"] for page in (one, two)} == {link}
                assert one.state(lambda _: True)["drafts"] == {}
                guest.ready()
                guest.say("say", words="the bomb is on d5", to_team=True, point=None)
                host.say("say", words="the bomb is on d5", to_team=False, point=None)
                guest.until(lambda message: message["type"] == "talk" and len(message["lines"]) == 2)
                host.move(host.start())
                seen = one.state(lambda state: len(state.get("moves", [])) == 1)
                assert not own_pieces(seen) and seen["mine"] == "" and not seen["targets"] and not seen["premoves"]
                assert not any(seen["may"].values()) and seen["saved"] is None
                for kind, fields in (
                    ("move", {"ply": 1, "move": "a7a6"}), ("resign", {}), ("pause", {"on": True}), ("rematch", {}),
                    ("belief", {"on": True}), ("advice", {"ms": 1}), ("name", {"name": "x"}), ("take_back", {}),
                    ("say", {"words": "x", "to_team": False, "point": None}), ("record", {}), ("draw", {}),
                ):  # fmt: skip
                    assert one.ask(kind, **fields)["type"] == "error", kind
                assert one.ask("past", ply=0)["pieces"] and not own_pieces(one.ask("past", ply=1))
                assert not any("bomb" in frame for frame in [*one.frames, *two.frames])
                drafts = json.dumps([json.loads(frame).get("drafts") for frame in one.frames])
                assert not any(letters in drafts for letters in (server.token, "cbf"))


def test_row_a_guest_with_a_used_invitation(server: Server) -> None:
    with Page(server) as mine:
        invitation, guest = start(server, mine)
        with guest, Page(server, token=invitation) as thief:
            with pytest.raises(ConnectionClosed) as closed:
                thief.hear(10)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403
            assert thief.frames == []
            assert guest.ask("lineup_random")["type"] == "lineup", "the guest stays"


def test_row_a_script_instead_of_a_browser(server: Server) -> None:
    with Page(server) as mine:
        _, guest = start(server, mine)
        with guest:
            mine.my_turn()
            # It can claim any origin, but has no token; the page's files are public.
            for token in ("", "x" * 32, server.token[:-1]):
                with Page(server, token=token) as script, pytest.raises(ConnectionClosed):
                    script.hear(10)
            assert fetch(server)[0] == 200
            # With the token of a page it can do what the page can. A flood of requests is slowed down,
            began_s = time.monotonic()
            for number in range(400):
                guest.say("lineup_check", id=number, lineup="a")
            guest.until(lambda message: message.get("id") == 399)
            assert time.monotonic() - began_s > 1.5
            assert mine.ask("lineup_random")["type"] == "lineup"
    # and one that does not read is disconnected.
    with connect(f"ws://127.0.0.1:{server.port}/socket", origin=server.base.rstrip("/"), ping_interval=None) as deaf:
        deaf.recv_bufsize = 1
        deaf.send(json.dumps({"type": "hello", "token": server.token}))
        with Page(server) as mine:
            mine.until("game")
            assert mine.ask("lineup_random")["type"] == "lineup"
    # Connections that say nothing do not keep others out.
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    try:
        assert fetch(server)[0] == 200
    finally:
        for one in silent:
            one.close()


def test_row_another_user_of_this_machine(server: Server) -> None:
    with Page(server) as mine:
        mine.until("game")
        mine.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        mine.start()
        [saved] = server.folder.glob("*.jsonl")
        assert saved.stat().st_mode & 0o077 == 0
        process = Path(f"/proc/{server.process.pid}")
        children = (process / "task" / str(server.process.pid) / "children").read_text().split()
        for number in [str(server.process.pid), *children]:
            for name in ("cmdline", "environ"):
                assert server.token not in Path(f"/proc/{number}/{name}").read_text()


def test_row_another_device_on_the_local_network(server: Server, tmp_path: Path) -> None:
    """Any address of 127/8 is one of this machine, so one of them stands for that of the local network."""
    address = "127.0.0.2"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address, server.port), timeout=10)
    assert LOOPBACK.origins(7) == ("http://127.0.0.1:7", "http://localhost:7")
    lan = (
        f"import sys, junqi_board.addresses as network; sys.argv.append('--lan');"
        f"network.local_address = lambda: {address!r}"
    )
    folder = tmp_path / "lan"
    folder.mkdir()
    with serving(folder, broken("script"), sabotage=lan) as open_server, Page(open_server) as mine:
        base = f"http://{address}:{open_server.port}"
        assert mine.until("welcome")["lan"] == address
        assert fetch(open_server, Host=f"{address}:{open_server.port}")[0] == 200
        assert fetch(open_server, Host=f"127.0.0.3:{open_server.port}")[0] == 403
        with urllib.request.urlopen(f"{base}/", timeout=100) as answer:
            assert f"ws://{address}:{open_server.port}" in answer.headers["content-security-policy"]
        with Page(open_server, token="wrong", origin=base) as thief, pytest.raises(ConnectionClosed):
            thief.hear(10)
        with pytest.raises(InvalidStatus), Page(open_server, origin=f"http://127.0.0.3:{open_server.port}"):
            pytest.fail("another address was let in")
        mine.until("game")
        [invitation] = mine.new_game(PERSONS)["invitations"]
        with Page(open_server, token=invitation["token"], origin=base) as guest:
            assert guest.until("welcome")["lan"] == "" and set(guest.state(lambda state: True)["mine"]) == {"E"}
            link = f"{base}/#{invitation['token']}"
            drawn = segno.make_qr(link, error="l", boost_error=False).matrix
            assert mine.ask("qr", address=link)["rows"] == ["".join(map(str, row)) for row in drawn]


def test_row_a_page_under_the_address_of_url(tmp_path: Path) -> None:
    with serving(
        tmp_path, broken("script"), sabotage="import sys; sys.argv += ['--url', 'https://Friends.example:8443/']"
    ) as far:
        with Page(far) as mine:
            assert mine.until("welcome")["url"] == "https://friends.example:8443"
        assert fetch(far, Host="friends.example:8443")[0] == 200
        assert fetch(far, Host="friends.example:8443", Origin="https://friends.example:8443")[0] == 200
        for headers in (
            {"Host": "friends.example"},
            {"Host": "friends.example:8443", "Origin": "http://friends.example:8443"},
        ):
            assert fetch(far, **headers)[0] == 403
        with urllib.request.urlopen(far.base, timeout=100) as answer:
            assert "wss://friends.example:8443" in answer.headers["content-security-policy"]
        with Page(far, origin="https://friends.example:8443") as known:
            known.until("welcome")
        with pytest.raises(InvalidStatus), Page(far, origin="https://friends.example"):
            pytest.fail("another address was let in")


def test_row_the_host(server: Server) -> None:
    """The host may do everything, but sees hidden pieces only when the game is over, unless it reads its own files."""
    with Page(server) as mine:
        _, guest = start(server, mine)
        with guest:
            mine.move(mine.my_turn())
            guest.my_turn()
            [saved] = server.folder.glob("*.jsonl")
            for page in (mine, guest):
                assert page.ask("replay_open", line=saved.read_text("utf-8").strip())["code"] == "game-running"
                assert page.ask("record")["code"] == "too-early"
            mine.say("resign")
            mine.state(lambda state: state["phase"] == "over")
            assert mine.ask("replay_open", line=saved.read_text("utf-8").strip())["type"] == "replay"


def test_an_open_record_is_closed_to_a_game_that_is_resumed(server: Server) -> None:
    with Page(server) as mine:
        mine.until("game")
        mine.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        mine.start()
        mine.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        [entry] = unfinished(mine.ask("library")["games"])
        line = (server.folder / entry["name"]).read_text("utf-8").strip()
        assert mine.ask("replay_open", line=line)["type"] == "replay"
        assert mine.ask("replay_show", ply=0, eyes="*")["type"] == "replay_scene"
        assert mine.ask("resume", name=entry["name"])["type"] == "opened"
        assert mine.ask("replay_show", ply=0, eyes="*")["code"] == "game-running"
