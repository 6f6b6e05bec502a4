"""A session in a thread."""

import threading
import time
from collections.abc import Callable

from junqi_protocol.session import Session
from junqi_protocol.streams import EndOfInput, InputLine
from tests.helpers.engine import DEADLINE_S


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
