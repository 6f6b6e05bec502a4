"""`junqi-engine --contest` as a process: games with a referee that knows only the dialect, any bytes, exits."""

import random
import time
from collections.abc import Iterator

import pytest

from junqi_protocol.contest.table import THEIR_HOME
from tests.helpers.engine import DEADLINE_S, SLACK, Engine
from tests.helpers.marking import long_after


def contest(*settings: str) -> Engine:
    return Engine(["--contest", *settings])


@pytest.mark.long
def test_lineups_are_random_unless_a_seed_is_set() -> None:
    """NAME comes before any heavy import."""
    found = []
    for setting in (["setoption name Seed value 5"], ["setoption name Seed value 5"], []):
        with contest(*setting) as engine:
            engine.send("INFORMATION 1.0")
            engine.lines_until("NAME")
            assert engine.processor_s() < 0.1 * SLACK
            engine.send("START 0 6 31")
            letters = engine.lines_until("ARRAY")[-1]
            engine.send("START 1 6 31")
            assert engine.lines_until("ARRAY")[-1] == letters  # no move was made
            found.append(letters)
            engine.end_input()
            assert engine.exit_code() == 0
    assert found[0] == found[1] != found[2]


@pytest.fixture
def playing() -> Iterator[Engine]:
    """An engine that has begun a game as the first to move."""
    with contest("setoption name Seed value 5", "setoption name Player value 1.2") as engine:
        engine.send("START 0 1800 31", "GO 0000 0 00")
        engine.lines_until("BESTMOVE")
        yield engine


def complaints(engine: Engine) -> list[str]:
    engine.end_input()
    assert engine.exit_code() == 0
    return engine.process.stderr.read().decode().splitlines()


def test_game_is_followed_by_reports(playing: Engine) -> None:
    """A GO that comes again, though our answer to it is on its way, has the same answer; the clock is kept."""
    for number in range(6):
        is_battle = playing.lines[-1][-2:] in THEIR_HOME
        playing.send(f"RESULT {0 if is_battle else 3} 00", *[("GO B1C1 3 00", "GO C1B1 3 00")[number % 2]] * 2)
        assert playing.lines_until("BESTMOVE") == playing.lines_until("BESTMOVE")
    assert [line.split()[0] for line in playing.lines] == ["ARRAY", *["BESTMOVE"] * 13]
    assert complaints(playing) == []


def test_game_is_played_in_its_time() -> None:
    with contest() as engine:
        engine.send("START 0 1 31")
        engine.lines_until("ARRAY")
        asked = time.monotonic()
        for number in range(10):
            engine.send("GO 0000 0 00" if number == 0 else ("GO F1E1 3 00", "GO E1F1 3 00")[number % 2])
            engine.lines_until("BESTMOVE")
        assert time.monotonic() - asked < 1.0 * SLACK
        engine.end_input()


def test_game_follows_an_interrupted_one() -> None:
    """Its search is not answered, and `START` does not wait for it."""
    with contest("setoption name Move Overhead value 0") as engine:
        engine.send("START 1 36000 31", "GO F1E1 3 00")
        engine.lines_until("ARRAY")
        engine.send("END 2", "GO E1F1 3 00", "END 2", "INFO", "START 0 1 31", "GO 0000 0 00")
        assert [line.split()[0] for line in engine.lines_until("BESTMOVE")] == ["NAME", "ARRAY", "BESTMOVE"]
        assert [line.split()[1] for line in complaints(engine)] == ["GO:", "END:"]


def test_lines_out_of_order_are_reported_and_change_nothing(playing: Engine) -> None:
    playing.send("ARRAY abc", "START 2 1800 31", "START 0 long 31", "?", "", "# GO", "GO banana", "GO", "RESULT 9")
    outcome = 0 if playing.lines[-1][-2:] in THEIR_HOME else 3
    playing.send(*[f"RESULT {outcome} 00"] * 2, "GO B1C1 3 00")
    playing.lines_until("BESTMOVE")
    assert len(complaints(playing)) == 8


@pytest.mark.parametrize(
    ("line", "code"),
    long_after(
        2,
        [
            ("setoption name EvalFile value /no/such/file", "bad-file"),
            ("setoption name Player value 9", "bad-value"),
            ("setoption name UCI_Variant value siguo", "bad-argument"),
            ("setoption name Nothing value 9", "no-such-option"),
            ("setoption name Seed", "bad-argument"),
            ("isready", "bad-argument"),
            ("", "bad-argument"),
        ],
    ),
)
def test_rejected_setting_ends_the_process(line: str, code: str) -> None:
    with contest(line) as engine:
        assert engine.exit_code() == 2
        assert engine.process.stderr.read().decode().startswith(f"junqi-engine: {code} ")


@pytest.mark.parametrize("heard", long_after(2, ["", "ARRAY", "NAME"]))
def test_end_of_input_ends_process_in_any_state(heard: str) -> None:
    with contest() as engine:
        engine.send("INFO 1.0", "START 0 6 31", "GO 0000 0 00")
        if heard:
            engine.lines_until(heard)
        asked = time.monotonic()
        engine.end_input()
        assert engine.exit_code() == 0
        assert time.monotonic() - asked < 1.0 * SLACK
        engine.rest()
        assert engine.lines[0].startswith("NAME")


WORDS = [
    *("INFO 1.0", "INFORMATION 1.0", "START 0 6 31", "START 1 60 31", "START 0 0 0", "START", "START x", "END 1"),
    *("GO 0000 0 00", "GO F0E1 3 00", "GO E1F0 3 00", "GO F2G2 1 A1", "GO F4G4 2 A3", "GO banana", "GO", "END"),
    *("RESULT 0 00", "RESULT 1 00", "RESULT 2 A1", "RESULT 3 00", "RESULT", "RESULT 9 99", "NAME x", "ARRAY x"),
    *("BESTMOVE G0F0", "uci", "quit", "isready", "\x00", "go 0000 0 00", "司令", "START 0 1e400 31", "START 0 -1"),
]


@pytest.mark.parametrize("seed", long_after(1, range(4)))
def test_process_plays_after_any_input(seed: int) -> None:
    rng = random.Random(seed)
    with contest() as engine:
        for _ in range(10):
            engine.send(*[rng.choice(WORDS) for _ in range(rng.randrange(1, 30))])
            engine.send_bytes(rng.randbytes(rng.randrange(400)) + b"\n")
            asked = time.monotonic()
            engine.send("START 0 6 31")
            engine.lines_until("ARRAY")
            assert time.monotonic() - asked < DEADLINE_S
        engine.send_bytes(b"GO " + b"0" * (17 << 20) + b"\n")
        engine.send("END 1", "START 0 6 31", "INFO 1.0")
        engine.lines_until("NAME")
        engine.send("GO 0000 0 00")
        engine.lines_until("BESTMOVE")
        engine.end_input()
        assert engine.exit_code() == 0
        assert all(line.split()[0] in ("NAME", "ARRAY", "BESTMOVE") for line in engine.lines)
        complaints = engine.process.stderr.read().decode().splitlines()
        assert all(line.startswith("junqi-engine: ") and line.isprintable() for line in complaints)
        assert not any("Error:" in line for line in complaints)
