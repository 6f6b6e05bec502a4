"""Threats by strangers and guests: a test for each row of the table "Who can do what" in docs/web-board.md, named by
it; limits on what they use up; and frames and messages that are refused and change no game.
"""

import json
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
import segno
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

import junqi_board.answers  # noqa: F401  the messages
from junqi_board.addresses import LOOPBACK
from junqi_board.connection import CLOSE_BAD_HELLO, CLOSE_WRONG_TOKEN, MESSAGES, read
from junqi_board.game.record import MAX_MOVES
from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_engine.errors import Refused
from junqi_engine.rules import lineup
from junqi_referee.endings import Ending
from tests.helpers.board import (
    DEADLINE_S,
    PERSONS,
    Page,
    Server,
    broken,
    fetch,
    fields_of,
    new_game,
    own_pieces,
    serving,
    two_persons,
)
from tests.helpers.marking import long_after
from tests.helpers.referee import ROOT, scripted

SECRET_FOLDER = "folder of the host"
PAGE = ROOT / "tools" / "junqi_board" / "page"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("threats")
    games = folder / SECRET_FOLDER
    games.mkdir()
    missing = "missing", [str(games / "no such engine")]
    dying = "dying", scripted("dies_on_go", str(games))
    with serving(folder, broken("script"), missing, dying, games=games) as server:
        yield server
    assert "Traceback" not in (folder / "stderr.txt").read_text()


def newest(server: Server) -> Path:
    """The saved game that was written last."""
    return max(server.folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def close_code(page: Page) -> int:
    """Why the server closes the connection of a page to which it says nothing."""
    with pytest.raises(ConnectionClosed) as closed:
        page.hear()
    assert closed.value.rcvd is not None and page.frames == []
    return closed.value.rcvd.code


@pytest.mark.parametrize("path", ["", "main.js", "board/boards.json", "game/setup.js", "style/icon.svg"])
def test_page_files_load_nothing_from_elsewhere(server: Server, path: str) -> None:
    status, headers, body = fetch(server, path)
    assert status == 200 and body
    assert "default-src 'none'" in headers["content-security-policy"]
    assert b"https://" not in body and b"//cdn" not in body


def test_addresses_of_places_are_served_and_no_other_files(server: Server) -> None:
    for place in ("game/2026-01-01-000000", "teaser/klotski-3", "puzzle/klotski-3"):
        assert fetch(server, place)[2] == fetch(server)[2]
    for path in ("nothing", "..%2f..%2fpyproject.toml", "page", "main.js/x", "../web.py", "games/x", "learn/1/2"):
        assert fetch(server, path)[0] == 404, path


def test_threat_page_of_another_origin(server: Server) -> None:
    foreign = "http://example.org"
    assert fetch(server, Origin=foreign)[0] == 403
    assert fetch(server, Host=f"example.org:{server.port}")[0] == 400, "also if a name of its own leads here"
    for origin in (foreign, "null", f"http://127.0.0.1:{server.port + 1}"):
        with pytest.raises(InvalidStatus) as refusal, Page(server, origin=origin):
            pytest.fail("the page was not refused")
        assert refusal.value.response.status_code == 403
    # A browser sends no origin for images and scripts. They say nothing of a game, and may not be read or framed.
    status, headers, body = fetch(server, "main.js")
    assert status == 200 and server.token.encode() not in body
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_threat_guest(server: Server) -> None:
    with Page(server) as mine:
        opened, guest = two_persons(server, mine)
        invitation = opened["invitations"][0]["token"]
        with guest:
            mine.move(mine.my_turn())
            guest.move(guest.my_turn())
            state = guest.state(lambda state: state["ply"] >= 2)
            assert own_pieces(state) == {"E", "W"}
            for kind in (kind for kind, message in MESSAGES.items() if message.host_only):
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
                ("resign", {}), ("record", {}), ("story", {"viewer": ""}), ("lineup_random", {}),
                ("replay_open", {"line": "x"}),
            ):  # fmt: skip
                assert guest.ask(kind, **fields)["code"] == "no-game", kind
            text = "".join(guest.frames)
            for secret in (SECRET_FOLDER, "broken_engines", server.token, str(server.folder)):
                assert secret not in text
        with Page(server, token=invitation) as late:
            assert close_code(late) == CLOSE_WRONG_TOKEN


def test_guest_does_not_read_why_an_engine_failed(server: Server) -> None:
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


def test_threat_guest_with_a_used_invitation(server: Server) -> None:
    with Page(server) as mine:
        opened, guest = two_persons(server, mine)
        invitation = opened["invitations"][0]["token"]
        with guest, Page(server, token=invitation) as thief:
            assert close_code(thief) == CLOSE_WRONG_TOKEN
            assert guest.ask("lineup_random")["type"] == "lineup", "the guest stays"


