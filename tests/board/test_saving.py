"""The saved games of the board: whole or not at all, only the board's own files, resumed after an interruption; and
files of records.
"""

import codecs
import json
import random
import resource
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from junqi_board.game.record import record_of, resumed
from junqi_board.host import Host
from junqi_board.saving import delete, path_of, read, summaries
from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_engine.errors import Refused
from junqi_referee.records.replay import verify
from tests.helpers import asynchronous
from tests.helpers.board import DEADLINE_S, Page, broken, serving, two_persons
from tests.helpers.board_game import (
    AGAINST_ENGINE,
    PASSES,
    PROGRAMS,
    START,
    TWO_PERSONS,
    follow,
    new_game,
    saved,
    started,
)
from tests.helpers.board_person import Person
from tests.helpers.record import random_game

VARIANTS = ("siguo", "luzhanqi")


def test_record_names_limits_and_players() -> None:
    engines = record_of(started()).engines
    assert engines["EW"]["limits"] == {
        "base_ms": 60_000, "increment_ms": 1000, "move_ms": 1000, "margin_ms": 50, "time_out": "loses",
    }  # fmt: skip
    assert engines["SN"]["limits"] == {"base_ms": 60_000, "increment_ms": 1000, "time_out": "loses"}
    assert (engines["SN"]["who"], engines["EW"]["who"], engines["EW"]["program"]) == ("me", "engine", "one")
    assert engines["SN"]["remaining_ms"] == 59_000
    without = record_of(new_game(AGAINST_ENGINE, clock=None)).engines
    assert without["EW"]["limits"] == {"move_ms": 1000, "margin_ms": 50} and without["SN"]["limits"] == {}
    passing = record_of(new_game(AGAINST_ENGINE, **PASSES)).engines
    assert passing["EW"]["limits"] == {
        "base_ms": 20_000, "increment_ms": 0, "move_ms": 1000, "margin_ms": 50, "time_out": "passes",
    }  # fmt: skip


def test_on_a_full_disk_the_game_goes_on_and_the_page_says_so(tmp_path: Path) -> None:
    full_disk = {
        "limit": (resource.RLIMIT_FSIZE, 2000),
        # On a full disk, Python itself would leave damaged files.
        "sabotage": "import sys; sys.dont_write_bytecode = True",
        "games": tmp_path / "games",
    }
    rules = {"max_plies": 200, "no_contact": 0}
    with serving(tmp_path, broken("script"), rules=rules, **full_disk) as server, Page(server) as page:
        page.new_game(dict.fromkeys("SENW", "script"))
        notice = page.until("notice")
        assert (notice["code"], notice["text"]) == ("not-saved", "File too large")
        state = page.state(lambda state: state["unsaved"] is not None)
        assert state["unsaved"] == "File too large"
        over = page.state(lambda state: state["phase"] == "over")
        assert len(over["moves"]) == 200
        # The last saved record is complete.
        [kept] = server.records()
        assert kept["moves"] == over["moves"][: len(kept["moves"])] and len(kept["moves"]) > 20
        assert sorted(path.suffix for path in server.folder.iterdir()) == [".json", ".jsonl"]
        notices = [frame for frame in page.frames if '"notice"' in frame]
        assert len(notices) == 1


FOREIGN = {
    "2026-01-01-000000.jsonl": b"a file of mine\n",
    ".2026-01-01-000007.jsonl.abcd1234.new": b'{"game":1,"variant":',
    "notes.jsonl": b'{"game":1}\n',
}


def test_unfinished_games_of_a_folder(tmp_path: Path) -> None:
    for name, data in FOREIGN.items():
        (tmp_path / name).write_bytes(data)
    game = started()
    file = saved(game, tmp_path)
    assert file.path is not None
    assert [one.state for one in summaries(tmp_path, file.path)] == ["running"]
    with pytest.raises(Refused, match="on the board now"):
        delete(file.path, file.path)
    file.close()
    # An editor may have put a byte-order mark before it.
    file.path.write_bytes(codecs.BOM_UTF8 + file.path.read_bytes())
    [found] = summaries(tmp_path, None)
    assert (found.name, found.state, found.moves) == (file.path.name, "unfinished", 3)
    assert len(read(file.path)[1].moves) == 3
    over = started()
    follow(over, "6.0  SN resign | cancel EW; S resign:S 0 ms; N resign:N 0 ms; end EW resigned")
    saved(over, tmp_path).close()
    assert sorted(one.state for one in summaries(tmp_path, None)) == ["over", "unfinished"]
    for name in ("../x", "/etc/passwd", "2026-01-01-000000.jsonl", "2099-01-01-000000.jsonl", "notes.jsonl", ""):
        with pytest.raises(Refused) as refusal:
            read(path_of(tmp_path, name))
        assert "\n" not in str(refusal.value)
    assert all((tmp_path / name).read_bytes() == data for name, data in FOREIGN.items())


