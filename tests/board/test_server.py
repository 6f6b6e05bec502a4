"""The server's defences: tokens, origins, hosts, frames that are too large or malformed, which change no game."""

import json
import re
import subprocess
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from junqi_board.errors import RequestError
from junqi_board.messages import check, parse
from junqi_board.views.registry import SHAPES
from junqi_engine.client.own_program import own_command
from tests.helpers.board import DEADLINE_S, Page, Server, broken, fetch, serving
from tests.helpers.referee import ROOT

PAGE = ROOT / "tools" / "junqi_board" / "page"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("games"), broken("script")) as server:
        yield server


def state_now(server: Server) -> dict:
    with Page(server) as page:
        return page.until("game")


@pytest.mark.parametrize("path", ["", "main.js", "boards.json", "texts.json", "icon.svg"])
def test_the_files_of_the_page_are_served_and_load_nothing_from_elsewhere(server: Server, path: str) -> None:
    status, headers, body = fetch(server, path)
    assert status == 200 and body
    assert "default-src 'none'" in headers["content-security-policy"]
    assert b"https://" not in body and b"//cdn" not in body


def test_one_script_has_every_module_after_those_that_it_imports(server: Server) -> None:
    """So a first visit needs few requests."""
    body = fetch(server, "main.js")[2].decode()
    assert not re.findall(r"^import ", body, flags=re.M)
    made = re.findall(r"^modules\['([\w.]+)'\] = ", body, flags=re.M)
    kept = {"service_worker.js", "file_main.js", "file_socket.js"}
    assert sorted(made) == sorted({path.name for path in PAGE.glob("*.js")} - kept)
    for name, source in re.findall(r"^modules\['([\w.]+)'\] = (.*?)^\}\)\(\);", body, flags=re.M | re.S):
        assert all(made.index(needed) < made.index(name) for needed in re.findall(r"modules\['([\w.]+)'\]", source))


def test_the_page_has_its_texts_before_its_script_has_come(server: Server) -> None:
    assert b'data-text="tab.learn">Learn<' in fetch(server)[2]
    chinese = fetch(server, **{"Accept-Language": "zh-CN,zh;q=0.9"})[2].decode()
    assert 'data-text="tab.play">\u5bf9\u5c40<' in chinese and '<html lang="zh-CN"' in chinese


@pytest.mark.parametrize(
    "path", ["nothing", "..%2f..%2fpyproject.toml", "page", "main.js/x", "../app.py", "types.d.ts"]
)
def test_no_other_file_is_served(server: Server, path: str) -> None:
    assert fetch(server, path)[0] == 404


@pytest.mark.parametrize("token", ["", "wrong", "x" * 5000, "é", "\ud800"])
def test_a_wrong_token_is_refused(server: Server, token: str) -> None:
    with Page(server, token=token) as page, pytest.raises(ConnectionClosed) as closed:
        page.hear(10)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403


@pytest.mark.parametrize("hello", ["{}", "[]", "x", '{"type":"move","ply":0,"move":"g6g7"}', '{"type":"hello"}'])
def test_a_page_that_does_not_say_hello_is_disconnected(server: Server, hello: str) -> None:
    address = f"ws://127.0.0.1:{server.port}/socket"
    with connect(address, origin=server.base.rstrip("/")) as socket:
        socket.send(hello)
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=DEADLINE_S)


def test_a_frame_of_a_megabyte_closes_its_connection_and_nothing_else(server: Server) -> None:
    before = state_now(server)
    with Page(server) as page:
        page.until("game")
        with pytest.raises(ConnectionClosed) as closed:
            page.socket.send("x" * (1 << 20))
            while True:
                page.hear(10)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    assert state_now(server)["pieces"] == before["pieces"]


