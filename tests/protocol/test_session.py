"""The law of the session, as a process with a game that is made for the tests: the order of answers, `isready`, `stop`,
`quit`, the end of input, faults of a game.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from junqi_protocol.commands import VERSION
from tests.helpers.engine import SLACK, Engine, bestmoves, errors
from tests.helpers.faulty_engine import GATE

FAULTY = (sys.executable, "-m", "tests.helpers.faulty_engine")
VERSION_LINE = f"info string {VERSION}"
DRAWING = "info string a drawing"
AT_ONCE_S, END_S = 0.1 * SLACK, 1.0 * SLACK


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return tmp_path / "gate"


@pytest.fixture
def loading(gate: Path) -> Iterator[Engine]:
    """An engine whose game is loaded when the gate is there."""
    with Engine(command=FAULTY, environment={GATE: str(gate)}) as engine:
        yield engine


@pytest.fixture
def faulty() -> Iterator[Engine]:
    with Engine(command=FAULTY) as engine:
        engine.ask()
        engine.lines.clear()
        yield engine


def soon(engine: Engine, act: Callable[[], object], within_s: float) -> object:
    asked = time.monotonic()
    answer = act()
    assert engine.times[-1] - asked < within_s
    return answer


def test_fault_in_game_is_one_line_and_ends_nothing(faulty: Engine) -> None:
    faulty.send("go depth 1", "moves", "go depth 2", "go")
    lines = faulty.lines_until("bestmove a1a2")
    assert errors(lines) == ["internal", "internal", "too-large"]
    assert bestmoves(lines) == ["(none)", "(none)", "a1a2"]
    assert "RuntimeError: 'an error\\nof two lines' at faulty_engine.py:" in lines[0]
    assert lines[1] == "bestmove (none)" and "not enough memory; a smaller Hash" in lines[3]


@pytest.mark.parametrize("line", ["belief", "export x", "go perft 3", "go setup", "go hint", "go generate"])
def test_command_missing_in_game_is_unsupported(faulty: Engine, line: str) -> None:
    faulty.ask(line, until="info string error not-supported ")


def test_commands_run_in_order_and_wait_for_limited_searches(faulty: Engine) -> None:
    faulty.send("go nodes 1", "d", "position x", "go depth 1", "version", "xyzzy", "go sideways", "go nodes 2", "d")
    lines = [line.split(" at ")[0] for line in faulty.lines_until(lambda line: faulty.lines.count(DRAWING) == 2)]
    error = "info string error"
    assert [line for line in lines if line != "info depth 1"] == [
        *("bestmove a1a3", DRAWING, f"{error} internal RuntimeError: 'an error\\nof two lines'", "bestmove (none)"),
        *(VERSION_LINE, f"{error} unknown-command 'xyzzy'", f"{error} bad-argument go: unknown word 'sideways'"),
        *("bestmove (none)", "bestmove a1a4", DRAWING),
    ]


def test_readyok_waits_for_loading_but_uciok_does_not(loading: Engine, gate: Path) -> None:
    loading.send("isready", "d", "uci")
    assert "readyok" not in loading.lines_until("uciok")
    gate.touch()
    assert loading.lines_until(DRAWING) == ["readyok", DRAWING]
    # And again after an option for which more is loaded.
    assert loading.ask("setoption name Seed value 1", "setoption name Skill Level value 3") == ["readyok"]
    loading.send("setoption name player value 1.2", "isready", "uci")
    assert "readyok" not in loading.lines_until("uciok")
    gate.touch()
    loading.lines_until("readyok")


def test_readyok_waits_for_the_answers_before_it(faulty: Engine) -> None:
    lines = faulty.ask("position " + "x " * 20, "d", "xyzzy", "version")
    assert lines == [DRAWING, "info string error unknown-command 'xyzzy'", VERSION_LINE, "readyok"]
    # When a `bestmove` arrives its search has ended, so the next `readyok` is a barrier.
    for _ in range(50):
        faulty.ask("go", until="bestmove")
        assert faulty.ask("position x", "d") == [DRAWING, "readyok"]


@pytest.mark.parametrize("search", ["go infinite", "go ponder infinite", "go movetime 1", "eval"])
def test_readyok_comes_during_search_and_is_barrier_after_stop(faulty: Engine, search: str) -> None:
    """`isready` may come before the search begins or after."""
    faulty.send(search, "d", "isready")
    assert set(faulty.lines_until("readyok")) <= {"info depth 1", "readyok"}
    faulty.ask()  # the search has begun by now, or begins
    assert DRAWING not in faulty.lines
    soon(faulty, lambda: faulty.ask("uci"), AT_ONCE_S)
    answer = soon(faulty, lambda: faulty.ask("stop"), AT_ONCE_S)
    expected = "bestmove a1a2" if search.startswith("go") else "info string eval stopped"
    assert [line for line in answer if line != "info depth 1"] == [expected, DRAWING, "readyok"]


BEST, READY, ENDLESS, HOUR = "bestmove a1a2", "readyok", "go infinite", "go movetime 3600000"
NOWHERE, LACKING, NONE = "error bad-argument", "error not-supported", "bestmove (none)"
BLOCKS = [
    ([ENDLESS, "stop", "isready"], [BEST, READY]),
    (["go ponder infinite", "stop", "isready"], [BEST, READY]),
    (["go ponder movetime 3600000", "stop", "isready"], [BEST, READY]),
    ([HOUR, HOUR, "stop", "isready"], [BEST, BEST, READY]),
    ([HOUR, "go infinite nodes 1", "stop", "isready"], [BEST, "bestmove a1a3", READY]),
    ([ENDLESS, "go nodes 1", "stop", "isready"], [BEST, "bestmove a1a3", READY]),
    (["go setup", "stop", "isready"], [LACKING, NONE, READY]),
    (["go perft 3", "stop", "isready"], [LACKING, NONE, READY]),
    (["eval", "stop", "isready"], ["eval stopped", READY]),
    (["bench", "stop", "isready"], [LACKING, READY]),
    ([ENDLESS, "stop", "d", "isready"], [BEST, "a drawing", READY]),
    ([ENDLESS, "d", "stop", "isready", "isready"], [BEST, "a drawing", READY, READY]),
    ([ENDLESS, "position nowhere", "isready"], [BEST, NOWHERE, READY]),
    ([ENDLESS, "ucinewgame", "isready"], [BEST, READY]),
    ([ENDLESS, "go sideways", "isready"], [BEST, NOWHERE, NONE, READY]),
    # A search that was not stopped before gives a `readyok` when it begins.
    ([ENDLESS, "isready", "stop", "isready"], [READY, BEST, READY]),
    ([ENDLESS, "go nodes 1", "isready"], [BEST, READY, "bestmove a1a3"]),
    ([ENDLESS, "stop", "isready", "go nodes 1", "isready"], [BEST, READY, READY, "bestmove a1a3"]),
    (["stop", ENDLESS, "isready", "d", "stop"], [READY, BEST, "a drawing"]),
]
"""Lines written in one piece while nothing is carried out, and the answers in their order."""


def test_readyok_follows_the_bestmoves_of_all_stopped_searches(loading: Engine, gate: Path) -> None:
    for number, (lines, answers) in enumerate(BLOCKS):
        loading.send(f"setoption name Player value 1.{number % 2}", *lines, "uci")
        loading.lines_until("uciok")
        gate.touch()
        heard: list[str] = []
        while len(heard) < len(answers):
            heard += [line for line in loading.lines_until(lambda line: True) if line != "info depth 1"]
        assert [" ".join(line.removeprefix("info string ").split()[:2]) for line in heard] == answers, lines


@pytest.mark.parametrize("waiting", ["", "eval", "bench", "d", "go infinite"])
def test_stop_does_not_skip_the_warm_up(loading: Engine, gate: Path, waiting: str) -> None:
    """The first load of a process, and the loads after options."""
    for option in ("Seed value 1", "Player value 1.0", "UCI_Variant value faulty"):
        loading.send(f"setoption name {option}", waiting, "isready", "stop", "uci")
        loading.lines_until("uciok")
        gate.touch()
        loading.lines_until("readyok")
        assert not gate.exists()


def test_commands_during_a_search_wait_or_stop_it(faulty: Engine) -> None:
    for line in ("d", "xyzzy", "setoption name Nothing value 1", "version"):
        faulty.ask("go infinite", line)
        assert bestmoves(faulty.lines) == [] and faulty.lines[-1] == "readyok"
        faulty.send("stop", "isready")
        answer = faulty.lines_until(lambda line: not line.startswith(("info depth", "bestmove")))
        assert bestmoves(answer) == ["a1a2"] and answer[-1].startswith("info string ")
        faulty.lines_until("readyok")
        faulty.lines.clear()
    for line in ("position x", "ucinewgame", "go", "go sideways"):
        faulty.ask("go infinite", line, until="bestmove a1a2")
        faulty.ask("stop")


def test_reading_is_fast_behind_waiting_searches(faulty: Engine) -> None:
    before = faulty.processor_s()
    for line in ("go nodes 1", "go infinite nodes 1", "isready", "stop"):
        faulty.ask(*["go movetime 3600000"] * 2, *[line] * 8000, "uci", until="uciok")
    assert faulty.processor_s() - before < 0.5 * SLACK
    faulty.send("quit")
    soon(faulty, faulty.rest, END_S)
    assert len(bestmoves(faulty.lines)) == 2 * 4 + 8000 * 2


def test_commands_beyond_the_memory_of_the_queue_are_rejected() -> None:
    code = (
        "import junqi_protocol.session as session; session.MAX_WAITING_BYTES = 100_000; "
        "from junqi_protocol.__main__ import main; main()"
    )
    with Engine(command=[sys.executable, "-c", code]) as engine:
        engine.ask("go movetime 3600000", *["version"] * 200, f"position {'x ' * 50_000}", "d", "go", until="bestmove")
        rejected = errors(engine.lines)
        assert engine.lines[-1] == "bestmove (none)" and set(rejected) == {"too-large"} and 100 < len(rejected) < 200
        engine.send("stop")
        engine.lines_until(lambda line: engine.lines.count(VERSION_LINE) + len(rejected) == 203)
        engine.ask()
        assert errors(engine.ask("version", "go nodes 1", until="bestmove")) == []


def test_quit_does_not_answer_a_go_twice() -> None:
    """The worker still carries out calls that `quit` has answered, since it has waited long enough."""
    code = (
        "import os, time; import junqi_protocol.session as session; session.QUIT_WITHIN_S = 0; leave = os._exit; "
        "os._exit = lambda code: (time.sleep(0.2), leave(code)); "
        "from junqi_protocol.__main__ import main; main()"
    )
    with Engine(command=[sys.executable, "-c", code]) as engine:
        engine.ask("position startpos")
        engine.send("go infinite", *["go nodes 1"] * 100, "quit")
        assert len(bestmoves(soon(engine, engine.rest, END_S))) == 101


def test_quit_while_loading_answers_every_go(loading: Engine) -> None:
    loading.send("go", "isready", "go infinite", "go sideways", "position startpos", "quit")
    assert len(bestmoves(soon(loading, loading.rest, END_S))) == 3
    assert loading.exit_code() == 0


def test_end_of_input_runs_all_commands_read(loading: Engine, gate: Path) -> None:
    loading.send("go nodes 1", "go infinite nodes 2", "position startpos", "d", "go ponder nodes 3", "go depth x")
    loading.send("isready")
    loading.end_input()
    gate.touch()
    lines = loading.rest()
    assert loading.exit_code() == 2
    assert bestmoves(lines) == ["a1a3", "a1a4", "a1a5", "(none)"]
    assert errors(lines) == ["bad-number"] and {DRAWING, "readyok"} <= set(lines)


def test_quit_answers_waiting_searches_with_legal_moves(faulty: Engine) -> None:
    faulty.send(*["go movetime 1"] * 100, "go depth x", "quit")
    first, *others = bestmoves(faulty.rest())
    assert first in ("a1a2", "b1b2")  # it may have begun
    assert others == [*["b1b2"] * 99, "(none)"]
    assert faulty.exit_code() == 0


def test_quit_answers_slow_search_with_best_move_so_far(faulty: Engine) -> None:
    faulty.ask("go depth 3", until="info")
    assert bestmoves(soon(faulty, lambda: faulty.ask("quit", until="bestmove"), END_S)) == ["a1a9"]
    assert faulty.exit_code() == 0


def test_split_lines_are_joined_and_long_lines_dropped(faulty: Engine) -> None:
    for byte in b"\xef\xbb\xbfd\r\n  version":
        faulty.send_bytes(bytes([byte]))
    faulty.send_bytes(b"\n\n# a comment\n" + b" " * 3000 + b"go " + b"x" * (17 << 20) + b"\n")
    faulty.send_bytes(b"longer" * (3 << 20) + b"\nd")
    faulty.end_input()
    lines = faulty.rest()
    assert errors(lines) == ["unknown-command", "line-too-long", "line-too-long"]
    assert lines[1] == VERSION_LINE and lines[-1] == DRAWING
    assert "begins with 'go xxxxxxxxxxxxxxxxx'" in lines[2] and lines[3] == "bestmove (none)"
    assert faulty.exit_code() == 2
