"""One conversation: idle, searching or pondering, until `quit` or the end of input.

Three more threads run beside the session's own: the reader cuts stdin into lines, the worker carries out jobs one after
the other, the writer prints. The session's thread owns the state of the conversation and never waits for the others: it
takes the events from its inbox (a line, a finished job, a signal) and decides. So `isready` and `stop` are answered at
once, whatever the worker is doing.

What each command does, and when, is in `junqi_protocol.commands`.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple

from junqi_engine.client.engine_lines import NO_MOVE
from junqi_engine.version import __version__
from junqi_protocol.commands import PROTOCOL_VERSION, Call, CommandLine, MalformedCommand, When, parse, parse_go
from junqi_protocol.dispatch import REHEARSED, Dispatcher
from junqi_protocol.options import quoted
from junqi_protocol.streams import WAKE_AFTER_S, InputLine
from junqi_protocol.variant_game import Control, GoRequest, Rejection

ERROR = "info string error"
"""How the line begins that says why a command was rejected."""


class Signal(NamedTuple):
    """The operating system asked the process to end."""

    exit_code: int


class PendingAnswer:
    """An answer that is due: `readyok`, or the `bestmove` of a `go`, in `line` once it is known. It is printed once,
    whichever thread comes first; that of an `isready` at `due` at the latest, in seconds of `time.monotonic`.
    """

    def __init__(self, write: Callable[[str], None], line: str, due: float = math.inf) -> None:
        self.line, self.due = line, due
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
    """Work for the worker. `isready` is answered while a job runs that `is_search`.

    A job that `is_loading` can take a minute. `size` is what it counts for, in bytes, in the backlog. `bestmove` is
    answered when the work is done, after any error that it printed.
    """

    work: Callable[[], None]
    control: Control
    is_search: bool = False
    is_loading: bool = False
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

    @property
    def is_searching(self) -> bool:
        return bool(self.jobs) and self.jobs[0].is_search

    @property
    def is_loading(self) -> bool:
        """Whether some job may take a minute to load."""
        return any(job.is_loading for job in self.jobs)

    def give(self, job: Job) -> None:
        self.jobs.append(job)
        self.backlog_bytes += job.size
        self._queue.put(job)

    def finish(self) -> None:
        self.backlog_bytes -= self.jobs.popleft().size

    def stop_searches(self, *, only_unlimited: bool = False) -> None:
        """Stop all searches that run or wait, or only those that nothing else would end."""
        for job in self.jobs:
            if job.is_search and not (only_unlimited and job.control.is_released):
                job.control.stop()

    def end(self, within_s: float) -> None:
        """Finish the jobs, as far as time allows. Then give every `go` its answer."""
        for job in self.jobs:
            job.control.stop()
        self._queue.put(None)
        self._thread.join(within_s)
        for job in self.jobs:
            if job.bestmove is not None:
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
    except Rejection as rejection:
        write(error_line(rejection.code, str(rejection)))
    except MemoryError:
        write(error_line("too-large", "not enough memory"))
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


READY_WITHIN_S = 0.4
QUIT_WITHIN_S = 0.65
LOOK_EVERY_S = 0.5
"""After the end of input: how often to look whether somebody reads the output."""
NO_BESTMOVE = f"bestmove {NO_MOVE}"
NOT_READ = 1
"""The exit code when nobody reads the output."""
MAX_BACKLOG_BYTES = 256 * 1024 * 1024
JOB_BYTES = 1000
"""What a job occupies in addition to its line."""
MAX_WAITING_JOBS = 10_000
"""With more jobs waiting, no more input is read."""


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
        self._is_echoing = False
        """Whether each command is printed before it is carried out."""
        self._write = write
        self._open_log = open_log
        self._max_backlog_bytes = max_backlog_bytes
        self._is_read = is_read
        self._worker = Worker(write, self.inbox.put)
        self._is_load_requested = False
        self._pending_readyok: dict[Job, PendingAnswer] = {}

    def run(self) -> int:
        while self.exit_code is None:
            self.step()
        return self.exit_code

    def step(self) -> None:
        """Handle one event, if one comes in time, and give the answers that are due."""
        longest_s = LOOK_EVERY_S if self.is_input_over else WAKE_AFTER_S
        with suppress(Empty):
            self.handle(self.inbox.get(timeout=min(longest_s, max(0.0, self.next_due() - time.monotonic()))))
        self.keep_time()
        if self.is_input_over and self.exit_code is None:
            if self.is_idle:
                self.end(0)
            elif not self._is_read():
                self.ended_at, self.exit_code = time.monotonic(), NOT_READ

    def next_due(self) -> float:
        """When something is due even if no event comes, by `time.monotonic`."""
        return min((pending.due for pending in self._pending_readyok.values()), default=math.inf)

    def keep_time(self) -> None:
        for pending in self._pending_readyok.values():
            if pending.due <= time.monotonic():
                pending.due = math.inf
                pending.give()

    def handle(self, event: object) -> None:
        """Handle one event: a line, a finished job, a signal, or the end of input."""
        if isinstance(event, InputLine):
            self._handle_line(event)
        elif isinstance(event, Job):
            self._handle_job_done(event)
        elif isinstance(event, Signal):
            self.end(event.exit_code)
        else:
            self.is_input_over = True
            self._worker.stop_searches(only_unlimited=True)

    def drain(self) -> None:
        """Handle events until the worker is idle, or runs a search that only `stop` or `ponderhit` ends."""
        while self.exit_code is None and not self.is_idle:
            job = self._worker.jobs[0]
            if job.is_search and job.control.is_open_ended and not job.control.is_released:
                return
            self.step()

    @property
    def is_idle(self) -> bool:
        """Whether no command waits or runs. May be called from any thread."""
        return not self._worker.jobs

    @property
    def is_behind(self) -> bool:
        """Whether reading more input would only lengthen the queue. May be called from any thread.

        False during a search, because the `stop` that ends it must be read.
        """
        return len(self._worker.jobs) > MAX_WAITING_JOBS and not self._worker.is_searching

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
        elif name == "debug":
            if call.words not in (["on"], ["off"]):
                raise Rejection("bad-argument", f"debug: {quoted(call.text)} is not on or off")
            self._is_echoing = call.words == ["on"]
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
        """Print `readyok`: at once if nothing waits or a search runs, else after the jobs before it, but soon."""
        self._ensure_load()
        if self.is_idle or self._worker.is_searching:
            self._write("readyok")
            return
        due = math.inf if self._worker.is_loading else time.monotonic() + READY_WITHIN_S
        pending = PendingAnswer(self._write, "readyok", due)
        job = Job(pending.give, Control(self._write))
        self._pending_readyok[job] = pending
        self._worker.give(job)

    def _start_search(self, arguments: bytes) -> None:
        """Start the search for the arguments of a `go`, or reject them; either way one `bestmove` follows."""
        self._ensure_load()
        try:
            request = parse_go(arguments)
        except Rejection as rejection:
            self._reject(MalformedCommand(rejection.code, str(rejection), awaits_bestmove=True))
            return
        is_open_ended = request.infinite or request.ponder
        control = Control(self._write, is_open_ended, waits_for_ponderhit=request.ponder and not request.infinite)
        bestmove = PendingAnswer(self._write, NO_BESTMOVE)
        waits = any(job.is_search or job.is_loading for job in self._worker.jobs)

        def work() -> None:
            self.dispatcher.load(control)
            if waits:  # its time is its own: neither that of a search before it nor that of loading
                control.restart()
            self._search(request, control, bestmove)

        self._worker.give(Job(work, control, is_search=True, bestmove=bestmove))

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
        if self._is_echoing:
            text = line.content[:8000].decode("utf-8", "replace").strip()
            self._in_order(lambda: self._write(f"info string received {quoted(text, 2000)}"))
        if isinstance(parsed, MalformedCommand):
            if parsed.awaits_bestmove:
                self._worker.stop_searches(only_unlimited=True)
            self._reject(parsed)
            return
        command = parsed.command
        if command.stops_unlimited:
            self._worker.stop_searches(only_unlimited=True)
        call = Call(parsed, self.dispatcher, Control(self._write), self._open_log)
        handler = command.handler or self.carry_out
        is_alone = self._worker.is_searching and len(self._worker.jobs) == 1
        if command.when is When.AT_ONCE:
            guard(lambda: handler(call), self._write)
        elif command.when is When.IN_ORDER:
            self._in_order(lambda: handler(call))
        elif command.when is When.BESIDE_SEARCH and is_alone and self.dispatcher.is_loaded:
            guard(lambda: handler(call), self._write)
        else:
            self._give_to_worker(call, handler, len(line.content))

    def _handle_job_done(self, job: Job) -> None:
        self._worker.finish()
        self._pending_readyok.pop(job, None)
        if self._worker.is_searching:
            for pending in self._pending_readyok.values():
                pending.give()

    # Work

    def _give_to_worker(self, call: Call, handler: Callable[[Call], None], size: int) -> None:
        command = call.line.command
        size += JOB_BYTES
        if self._worker.jobs and self._worker.backlog_bytes + size > self._max_backlog_bytes:
            self._write(error_line("too-large", f"{command.name}: too many commands are waiting"))
            return
        if not command.sets_options:
            self._ensure_load()

        def work() -> None:
            if not command.sets_options:
                self.dispatcher.load(call.control)
            handler(call)

        may_load = _may_load(call.line)
        self._worker.give(Job(work, call.control, command.is_search, may_load, size))
        if may_load:
            self._is_load_requested = False

    def _search(self, request: GoRequest, control: Control, bestmove: PendingAnswer) -> None:
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

    def _ensure_load(self) -> None:
        """Load the game, once, and again after an option that may need it. Not before the first command that needs it,
        so that the options can be set.
        """
        if self._is_load_requested:
            return
        self._is_load_requested = True
        control = Control(self._write)
        self._worker.give(Job(lambda: self.dispatcher.load(control), control, is_loading=True))

    def _in_order(self, work: Callable[[], None]) -> None:
        """Do some work after the commands before it, without waiting for a search or for loading."""
        if self._worker.jobs and not self._worker.is_searching and not self._worker.is_loading:
            self._worker.give(Job(work, Control(self._write)))
        else:
            guard(work, self._write)

    def _reject(self, malformed: MalformedCommand) -> None:
        """Print an error after the answers to the commands before it; for a `go`, with its `bestmove`."""
        error = error_line(malformed.code, malformed.text)
        if not malformed.awaits_bestmove:
            self._in_order(lambda: self._write(error))
            return
        bestmove = PendingAnswer(self._write, NO_BESTMOVE)
        if self._worker.jobs:
            self._worker.give(Job(lambda: self._write(error), Control(self._write), bestmove=bestmove))
        else:
            self._write(error)
            bestmove.give()


def _may_load(line: CommandLine) -> bool:
    """Whether a command sets an option for which the game loads more, which can take a minute."""
    start = line.arguments[:80].lower()
    return line.command.sets_options and any(name.lower().encode() in start for name in REHEARSED)
