"""Engines of the board that are not to be trusted: whatever they do, the game gets a move or a fault, a stop is obeyed
whenever it comes, and none outlives the board.
"""

import asyncio
import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from junqi_board.engines import BoardEngine, Engines, Program
from junqi_board.errors import InternalErrors
from junqi_board.game.seating import Seating, Setup
from junqi_board.ladder import Ladder
from junqi_board.store import Store
from junqi_board.table import Table
from junqi_board.table import new_game as new_game_of
from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_engine.rules import lineup
from junqi_referee.records.replay import verify
from tests.helpers import asynchronous
from tests.helpers.board import DEADLINE_S, OWN_ENGINE, Page, Server, broken, new_game, serving
from tests.helpers.engine import SLACK
from tests.helpers.marking import long_after
from tests.helpers.referee import processes_with, scripted
from tests.helpers.review import record_of, short_game

VARIANT = "luzhanqi"
GAME = {"S": "me", "N": "until_stopped"}
HANGS = "hangs", scripted("sets_up_then", "hangs")
OWN_COMMAND = " ".join(own_command())
ENDS = {
    signal.SIGTERM: -signal.SIGTERM,
    signal.SIGINT: 130,
    signal.SIGKILL: -signal.SIGKILL,
    signal.SIGHUP: -signal.SIGTERM,
}


def program(name: str, *arguments: str) -> Program:
    return Program(name, tuple(scripted(name, *arguments)))


def test_white_space_is_read_as_uci_says() -> None:
    async def converse() -> None:
        engine = BoardEngine(program("odd_spaces"))
        await engine.start()
        assert engine.identity.name == "script" and "uci_variant" in engine.identity.options
        reply = await engine.search("position startpos", "go")
        assert reply.move == "g6h5" and reply.info.pv == ("g6h5",)
        assert str(engine.reports[-1].score) == "cp 31"
        engine.close()
        await engine.wait_closed()

    asynchronous.run(converse())


def test_after_an_internal_error_the_game_goes_on_from_its_file(tmp_path: Path) -> None:
    """The board itself fails while it handles an answer: the game may be half changed."""
    sabotage = "from junqi_board.game.game import BoardGame\nBoardGame.engine_answered = lambda *_: 1 // 0\n"
    with serving(tmp_path, ("script", scripted("script")), sabotage=sabotage) as server, Page(server) as page:
        page.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        state = page.start()
        page.move(state, "a6b5")
        assert page.until("notice")["code"] == "internal"
        again = page.state(lambda now: now["fault"] is not None)
        assert again["moves"] == ["a6b5"] and again["fault"]["code"] == "internal" and len(server.records()) == 1
        assert page.ask("lineup_random")["type"] == "lineup"
    log = (tmp_path / "stderr.txt").read_text()
    assert "internal error 1: a task of the game" in log and "ZeroDivisionError" in log