def test_second_board_on_a_folder_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server:
        command = [*own_command("junqi_board"), "--no-browser", "--folder", str(server.folder)]
        second = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert second.returncode == 1 and second.stdout == ""
    assert second.stderr == f"junqi-board: {server.folder}: another program is writing to it\n"


@pytest.mark.parametrize(
    ("seats", "changes"),
    [(AGAINST_ENGINE, {}), (AGAINST_ENGINE, {"clock": None}), (AGAINST_ENGINE, PASSES), (TWO_PERSONS, {})],
)
def test_resumed_game_goes_on_as_it_was(seats: dict[str, str], changes: dict[str, Any]) -> None:
    game = new_game(seats, **changes)
    rng = random.Random(4)
    start = START if seats is AGAINST_ENGINE else "0.0  SN lineups | SN set\n 0.0  EW lineups | EW set; started"
    follow(game, start)
    now_s = 1.0
    for _ in range(12):
        assert game.full is not None
        move, now_s = rng.choice(game.full.legal()), now_s + 1.5
        player = next(player for player in game.players if game.full.turn in player.party.seats)
        if player.party.is_engine:
            game.engine_answered(game._question, move, 700.0, "cp 3", None, now_s)
        else:
            game.move(player.party.seats, len(game.full.moves), move, now_s)
    record = GameRecord.from_line(record_of(game).as_line())
    again = resumed(record, PROGRAMS, VARIANTS)
    assert again.thinking is None
    assert replace(record_of(again), game=1) == record
    assert again.history == game.history and again.seating == game.seating
    assert [player.clock.remaining_ms for player in again.players] == [
        round(player.clock.remaining_ms) for player in game.players
    ]
    for player in again.players:
        if player.party.is_engine:
            again.engine_ready(player.party.seats, {}, 1.0)
    again.resume(2.0)
    assert again.thinking is not None or any(player.clock.is_running for player in again.players)


DAMAGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "who": lambda table: table["engines"]["SN"].update(who="you"),
    "no such engine": lambda table: table["engines"]["EW"].update(program="/bin/sh"),
    "seats": lambda table: table["engines"].update(S=table["engines"].pop("SN")),
    "overlap": lambda table: table["engines"].update(E=table["engines"]["EW"]),
    "time-out": lambda table: table["engines"]["EW"]["limits"].update(time_out="never"),
    "remaining": lambda table: table["engines"]["SN"].update(remaining_ms=-1),
    "moves": lambda table: table.update(moves=["i6i7", "l7m8", "a1a2"]),
    "no line-up": lambda table: table.update(lineups={}),
    "over": lambda table: table.update(ending="resigned"),
    "nobody": lambda table: table.update(engines={}),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_record_that_cannot_be_resumed_says_why(name: str) -> None:
    table = json.loads(record_of(started()).as_line())
    DAMAGES[name](table)
    with pytest.raises(Refused) as refusal:
        resumed(GameRecord.from_line(json.dumps(table)), PROGRAMS, VARIANTS)
    assert "\n" not in str(refusal.value)


