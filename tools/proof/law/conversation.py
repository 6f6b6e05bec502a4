"""Conversations with one engine process, and the guarantees of the protocol as checks of its output."""

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from junqi_engine.engines.client import EngineClient
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from protocol.catalogue import CATALOGUE
from protocol.commands import CommandLine
from protocol.grammar import parse
from protocol.lines import InputLine
from tools.proof.fuzz.checks import CODES
from tools.proof.law.lines import hostile_lines
from tools.referee.check.subject import LINE_OF_PROTOCOL

VARIANTS = tuple(entry.variant for entry in CATALOGUE)
CONVERSATIONS_A_VARIANT = 100
"""So many conversations in a row are about the same variant."""
CONVERSATIONS_A_PROCESS = 2000
SLACK = 10
"""An answer may take so many times as long as the protocol allows, since the machine may be busy."""
ANSWER_S, END_S = 1.0 * SLACK, 1.0 * SLACK
SEARCHING_S = 0.003
"""For so long, some conversations let a search run before they stop it."""
ENDS = {"quit": 0, "end of input": 0, "SIGTERM": 0, "SIGINT": 130}


class LawBroken(Exception):
    """The engine broke a guarantee of the protocol."""


@dataclass
class Counts:
    """What has been sent and heard."""

    conversations: int = 0
    lines: int = 0
    goes: int = 0
    processes: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0


class Conversations:
    """Holds conversations by number; number and seed alone decide what is sent."""

    def __init__(self, command: Sequence[str], seed: int) -> None:
        self.counts = Counts()
        self._command = list(command)
        self._seed = seed
        self._client: EngineClient | None = None
        self._variant = ""
        self._heard: list[str] = []

    def hold(self, number: int) -> None:
        """Hold a conversation; `LawBroken` and `EngineError` tell what went wrong."""
        rng = random.Random(f"{self._seed} {number}")
        variant = VARIANTS[number // CONVERSATIONS_A_VARIANT % len(VARIANTS)]
        client = self._process(variant)
        lines = hostile_lines(variant, rng)
        waits = rng.random() < 0.2
        is_single = len(lines) == 1 and b"\n" not in lines[0]
        before = self._drawing(client) if is_single else None
        self._converse(client, lines, waits)
        if before is not None and [line for line in self._heard if line.startswith("info string error ")]:
            after = self._drawing(client)
            if before != after:
                raise LawBroken(f"{lines[0]!r} was rejected and changed {before} to {after}")
        self.counts.conversations += 1
        self.counts.lines += len(lines)
        if number % CONVERSATIONS_A_PROCESS == CONVERSATIONS_A_PROCESS - 1:
            self._end(client, rng.choice(list(ENDS)), hostile_lines(variant, rng))

    def close(self) -> None:
        """Stop the process."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _process(self, variant: str) -> EngineClient:
        if self._client is None:
            self._client = EngineClient(self._command)
            self._client.start()
            self._variant = ""
            self.counts.processes += 1
        if self._variant != variant:
            self._client.send(f"setoption name UCI_Variant value {variant}")
            self._client.ready(may_load=True)
            # The players may have to compile, which no conversation is to wait for.
            for version in VERSIONS if variant in BOARDS else ():
                self._client.send(f"setoption name Player value {version}", "position startpos")
                self._client.ready(may_load=True)
                self._client.ask(("go nodes 1",))
            self._client.send("position startpos")
            self._client.ready(may_load=True)
            self._variant = variant
        return self._client

    def _converse(self, client: EngineClient, lines: Sequence[bytes], waits: bool) -> None:
        """Send lines; stop all searches, and read until each `go` and each `isready` has been answered."""
        goes, readies = _expected(lines)
        self._heard = []
        began = time.monotonic()
        client.send_bytes(b"".join(line + b"\n" for line in lines))
        if waits:
            self._heard += client.listen(SEARCHING_S)
        client.send("stop", "debug off", "isready")
        self._hear(
            client, lambda: self._answers() >= goes and self._heard.count("readyok") > readies, "complete answer"
        )
        client.send("isready")
        self._hear(client, lambda: self._heard.count("readyok") > readies + 1, "readyok")
        self.counts.slowest_s = max(self.counts.slowest_s, time.monotonic() - began)
        self.counts.goes += goes
        self._check(goes)

    def _drawing(self, client: EngineClient) -> list[str]:
        """The FEN that `d` prints."""
        self._heard = []
        client.send("d", "isready")
        self._hear(client, lambda: "readyok" in self._heard and any(map(_is_fen, self._heard)), "fen")
        return list(filter(_is_fen, self._heard))

    def _hear(self, client: EngineClient, is_enough: Callable[[], bool], what: str) -> None:
        def is_news(line: bytes) -> bool:
            self._heard.append(line.decode("utf-8", "backslashreplace").rstrip("\r"))
            return line.startswith(b"bestmove") or is_enough()

        # A line may contain hundreds of `go`; each answer has its own time.
        while not is_enough():
            client.wait_for(is_news, ANSWER_S, what)

    def _answers(self) -> int:
        return sum(line.startswith("bestmove") for line in self._heard)

    def _check(self, goes: int) -> None:
        """The guarantees about what has been heard."""
        if self._answers() != goes:
            raise LawBroken(f"{goes} go, {self._answers()} answers: {self._heard}")
        for line in self._heard:
            if not LINE_OF_PROTOCOL.fullmatch(line) or not line.isprintable():
                raise LawBroken(f"not a line of the protocol: {line[:200]!r}")
            if line.startswith("info string error "):
                code = line.split()[3]
                if code not in CODES:
                    raise LawBroken(f"{line[:300]!r}")
                self.counts.errors[code] += 1

    def _end(self, client: EngineClient, how: str, lines: Sequence[bytes]) -> None:
        """End the process while it works; it must answer every `go` and exit in time."""
        goes, _ = _expected(lines)
        client.send_bytes(b"".join(line + b"\n" for line in lines))
        if how == "quit":
            client.send("quit")
        elif how == "end of input":
            client.end_input()
        else:
            # The process may not have read the lines when a signal arrives, so nothing is known of the answers.
            client.signal(signal.Signals[how])
        self._heard = client.listen(END_S)
        if not client.wait_for_exit(END_S):
            raise LawBroken(f"it still runs {END_S:g} s after {how}")
        if client.exit_code() != ENDS[how]:
            raise LawBroken(f"exit code {client.exit_code()} after {how}")
        self._check(self._answers() if how in signal.Signals.__members__ else goes)
        self.counts.ends[how] += 1
        self.close()


def _is_fen(line: str) -> bool:
    """Whether a line is the FEN of `d`; messages of earlier conversations, which may speak of FENs, can come late."""
    return line.startswith("info string fen ")


def _expected(lines: Sequence[bytes]) -> tuple[int, int]:
    """How many `go` and how many `isready` some lines contain."""
    commands = [parse(line) for text in lines for line in map(InputLine, text.split(b"\n"))]
    names = [command.name for command in commands if isinstance(command, CommandLine)]
    return names.count("go"), names.count("isready")
