"""One conversation: the main thread reads commands, and a worker carries them out in order.

The main thread reads because signals come to it. It answers what must not wait: `uci`, `isready` during a search,
`stop`, `ponderhit`, `quit`. Everything else, including loading and every search, is a call for the worker.
`junqi_protocol.commands` says what each command does, and when.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile

from junqi_engine.errors import Refused, quoted
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control, VariantGame

QUIT_WITHIN_S = 0.65
MAX_WAITING_BYTES = 128 << 20
CALL_BYTES = 1 << 10
"""Memory of a call without its arguments."""
BESTMOVE, READY = "bestmove ", "readyok"
NO_BESTMOVE = BESTMOVE + NO_MOVE_TEXT


@dataclass(eq=False, slots=True)
class Call:
    """A command that is queued or running.

    `handler` returns lines of text. They are printed once a search has ended, so that the next `readyok` is a barrier.
    """

    session: "Session"
    number: int
    handler: Callable[["Call"], Iterable[str]]
    arguments: bytes
    control: Control
    needs_game: bool
    due: str
    """The last line of the answer, a `bestmove` or `readyok`; it is printed in any case. Empty once it is printed."""
    stopped_after: float = math.inf
    """The number of the last call that was read before this one was stopped."""
    is_answered: bool = False

    @property
    def text(self) -> str:
        return self.arguments.decode("utf-8", "replace").strip()

    @property
    def game(self) -> VariantGame:
        return self.session.dispatcher.game


class Session:
    """The state of a conversation. `write` prints a line, from any thread; the other methods belong to the main thread,
    unless a comment says otherwise.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self.write = write
        self.dispatcher = Dispatcher()
        self.has_refused = False
        """Whether a command was refused."""
        self._calls: deque[Call] = deque()
        """The queued and the running calls, oldest first."""
        self._readies: deque[Call] = deque()
        """The calls of an `isready` that is not answered yet."""
        self._waiting_bytes = self._last_number = self._last_stopped = 0
        """The memory of all calls; the number of the last call, and of the last call before the last `stop`."""
        self._open_ended: list[Call] = []
        """The searches without a limit that have not been stopped."""
        self._search: Call | None = None
        """The running search, if any."""
        self._searched_at = 0.0
        """When the last search ended, by `time.monotonic`."""
        self._is_over = False
        """Whether no more calls will be added."""
        self._changed = threading.Condition()
        self._worker = threading.Thread(target=self._work, name="worker", daemon=True)
        self._worker.start()

    def add(
        self, handler: Callable[[Call], Iterable[str]], arguments: bytes = b"", control: Control | None = None, *,
        needs_game: bool = True, due: str = "",
    ) -> None:  # fmt: skip
        """Queue a call for the worker; `too-large` if the queued calls take too much memory."""
        control = control or Control(self.write)
        with self._changed:
            self._last_number += 1
            call = Call(self, self._last_number, handler, arguments, control, needs_game, due)
            if self._waiting_bytes + CALL_BYTES + len(arguments) > MAX_WAITING_BYTES:
                text = f"the commands that wait take {MAX_WAITING_BYTES >> 20} MiB; this one is not carried out"
                self.refuse(Refused("too-large", text))
                self._answer(call)
                return
            self._waiting_bytes += CALL_BYTES + len(arguments)
            self._calls.append(call)
            if due == READY:
                self._readies.append(call)
            if not control.is_released:
                self._open_ended.append(call)
            self._changed.notify_all()

    def ready(self) -> None:
        """Print `readyok`: immediately during a search that was not stopped, otherwise after the calls before it."""
        with self._changed:
            if self._search is not None and self._search.stopped_after == math.inf:
                self.write(READY)
            else:
                self.add(lambda call: (), due=READY)

    def stop(self, *, only_unlimited: bool = False) -> None:
        """Stop all running and queued searches, or only those without a limit."""
        with self._changed:
            new = takewhile(lambda call: call.number > self._last_stopped, reversed(self._calls))
            for call in self._open_ended if only_unlimited else new:
                if not (only_unlimited and call.control.is_released):
                    call.control.stop()
                    call.stopped_after = min(call.stopped_after, self._last_number)
            self._open_ended.clear()
            self._last_stopped = self._last_stopped if only_unlimited else self._last_number

    def ponderhit(self) -> None:
        with self._changed:
            for call in self._open_ended:
                call.control.ponderhit()

    def drain(self) -> None:
        """Wait until all calls are done, or until a search runs that only `stop` or `ponderhit` ends."""
        with self._changed:
            self._changed.wait_for(
                lambda: not self._calls or (self._search is not None and not self._search.control.is_released)
            )

    def finish(self) -> None:
        """Carry out the queued calls; the input has ended."""
        with self._changed:
            self._is_over = True
            self.stop(only_unlimited=True)
            self._changed.notify_all()
        self._worker.join()

    def end(self) -> None:
        """Stop everything. Every `go` without an answer gets one."""
        with self._changed:
            self._is_over = self.dispatcher.is_ending = True
            self.stop()
            self._changed.notify_all()
        self._worker.join(QUIT_WITHIN_S)
        with self._changed:
            for call in self._calls:
                if call.due.startswith(BESTMOVE):
                    call.due = BESTMOVE + call.control.best
                    self._answer(call)

    def refuse(self, fault: Exception) -> None:
        """Print an error: why a command is not carried out."""
        self.has_refused = True
        code, text = "internal", describe_exception(fault)
        if isinstance(fault, Refused):
            code, text = fault.code, str(fault)
        elif isinstance(fault, MemoryError):
            code, text = "too-large", "not enough memory; a smaller Hash takes less"
        self.write(f"info string error {code} {text}")

    # The worker's thread

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._calls or self._is_over)
                if not self._calls:
                    return
                call = self._calls[0]
            try:
                if call.needs_game:
                    self.dispatcher.load(call.control)
                for text in call.handler(call):
                    call.control.say(text)
            except Exception as fault:  # noqa: BLE001  a bug is printed; it must not end the process
                self.refuse(fault)
            with self._changed:
                self._answer(call)
                self._calls.popleft()
                self._waiting_bytes -= CALL_BYTES + len(call.arguments)
                self._changed.notify_all()

    @contextmanager
    def searching(self, call: Call) -> Iterator[None]:
        """Mark a call as the running search. Until it ends or is stopped, every pending and new `isready` is answered
        immediately. Its clock excludes queueing and loading.
        """
        call.control.started = max(call.control.started, self._searched_at, self.dispatcher.loaded_at)
        with self._changed:
            self._search = call
            while self._readies and self._readies[0].number <= call.stopped_after:
                self._answer(self._readies[0])
            self._changed.notify_all()
        try:
            yield
        finally:
            self._search, self._searched_at = None, time.monotonic()

    def _answer(self, call: Call) -> None:
        if self._readies and call is self._readies[0]:
            self._readies.popleft()
        if call.due and not call.is_answered:  # `end` may have answered a search that the worker still carries out
            self.write(call.due)
            call.due, call.is_answered = "", True


def describe_exception(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        file_name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
        place = f" at {file_name}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {quoted(str(error), 200)}{place}"
