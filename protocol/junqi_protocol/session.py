"""One conversation: idle, searching or pondering, until `quit` or the end of input.

Three more threads run beside the session's own: the reader cuts stdin into lines, the worker carries out jobs one after
the other, the writer prints. The session's thread owns the state of the conversation and never waits for the others: it
takes the events from its inbox (a line, a finished job, a signal) and decides. So `stop` and `quit` are carried out at
once, whatever the worker is doing, and `isready` is answered at once during a search. Otherwise `readyok` is a job.

What each command does, and when, is in `junqi_protocol.commands`.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple

from junqi_engine.client.engine_lines import NO_MOVE
from junqi_engine.errors import Refused
from junqi_engine.version import __version__
from junqi_protocol.commands import PROTOCOL_VERSION, Call, MalformedCommand, parse, parse_go
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.options import quoted
from junqi_protocol.streams import InputLine
from junqi_protocol.variant_game import Control, GoRequest

ERROR = "info string error"
"""How the line begins that says why a command was rejected."""


class Signal(NamedTuple):
    """The operating system asked the process to end."""

    exit_code: int


class PendingAnswer:
    """An answer that is due: `readyok`, or the `bestmove` of a `go`, in `line` once it is known. It is printed once,
    whichever thread comes first.
    """

    def __init__(self, write: Callable[[str], None], line: str) -> None:
        self.line = line
        self._write = write
        self._lock = threading.Lock()
        self._is_given = False

    def give(self) -> None:
        """Print the answer, unless it was printed before."""
        with self._lock:
            if not self._is_given:
                self._is_given = True
                self._write(self.line)


class Job(NamedTuple):
    """Work for the worker. `size` is what it counts for, in bytes, in the backlog. `bestmove` is answered when the work
    is done, after any error that it printed.
    """

    work: Callable[[], None]
    control: Control
    size: int = 0
    bestmove: PendingAnswer | None = None


class Worker:
    """Carries out jobs in the order in which they were given.

    `report` is called with each job that is done, in the worker's thread. All methods and properties are for the
    session's thread, which calls `finish` for each of these: until then the job counts as waiting or running.
    """

    def __init__(self, write: Callable[[str], None], report: Callable[[Job], None]) -> None:
        self.jobs: deque[Job] = deque()
        """Those that wait or run, oldest first."""
        self.backlog_bytes = 0
        self._write = write
        self._report = report
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def give(self, job: Job) -> None:
        self.jobs.append(job)
        self.backlog_bytes += job.size
        self._queue.put(job)

    def finish(self) -> None:
        self.backlog_bytes -= self.jobs.popleft().size

    def stop_searches(self, *, only_unlimited: bool = False) -> None:
        """Stop all searches that run or wait, or only those that nothing else would end."""
        for job in self.jobs:
            if not (only_unlimited and job.control.is_released):
                job.control.stop()

    def end(self, within_s: float) -> None:
        """Finish the jobs, as far as time allows. Then give every `go` its answer."""
        for job in self.jobs:
            job.control.stop()
        self._queue.put(None)
        self._thread.join(within_s)
        for job in self.jobs:
            if job.bestmove is not None:
                if job.bestmove.line == NO_BESTMOVE:
                    job.bestmove.line = f"bestmove {job.control.best}"
                job.bestmove.give()

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            guard(job.work, self._write)
            if job.bestmove is not None:
                job.bestmove.give()
            self._report(job)


def guard(work: Callable[[], None], write: Callable[[str], None]) -> None:
    """Do some work. If it is rejected or fails, print an error line; no exception gets out."""
    try:
        work()
    except Refused as rejection:
        write(error_line(rejection.code, str(rejection)))
    except MemoryError:
        write(error_line("too-large", "not enough memory; a smaller Hash takes less"))
    except Exception as error:  # noqa: BLE001  a bug must not end the process; it is printed
        write(error_line("internal", describe_exception(error)))


def error_line(code: str, text: str) -> str:
    return f"{ERROR} {code} {text}"


def describe_exception(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        file_name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
        place = f" at {file_name}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {quoted(str(error), 200)}{place}"


QUIT_WITHIN_S = 0.65
LOOK_EVERY_S = 0.5
"""How often to look whether somebody can read the output."""
NO_BESTMOVE = f"bestmove {NO_MOVE}"
NOT_READ = 1
"""The exit code when nobody reads the output."""
MAX_BACKLOG_BYTES = 256 * 1024 * 1024
JOB_BYTES = 1000
"""What a job occupies in addition to its line."""
MAX_WAITING_JOBS = 10_000
"""With more jobs and lines waiting, no more input is read."""


class Session:
    """The state of a conversation.

    `write` prints a line, from any thread; `open_log` opens the log file; `is_read` tells whether somebody can still
    read what is printed.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        dispatcher: Dispatcher | None = None,
        open_log: Callable[[str], None] = lambda path: None,
        max_backlog_bytes: int = MAX_BACKLOG_BYTES,
        is_read: Callable[[], bool] = lambda: True,
    ) -> None:
        self.dispatcher = dispatcher or Dispatcher()
        self.inbox: SimpleQueue[object] = SimpleQueue()
        self.exit_code: int | None = None
        self.ended_at = math.inf
        """When the end of the conversation was requested, by `time.monotonic`."""
        self.is_input_over = False
        """Whether no line will come any more; the commands that were read are still carried out."""
        self._write = write
        self._open_log = open_log
        self._max_backlog_bytes = max_backlog_bytes
        self._is_read = is_read
        self._worker = Worker(write, self.inbox.put)
        self._search: Control | None = None
        """That of the search that runs."""
        self._searched_at = 0.0
        """When the last search ended, by `time.monotonic`."""
        self._readies: deque[PendingAnswer] = deque()
        """The `isready` that wait, oldest first."""

    def run(self) -> int:
        while self.exit_code is None:
            self.step()
        return self.exit_code

    def step(self) -> None:
        """Handle one event, if one comes in time, and do what is due."""
        with suppress(Empty):
            self.handle(self.inbox.get(timeout=min(LOOK_EVERY_S, max(0.0, self.next_due() - time.monotonic()))))
        self.keep_time()

    def next_due(self) -> float:
        """When something is due even if no event comes, by `time.monotonic`."""
        return math.inf

    def keep_time(self) -> None:
        """Do what no event asks for: end when all input is carried out, or when nobody can read the output."""
        if self.exit_code is not None:
            return
        if self.is_input_over and self.is_idle:
            self.end(0)
        elif not self._is_read():
            self.ended_at, self.exit_code = time.monotonic(), NOT_READ

    def handle(self, event: object) -> None:
        """Handle one event: a line, a finished job, a signal, or the end of input."""
        if isinstance(event, InputLine):
            self._handle_line(event)
        elif isinstance(event, Job):
            self._worker.finish()
        elif isinstance(event, Signal):
            self.end(event.exit_code)
        else:
            self.is_input_over = True
            self._worker.stop_searches(only_unlimited=True)

    def drain(self) -> None:
        """Handle events until the worker is idle, or runs a search that only `stop` or `ponderhit` ends."""
        while self.exit_code is None and not self.is_idle:
            job = self._worker.jobs[0]
            if job.control.is_open_ended and not job.control.is_released:
                return
            self.step()

    @property
    def is_idle(self) -> bool:
        """Whether no command waits or runs. May be called from any thread."""
        return not self._worker.jobs

    @property
    def is_searching(self) -> bool:
        """Whether a search runs that nothing has ended yet. May be called from any thread."""
        control = self._search
        return control is not None and not (control.stopped and control.is_released)

    @property
    def is_behind(self) -> bool:
        """Whether reading more input would only lengthen the queue. May be called from any thread.

        False during a search, because the `stop` that ends it must be read.
        """
        return len(self._worker.jobs) + self.inbox.qsize() > MAX_WAITING_JOBS and not self.is_searching

    # Commands that the session carries out itself

    def carry_out(self, call: Call) -> None:
        name = call.line.name
        if name == "uci":
            self._write(f"id name junqi-engine {__version__}")
            self._write("id author the junqi-engine authors")
            for option in self.dispatcher.options.declared.values():
                self._write(option.declaration())
            self._write(f"info string protocol-version {PROTOCOL_VERSION}")
            self._write("uciok")
        elif name == "isready":
            self.answer_isready()
        elif name == "go":
            self._start_search(call.line.arguments)
        elif name == "stop":
            self._worker.stop_searches()
        elif name == "ponderhit":
            for job in self._worker.jobs:
                job.control.ponderhit()
        else:
            self.end(0)

    def answer_isready(self) -> None:
        """Print `readyok`: at once while a search runs, else after the commands before it, with the game loaded."""
        ready, control = PendingAnswer(self._write, "readyok"), Control(self._write)

        def work() -> None:
            guard(lambda: self.dispatcher.load(control), self._write)
            self._readies.popleft().give()

        if not self.is_searching:
            self._readies.append(ready)
            self._worker.give(Job(work, control))
        if self.is_searching:  # asked again: a search that has begun meanwhile may not have seen this `isready`
            ready.give()

    def _start_search(self, arguments: bytes) -> None:
        """Start the search for the arguments of a `go`, or reject them; either way one `bestmove` follows."""
        try:
            request = parse_go(arguments)
        except Refused as rejection:
            self._reject(MalformedCommand(rejection.code, str(rejection), awaits_bestmove=True))
            return
        is_open_ended = request.infinite or request.ponder
        control = Control(self._write, is_open_ended, waits_for_ponderhit=request.ponder and not request.infinite)
        bestmove = PendingAnswer(self._write, NO_BESTMOVE)

        def work() -> None:
            self.dispatcher.load(control)
            # Its time is its own: neither that of a search before it nor that of loading.
            control.started = max(control.started, self._searched_at, self.dispatcher.loaded_at)
            with self._searching(control):
                self._answer_go(request, control, bestmove)

        self._worker.give(Job(work, control, bestmove=bestmove))

    def end(self, exit_code: int) -> None:
        """Stop everything. Every `go` that waits for its answer gets it."""
        self.ended_at = time.monotonic()
        self._worker.end(QUIT_WITHIN_S)
        self.exit_code = exit_code

    # Events

    def _handle_line(self, line: InputLine) -> None:
        parsed = parse(line)
        if parsed is None:
            return
        if isinstance(parsed, MalformedCommand):
            if parsed.awaits_bestmove:
                self._worker.stop_searches(only_unlimited=True)
            self._reject(parsed)
            return
        if parsed.command.stops_unlimited:
            self._worker.stop_searches(only_unlimited=True)
        call = Call(parsed, self.dispatcher, Control(self._write), self._open_log)
        if parsed.command.handler is None:
            guard(lambda: self.carry_out(call), self._write)
        else:
            self._give_to_worker(call, parsed.command.handler, len(line.content))

    # Work

    def _give_to_worker(self, call: Call, handler: Callable[[Call], None], size: int) -> None:
        command, size = call.line.command, size + JOB_BYTES
        if self._is_full(size):
            self._write(error_line("too-large", f"{command.name}: too many commands are waiting"))
            return

        def work() -> None:
            if command.needs_game:
                self.dispatcher.load(call.control)
            is_search = command.needs_game and command.name in call.game.searching
            with self._searching(call.control) if is_search else nullcontext():
                handler(call)
            call.tell()

        self._worker.give(Job(work, call.control, size))

    def _is_full(self, size: int) -> bool:
        """Whether so many commands wait that there is no room for one more of this size."""
        return bool(self._worker.jobs) and self._worker.backlog_bytes + size > self._max_backlog_bytes

    @contextmanager
    def _searching(self, control: Control) -> Iterator[None]:
        """The time of a search: each `isready` is answered at once."""
        self._search = control
        for ready in tuple(self._readies):
            ready.give()
        try:
            yield
        finally:
            self._search, self._searched_at = None, time.monotonic()

    def _answer_go(self, request: GoRequest, control: Control, bestmove: PendingAnswer) -> None:
        game = self.dispatcher.game
        for taken in request.taken:
            control.say(taken)
        if request.perft is not None:
            game.perft(request.perft, control)
        elif request.setup:
            bestmove.line = f"bestmove @{game.setup(request.setup_seat, control)}"
        else:
            if request.generate:
                game.generate(request, control)
            elif self.ended_at < math.inf:  # one of many, perhaps: no time to search
                bestmove.line = f"bestmove {next(iter(game.legal()), NO_MOVE)}"
            else:
                bestmove.line = f"bestmove {(game.hint if request.hint else game.go)(request, control)}"
            control.wait_for_release()

    def _reject(self, malformed: MalformedCommand) -> None:
        """Print an error after the answers to the commands before it; for a `go`, with its `bestmove`."""
        error = error_line(malformed.code, malformed.text)
        bestmove = PendingAnswer(self._write, NO_BESTMOVE) if malformed.awaits_bestmove else None
        if bestmove is None and self._is_full(JOB_BYTES):
            self._write(error)
        else:
            self._worker.give(Job(lambda: self._write(error), Control(self._write), JOB_BYTES, bestmove))