@pytest.mark.long
def test_hanging_engine_is_noticed_and_started_again(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script"), HANGS, patience_s=2.0) as server, Page(server) as page:
        page.new_game({"S": "me", "N": "hangs"}, variant=VARIANT)
        page.start()
        page.say("move", ply=0, move="a6b5")
        state = page.state(lambda state: state["fault"] is not None)
        assert state["fault"]["code"] == "stall" and state["moves"] == ["a6b5"]
        page.say("restart_engine", seats="N")
        page.state(lambda state: state["fault"] is None)
        assert page.state(lambda state: state["fault"] is not None)["fault"]["code"] == "stall", "it hangs again"


def test_pieces_are_set_up_while_the_engine_gets_ready(tmp_path: Path) -> None:
    with serving(tmp_path, broken("hangs_at_isready")) as server, Page(server) as page:
        assert page.until("starting") == {"type": "starting", "is_ready": False, "share": None}
        state = page.state(lambda state: state["phase"] == "arranging")
        assert set(state["drafts"]) == {"S"} and not state["seats"]["N"]["is_here"]
        assert page.ask("lineup_random")["type"] == "lineup"


def test_second_engine_plays_if_the_first_does_not_start(tmp_path: Path) -> None:
    with serving(tmp_path, broken("dies_at_start"), broken("script")) as server, Page(server) as page:
        welcome = page.until("welcome")
        assert set(welcome["tables"]) == {"siguo", "luzhanqi"} and "dies_at_start" in welcome["fault"]
        assert page.start()["seats"]["N"]["name"] == "script"


@pytest.fixture(scope="module")
def tireless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board whose engine searches until it is stopped."""
    with serving(tmp_path_factory.mktemp("tireless"), broken("until_stopped")) as server:
        yield server


POSITION = {"variant": VARIANT, "fen": "", "moves": "", "lines": 1, "ms": 60_000}
TEASER = {"variant": "klotski", "position": "AB/.. goal ../AB", "moves": ""}
SOLUTION = TEASER | {"what": "solution", "depth": 0}


@pytest.mark.parametrize(
    ("start", "fields", "stop", "answer"),
    [
        ("study_search", POSITION, "study_stop", {"type": "study_lines"}),
        ("teaser_solve", SOLUTION, "teaser_stop", {"type": "teaser_solution"}),
        ("review_start", {"nodes": 10_000_000, "number": 1}, "review_stop", {"type": "reviewed", "is_whole": False}),
    ],
)
def test_stop_message_ends_long_tasks(
    tireless: Server, start: str, fields: dict[str, Any], stop: str, answer: dict[str, Any]
) -> None:
    """Start it once more while it waits: both requests are cancelled."""
    if start == "review_start":
        fields = fields | {"line": record_of(short_game("siguo", 2, 60)).strip()}
    with Page(tireless) as page:
        page.until("welcome")
        page.say(start, id=98, **fields)
        page.say(start, id=99, **fields)
        page.say(stop)
        answers = [page.until(lambda message: message.get("id") in (98, 99)) for _ in range(2)]
        assert all(found == found | answer for found in answers)


def test_refused_review_leaves_the_running_one(tireless: Server) -> None:
    with Page(tireless) as page:
        page.until("welcome")
        line = record_of(short_game("siguo", 2, 60)).strip()
        page.say("review_start", id=98, line=line, nodes=300_000, number=1)
        page.until("review")
        assert page.ask("review_start", line="no record", nodes=1000, number=2)["code"] == "bad-record"
        page.until("review")
        page.say("review_stop")
        assert page.until(lambda message: message.get("id") == 98)["type"] == "reviewed"


def test_refused_study_leaves_the_running_search(tireless: Server) -> None:
    with Page(tireless) as page:
        page.until("welcome")
        page.say("study_search", id=98, **POSITION)
        page.until("study_lines")
        assert page.ask("study_search", **POSITION | {"moves": "a1a1"})["code"] == "illegal-move"
        page.say("advice_stop", id=99)
        page.until(lambda message: message.get("id") == 99)
        assert not any('"id":98' in frame for frame in page.frames), "it has not ended"
        page.say("study_stop")
        assert page.until(lambda message: message.get("id") == 98)["type"] == "study_lines"


def test_another_task_stops_the_search_that_it_waits_for(tireless: Server) -> None:
    with Page(tireless) as page:
        page.until("welcome")
        page.say("teaser_solve", id=98, **SOLUTION)
        assert page.ask("teaser_show", **TEASER)["type"] == "teaser_position"


def test_adviser_is_stopped(tireless: Server) -> None:
    with Page(tireless) as page:
        page.new_game(GAME, variant=VARIANT)
        page.start()
        page.say("advice", ms=10_000)
        page.say("advice_stop")
        assert page.until("advice")["move"] == "a6b5"


def test_move_is_taken_back_in_its_tick(tmp_path: Path) -> None:
    """The engine has been asked, but its search has not begun."""

    async def converse() -> None:
        player = program("until_stopped")
        seating = Seating.read(msgspec.convert(new_game(GAME, variant=VARIANT), Setup), (player,), (VARIANT,))
        engines, game = Engines((player,)), new_game_of(seating)
        ladder = Ladder(Store(tmp_path), {})
        host: Any = SimpleNamespace(
            engines=engines, folder=tmp_path, errors=InternalErrors(), ladder=ladder, pages_of=lambda _: []
        )
        table = Table(game, host)
        table.follow()
        try:
            async with asyncio.timeout(60):
                while not game.players[1].has_engine:
                    await asyncio.sleep(0.01)
                table.do(lambda now_s: game.set_lineups("S", {"S": lineup.DEFAULT}, now_s))
                table.do(lambda now_s: game.move("S", 0, "a6b5", now_s))
                table.do(lambda now_s: game.take_back("S", now_s))
                await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        finally:
            table.close()
            await engines.close()
        assert game.thinking is None and not game.history and game.fault is None

    asynchronous.run(converse())


@pytest.mark.parametrize("number", long_after(1, [signal.SIGTERM, signal.SIGKILL]), ids=lambda number: number.name)
def test_signal_while_engines_play(tmp_path: Path, number: signal.Signals) -> None:
    others = processes_with(OWN_COMMAND, looks=1)  # one may serve other tests
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        page.new_game(dict.fromkeys("SN", "junqi-engine"), variant=VARIANT)
        state = page.state(lambda state: state.get("ply", 0) >= 2 or state.get("fault") is not None)
        assert state["fault"] is None
        asked = time.monotonic()
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_S) == ENDS[number]
        assert time.monotonic() - asked < 2.0 * SLACK
    assert (tmp_path / "stderr.txt").read_text() == ""
    assert len(processes_with(OWN_COMMAND)) == len(others)
    if number != signal.SIGKILL:
        assert verify(GameRecord.from_line(json.dumps(server.records()[-1]))) is None


@pytest.mark.parametrize(
    "number", long_after(1, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]), ids=lambda number: number.name
)
def test_signal_while_an_engine_hangs(tmp_path: Path, number: signal.Signals) -> None:
    """An engine that does not quit is killed. SIGHUP means that the terminal was closed."""
    with serving(tmp_path, HANGS, broken("script")) as server, Page(server) as page:
        page.new_game({"S": "hangs", "N": "script"}, variant=VARIANT)
        page.state(lambda state: state.get("ply") == 0 and state["seats"]["S"]["is_thinking"])
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_S) == ENDS[number]
    assert processes_with("sets_up_then hangs") == []


def test_board_under_nohup_ignores_a_closed_terminal(tmp_path: Path) -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with serving(tmp_path, broken("script"), sabotage=ignored) as server, Page(server) as page:
        page.until("game")
        server.process.send_signal(signal.SIGHUP)
        assert page.ask("lineup_random")["type"] == "lineup"
