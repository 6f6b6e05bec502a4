"""Hostile input for everything that reads; `python -m tools.proof.fuzz` goes on for hours."""

import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from junqi_engine.errors import JunqiError
from junqi_engine.notation.moves import parse_move
from junqi_engine.notation.start import start_view
from junqi_engine.rules.board import SIGUO
from tests.engine import DEADLINE_S
from tools.proof.fuzz.runner import NAMES, run, targets
from tools.proof.fuzz.samples import records
from tools.referee.exits import RefereeError
from tools.referee.records.game_record import parse_record
from tools.referee.records.replay import verify
from tools.referee.settings.settings import Settings, read_tables

EXAMPLES = 2400
"""For each target; together they take most of a minute."""


@pytest.mark.parametrize("name", NAMES)
def test_hostile_input_is_refused_or_understood(name: str) -> None:
    run(name, 1, EXAMPLES)


def test_the_samples_are_good_and_none_is_forgotten() -> None:
    assert tuple(sorted(targets())) == tuple(sorted(NAMES))
    for target in targets().values():
        for sample in target.samples:
            target.check(sample)


def test_a_target_that_breaks_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.proof.fuzz import runner

    def breaks_at_a_slash(data: bytes) -> None:
        assert b"/" not in data

    monkeypatch.setattr(runner, "targets", lambda: {"book": runner.Target(breaks_at_a_slash, (b"a/b", b"c"))})
    with pytest.raises(AssertionError):
        run("book", 1, EXAMPLES)


def test_the_command_says_what_it_lacks() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import tools.proof.fuzz.__main__ as m; sys.exit(m.main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE_S)
    assert (done.returncode, done.stderr) == (
        2,
        "tools.proof.fuzz: hypothesis is missing: pip install 'junqi-engine[test]'\n",
    )


NEST = "[" * 100_000
REFEREE_FILES = [
    (lambda: parse_record(f'{NEST}\n{{"game":1}}\n'.encode(), "r"), "record r, line 1: it is nested too deeply"),
    (lambda: read_tables(f"a = {NEST}".encode(), "t"), "t: no TOML: it is nested too deeply"),
    (lambda: read_tables(b"a = " + b"9" * 5000, "t"), "t: no TOML: Exceeds the limit (4300 digits) for integer"),
    (lambda: Settings.read({"match": {"variant": "a\nb"}}, "t"), r"t, match: variant=a\nb is none of siguo, luzhanqi"),
    (lambda: Settings.read({"x" * 9000: 1}, "t"), f"t: unknown key '{'x' * 1400}"),
]


@pytest.mark.parametrize(("read", "text"), REFEREE_FILES)
def test_what_the_fuzzer_found_in_files_is_said_in_one_line(read: Callable[[], object], text: str) -> None:
    with pytest.raises(RefereeError) as refusal:
        read()
    assert str(refusal.value).startswith(text)


def test_a_recorded_move_without_end_is_shown_in_part() -> None:
    (game,), _ = parse_record(records()[0], "r")
    game.moves[0] += "!" + "[" * 5000
    fault = verify(game)
    assert fault is not None and fault.startswith(f"move 1: {game.moves[0][:20]}")
    assert len(fault) < 2000


LONG_WORDS = [
    f"fen A=B/#.#/... goal .../.../A.. gates {'[' * 3000}",
    f"fen A=B/#.#/... goal .../.../A.. gates a{'0' * 3000}1",
    f"startpos moves G{'lr' * 3000}",
    f"startpos moves {'G' * 3000}",
]


@pytest.mark.parametrize("words", LONG_WORDS, ids=lambda words: words[-3:])
def test_a_word_without_end_is_quoted_in_part(words: str) -> None:
    check = targets()["position-klotski"].check
    check(words.encode())


def test_a_move_that_is_refused_late_leaves_nothing_to_deduce() -> None:
    """What the move would prove was noted already when its outcome turned out to be impossible."""
    view = start_view(SIGUO, viewer="S")
    view.observe(parse_move(SIGUO, "g6g7"))
    with pytest.raises(JunqiError):
        view.observe(parse_move(SIGUO, "l7l6x"))
    with pytest.raises(JunqiError):
        view.observe(parse_move(SIGUO, "l7k7=!q8"))
    assert not view.known.is_stale


def test_an_input_that_takes_too_long_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that another process takes is no fault of the input."""
    from tools.proof.fuzz import runner

    def sleeps(data: bytes) -> None:
        time.sleep(0.02)

    def works(data: bytes) -> None:
        started = time.process_time()
        while time.process_time() - started < 0.02:
            pass

    monkeypatch.setattr(runner, "LONGEST_S", 0.01)
    monkeypatch.setattr(runner, "targets", lambda: {"book": runner.Target(sleeps, (b"a", b"b"))})
    run("book", 1, 5)
    monkeypatch.setattr(runner, "targets", lambda: {"book": runner.Target(works, (b"a", b"b"))})
    with pytest.raises(AssertionError, match="it took"):
        run("book", 1, 5)
