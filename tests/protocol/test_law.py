"""The guarantees of the protocol as invariants of random conversations with the real process, for every variant.

The model knows three things: the number of `go`, whether an open-ended search is running, and the last output of `d`.
A conversation can end in any state, by `quit`, the end of input or a signal.
"""

import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from junqi_protocol.catalogue import CATALOGUE
from junqi_protocol.commands import parse
from junqi_referee.check.runner import LINE_OF_PROTOCOL
from tests.helpers.engine import SLACK, Engine, errors
from tests.helpers.marking import seeds
from tests.helpers.proof.fuzz_samples import GRAMMAR, TROUBLE, damaged, positions
from tests.helpers.proof.fuzz_targets import CODES

READY_S, STOP_S, END_S = 1.0 * SLACK, 0.1 * SLACK, 1.0 * SLACK
ENDS = {"quit": 0, "end of input": 0, signal.SIGTERM: 0, signal.SIGINT: 130}
OPTIONS = [
    *("MultiPV value 1", "MultiPV value 3", "Hash value 1", "Hash value 8", "Seed value 7", "Skill Level value 3"),
    *("Threads value 1", "Ponder value true", "Move Overhead value 0", "Metric value unit", "Metric value move"),
    *("Scoring value 1/1/1", "LongRun value ignore", "NoContactLimit value 0", "MaxPlies value 0"),
    "Axis Locked value false",
]
SETTINGS = [f"setoption name {option}" for option in OPTIONS]
PLAYERS = [f"setoption name Player value {version}" for version in VERSIONS]
REJECTED = [
    *("setoption name Hash value 0", "setoption name Threads value 4096", "setoption name Player value 9", "setoption"),
    *("setoption name Seed value many", "setoption name No Such value 1", "setoption name UCI_Variant value chess"),
    *("position", "position nowhere", "position fen", "position startpos moves ?", "position fen ? ? ?"),
    *("xyzzy", "export", "belief z99 z98"),
]
GOES = [
    *(
        "go nodes 50",
        "go movetime 5",
        "go depth 1",
        "go nodes 20 searchmoves zz",
        "go perft 1",
        "go setup",
        "go setup S",
    ),
    *("go wtime 200 btime 100 winc 5 binc 5 movestogo 3", "go time 100 inc 2"),
]
REJECTED_GOES = [
    *("go depth many", "go nodes", "go sideways", "go depth 1 depth 2", "go perft 99", "go searchmoves", "go setup Q"),
]
QUICK = ["d", "legal"]
QUESTIONS = [
    *("d", "legal", "belief", "eval", "uci", "help", "version", "joho debug on", "# go"),
    *("", "\t d \r"),
]
OPEN_ENDED = ["go infinite", "go ponder", "go ponder movetime 5", "go infinite nodes 30"]
OTHERS = ["stop", "ponderhit", "ucinewgame", "isready", "gameover win", "position startpos"]
AT_ONCE = 8
EFFECTS_OUTSIDE = frozenset({"quit", "export", "bench"})
"""Commands that end the process, write a file or take seconds, and are kept out of what is damaged at random."""
LARGE_OPTIONS = (b"hash", b"threads", b"variant")


def hostile_lines(variant: str, rng: random.Random) -> list[bytes]:
    """Good commands, damaged ones, and bytes of any kind; an entry may be several lines."""
    return [_hostile_line(variant, rng) for _ in range(rng.randint(1, AT_ONCE))]


