"""`junqi-engine --contest` as a process: games with a referee that knows only the dialect, any bytes, exits."""

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from junqi_engine.rules import lineup
from junqi_protocol.contest.notation import CODES, NO_FLAG, point_of, square_of
from junqi_referee.records.contest import ContestRecord, RecordedPly
from tests.helpers.engine import DEADLINE_S, Engine
from tests.helpers.marking import long_after
from tests.references.slow_junqi import SlowGame, split_move

SLACK = 10


class Side:
    """One side of a game: an engine, and its record, made only of the lines that it was sent and that it sent."""

    def __init__(self, engine: Engine, seat: str, is_first: bool, seconds: int) -> None:
        self.engine = engine
        self.seat = seat
        engine.send(f"START {0 if is_first else 1} {seconds} 31")
        self.lineup = engine.until("ARRAY")[-1].removeprefix("ARRAY ")
        lineup.check(self.lineup)
        self.plies: list[RecordedPly] = []
        self.slowest_s = 0.0

    def ask(self, move: str, outcome: str, flag: str) -> str:
        """Tell the opponent's move and return the answer, both in points."""
        squares = "0000" if not move else "".join(square_of(point, self.seat) for point in split_move(move))
        if move:
            self.plies.append(RecordedPly("B", squares[:2], squares[2:], outcome))
        asked = time.monotonic()
        self.engine.send(f"GO {squares} {outcome} {flag}")
        (answer,) = self.engine.until("BESTMOVE")
        self.slowest_s = max(self.slowest_s, time.monotonic() - asked)
        squares = answer.removeprefix("BESTMOVE ")
        self.plies.append(RecordedPly("A", squares[:2], squares[2:], ""))
        return point_of(squares[:2], self.seat) + point_of(squares[2:], self.seat)

    def tell(self, outcome: str, flag: str) -> None:
        self.plies[-1] = replace(self.plies[-1], outcome=outcome, flag=flag)
        self.engine.send(f"RESULT {outcome} {flag}")

    def end(self, result: str) -> None:
        self.engine.send(f"END {result}")
        self.result = result


def play(south: Engine, north: Engine, first: str = "S", seconds: int = 3) -> dict[str, Side]:
    """A whole game by the rules of the slow twin."""
    engines = {"S": south, "N": north}
    sides = {seat: Side(engines[seat], seat, seat == first, seconds) for seat in "SN"}
    game = SlowGame.start({seat: side.lineup for seat, side in sides.items()}, "luzhanqi")
    game.turn = first
    flags = {"S": NO_FLAG, "N": NO_FLAG}
    move, outcome = "", "0"
    while game.result is None:
        seat, other = game.turn, "N" if game.turn == "S" else "S"
        flag = flags[other]
        move = sides[seat].ask(move, outcome, flag if flag == NO_FLAG else square_of(flag, seat))
        seen = game.play(move).removeprefix(move)
        for shown in seen.partition("#")[0].split("!")[1:]:
            flags["S" if int(shown[1:]) < 7 else "N"] = shown
        outcome = CODES[seen[:1] if seen[:1] in ("x", "o", "=") else ""]
        flag = flags[other]
        sides[seat].tell(outcome, flag if flag == NO_FLAG else square_of(flag, seat))
    for seat, side in sides.items():
        side.end("1" if game.result == seat else "0")
    return sides


def record_of(side: Side, other: Side) -> ContestRecord:
    """A side's record, completed by what it was not told: the other's line-up and its flags."""
    flags = [ply.flag for ply in other.plies if ply.side == "A"]
    plies = []
    for ply in side.plies:
        if ply.side == "B":
            flag = flags.pop(0)
            ply = replace(ply, flag=flag if flag == NO_FLAG else square_of(point_of(flag, other.seat), side.seat))
        plies.append(ply)
    # The outcome of the opponent's last move is not told if that move ends the game.
    if len(flags) == 1:
        last = other.plies[-1]
        start, target = (square_of(point_of(square, other.seat), side.seat) for square in (last.start, last.target))
        flag = last.flag if last.flag == NO_FLAG else square_of(point_of(last.flag, other.seat), side.seat)
        plies.append(RecordedPly("B", start, target, last.outcome, flag))
    lineups, ends = (side.lineup, other.lineup), (side.result, other.result)
    return ContestRecord((side.seat, other.seat), 3, 31, lineups, tuple(plies), ends)


def contest(*settings: str) -> Engine:
    return Engine(["--contest", *settings])


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


def test_end_of_input_at_any_time() -> None:
    for delay_s in (0.0, 0.2, 0.5):
        with contest() as engine:
            engine.send("INFO 1.0", "START 0 6 31", "GO 0000 0 00")
            time.sleep(delay_s)
            asked = time.monotonic()
            engine.end_input()
            assert engine.exit_code() == 0
            assert time.monotonic() - asked < 1.0 * SLACK
            assert engine.rest()[0].startswith("NAME")


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