def test_threat_scripted_client(server: Server) -> None:
    with Page(server) as mine:
        _, guest = two_persons(server, mine)
        with guest:
            mine.my_turn()
            # It can claim any origin, but has no token; the page's files are public.
            for token in ("", "x" * 5000, "é", server.token[:-1]):
                with Page(server, token=token) as script:
                    assert close_code(script) == CLOSE_WRONG_TOKEN
            with Page(server, token="\ud800") as script:
                assert close_code(script) == CLOSE_BAD_HELLO
            assert fetch(server)[0] == 200
            # With the token of a page it can do what the page can.
            assert guest.ask("lineup_random")["type"] == "lineup"
    # Connections that say nothing do not keep others out.
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    try:
        assert fetch(server)[0] == 200
    finally:
        for one in silent:
            one.close()


def test_flood_of_slow_requests_is_answered_busy(server: Server) -> None:
    with Page(server) as flood, Page(server) as other:
        for number in range(200):
            flood.say("library", id=number)
        assert other.ask("problem_list")["type"] == "problem_list"
        answers = [flood.until(lambda message: message.get("id") is not None) for _ in range(200)]
        assert {message["id"] for message in answers} == set(range(200))
        assert {message.get("code", message["type"]) for message in answers} == {"library", "busy"}


def test_pages_that_do_not_read_are_disconnected(server: Server) -> None:
    """Each asks for about ten times what the server keeps for a page and the system for a connection."""
    with ExitStack() as stack:
        deaf = [stack.enter_context(deaf_page(server, server.token)) for _ in range(4)]
        for page in deaf:
            with suppress(ConnectionClosed):
                for _ in range(3000):
                    page.send('{"type": "problem_list"}')
        with Page(server) as mine:
            assert mine.ask("problem_list")["type"] == "problem_list"
        for page in deaf:
            with pytest.raises(ConnectionClosed):
                while True:
                    page.recv(timeout=DEADLINE_S)


