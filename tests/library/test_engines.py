"""`Engine`: our own engine, every broken engine, and several engines together."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import junqi_engine as junqi
from junqi_engine import CommandRejected, Engine, EngineError, EngineFault
from junqi_engine.client.engine_client import EngineClient
from junqi_engine.rules import lineup
from tests.helpers.engine import SLACK
from tests.helpers.marking import long_after
from tests.helpers.referee import NO_START, SHORT, processes_with, scripted
from tests.helpers.waiting import until

FAST = {"Player": "1.2", "Seed": 1}
SEARCHING = {"Seed": 1, "UCI_ShowWDL": True}
BROKEN = {
    "answers_twice": (EngineFault.PROTOCOL, "'bestmove g6h5'"),
    "bad_lineup": (EngineFault.ILLEGAL_MOVE, "the answer '@lll"),
    "closes_stdout": (EngineFault.DISCONNECT, "the process closed its output"),
    "dies_at_start": (
        EngineFault.NO_START,
        "the process ended with exit code 1; its stderr ends with 'no such book: moves.bin'",
    ),
    "dies_on_go": (EngineFault.DISCONNECT, "the process ended with exit code 3"),
    "floods": (EngineFault.STALL, "no bestmove within"),
    "garbage": (EngineFault.STALL, "no bestmove within"),
    "hangs": (EngineFault.STALL, "no bestmove within"),
    "hangs_at_isready": (EngineFault.STALL, "no readyok within"),
    "illegal_move": (EngineFault.ILLEGAL_MOVE, "the answer 'h1h2' is not a legal move at ply 0"),
    "leaves_a_child": (EngineFault.STALL, "no bestmove within"),
    "long_line": (EngineFault.PROTOCOL, "a line of over 1 MiB"),
    "never_says_uciok": (EngineFault.NO_START, "no uciok within"),
    "no_move": (EngineFault.ILLEGAL_MOVE, "the answer 'banana' is not a legal move"),
    "resigns_for_others": (EngineFault.ILLEGAL_MOVE, "the answer 'resign:E' is not a legal move"),
}
"""The fault and a part of the message, by broken engine."""


@pytest.fixture(scope="module")
def own() -> Iterator[Engine]:
    """Our engine, for the tests that do not end it."""
    with Engine(options=FAST) as engine:
        yield engine


@pytest.fixture(scope="module")
def searching() -> Iterator[Engine]:
    """A player that searches, for the tests that do not end it."""
    with Engine(options=SEARCHING) as engine:
        yield engine


def view(variant: str = "luzhanqi", moves: tuple[str, ...] = ()) -> junqi.View:
    seats = "S" if variant == "luzhanqi" else "SN"
    shown = junqi.View(variant, seats, dict.fromkeys(seats, lineup.DEFAULT))
    for move in moves:
        shown.push(move)
    return shown


def play_broken(name: str) -> None:
    patience = NO_START if name in ("never_says_uciok", "hangs_at_isready", "dies_at_start") else SHORT
    with Engine(scripted(name), patience=patience) as engine:
        engine.play(view("siguo"), movetime_ms=100)
        engine.consult("d")


# Our own engine


@pytest.mark.parametrize("variant", long_after(1, ["luzhanqi", "siguo"]))
def test_two_engines_play_a_game(own: Engine, variant: str) -> None:
    game = junqi.Game(variant, seed=3, rules=junqi.Rules(no_contact=20, max_plies=60))
    with Engine(options=FAST) as other:
        while not game.is_game_over():
            team = game.teams[0] if game.turn in game.teams[0] else game.teams[1]
            engine = own if team == game.teams[0] else other
            game.push(engine.play(game.view(team), nodes=10).move)
    assert game.ending is not None


def test_rules_of_view_reach_engine_and_are_reset(own: Engine) -> None:
    game = junqi.Game("luzhanqi", rules=junqi.Rules(no_contact=2), seed=1)
    own.play(game.view("S"))
    game.push(next(move for move in game.legal_moves if game.piece_at(move.to_point) is None))
    game.push(next(move for move in game.legal_moves if game.piece_at(move.to_point) is None))
    assert game.result == "N"
    over = own.play(game.view("S"))
    assert over.move is None and over.info.string.endswith("the game has ended: result N wins")
    again = junqi.Game("luzhanqi", game.lineups)
    for move in game.move_stack:
        again.push(move)
    assert again.result is None
    assert own.play(again.view("S")).move in again.legal_moves


def test_search_yields_reports(searching: Engine) -> None:
    result = searching.play(view(), depth=2)
    assert result.move == result.info.pv[0]
    assert result.info.depth == 2
    assert result.info.score is not None and result.info.wdl is not None and sum(result.info.wdl) == 1000
    infos = [info for info in searching.analysis(view(), depth=2, multipv=3) if info.pv]
    assert {(info.depth, info.multipv) for info in infos} == {(d, rank) for d in (1, 2) for rank in (1, 2, 3)}
    # The next search has one line again.
    assert {info.multipv for info in searching.analysis(view(), depth=1)} == {1}
    assert searching.play(view(), depth=1, searchmoves=["a6b5"]).move == "a6b5"


def test_stop_works_from_another_thread(searching: Engine) -> None:
    has_begun = threading.Event()
    threading.Thread(target=lambda: has_begun.wait() and searching.stop()).start()
    infos = []
    for info in searching.analysis(view()):
        infos.append(info)
        has_begun.set()
    assert infos[-1].pv


@pytest.mark.parametrize("call", [lambda engine: engine.play(view()).move, lambda engine: engine.setup()])
def test_stop_while_loading_ends_the_search(call: Callable[[Engine], Any], tmp_path: Path) -> None:
    loading, begun = tmp_path / "loading", tmp_path / "loading.begun"
    with Engine(scripted("waits_at_isready", str(loading)), patience=SHORT) as engine:
        loading.touch()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(call, engine)
            until(begun.exists)
            engine.stop()
            begun.unlink()
            assert answer.result() in ("a6b5", lineup.DEFAULT)


def test_option_names_ignore_case() -> None:
    patience = junqi.Patience(ready_s=1.0, first_ready_s=60.0)
    with Engine(scripted("slow_at_isready", "1.5"), patience=patience) as engine:
        engine.configure({"uci_variant": "luzhanqi"})
        engine.consult("setoption name player value 1.2")


@pytest.mark.parametrize(
    ("position", "limits", "reason"),
    [
        ("fen A. goal .A moves Ar", {}, ""),
        ("fen AB/AB goal B./B.", {}, "unsolvable proven by 1 states"),
        ("startpos", {"nodes": 10}, "no solution within "),
    ],
)
def test_missing_move_has_a_reason(own: Engine, position: str, limits: Any, reason: str) -> None:
    own.consult("setoption name UCI_Variant value klotski")
    result = own.play(position, **limits)
    assert result.move is None and result.info.string.startswith(reason)
    assert reason or str(result.info.score) == "mate 0"


def test_kill_works_from_another_thread() -> None:
    with Engine() as engine:
        infos = engine.analysis(view())
        next(infos)
        asked = time.monotonic()
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(infos.wait)
            engine.kill()
            assert isinstance(waiting.exception(), EngineError)
        assert time.monotonic() - asked < 3.0 * SLACK
        with pytest.raises(EngineError, match="has failed before"):
            engine.ping()
    with pytest.raises(EngineError, match="has failed before"):
        engine.ping()


def test_program_is_a_path(tmp_path: Path) -> None:
    program = tmp_path / "an engine of mine"
    program.write_text(f"#!{sys.executable}\n{RESIGNS}")
    program.chmod(0o700)
    with Engine(program, patience=SHORT) as one, Engine([program, "word"], patience=SHORT) as other:
        assert (one.name, other.name) == ("an engine of mine",) * 2
        assert one.play("startpos").move == "resign:N"


def test_options_identity_and_setup_are_available(own: Engine) -> None:
    assert own.id["name"].startswith("junqi-engine ")
    assert "uci_variant" in own.options
    for seat, variant in (("E", "siguo"), ("N", "luzhanqi")):
        assert junqi.Game(variant, {seat: own.setup(seat, variant)}).lineups[seat]
    with pytest.raises(junqi.Refused, match="bad-position viewer 'X' is not one seat"):
        own.setup("X")


@pytest.mark.parametrize(
    ("work", "code", "text"),
    [
        (lambda engine: engine.configure({"Seed": "banana"}), "bad-number", "option Seed"),
        (lambda engine: engine.configure({"Colour": 1}), "no-such-option", "Colour: the engine does not declare it"),
        (lambda engine: engine.play("startpos moves b1b2"), "illegal-move", "b1b2: b1 is a headquarters"),
        (lambda engine: engine.play("fen banana"), "bad-position", "a FEN has 6 or 7 fields"),
        (lambda engine: engine.play(junqi.Game("luzhanqi").view("N")), "not-our-seat", "S is to move"),
        (lambda engine: engine.play(view(), searchmoves=["c1c2"]), "illegal-move", "searchmoves: c1c2: "),
        (lambda engine: list(engine.analysis("banana")), "bad-argument", "expected startpos or fen, not 'banana'"),
        (lambda engine: engine.consult("banana"), "unknown-command", "banana"),
    ],
)
def test_refusals_of_own_engine_are_raised(own: Engine, work: Callable, code: str, text: str) -> None:
    own.play(view())  # the texts are of luzhanqi
    with pytest.raises(CommandRejected, match=text) as error:
        work(own)
    assert error.value.code == code
    assert str(error.value).startswith(f"{own.name}: {code} ")
    assert own.play(view()).move in view().legal_moves


@pytest.mark.parametrize(
    "work",
    [
        lambda engine: engine.play("startpos\nquit"),
        lambda engine: engine.consult("d\nquit"),
        lambda engine: engine.configure({"EvalFile": "log\nquit"}),
    ],
)
def test_text_with_line_break_is_refused(own: Engine, work: Callable) -> None:
    """The engine would read it as other commands."""
    with pytest.raises(junqi.Refused, match=r"a command is one line, this text has a line break: .*\\nquit"):
        work(own)
    assert own.play(view()).move in view().legal_moves


# Broken engines


@pytest.mark.parametrize("name", BROKEN)
def test_faults_of_broken_engine_are_raised(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    fault, text = BROKEN[name]
    monkeypatch.setattr(EngineClient, "GRACE_S", 1.0)
    asked = time.monotonic()
    with pytest.raises(EngineError) as error:
        play_broken(name)
    assert time.monotonic() - asked < 3.0 * SLACK
    assert (error.value.fault, error.value.code) == (fault, fault.value)
    assert text in str(error.value)
    assert str(error.value).startswith(f"{sys.executable.rpartition('/')[2]}: ")
    assert not processes_with(f"broken.py {name}")


def test_illegal_lineup_is_engine_fault() -> None:
    with Engine(scripted("bad_lineup"), patience=SHORT) as engine, pytest.raises(EngineError, match="for S: ") as error:
        engine.setup()
    assert error.value.fault is EngineFault.BAD_LINEUP


def test_foreign_engine_may_resign_or_have_no_move() -> None:
    with Engine([sys.executable, "-S", "-c", RESIGNS], patience=SHORT) as engine:
        move = engine.play(view("siguo")).move
        assert isinstance(move, junqi.Move) and move.resigned == "N"
    with Engine([sys.executable, "-S", "-c", RESIGNS.replace("resign:N", "(none)")], patience=SHORT) as engine:
        assert engine.play("startpos").move is None
        with pytest.raises(EngineError, match=r"'\(none\)' is not a legal move"):
            engine.play(view("siguo"))


RESIGNS = """
import sys
for line in sys.stdin:
    if line == "uci\\n": print("option name UCI_Variant type combo default siguo var siguo\\nuciok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    if line == "go\\n": print("bestmove resign:N", flush=True)
    if line == "quit\\n": break
"""


@pytest.mark.parametrize("command", ["", [], "no-such-program-here", "'unclosed", ["/"], ["\0"]])
def test_unstartable_program_is_reported(command: str | list[str]) -> None:
    with pytest.raises(EngineError) as error:
        Engine(command)
    assert error.value.fault is EngineFault.NO_START
