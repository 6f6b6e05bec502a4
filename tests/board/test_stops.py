"""A stop is obeyed whenever it comes, also before the search that it is for has begun."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from junqi_board.engine_pool import EnginePool
from junqi_board.engine_programs import Program
from junqi_board.errors import InternalErrors
from junqi_board.game.seating import Seating
from junqi_board.session.game_session import new_session
from junqi_engine.rules import lineup
from tests.helpers import asynchronous
from tests.helpers.board import Page, Server, broken, new_game, serving
from tests.helpers.referee import SHORT, scripted
from tests.helpers.review import record_of, short_game

VARIANT = "luzhanqi"
GAME = {"S": "me", "N": "until_stopped"}


@pytest.fixture(scope="module")
def tireless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board whose engine searches until it is stopped."""
    with serving(tmp_path_factory.mktemp("tireless"), broken("until_stopped")) as server:
        yield server


def answered(page: Page, start: str, stop: str, **fields: Any) -> dict[str, Any]:
    """The answer to a request that is stopped by the very next message."""
    page.say(start, id=99, **fields)
    page.say(stop)
    return page.until(lambda message: message.get("id") == 99)


def test_an_analysis(tireless: Server) -> None:
    with Page(tireless) as page:
        page.until("welcome")
        fields = {"variant": VARIANT, "fen": "", "moves": "", "lines": 1, "ms": 60_000}
        assert answered(page, "analysis_search", "analysis_stop", **fields)["type"] == "analysis_lines"
        # Of two searches, the one that waits for the other is stopped too.
        page.say("analysis_search", id=98, **fields)
        assert answered(page, "analysis_search", "analysis_stop", **fields)["type"] == "analysis_lines"


def test_a_solver(tireless: Server) -> None:
    with Page(tireless) as page:
        page.until("welcome")
        opened = page.ask("puzzle_open", variant="klotski", position="AB/.. goal ../AB", options={}, moves="")
        assert opened["type"] == "puzzle"
        assert answered(page, "puzzle_solve", "puzzle_stop", what="solution", depth=0)["type"] == "puzzle_answer"
        # Another task stops the search that it waits for.
        page.say("puzzle_solve", id=98, what="solution", depth=0)
        assert page.ask("puzzle_restart")["type"] == "puzzle"


def test_an_adviser(tireless: Server) -> None:
    with Page(tireless) as page:
        page.new_game(GAME, variant=VARIANT)
        page.start()
        page.say("advice", ms=10_000)
        page.say("advice_stop")
        assert page.until("advice")["move"] == "a6b5"


def test_a_review(tireless: Server) -> None:
    with Page(tireless) as page:
        page.until("welcome")
        line = record_of(short_game("siguo", 2, 60)).strip()
        answer = answered(page, "review_start", "review_stop", line=line, nodes=10_000_000)
        assert answer["type"] == "reviewed" and not answer["is_whole"]


def test_a_pause_in_the_tick_of_the_move(tmp_path: Path) -> None:
    """The engine has been asked, but its search has not begun."""

    async def converse() -> None:
        player = Program("until_stopped", tuple(scripted("until_stopped")))
        seating = Seating.read(new_game(GAME, variant=VARIANT), (player,), (VARIANT,))
        pool = EnginePool((player,), replace(SHORT, unclocked_s=600.0))
        session = new_session(1, seating, pool, tmp_path, InternalErrors())
        game = session.game
        session.open()
        try:
            async with asyncio.timeout(60):
                while not game.players[1].has_engine:
                    await asyncio.sleep(0.01)
                session.apply(lambda now_s: game.set_lineups("S", {"S": lineup.DEFAULT}, now_s))
                session.apply(lambda now_s: game.move("S", 0, "a6b5", now_s))
                session.apply(lambda now_s: game.set_paused(True, now_s))
                await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        finally:
            session.close()
            await pool.close()
        assert game.thinking is None and len(game.history) == 1 and game.fault is None

    asynchronous.run(converse())