@contextmanager
def deaf_page(server: Server, token: str) -> Iterator[ClientConnection]:
    """A page that takes little more than one message from the system before it is asked for it."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(("127.0.0.1", server.port))
    options = {"ping_interval": None, "compression": None, "max_queue": 1}
    address = f"ws://127.0.0.1:{server.port}/socket"
    with connect(address, origin=server.base.rstrip("/"), sock=narrow, close_timeout=0.5, **options) as page:
        page.send(json.dumps({"type": "hello", "token": token}))
        yield page


def test_silent_page_is_away(tmp_path: Path) -> None:
    """Like a telephone without signal, which closes no connection."""
    soon = "connection.PING_EVERY_S, connection.SILENT_S = 0.1, 5"
    with serving(tmp_path, broken("script"), sabotage=soon) as server, Page(server) as mine:
        mine.until("game")
        [guest] = mine.new_game({"S": "me", "N": "guest"}, variant="luzhanqi", visibility="dark")["invitations"]
        mine.say("name", name="Ann")
        seat = mine.state(lambda state: state["seats"]["S"]["is_named"])["seats"]["N"]
        assert (seat["is_here"], seat["was_here"]) == (False, False)
        with deaf_page(server, guest["token"]):
            mine.state(lambda state: state["seats"]["N"]["is_here"])
            assert mine.state(lambda state: not state["seats"]["N"]["is_here"])["seats"]["N"]["was_here"]
        [another] = mine.until("opened")["invitations"]
        assert another["token"] != guest["token"]


def test_threat_another_user_of_this_machine(server: Server) -> None:
    with Page(server) as mine:
        mine.until("game")
        mine.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        mine.start()
        assert newest(server).stat().st_mode & 0o077 == 0
        process = Path(f"/proc/{server.process.pid}")
        children = (process / "task" / str(server.process.pid) / "children").read_text().split()
        for number in [str(server.process.pid), *children]:
            for name in ("cmdline", "environ"):
                assert server.token not in Path(f"/proc/{number}/{name}").read_text()


def test_threat_another_device_on_the_local_network(server: Server, tmp_path: Path) -> None:
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
        assert fetch(open_server, Host=f"127.0.0.3:{open_server.port}")[0] == 400
        with urllib.request.urlopen(f"{base}/", timeout=100) as answer:
            assert f"ws://{address}:{open_server.port}" in answer.headers["content-security-policy"]
        with Page(open_server, token="wrong", origin=base) as thief:
            assert close_code(thief) == CLOSE_WRONG_TOKEN
        with pytest.raises(InvalidStatus), Page(open_server, origin=f"http://127.0.0.3:{open_server.port}"):
            pytest.fail("another address was let in")
        mine.until("game")
        [invitation] = mine.new_game(PERSONS)["invitations"]
        with Page(open_server, token=invitation["token"], origin=base) as guest:
            assert guest.until("welcome")["lan"] == "" and set(guest.state(lambda state: True)["mine"]) == {"E"}
            link = f"{base}/#{invitation['token']}"
            drawn = segno.make_qr(link, error="l", boost_error=False).matrix
            assert mine.ask("qr", address=link)["rows"] == ["".join(map(str, row)) for row in drawn]


def test_threat_host(server: Server) -> None:
    """The host may do everything, but sees hidden pieces only when the game is over, unless it reads its own files."""
    with Page(server) as mine:
        _, guest = two_persons(server, mine)
        with guest:
            mine.move(mine.my_turn())
            guest.my_turn()
            line = newest(server).read_text("utf-8").strip()
            for page in (mine, guest):
                assert page.ask("replay_open", line=line)["code"] == "same-lineups"
                assert page.ask("record")["code"] == "too-early"
            for kind, fields in (("review_start", {}), ("play_from", {"ply": 1, "viewer": "*"})):
                assert mine.ask(kind, **fields_of(kind) | {"line": line} | fields)["code"] == "same-lineups"
            mine.say("resign")
            mine.state(lambda state: state["phase"] == "over")
            line = newest(server).read_text("utf-8").strip()
            assert [page.ask("replay_open", line=line)["mine"] for page in (mine, guest)] == ["SN", ""]


def test_open_record_is_closed_to_a_game_that_is_resumed(server: Server) -> None:
    with Page(server) as mine:
        mine.until("game")
        mine.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        mine.start()
        saved = newest(server)
        mine.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        line = saved.read_text("utf-8").strip()
        assert mine.ask("replay_open", line=line)["type"] == "replay"
        assert mine.ask("scene", ply=0, viewer="*")["type"] == "scene"
        assert mine.ask("resume", name=saved.name)["type"] == "opened"
        assert mine.ask("scene", ply=0, viewer="*")["code"] == "same-lineups"


@pytest.mark.parametrize("more", long_after(1, [1, 0]))
def test_saved_game_resumes_up_to_a_move_during_another_game(server: Server, more: int) -> None:
    count = MAX_MOVES + more
    person = {"name": "person", "command": "", "options": {}, "limits": {}, "who": "me", "program": ""}
    # Passed turns are short, and legal in any number.
    record = GameRecord(
        1, "siguo", "partner", {"SN": person, "EW": person | {"who": "guest"}}, 0, {"version": 2},
        dict.fromkeys("SENW", lineup.DEFAULT), "S", [f"pass:{'SENW'[number % 4]}" for number in range(count)],
        [1] * count, [None] * count, ending=Ending.INTERRUPTED,
    )  # fmt: skip
    name = "2020-01-31-120000.jsonl"
    (server.folder / name).write_text(record.as_line() + "\n")
    with Page(server) as mine, Page(server) as host:
        _, guest = two_persons(server, mine)
        with guest:
            host.say("resume", id=1000, name=name)
            mine.move(mine.my_turn())
            guest.move(guest.my_turn())
            answer = host.until(lambda message: message.get("id") == 1000)
        assert (answer["type"], answer.get("code")) == (("error", "bad-record") if more else ("opened", None))
        assert not more or f"at most {MAX_MOVES}" in answer["text"]


def pieces_now(server: Server) -> object:
    with Page(server) as page:
        return page.until("game")["pieces"]


def test_page_that_does_not_say_hello_is_disconnected(server: Server) -> None:
    address = f"ws://127.0.0.1:{server.port}/socket"
    for hello in ("{}", "[]", "x", '{"type":"move","ply":0,"move":"g6g7"}', '{"type":"hello"}'):
        with connect(address, origin=server.base.rstrip("/")) as one:
            one.send(hello)
            with pytest.raises(ConnectionClosed):
                one.recv(timeout=DEADLINE_S)


def test_frame_of_a_megabyte_closes_only_its_connection(server: Server) -> None:
    before = pieces_now(server)
    with Page(server) as page:
        page.until("game")
        with pytest.raises(ConnectionClosed) as closed:
            page.socket.send("x" * (1 << 20))
            while True:
                page.hear(10)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == CloseCode.MESSAGE_TOO_BIG
    assert pieces_now(server) == before


WRONG = [
    "nothing", "null", '{"type":"no such"}', '{"a":NaN}', '{"type":"resign","id":"x"}', '{"type":"hello","token":"x"}',
    '{"type":"teaser_show","variant":"klotski","position":"\\u0000","moves":""}',
    '{"type":"name","name":"\\ud800"}', '{"type":"move","ply":0,"move":"g6\\ng7"}',
    "[" * 100_000, '{"type":"move","ply":' + "9" * 5000 + ',"move":"g6g7"}',
]  # fmt: skip


def test_malformed_messages_are_refused_in_one_line(server: Server) -> None:
    with Page(server) as page:
        before = page.until("game")["pieces"]
        for wrong in WRONG:
            page.socket.send(wrong)
            error = page.until("error")
            assert error["code"] == "bad-message" and "\n" not in error["text"] and "Traceback" not in error["text"]
        page.socket.send('{"type":"chat","id":7,"words":"\\ud800","to_all":true}')
        assert page.until("error")["id"] == 7, "a message that cannot be decoded is refused by its number"
        page.socket.send(b"\xff\xfe")
        assert page.until("error")["code"] == "bad-message"
        # The answer names the message, so that nobody waits for it.
        assert page.ask("replay_open", line="\x00")["code"] == "bad-message"
        assert page.ask("lineup_random")["type"] == "lineup"
    assert pieces_now(server) == before


def test_messages_at_the_wrong_time_are_refused(server: Server) -> None:
    with Page(server) as page:
        page.new_game({"S": "me", "N": "me", "E": "script", "W": "script"})
        for kind, fields, code in [
            ("advice", {"ms": 10}, "too-early"),
            ("scene", {"ply": 0, "viewer": "*"}, "no-record"),
            ("replay_convert", {"data": "AAAA"}, "bad-record"),
        ]:
            answer = page.ask(kind, **fields)
            assert (answer["type"], answer["code"]) == ("error", code), kind


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(MESSAGES)), st.dictionaries(st.text(max_size=10), JSON, max_size=5), st.data())
def test_no_malformed_message_passes_the_check(kind: str, extra: dict, data: st.DataObject) -> None:
    """An accepted message is read as it was sent: nothing is omitted or converted."""
    fields = {name: data.draw(JSON) for name in MESSAGES[kind].__struct_fields__ if name != "id"}
    message = {"type": kind, "id": None, **fields, **extra}
    try:
        found = msgspec.to_builtins(read(json.dumps(message)))
    except Refused as error:
        assert str(error) and "\n" not in str(error)
        return
    assert json.dumps(found, sort_keys=True) == json.dumps(message, sort_keys=True)


MOVE = {"type": "move", "ply": 0, "move": "g6g7"}
GAME = {"type": "new_game", **new_game(PERSONS)}
PLAYER = {"who": "me", "program": "", "elo": None}
NOT_FITTING = [
    (MOVE, "ply", (-1, 10**9 + 1, 10**30, True, 1.0, "0", None, [])),
    (MOVE, "move", ("x" * 13, "a\n", "\x7f", "\0", 1, None, {})),
    (MOVE, "id", (-1, True, "1", 1.0)),
    ({"type": "level"}, "elo", (-1, 10_001, True, "1000")),
    ({"type": "replay_open"}, "line", ("x" * (240 * 1024 + 1), None)),
    (GAME, "visibility", ("open", "", None)),
    (GAME, "clock", ({}, {"base_s": 0, "increment_s": 0}, {"base_s": 60}, 60)),
    (GAME, "seats", ({"SN": PLAYER}, {"S": PLAYER | {"who": "you"}}, {"S": PLAYER | {"x": 1}})),
    (GAME, "seats", ({chr(number): PLAYER for number in range(65, 82)}, [], None)),
]


MISSING_OR_UNKNOWN = [
    ({"type": "move", "ply": 0}, "move"), ({"ply": 0, "move": "g6g7"}, "type"), (MOVE | {"more": 1}, "more"),
    (MOVE | {"type": "moves"}, "moves"),
]  # fmt: skip


def test_wrong_field_is_named() -> None:
    wrong = [(message | {name: value}, rf"\$\.{name}\b") for message, name, values in NOT_FITTING for value in values]
    for message, name in wrong + MISSING_OR_UNKNOWN:
        with pytest.raises(Refused, match=name):
            read(json.dumps(message))


def test_port_that_is_not_available_is_named(server: Server) -> None:
    for port in (server.port, 99_999):
        command = own_command("junqi_board", "--no-browser", "--port", str(port))
        ended = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, cwd=ROOT, check=False)
        assert ended.returncode == 1
        assert ended.stderr.count("\n") == 1 and str(port) in ended.stderr
