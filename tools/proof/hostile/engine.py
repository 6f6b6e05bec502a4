"""A hostile engine: `engine.py SEED [contest]`. Without `SEED`, or with 0, it is sound.

It answers most commands correctly, so that games get under way, and some of them in one of the ways of `_misbehave`:
random, damaged and endless lines, binary data, partial lines, late, early and double answers, silence, closed pipes,
sudden death. The number of its process does not matter: seed and what it is sent decide what it does.
"""

import os
import random
import signal
import sys
import time

STEPS = {
    "siguo": {"S": ("g6h5", "h5g6"), "E": ("l7m8", "m8l7"), "N": ("k12j13", "j13k12"), "W": ("f11e10", "e10f11")},
    "luzhanqi": {"S": ("a6b5", "b5a6"), "N": ("e7d8", "d8e7")},
}
CONTEST_STEPS = ("G0H1", "H1G0")
LINEUP = "cbfahdehgegidcfkjkijgjhli"
WORDS = (
    b"info depth seldepth score cp mate multipv pv string nodes time nps hashfull lowerbound belief currmove bestmove "
    b"readyok uciok option name type spin min max default var combo id author error ponder (none) @ resign:S resign:N "
    b"pass:S 0 1 -1 --5 1e9 999999999999999999999999 \xd9\xa3 \xff\xfe \x00 g6h5 a1 BESTMOVE ARRAY NAME G0H1 0000"
).split(b" ")
LATE_S = (0.0, 0.02, 0.06, 0.12, 0.3)


def legal_move(position: list[bytes], variant: str) -> bytes:
    played = len(position) - position.index(b"moves") - 1 if b"moves" in position else 0
    steps = STEPS[variant]
    seats = list(steps)
    # The turn of a FEN is the field after the board.
    first = seats.index(position[2].decode()) if position[:1] == [b"fen"] and len(position) > 2 else 0
    return steps[seats[(first + played) % len(seats)]][played // len(seats) % 2].encode()


class Engine:
    def __init__(self, seed: int, is_contest: bool) -> None:
        self._rng = random.Random(seed)
        self._evil = self._rng.choice((0.02, 0.05, 0.2, 0.6)) if seed else 0.0
        self._is_contest = is_contest
        self._variant = "siguo"
        self._position = [b"startpos"]
        self._played = 0

    def serve(self) -> None:
        for line in sys.stdin.buffer:
            answer = self._answer(line.split())
            if self._rng.random() < self._evil:
                self._misbehave(answer)
            elif answer:
                self._write(answer)

    def _answer(self, words: list[bytes]) -> bytes:
        command = words[0] if words else b""
        if self._is_contest:
            return self._contest_answer(command)
        if command == b"uci":
            variants = b" ".join(b"var " + name.encode() for name in STEPS)
            return (
                b"id name hostile\nid author nobody\noption name UCI_Variant type combo default siguo " + variants
                + b"\noption name Seed type spin default 0 min 0 max 99\ninfo string protocol-version 1\nuciok\n"
            )  # fmt: skip
        if command == b"isready":
            return b"readyok\n"
        if command == b"setoption" and words[2:3] == [b"UCI_Variant"] and words[4].decode() in STEPS:
            self._variant = words[4].decode()
        elif command == b"position":
            self._position = words[1:]
        elif command == b"go" and words[1:2] == [b"setup"]:
            return b"bestmove @" + LINEUP.encode() + b"\n"
        elif command == b"go":
            return b"info depth 1 score cp 0\nbestmove " + legal_move(self._position, self._variant) + b"\n"
        elif command == b"quit":
            sys.exit(0)
        return b""

    def _contest_answer(self, command: bytes) -> bytes:
        if command == b"INFO":
            return b"NAME hostile\n"
        if command == b"START":
            self._played = 0
            return b"ARRAY " + LINEUP.encode() + b"\n"
        if command == b"GO":
            self._played += 1
            return b"BESTMOVE " + CONTEST_STEPS[(self._played - 1) % 2].encode() + b"\n"
        return b""

    def _misbehave(self, answer: bytes) -> None:
        rng = self._rng
        way = rng.randrange(16)
        if way == 0:
            self._write(rng.randbytes(rng.choice((1, 30, 3000))) + b"\n" + answer)
        elif way in (1, 2, 3):
            self._write(b" ".join(rng.choices(WORDS, k=rng.randint(1, 12))) + b"\n" + answer)
        elif way in (4, 5):
            self._write(self._damaged(answer))
        elif way == 6:
            self._write(answer + answer)
        elif way == 7:
            time.sleep(rng.choice(LATE_S))
            self._write(answer)
        elif way == 8:
            for piece in (answer[:3], answer[3:]):  # partial lines
                self._write(piece)
                time.sleep(0.005)
        elif way == 9:
            self._write(answer[:-1])
        elif way == 10:
            self._write(b"info " + b"x" * rng.choice((1 << 10, 1 << 18, 1 << 21)) + b"\n" + answer)
        elif way == 11:
            self._write(b"info depth 1\n" * rng.choice((100, 9_000, 12_000)) + answer)
        elif way == 12:
            sys.exit(rng.choice((0, 1, 77)))
        elif way == 13:
            self._write(answer)
            os.kill(os.getpid(), rng.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM)))
        elif way == 14:
            os.close(rng.choice((0, 1)))
            time.sleep(0.5)
        elif os.fork():  # the answer comes from a child that outlives its parent
            os._exit(0)
        else:
            time.sleep(0.02)
            self._write(answer)

    def _damaged(self, answer: bytes) -> bytes:
        rng = self._rng
        data = bytearray(answer or b"bestmove g6h5\n")
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data))
            way = rng.randrange(3)
            if way == 0:
                data[place] = rng.randrange(256)
            elif way == 1:
                del data[place : place + rng.randint(1, 5)]
            else:
                data[place:place] = rng.choice(WORDS)
            if not data:
                break
        return bytes(data)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(1, view) :]


if __name__ == "__main__":
    try:
        Engine(int(sys.argv[1]) if len(sys.argv) > 1 else 0, "contest" in sys.argv).serve()
    except OSError:  # the referee has closed a pipe
        sys.exit(1)
