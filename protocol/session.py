"""One conversation: idle, searching or pondering, until `quit` or the end of input.

Three threads beside this one: the reader cuts stdin into lines, the worker carries out jobs one after the other, the
writer prints. The session's thread owns all state and never waits for any of them: it takes what comes to its inbox
(a line, a job that has ended, a signal) and decides. So `isready` and `stop` are answered at once whatever the worker
does.

Jobs end in the order in which they were given. A `go` is a job whose `Search` answers exactly once.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

from junqi_engine import __version__
from protocol.dispatch import Dispatcher
from protocol.game import NO_MOVE, Control, GoRequest, Rejection
from protocol.grammar import COMMANDS, Command, Fault, Line, parse, parse_go
from protocol.jobs import Done, EndOfInput, Job, Readiness, Search, Signal
from protocol.options import quoted

PROTOCOL_VERSION = 1
READY_WITHIN_S = 0.4
QUIT_WITHIN_S = 0.75
WAKE_AFTER_S = 1.0
"""Windows sees Ctrl-C between two waits only."""
BACKLOG_BYTES = 256 * 1024 * 1024
JOB_BYTES = 1000
"""What a job takes beside its line."""
MOST_JOBS = 10_000


Event = Line | EndOfInput | Signal | Done


class Session:
    """The protocol's state. `write` takes one line of output from any thread; `open_log` opens the log file."""

    def __init__(
        self,
        write: Callable[[str], None],
        dispatcher: Dispatcher | None = None,
        open_log: Callable[[str], None] = lambda path: None,
        backlog_bytes: int = BACKLOG_BYTES,
    ) -> None:
        self.write = write
        self.dispatcher = dispatcher or Dispatcher()
        self.inbox: SimpleQueue[Event] = SimpleQueue()
        self.exit_code: int | None = None
        self.end_asked = math.inf
        """When the conversation was ended, by `time.monotonic`."""
        self._open_log = open_log
        self._backlog_limit = backlog_bytes
        self._debug = False
        self._jobs: deque[Job] = deque()
        self._backlog = 0
        self._searches: dict[Job, Search] = {}
        self._ready: dict[Job, Readiness] = {}
        self._work: SimpleQueue[Job | None] = SimpleQueue()
        self._load_given = False
        self._answers_after: list[tuple[Search, str]] = []
        self._worker = threading.Thread(target=self._run_worker, name="worker", daemon=True)
        self._worker.start()

    def run(self) -> int:
        """Serve the inbox until the conversation ends; the exit code."""
        while self.exit_code is None:
            self.step()
        return self.exit_code

    def step(self) -> None:
        """Take one event, or give the answers that are due."""
        due = min((readiness.due for readiness in self._ready.values()), default=math.inf)
        with suppress(Empty):
            self.handle(self.inbox.get(timeout=min(WAKE_AFTER_S, max(0.0, due - time.monotonic()))))
        for readiness in self._ready.values():
            if readiness.due <= time.monotonic():
                readiness.due = math.inf
                readiness.answer()

    def handle(self, event: Event) -> None:
        if isinstance(event, Line):
            self._handle_line(event)
        elif isinstance(event, Done):
            self._handle_done(event.job)
        elif isinstance(event, Signal):
            self._end(event.exit_code)
        else:
            self._end(0)

    def drain(self) -> None:
        """Serve the inbox until the worker has nothing left but a search that only `stop` ends."""
        while self.exit_code is None and self._jobs:
            control = self._jobs[0].control
            if self._jobs[0].is_search and control.is_open_ended and not control.is_released:
                return
            self.step()

    # Commands

    def _handle_line(self, line: Line) -> None:
        command = parse(line)
        if command is None:
            return
        if self._debug:
            echo = f"info string received {quoted(line.content[:8000].decode('utf-8', 'replace').strip(), 2000)}"
            self._in_order(lambda: self.write(echo))
        if isinstance(command, Fault):
            if command.awaits_bestmove:
                self._stop_searches()
            self._reject_in_order(command)
            return
        act = {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._isready,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "quit": self._quit,
        }.get(command.name)
        about = {
            "help": self._help,
            "list_commands": self._list_commands,
            "version": self._version,
        }.get(command.name)
        if command.name == "go":
            self._go(command)
        elif act is not None:
            self._guarded(lambda: act(command.words))
        elif about is not None:
            self._in_order(about)
        elif self._is_searching and len(self._jobs) == 1 and self.dispatcher.is_quick(command.name):
            self._guarded(lambda: self._carry_out(command, Control(self.write)))
        else:
            self._give_command(command, len(line.content))

    def _give_command(self, command: Command, size: int) -> None:
        if command.name in ("position", "ucinewgame"):
            self._stop_searches()
        size += JOB_BYTES
        if self._jobs and self._backlog + size > self._backlog_limit:
            self._error("too-large", f"{command.name}: too much waits already")
            return
        if command.name != "setoption":
            self._ensure_load()  # not before the variant is chosen
        control = Control(self.write)
        loads = command.name == "setoption" and b"uci_variant" in command.rest[:80].lower()
        job = Job(lambda: self._carry_out(command, control), control, command.name == "bench", loads, size)
        self._give(job)

    def _carry_out(self, command: Command, control: Control) -> None:
        """The commands that need the game; in the worker, or, the quick ones, beside a search."""
        words = command.words
        if command.name == "setoption":
            self._set_option(words, control)
            return
        self.dispatcher.load(control)
        game = self.dispatcher.game
        if command.name == "position":
            game.set_position(words)
        elif command.name == "ucinewgame":
            game.new_game()
        elif command.name == "d":
            for line in game.describe():
                control.say(line)
        elif command.name == "legal":
            control.say(" ".join(["legal", *game.legal()]))
        elif command.name == "eval":
            for line in game.evaluate(control):
                control.say(line)
        elif command.name == "belief":
            if len(words) > 1:
                raise Rejection("bad-argument", f"belief: one point at most, not {quoted(' '.join(words))}")
            for line in game.belief(words[0] if words else None):
                control.info(line)
        elif command.name == "bench":
            self._bench(control)
        elif command.name == "export":
            if not words:
                raise Rejection("bad-argument", "export: the file's name is missing")
            game.export(" ".join(words))
        elif command.name == "gameover":
            if words not in (["win"], ["loss"], ["draw"]):
                raise Rejection("bad-argument", f"gameover: {quoted(' '.join(words))} is not win, loss or draw")
            game.game_over(words[0])

    def _set_option(self, words: list[str], control: Control) -> None:
        before = self.dispatcher.options["Log File"]
        if self.dispatcher.set_option(words, control) == "Log File":
            path = str(self.dispatcher.options["Log File"])
            try:
                self._open_log(path)
            except (OSError, ValueError) as error:
                self.dispatcher.options.set(self.dispatcher.options.find("Log File"), before)
                reason = error.strerror if isinstance(error, OSError) else str(error)
                raise Rejection("bad-file", f"option Log File: {quoted(path)}: {reason}") from error

    def _bench(self, control: Control) -> None:
        result = self.dispatcher.game.bench(control)
        if not result.is_complete:
            control.say("bench stopped")
            return
        for line in result.lines:
            control.say(line)
        speed = int(result.nodes / max(result.seconds, 1e-9))
        control.say(f"bench nodes {result.nodes} nps {speed} signature {result.signature:016X}")

    def _uci(self, words: list[str]) -> None:
        self.write(f"id name junqi-engine {__version__}")
        self.write("id author the junqi-engine authors")
        for option in self.dispatcher.options.declared.values():
            self.write(option.declaration())
        self.write(f"info string protocol-version {PROTOCOL_VERSION}")
        self.write("uciok")

    def _set_debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise Rejection("bad-argument", f"debug: {quoted(' '.join(words))} is neither on nor off")
        self._debug = words == ["on"]

    def _isready(self, words: list[str]) -> None:
        self._ensure_load()
        if not self._jobs or self._is_searching:
            self.write("readyok")
            return
        is_loading = any(job.is_loading for job in self._jobs)
        readiness = Readiness(self.write, math.inf if is_loading else time.monotonic() + READY_WITHIN_S)
        job = Job(readiness.answer, Control(self.write))
        self._ready[job] = readiness
        self._give(job)

    def _stop(self, words: list[str]) -> None:
        self._stop_searches()

    def _ponderhit(self, words: list[str]) -> None:
        for job in self._searches:
            job.control.ponderhit()

    def _quit(self, words: list[str]) -> None:
        self._end(0)

    def _help(self) -> None:
        for name, text in COMMANDS.items():
            self.write(f"info string {name:<13} {text}")

    def _list_commands(self) -> None:
        self.write(f"info string {' '.join(COMMANDS)}")

    def _version(self) -> None:
        self.write(f"info string junqi-engine {__version__} protocol-version {PROTOCOL_VERSION}")

    def _go(self, command: Command) -> None:
        self._stop_searches()
        self._ensure_load()
        try:
            request = parse_go(command)
        except Rejection as rejection:
            self._reject_in_order(Fault(rejection.code, str(rejection), awaits_bestmove=True))
            return
        is_open_ended = request.infinite or request.ponder
        control = Control(self.write, is_open_ended, waits_for_ponderhit=request.ponder and not request.infinite)
        search = Search(self.write)
        job = Job(lambda: self._search(request, control, search), control, is_search=True)
        self._searches[job] = search
        self._give(job)

    def _search(self, request: GoRequest, control: Control, search: Search) -> None:
        move = NO_MOVE
        try:
            self.dispatcher.load(control)
            game = self.dispatcher.game
            if request.perft is not None:
                game.perft(request.perft, control)
            elif request.setup:
                move = f"@{game.setup(request.setup_seat, control)}"
            else:
                move = game.go(request, control)
                control.wait_for_release()
        finally:
            # Errors are printed by the caller; a client must have its answer all the same, and after them.
            self._answers_after.append((search, move))

    # Jobs

    @property
    def is_behind(self) -> bool:
        """Whether so much waits for the worker that reading on is of no use; never during a search, lest no `stop`
        come through. May be asked from another thread.
        """
        return len(self._jobs) > MOST_JOBS and not self._is_searching

    @property
    def _is_searching(self) -> bool:
        return bool(self._jobs) and self._jobs[0].is_search

    def _ensure_load(self) -> None:
        if self._load_given:
            return
        self._load_given = True
        control = Control(self.write)
        self._give(Job(lambda: self.dispatcher.load(control), control, is_loading=True))

    def _give(self, job: Job) -> None:
        self._jobs.append(job)
        self._backlog += job.size
        self._work.put(job)

    def _handle_done(self, job: Job) -> None:
        self._backlog -= self._jobs.popleft().size
        self._searches.pop(job, None)
        self._ready.pop(job, None)
        if self._is_searching:
            for readiness in self._ready.values():
                readiness.answer()

    def _stop_searches(self) -> None:
        for job in self._jobs:
            if job.is_search:
                job.control.stop()

    def _in_order(self, work: Callable[[], None]) -> None:
        """Do something after what came before it; a search or the loading need not be waited for."""
        if self._jobs and not self._is_searching and not any(job.is_loading for job in self._jobs):
            self._give(Job(work, Control(self.write)))
        else:
            self._guarded(work)

    def _reject_in_order(self, fault: Fault) -> None:
        if self._jobs and fault.awaits_bestmove:
            self._give(Job(lambda: self._reject(fault), Control(self.write)))
        else:
            self._in_order(lambda: self._reject(fault))

    def _reject(self, fault: Fault) -> None:
        self._error(fault.code, fault.text)
        if fault.awaits_bestmove:
            self.write(f"bestmove {NO_MOVE}")

    def _error(self, code: str, text: str) -> None:
        self.write(f"info string error {code} {text}")

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do one thing that may be refused or go wrong; say so, and live."""
        try:
            work()
        except Rejection as rejection:
            self._error(rejection.code, str(rejection))
        except MemoryError:
            self._error("too-large", "not enough memory")
        except Exception as error:  # noqa: BLE001  the process outlives any fault of ours, and prints it
            self._error("internal", describe_fault(error))

    def _run_worker(self) -> None:
        while (job := self._work.get()) is not None:
            self._guarded(job.work)
            for search, move in self._answers_after:
                search.answer(move)
            self._answers_after.clear()
            self.inbox.put(Done(job))

    # The end

    def _end(self, exit_code: int) -> None:
        """Stop everything; every `go` that still waits gets its answer, from the worker if it comes in time."""
        self.end_asked = time.monotonic()
        self._stop_searches()
        self._work.put(None)
        self._worker.join(QUIT_WITHIN_S)
        for search in self._searches.values():
            search.answer(NO_MOVE)
        self.exit_code = exit_code


def describe_fault(error: BaseException) -> str:
    """An internal error in one line: its type, its text, and the place in the source."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        place = f" at {trace.tb_frame.f_code.co_filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {quoted(str(error), 200)}{place}"
