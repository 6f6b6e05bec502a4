"""`junqi-engine --contest` as a process: games with a referee that knows only the dialect, any bytes, exits."""

import random
import time
from pathlib import Path

import pytest

from tests.helpers.engine import DEADLINE_S, SLACK, Engine
from tests.helpers.marking import long_after


def contest(*settings: str) -> Engine:
    return Engine(["--contest", *settings])


@pytest.mark.long
def test_a_seed_gives_the_same_lineups_and_without_one_they_are_random(tmp_path: Path) -> None:
    """NAME comes before any heavy import, and the log has both directions."""
    log, found = tmp_path / "contest.log", []
    for setting in ([f"setoption name Log File value {log}", "setoption name Seed value 5"],
                    ["setoption name Seed value 5"], []):  # fmt: skip
        with contest(*setting) as engine:
            engine.send("INFORMATION 1.0")
            engine.until("NAME")
            assert engine.processor_s() < 0.1 * SLACK
            engine.send("START 0 6 31")
            letters = engine.until("ARRAY")[-1]
            engine.send("START 1 6 31")
            assert engine.until("ARRAY")[-1] == letters  # no move was made
            found.append(letters)
            engine.end_input()
            assert engine.exit_code() == 0
    assert found[0] == found[1] != found[2]
    text = log.read_text()
    assert " >> START 0 6 31\n" in text and " << ARRAY " in text and " -- seed 5\n" in text


@pytest.mark.parametrize("heard", long_after(2, ["", "ARRAY", "NAME"]))
def test_end_of_input_at_any_time(heard: str) -> None:
    with contest() as engine:
        engine.send("INFO 1.0", "START 0 6 31", "GO 0000 0 00")
        if heard:
            engine.until(heard)
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
def test_a_process_still_plays_after_any_stream(seed: int) -> None:
    rng = random.Random(seed)
    with contest() as engine:
        for _ in range(10):
            engine.send(*[rng.choice(WORDS) for _ in range(rng.randrange(1, 30))])
            engine.send_bytes(rng.randbytes(rng.randrange(400)) + b"\n")
            asked = time.monotonic()
            engine.send("START 0 6 31")
            engine.until("ARRAY")
            assert time.monotonic() - asked < DEADLINE_S
        engine.send_bytes(b"GO " + b"0" * (17 << 20) + b"\n")
        engine.send("END 1", "START 0 6 31", "INFO 1.0")
        engine.until("NAME")
        engine.send("GO 0000 0 00")
        engine.until("BESTMOVE")
        engine.end_input()
        assert engine.exit_code() == 0
        assert all(line.split()[0] in ("NAME", "ARRAY", "BESTMOVE") for line in engine.lines)
        complaints = engine.process.stderr.read().decode().splitlines()
        assert all(line.startswith("junqi-engine: ") and line.isprintable() for line in complaints)
        assert not any("Error:" in line for line in complaints)
