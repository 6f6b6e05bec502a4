"""The session with games that are made for the tests: bugs, floods of commands, slow loading."""

import pytest

from junqi_protocol import session
from junqi_protocol.commands import VERSION
from junqi_protocol.streams import EndOfInput
from tests.helpers.engine import errors
from tests.helpers.session import FaultyGame, Talk, bestmoves

VERSION_LINE = f"info string {VERSION}"


def test_an_exception_is_printed_in_one_line_and_survived() -> None:
    talk = Talk()
    talk.say("go depth 1", "legal", "go depth 2", "go")
    lines = talk.wait(lambda lines: "bestmove a1a2" in lines)
    assert errors(lines) == ["internal", "internal", "too-large"]
    assert [line for line in lines if line.startswith("bestmove")] == ["bestmove (none)"] * 2 + ["bestmove a1a2"]
    assert any("not enough memory; a smaller Hash" in line for line in lines)
    assert "RuntimeError" in lines[0] and "at session.py:" in lines[0] and "\n" not in lines[0]
    talk.end()


def test_too_many_commands_behind_a_search_are_rejected() -> None:
    talk = Talk(backlog_bytes=50_000)
    talk.say("go infinite", *["setoption name Hash value 5"] * 100, "stop")
    lines = talk.wait(lambda lines: "bestmove a1a2" in lines)
    assert 0 < errors(lines).count("too-large") < 100
    talk.say("d", "isready")
    assert "readyok" in talk.wait(lambda lines: "readyok" in lines)
    talk.end()


def test_waiting_commands_stop_the_reader_except_during_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_WAITING_JOBS", 20)
    talk = Talk(is_loaded=False)
    talk.say(*["d"] * 25)
    talk.wait(lambda lines: talk.session.is_behind)
    talk.dispatcher.gate.set()
    talk.wait(lambda lines: len(lines) == 25)
    talk.say("go infinite", *["setoption name Seed value 1"] * 25, "uci")
    talk.wait(lambda lines: "uciok" in lines and any(line.startswith("info time") for line in lines))
    assert not talk.session.is_behind
    talk.say("stop")
    talk.wait_for(1, "bestmove a1a2")
    talk.end()


def test_readyok_waits_for_loading_and_for_long_commands() -> None:
    talk = Talk(is_loaded=False)
    talk.say("isready", "version", "uci")
    talk.wait(lambda lines: "uciok" in lines and talk.dispatcher.is_at_the_gate)
    assert "readyok" not in talk.lines
    talk.dispatcher.gate.set()
    talk.wait(lambda lines: lines[-1] == VERSION_LINE)
    talk.say("position " + "x " * 20, "d", "xyzzy", "isready", "version")
    lines = talk.wait(lambda lines: lines.count(VERSION_LINE) == 2)
    assert lines[-5:] == [
        VERSION_LINE, "info string a drawing", "info string error unknown-command 'xyzzy'", "readyok", VERSION_LINE,
    ]  # fmt: skip
    # And again after an option for which more is loaded.
    talk.dispatcher.gate.clear()
    talk.say("setoption name Seed value 1", "setoption name Log File value hash", "isready")
    talk.wait_for(3, "readyok")
    talk.say("setoption name player value 1.2", "isready", "uci")
    talk.wait(lambda lines: lines[-1] == "uciok" and talk.dispatcher.is_at_the_gate)
    assert talk.lines.count("readyok") == 3
    talk.dispatcher.gate.set()
    talk.wait_for(4, "readyok")
    talk.end()


@pytest.mark.parametrize("search", ["go infinite", "go ponder", "go movetime 1", "eval", "bench"])
def test_readyok_comes_during_a_search_and_is_a_barrier_after_stop(search: str) -> None:
    """Whether it was asked for before the search began or after."""
    talk = Talk()
    talk.say(search, "d", "isready")
    talk.wait(lambda lines: "readyok" in lines and talk.session.is_searching)
    talk.say("isready")
    talk.wait_for(2, "readyok")
    assert "info string a drawing" not in talk.lines
    talk.say("stop", "isready")
    talk.wait_for(3, "readyok")
    answer = "bestmove a1a2" if search.startswith("go") else f"info string {search} stopped"
    lines = [line for line in talk.lines if "time" not in line]
    assert lines == ["readyok", "readyok", answer, "info string a drawing", "readyok"]
    talk.end()


@pytest.mark.parametrize(("search", "answer"), [("go", "bestmove a1a2"), ("board", "info string board {}")])
def test_when_an_answer_arrives_its_search_has_ended(search: str, answer: str) -> None:
    """A client that has read it takes the next `isready` for a barrier."""
    talk = Talk()
    talk.say(search)
    talk.wait_for(1, answer)
    assert not talk.searched[talk.lines.index(answer)]
    talk.end()


def test_the_end_while_loading_answers_every_go() -> None:
    talk = Talk(is_loaded=False)
    talk.say("go", "isready", "go infinite", "go sideways", "position startpos")
    lines = talk.end()
    assert lines.count("bestmove (none)") == 3
    talk.dispatcher.gate.set()


def test_the_end_of_input_carries_out_what_was_read() -> None:
    talk = Talk(is_loaded=False)
    talk.say(
        "go nodes 1", "go infinite nodes 2", "position startpos", "d", "go ponder nodes 3", "go depth x", "isready"
    )
    talk.session.inbox.put(EndOfInput())
    talk.dispatcher.gate.set()
    assert talk.exit_code() == 0
    assert bestmoves(talk.lines) == ["a1a3", "a1a4", "a1a5", "(none)"]
    assert errors(talk.lines) == ["bad-number"]
    assert "info string a drawing" in talk.lines and "readyok" in talk.lines


@pytest.mark.parametrize(
    ("go", "has_input"), [("", True), ("go movetime 1", True), ("go movetime 1", False), ("go ponder", True)]
)
def test_a_session_whose_answers_nobody_can_read_ends(go: str, has_input: bool) -> None:
    talk = Talk()
    talk.say(go)
    if not has_input:
        talk.session.inbox.put(EndOfInput())
    talk.say("uci")
    talk.wait(lambda lines: "uciok" in lines and any("time" in line for line in lines) >= bool(go))
    talk.is_read = False
    assert talk.exit_code() == 1 and bestmoves(talk.lines) == []


def test_quit_answers_each_search_that_waits_by_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FaultyGame, "moves", ("b1b2",))
    talk = Talk()
    talk.say(*["go movetime 1"] * 100, "go depth x")
    first, *others = bestmoves(talk.end())
    assert first in ("a1a2", "b1b2")  # it may have begun
    assert others == [*["b1b2"] * 99, "(none)"]


def test_the_end_answers_a_search_that_is_slow_to_stop_by_its_best_move_so_far() -> None:
    talk = Talk()
    talk.say("go depth 3")
    talk.wait(bool)
    assert bestmoves(talk.end()) == ["a1a9"]


@pytest.mark.parametrize("line", ["belief", "export x", "go perft 3", "go setup"])
def test_a_command_that_a_game_lacks_is_not_supported(line: str) -> None:
    talk = Talk()
    talk.say(line)
    assert errors(talk.wait(lambda lines: bool(errors(lines)))) == ["not-supported"]
    talk.end()