WRONG = [
    "nothing", "[]", "1", "null", "{}", '{"type":1}', '{"type":"no such"}', '{"type":"move"}', '{"a":NaN}',
    '{"type":"move","ply":0}', '{"type":"move","ply":"0","move":"g6g7"}', '{"type":"move","ply":true,"move":"g6g7"}',
    '{"type":"move","ply":-1,"move":"g6g7"}', '{"type":"move","ply":0,"move":"g6g7","more":1}',
    '{"type":"move","ply":0,"move":"g6\\ng7"}', '{"type":"move","ply":0,"move":["g6g7"]}', '{"type":"resign","id":"x"}',
    '{"type":"ready","lineups":{"S":1}}', '{"type":"ready","lineups":[]}', '{"type":"lineup_check","lineup":null}',
    '{"type":"lineup_load","data":"%%%"}', '{"type":"lineup_load","data":"\u5175"}',
    '{"type":"lineup_load","data":"AAA"}',
    '{"type":"puzzle_open","variant":"klotski","position":"\\u0000","options":{},"moves":""}',
    '{"type":"puzzle_solve","what":"all","depth":3}', '{"type":"lineup_check","lineup":"\\ud800"}',
    "[" * 100_000, '{"type":"move","ply":' + "9" * 5000 + ',"move":"g6g7"}', '{"type":"hello","token":"x"}',
]  # fmt: skip


def test_malformed_messages_are_refused_in_one_line(server: Server) -> None:
    with Page(server) as page:
        before = page.until("game")
        for wrong in WRONG:
            page.socket.send(wrong)
            error = page.until("error")
            assert error["code"] == "bad-message" and "\n" not in error["text"] and "Traceback" not in error["text"]
        page.socket.send(b"\xff\xfe")
        assert page.until("error")["code"] == "bad-message"
        assert page.ask("lineup_random")["type"] == "lineup"
    assert state_now(server)["pieces"] == before["pieces"]


def test_messages_at_the_wrong_time_are_refused(server: Server) -> None:
    with Page(server) as page:
        page.until("game")
        for kind, fields, code in [
            ("move", {"ply": 0, "move": "g6g7"}, "too-early"),
            ("resign", {}, "too-early"),
            ("draw", {}, "too-early"),
            ("draw_answer", {"accept": True}, "no-offer"),
            ("take_back", {}, "no-take-back"),
            ("record", {}, "too-early"),
            ("advice", {"ms": 10}, "too-early"),
            ("ready", {"lineups": {"S": "a" * 25}}, "bad-lineup"),
            ("ready", {"lineups": {"S": "a" * 25, "N": "a" * 25}}, "bad-lineup"),
            ("ready", {"lineups": {"E": "cbfahdehgegidcfkjkijgjhli"}}, "bad-lineup"),
            ("replay_show", {"ply": 0, "eyes": "*"}, "no-record"),
            ("replay_open", {"line": "{}"}, "bad-record"),
            ("replay_convert", {"data": "AAAA"}, "bad-record"),
            ("puzzle_move", {"move": "Gd"}, "no-puzzle"),
            ("new_engine", {"seats": "SN", "program": "script", "player": ""}, "bad-setup"),
        ]:
            answer = page.ask(kind, **fields)
            assert (answer["type"], answer["code"]) == ("error", code), kind


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SHAPES)), st.dictionaries(st.text(max_size=10), JSON, max_size=5), st.data())
def test_no_malformed_message_passes_the_check(kind: str, extra: dict, data: st.DataObject) -> None:
    message = {"type": kind, **{name: data.draw(JSON) for name in SHAPES[kind]}, **extra}
    try:
        _, fields, _ = check(parse(json.dumps(message)), SHAPES)
    except RequestError as error:
        assert "\n" not in str(error)
        return
    assert fields.keys() == SHAPES[kind].keys()
    assert all(is_right(fields[name]) for name, is_right in SHAPES[kind].items())


def test_a_port_that_is_not_available_is_named(server: Server) -> None:
    for port in (server.port, 99_999):
        command = own_command("junqi_board", "--no-browser", "--port", str(port))
        ended = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, cwd=ROOT, check=False)
        assert ended.returncode == 1
        assert ended.stderr.count("\n") == 1 and str(port) in ended.stderr
