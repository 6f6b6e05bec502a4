"""A session in a thread, with games that are made for the tests."""

import threading
import time
from collections.abc import Callable, Sequence

from junqi_protocol.dispatch import REHEARSED, Dispatcher
from junqi_protocol.session import Session
from junqi_protocol.streams import EndOfInput, InputLine
from junqi_protocol.variant_game import BenchResult, Control, GoRequest, VariantGame
from tests.helpers.engine import DEADLINE_S


class FaultyGame(VariantGame):
    """Fails in every way that a game can fail. `stop` ends `go infinite` and `go movetime`; `nodes` is in the move, and
    the time that has gone when the search begins in an `info`.
    """

    moves: tuple[str, ...] = ()
    searching = ("bench", "eval", "board")

    def go(self, request: GoRequest, control: Control) -> str:
        if request.depth == 1:
            raise RuntimeError("an error\nof two lines")
        if request.depth == 2:
            raise MemoryError
        control.info(f"time {control.elapsed_ms()}")
        if request.depth == 3:  # it does not see `stop`
            control.best = "a1a9"
            time.sleep(2)
        while not control.stopped and (request.infinite or request.movetime_ms):
            time.sleep(0.001)
        return f"a1a{2 + (request.nodes or 0)}"

    def evaluate(self, control: Control) -> list[str]:
        while not control.stopped:
            time.sleep(0.001)
        return ["eval stopped"]

    def bench(self, control: Control) -> BenchResult:
        self.evaluate(control)
        return BenchResult(0, 0.0, 0, is_complete=False)

    def board_text(self) -> str:
        return "{}"

    def set_position(self, words: list[str]) -> None:
        time.sleep(0.01 * len(words))

    def legal(self) -> list[str]:
        if not self.moves:
            raise KeyError("legal")
        return list(self.moves)

    def describe(self) -> list[str]:
        return ["a drawing"]


class FakeDispatcher(Dispatcher):
    """Provides a `FaultyGame`; `load` waits for `gate` when it has something to do, and `is_at_the_gate` meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.is_at_the_gate = False

    def load(self, control: Control) -> None:
        wanted = tuple(self.options[name] for name in REHEARSED)
        if wanted != self._rehearsed:
            self.is_at_the_gate = True
            self.gate.wait()
            self.is_at_the_gate = False
            self._game, self._rehearsed = self._game or FaultyGame("faulty", self.options), wanted
            self.loaded_at = time.monotonic()


class Conversation:
    """A session that runs in its own thread, and the lines that it has printed."""

    def __init__(self, make: Callable[[Callable[[str], None]], Session]) -> None:
        self.lines: list[str] = []
        self.searched: list[bool] = []
        """For each line, whether the session was searching."""
        self.session = make(self.take)
        self.thread = threading.Thread(target=self.session.run, daemon=True)
        self.thread.start()

    def take(self, line: str) -> None:
        self.searched.append(self.session.is_searching)
        self.lines.append(line)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.session.inbox.put(InputLine(line.encode()))

    def wait(self, is_done: Callable[[list[str]], bool]) -> list[str]:
        end = time.monotonic() + DEADLINE_S
        while not is_done(self.lines):
            assert time.monotonic() < end, self.lines
            time.sleep(0.001)
        return list(self.lines)

    def wait_for(self, count: int, word: str = "") -> list[str]:
        """Wait for `count` lines that start with a word, and return those that do."""
        self.wait(lambda lines: sum(line.startswith(word) for line in lines) >= count)
        return [line for line in self.lines if line.startswith(word)]

    def end_input(self) -> int | None:
        """The exit code when all that was said is carried out."""
        self.session.inbox.put(EndOfInput())
        return self.exit_code()

    def exit_code(self) -> int | None:
        self.thread.join(DEADLINE_S)
        assert not self.thread.is_alive()
        return self.session.exit_code


class Talk(Conversation):
    """One about a `FaultyGame`, which is loaded when the `gate` of the dispatcher opens."""

    def __init__(self, is_loaded: bool = True, backlog_bytes: int = 1 << 20) -> None:
        self.dispatcher, self.is_read = FakeDispatcher(), True
        if is_loaded:
            self.dispatcher.gate.set()
        super().__init__(
            lambda write: Session(write, self.dispatcher, max_backlog_bytes=backlog_bytes, is_read=lambda: self.is_read)
        )

    def end(self) -> list[str]:
        self.say("quit")
        self.exit_code()
        return self.lines


def bestmoves(lines: Sequence[str]) -> list[str]:
    """The moves that were answered."""
    return [line.removeprefix("bestmove ") for line in lines if line.startswith("bestmove ")]