def test_restart_resumes_the_game_with_its_guests(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        opened = page.new_game(
            {"S": "me", "N": "me", "E": "guest", "W": "script"}, clock={"base_s": 90, "increment_s": 0}
        )
        with Page(server, token=opened["invitations"][0]["token"]) as guest:
            token = guest.until("welcome")["token"]
            guest.ready()
            page.move(page.start(), "i6i7")
            guest.move(guest.my_turn())
            before = page.state(lambda state: state["ply"] == 2 and bool(state["targets"]))
        server.process.kill()
        server.process.wait()
    kept = tmp_path / "board.json"
    # A spectator of an older board.
    kept.write_text(kept.read_text().replace(f"{token} E", rf"{token} E\nwatching -"))
    with serving(tmp_path, broken("script")) as server, Page(server) as page, ExitStack() as guests:
        page.until("game")
        with Page(server, token="watching") as spectator, pytest.raises(ConnectionClosed):
            spectator.hear()
        guest = guests.enter_context(Page(server, token=token))
        assert guest.state(lambda state: True)["mine"] == "E"
        state = page.state(lambda state: state["seats"]["W"]["is_here"] and state["seats"]["E"]["is_here"])
        assert state["phase"] == "playing"
        for key in ("moves", "pieces", "targets", "mine", "turn"):
            assert state[key] == before[key], key
        [saved_game] = page.ask("library")["games"]
        assert saved_game["state"] == "running" and str(tmp_path) not in json.dumps(saved_game)
        page.move(state, "i12i11")
        assert guest.state(lambda state: state["ply"] >= 3)["moves"][:2] == before["moves"]
        assert page.ask("resume", name=saved_game["name"])["code"] == "game-running"
    [record] = server.records()
    assert record["moves"][:3] == [*before["moves"], "i12i11"]
    assert verify(GameRecord.from_line(json.dumps(record))) is None
    assert (tmp_path / "stderr.txt").read_text() == ""


def test_chat_and_score_survive_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        opened, guest = two_persons(server, page)
        with guest:
            token = json.loads(guest.frames[0])["token"]
            page.state(lambda state: state["phase"] == "playing")
            page.say("resign")
            page.state(lambda state: state["phase"] == "over")
            page.say("rematch")
            guest.say("rematch")
            for one in (page, guest):
                drafts = one.state(lambda state: state["game"] != opened["game"] and bool(state["drafts"]))["drafts"]
                one.say("ready", lineups=drafts)
            guest.move(guest.my_turn())
            page.state(lambda state: state["ply"] == 1)
            assert page.ask("chat", words="well met", to_all=True)["type"] == "done"
            assert guest.ask("chat", words="I hold the left", to_all=False)["type"] == "done"
        server.process.kill()
        server.process.wait()
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        mine = page.until("chat_lines")
        assert ([line["words"] for line in mine["lines"]], mine["count"]) == (["well met"], 1)
        assert page.state(lambda state: True)["score"] == {"SN": 0, "EW": 1}
        with Page(server, token) as guest:
            theirs = guest.until("chat_lines")
            assert [line["words"] for line in theirs["lines"]] == ["well met", "I hold the left"]


def test_clock_of_resumed_game_waits_for_a_player(tmp_path: Path) -> None:
    game = new_game(TWO_PERSONS)
    follow(game, "0.0  SN lineups | SN set\n 0.0  EW lineups | EW set; started\n 1.0 SN move 0 i6i7 | S i6i7 1000 ms")
    path = saved(game, tmp_path).path

    async def resume() -> None:
        host = Host(PROGRAMS, tmp_path)
        host.variants = VARIANTS
        assert path is not None
        table = await host.resume_game(path)
        assert not any(player.clock.is_running for player in table.game.players)
        for _ in range(2):
            Person(host, host.access).close()
            assert [player.clock.is_running for player in table.game.players] == [False, True]
        await host.close()

    asynchronous.run(resume())


def test_after_a_restart_a_game_that_was_left_is_only_offered(tmp_path: Path) -> None:
    seats = {"S": "me", "N": "guest"}
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        opened = page.new_game(seats, variant="luzhanqi", visibility="dark")
        with Page(server, token=opened["invitations"][0]["token"]) as guest:
            guest.ready()
            page.move(page.start())
            token = json.loads(guest.frames[0])["token"]
            page.new_game({"S": "me", "N": "script"}, variant="luzhanqi", visibility="dark")
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        assert page.state(lambda state: True)["phase"] == "arranging"
        with Page(server, token=token) as guest, pytest.raises(ConnectionClosed):
            guest.hear()
        [offered] = [game for game in page.ask("library")["games"] if game["state"] == "unfinished"]
        page.say("resume", id=0, name=offered["name"])
        state = page.state(lambda state: state["phase"] == "playing")
        assert len(state["moves"]) == 1
        opened = page.until(lambda message: message.get("id") == 0)
        # A page that is loaded again shows the invitation, too.
        with Page(server) as again:
            assert again.until("opened")["invitations"] == opened["invitations"]
        with Page(server, token=opened["invitations"][0]["token"]) as guest:
            assert guest.state(lambda state: True)["mine"] == "N"


def test_file_on_the_command_line_is_opened_for_the_host(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{random_game().as_line()}\n")
    with serving(tmp_path, broken("script"), opens=file) as server, Page(server) as page:
        assert page.until("welcome")["has_games"]
        [line] = page.ask("replay_given")["lines"]
        assert page.ask("replay_open", line=line)["moves"] == random_game().moves
        file.write_text("{}")
        assert page.ask("replay_given")["code"] == "bad-record"
