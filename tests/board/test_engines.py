"""Engines of the board that are not to be trusted: whatever they write, the game gets a move or a fault."""

import logging
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from junqi_board.engine_pool import EnginePool
from junqi_board.engine_programs import Program
from junqi_board.engines import BoardEngine
from junqi_engine.client.engine_client import EngineError, EngineFault, Patience
from junqi_puzzles.drawing import VARIANTS, BadDrawing, draw
from tests.helpers import asynchronous
from tests.helpers.board import Page, serving
from tests.helpers.proof import plans
from tests.helpers.referee import scripted

SHORT = Patience(uciok_s=20.0, first_ready_s=20.0, ready_s=20.0, quit_s=0.2)


def program(name: str, *arguments: str) -> Program:
    return Program(name, tuple(scripted(name, *arguments)))


def test_an_output_that_cannot_be_read_is_the_fault_of_the_engine(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("an option without values")

    async def converse() -> None:
        engine = BoardEngine(program("script"), SHORT)
        await engine.start()
        monkeypatch.setattr("junqi_engine.client.engine_client.EngineClient.ask", fail)
        with pytest.raises(EngineError, match="its output cannot be read: ZeroDivisionError") as refusal:
            await engine.search("position startpos", "go")
        assert refusal.value.fault == EngineFault.PROTOCOL
        engine.close()
        await engine.wait_closed()

    asynchronous.run(converse())
    [record] = caplog.records
    assert record.levelno == logging.ERROR and record.exc_info is not None


def test_white_space_is_read_as_uci_says() -> None:
    heard: list[str] = []

    async def converse() -> None:
        engine = BoardEngine(program("odd_spaces"), SHORT)
        engine.listener = heard.extend
        assert (await engine.start()).name == "script" and engine.choice("UCI_Variant") is not None
        assert (await engine.search("position startpos", "go")).move == "g6h5" == "".join(engine.pv)
        engine.close()
        await engine.wait_closed()

    asynchronous.run(converse())
    assert "info depth 1 score cp +31 pv g6h5" in heard


def test_an_internal_error_in_a_search_becomes_a_fault_of_the_engine(tmp_path: Path) -> None:
    """The board itself fails while it handles an answer: the page may choose another engine."""
    sabotage = "import junqi_board.game.state as s\ns.BoardGame.engine_answered = lambda *_: 1 // 0\n"
    with serving(tmp_path, ("script", scripted("script")), sabotage=sabotage) as server, Page(server) as page:
        page.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        page.move(page.start(), "a6b5")
        fault = page.state(lambda state: state["fault"] is not None)["fault"]
        assert fault["code"] == "internal" and "internal error 1 of the board" in fault["text"]
        assert page.ask("lineup_random")["type"] == "lineup"
    log = (tmp_path / "stderr.txt").read_text()
    assert "internal error 1: a move of script" in log and "ZeroDivisionError" in log


def test_an_engine_from_the_pool_has_the_options_of_a_new_one(tmp_path: Path) -> None:
    """After a game of 1.0, the adviser was 1.0."""
    told = tmp_path / "told.txt"
    player = program("writes_down", str(told))

    async def converse() -> list[BoardEngine]:
        pool = EnginePool((player,), SHORT)
        first = await pool.take(player)
        await first.set_options({"UCI_Variant": "luzhanqi", "Player": "1.0", "Seed": "7", "Book": "x min y"})
        pool.give_back(first)
        second = await pool.take(player)
        await second.set_options({"UCI_Variant": "siguo"})
        await second.consult()
        pool.give_back(second)
        await pool.close()
        return [first, second]

    first, second = asynchronous.run(converse())
    assert second is first
    given = told.read_text().splitlines()
    reset = given[given.index("ucinewgame") + 1 : given.index("ucinewgame", given.index("ucinewgame") + 1)]
    assert [line for line in reset if line.startswith("setoption")] == [
        "setoption name Book value a min b",
        "setoption name Player value 2.0",
        "setoption name Seed value 0",
        "setoption name UCI_Variant value siguo",
    ]


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.sampled_from(VARIANTS))
def test_any_position_of_an_engine_is_drawn_or_refused(rng: random.Random, variant: str) -> None:
    samples = ("ABB./ABB./.... goal ..../..../.BB.", "T,b,m/s,T,b/T,T,.", "3343/3233", "5x5 start a1", "BBBKCC..HK.L")
    fen = plans.damaged(rng.choice(samples), rng)
    legal = [plans.line(rng) for _ in range(rng.randint(0, 3))] + ["Bd"]
    try:
        drawing = draw(variant, fen, " ".join(legal).split())
    except BadDrawing as error:
        assert "\n" not in str(error)
    else:
        assert drawing["width"] > 0