def _hostile_line(variant: str, rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.3:
        return rng.choice([*GOES, *REJECTED_GOES, *OPEN_ENDED]).encode()
    if kind < 0.6:
        return rng.choice([*OTHERS, *QUESTIONS, *REJECTED, *SETTINGS, *PLAYERS]).encode()
    if kind < 0.8:
        return _harmless(b"position " + damaged(positions(variant), rng))
    if kind < 0.9:
        return _harmless(damaged(GRAMMAR, rng))
    if kind < 0.95:
        trouble = rng.choice(TROUBLE)
        return _harmless(b"go " + (trouble if isinstance(trouble, bytes) else trouble.encode()))
    return _harmless(rng.randbytes(rng.choice((1, 10, 100, 5000))))


def _harmless(data: bytes) -> bytes:
    """Text of one or more lines without those that reach beyond the conversation."""
    return b"\n".join(line for line in data.split(b"\n") if not _reaches_beyond(line))


def _reaches_beyond(line: bytes) -> bool:
    found = parse(line)
    if found is None or found.fault is not None:
        return False
    is_large = found.name == "setoption" and any(name in line.lower() for name in LARGE_OPTIONS)
    return is_large or found.name in EFFECTS_OUTSIDE


def count_of(name: str, lines: list[bytes]) -> int:
    """The number of times that a command is in lines."""
    commands = [parse(line) for text in lines for line in text.split(b"\n")]
    return sum(command is not None and command.name == name for command in commands)


class Process:
    """An engine that serves many conversations. A conversation that finds an error drops it."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.engine: Engine | None = None

    def take(self) -> Engine:
        self.engine = self.engine or Engine()
        return self.engine

    def drop(self) -> None:
        if self.engine is not None:
            self.engine.__exit__()
            self.engine = None


class Conversation(RuleBasedStateMachine):
    """The law. A subclass says by its `process` with whom the conversations are held."""

    process: Process

    def __init__(self) -> None:
        super().__init__()
        self.engine = self.process.take()
        self.heard: list[str] = []
        self.goes = 0
        self.is_open_ended = False
        self.asked_at = 0
        self.end: str | signal.Signals | None = None
        self.is_sound = True
        """True if the process can be asked: nothing was waited for in vain."""
        self.ask("stop", f"setoption name UCI_Variant value {self.process.variant}", "position startpos")
        self.heard.clear()

    @initialize(end=st.sampled_from([None, None, None, *ENDS]))
    def choose_the_end(self, end: str | signal.Signals | None) -> None:
        """Choose how the conversation ends; without an end the process serves the next conversation too."""
        self.end = end

    # Commands

    @rule(line=st.sampled_from(GOES))
    def go(self, line: str) -> None:
        self.is_open_ended = False
        self.goes += 1
        self.engine.send(line)

    @rule(line=st.sampled_from(REJECTED_GOES))
    def rejected_go(self, line: str) -> None:
        self.settle()
        before = len(self.heard)
        self.goes += 1
        self.ask(line)
        self.settle()
        answer = self.heard[before:]
        assert [line for line in answer if line.startswith("bestmove")] == ["bestmove (none)"]
        assert len(errors(answer)) == 1

    @rule(line=st.sampled_from(OPEN_ENDED))
    def go_on(self, line: str) -> None:
        self.settle()
        self.goes += 1
        self.asked_at = len(self.heard)
        self.is_open_ended = True
        self.ask(line)
        self.look_for_a_rejection()

    def look_for_a_rejection(self) -> None:
        """No answer comes before `stop`, unless the `go` is rejected; `readyok` may come before the rejection."""
        heard = self.heard[self.asked_at :]
        answer = next((at for at, line in enumerate(heard) if line.startswith("bestmove")), None)
        if answer is not None:
            assert heard[answer] == "bestmove (none)"
            assert set(errors(heard[:answer])) - {"unknown-command"}
            self.is_open_ended = False

    @precondition(lambda self: self.is_open_ended)
    @rule(lines=st.lists(st.sampled_from([*QUICK, "isready", "xyzzy", "setoption name Hash value 0"]), max_size=4))
    def search_goes_on(self, lines: list[str]) -> None:
        self.ask(*lines)
        self.look_for_a_rejection()

    @precondition(lambda self: self.is_open_ended)
    @rule(line=st.sampled_from(["stop", "ucinewgame", "position startpos"]))
    def stop(self, line: str) -> None:
        asked = time.monotonic()
        self.engine.send(line)
        self.is_open_ended = False
        self.hear(lambda: self.answers() == self.goes)
        assert self.engine.times[-1] - asked < STOP_S

    @precondition(lambda self: self.is_open_ended)
    @rule()
    def an_option_waits_for_the_answer(self) -> None:
        self.ask("setoption name Contempt value 1")
        self.look_for_a_rejection()
        self.settle()
        self.hear(lambda: "no-such-option" in errors(self.heard[self.asked_at :]))
        heard = self.heard[self.asked_at :]
        rejected = next(at for at, line in enumerate(heard) if line.startswith("info string error no-such-option"))
        assert any(line.startswith("bestmove") for line in heard[:rejected])

    @rule()
    def idle_words(self) -> None:
        self.settle()
        assert self.ask("stop", "ponderhit", "gameover draw") == ["readyok"]

    @rule(data=st.randoms(use_true_random=False))
    def position(self, data: random.Random) -> None:
        """Any position, damaged or not, is rejected and changes nothing, or it is set up."""
        self.settle()
        drawn = self.draw()
        words = damaged(positions(self.process.variant), data).decode("utf-8", "replace").split()
        if errors(self.ask(f"position {' '.join(words)}")):
            assert self.draw() == drawn
        elif not any("result" in line or "solved" in line for line in self.draw()):
            (fen,) = (line.split(" fen ", 1)[1] for line in self.draw() if " fen " in line)
            assert any(line.endswith(f" fen {fen}") for line in self.draw(f"position fen {fen}"))

    @rule(line=st.sampled_from(REJECTED))
    def rejected(self, line: str) -> None:
        self.settle()
        before = self.draw()
        assert len(errors(self.ask(line))) == 1
        assert self.draw() == before

    @rule(option=st.sampled_from(SETTINGS), player=st.sampled_from(PLAYERS))
    def set_option(self, option: str, player: str) -> None:
        self.engine.send(option, player)

    @rule(line=st.sampled_from(QUESTIONS))
    def question(self, line: str) -> None:
        self.engine.send(line)

    @rule(data=st.randoms(use_true_random=False))
    def many_lines_at_once(self, data: random.Random) -> None:
        """Lines that wait for no answer; a line that is alone and is rejected changes nothing."""
        self.settle()
        lines = hostile_lines(self.process.variant, data)
        is_alone = len(lines) == 1 and b"\n" not in lines[0]
        drawn = self.draw() if is_alone else []
        before = len(self.heard)
        self.goes += count_of("go", lines)
        self.engine.send_bytes(b"".join(line + b"\n" for line in lines))
        self.engine.send("stop")
        ready = count_of("isready", lines)
        self.hear(lambda: self.answers() >= self.goes and self.heard[before:].count("readyok") >= ready)
        self.ask()
        if is_alone and errors(self.heard[before:]):
            assert self.draw() == drawn

    @rule(data=st.binary(max_size=60) | st.sampled_from([word for word in TROUBLE if isinstance(word, bytes)]))
    def bytes_of_any_kind(self, data: bytes) -> None:
        self.engine.send_bytes(re.sub(rb"go|quit|export|\n", b"", data) + b"\n")

    @rule()
    def ponderhit(self) -> None:
        """A search that ponders may then be answered. One that is infinite may not, so it is stopped."""
        self.engine.send("ponderhit")
        self.settle()

    @rule()
    def settle(self) -> None:
        """Stop a search that runs, and wait until every `go` has been answered. An `eval` may be a search too."""
        if self.is_open_ended:
            self.engine.send("stop")
        self.is_open_ended = False
        self.hear(lambda: self.answers() >= self.goes)
        self.ask("stop")

    # What always holds

    @invariant()
    def it_runs_and_is_ready(self) -> None:
        asked = time.monotonic()
        self.ask()
        assert self.engine.times[-1] - asked < READY_S

    @invariant()
    def no_go_is_answered_twice(self) -> None:
        assert self.answers() <= self.goes

    @invariant()
    def every_line_conforms_to_the_protocol(self) -> None:
        for line in self.heard:
            assert LINE_OF_PROTOCOL.fullmatch(line) and line.isprintable(), line
        assert set(errors(self.heard)) <= CODES

    def teardown(self) -> None:
        """In any state the process answers every `go`, and ends with nothing on stderr if it is to end."""
        is_kept = False
        try:
            if self.is_sound:
                if self.end is None:
                    self.settle()
                    assert self.engine.process.poll() is None
                else:
                    self.end_the_process(self.end)
                assert self.answers() == self.goes
                is_kept = self.end is None
        finally:
            if not is_kept:
                self.process.drop()

    def end_the_process(self, end: str | signal.Signals) -> None:
        asked = time.monotonic()
        if end == "quit":
            self.engine.send("quit")
        elif end == "end of input":
            self.engine.end_input()
        else:
            self.engine.signal(end)
        self.heard += self.engine.rest()
        has_refused = end == "end of input" and errors(self.engine.lines)
        assert self.engine.exit_code() == (2 if has_refused else ENDS[end])
        assert time.monotonic() - asked < END_S
        assert self.engine.process.stderr.read() == b""
        self.every_line_conforms_to_the_protocol()

    # Output

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """If what is waited for does not come, the process is not asked again."""
        self.is_sound = False
        yield
        self.is_sound = True

    def ask(self, *lines: str) -> list[str]:
        """Send lines, and return the output up to the `readyok` after them."""
        with self.waiting():
            answer = self.engine.ask(*lines)
        self.heard += answer
        return answer

    def hear(self, is_enough: Callable[[], bool]) -> None:
        with self.waiting():
            while not is_enough():
                self.heard += self.engine.lines_until(lambda line: True)

    def draw(self, *lines: str) -> list[str]:
        return [line for line in self.ask(*lines, "d") if line != "readyok"]

    def answers(self) -> int:
        return sum(line.startswith("bestmove ") for line in self.heard)


def converse(variant: str, number: int, first_seed: int) -> None:
    """Hold a number of conversations, or half as many about a puzzle."""
    process = Process(variant)
    machine = type("Machine", (Conversation,), {"process": process})
    chosen = settings(
        max_examples=number if variant in BOARDS else number // 2,
        stateful_step_count=25,
        deadline=None,
        database=None,
        derandomize=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(seed(first_seed)(machine), settings=chosen)
    finally:
        process.drop()


def test_few_conversations_obey_the_protocol() -> None:
    converse("luzhanqi", 2, 1)


@pytest.mark.long
@pytest.mark.parametrize("variant", [entry.variant for entry in CATALOGUE])
@pytest.mark.parametrize("first_seed", seeds(3))
def test_any_conversation_obeys_the_protocol(variant: str, first_seed: int) -> None:
    converse(variant, 4, first_seed)
