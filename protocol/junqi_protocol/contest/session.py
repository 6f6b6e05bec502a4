"""The session of the contest's dialect: `INFO`, `START`, `GO`, `RESULT`, `END` in; `NAME`, `ARRAY`, `BESTMOVE` out.

One thread reads, the session's own handles the lines and watches the clock, the worker makes line-ups and searches.
Only the three answers are printed on stdout. Each faulty line is reported on stderr, up to a limit, since nobody may be
reading it.
"""

import math
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from junqi_engine.engines.engine_lines import NO_MOVE
from junqi_engine.version import __version__
from junqi_protocol.contest.notation import Report, parse_go, parse_result, shown, square_of
from junqi_protocol.contest.worker import ContestWorker, Failed, LineupMade, MoveFound, PendingMove
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.game_interface import DRAWN, SEEDS, Rejection
from junqi_protocol.options import split_setoption
from junqi_protocol.streams import InputLine
from junqi_protocol.worker import EndOfInput, Signal

if TYPE_CHECKING:
    from junqi_protocol.contest.table import ContestTable

VARIANT = "luzhanqi"
USUAL_SECONDS, USUAL_PLIES = 1800.0, 31
"""Used for what a `START` does not give."""
MAX_SECONDS, MAX_PLIES = 1e7, 1000
MAX_COMPLAINTS = 100
MAX_HELD_LINES = 100
"""Lines that are kept while a line-up is being made."""
SHOWN_BYTES = 1000
RESULT_WITHIN_S = 0.5
"""How long a `GO` waits for the `RESULT` that should have come before it."""
RESULT_SHARE = 0.05
"""How long it waits at most, as a part of the remaining time."""
STOP_SHARE, ANSWER_SHARE = 0.5, 0.7
"""The parts of the remaining time after which a search is stopped, and after which the fallback move is played. A
player that works correctly reaches neither.
"""
END_WITHIN_S = 0.9
WAKE_AFTER_S = 0.25
"""The longest wait for an event: a signal that comes just before a wait is noticed only after it."""
MIN_WAIT_S = 0.01
END_RESULTS = {"0": "loss", "1": "win", "2": "draw"}


Event = InputLine | EndOfInput | Signal | LineupMade | MoveFound | Failed


@dataclass
class _Game:
    """A game that has been started. `waiting` is a `GO` that waits for the `RESULT` before it."""

    number: int
    remaining_s: float
    quiet_plies: int
    table: "ContestTable | None" = None
    """None while the line-up is being made."""
    asked_at: float = 0.0
    waiting: Report | None = None
    pending: PendingMove | None = None
    last_answer: str = ""
    held: deque[tuple[list[str], float]] = field(default_factory=lambda: deque(maxlen=MAX_HELD_LINES))
    """Lines for this game, each with the time when it came, until the line-up is made."""


class ContestSession:
    """Speaks the dialect for the luzhanqi player. The reader and the signals put events into `inbox`.

    `settings` are `setoption` lines, carried out first; `Rejection` for one that cannot be.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        settings: Sequence[str] = (),
        *,
        complain: Callable[[str], None] = lambda text: None,
        log: Callable[[str, str], None] = lambda direction, text: None,
        open_log: Callable[[str], None] = lambda path: None,
        dispatcher: Dispatcher | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.inbox: SimpleQueue[Event] = SimpleQueue()
        self._write = write
        self._complain_to = complain
        self._log = log
        self._dispatcher = dispatcher or Dispatcher()
        self._clock = clock
        self._complaints = 0
        self._games = 0
        self._game: _Game | None = None
        self._end_at = math.inf
        self._exit_code: int | None = None
        seed = self._set_options(settings, open_log)
        self._log("--", f"seed {seed}")
        self._worker = ContestWorker(self._dispatcher, seed, self.inbox.put, self._log, clock)

    def run(self) -> int:
        """Handle events until the end; the exit code."""
        while self._exit_code is None:
            try:
                event = self.inbox.get(timeout=self._seconds_to_wait())
            except Empty:
                event = None
            if event is not None:
                self._handle(event)
            self._keep_time()
        return self._exit_code

    # Settings

    def _set_options(self, settings: Sequence[str], open_log: Callable[[str], None]) -> int:
        """Carry out the settings, then set what the contest demands; the seed."""
        for line in settings:
            self._set(line, open_log)
        options = self._dispatcher.options
        options.set(options.find("UCI_Variant"), VARIANT)
        options.set(options.find("NoContactResult"), "loss")
        if options["Seed"] == DRAWN:
            # The seed of each game follows from this one, so the log of a session is enough to repeat it.
            options.set(options.find("Seed"), secrets.randbelow(SEEDS))
        return int(options["Seed"])

    def _set(self, line: str, open_log: Callable[[str], None]) -> None:
        """Carry out a `setoption` line."""
        words = line.split()
        if words[:1] != ["setoption"]:
            raise Rejection("bad-argument", f"--contest: {shown(line)} is not a setoption line")
        name, text = split_setoption(words[1:])
        option = self._dispatcher.options.find(name)
        if option.name == "UCI_Variant":
            raise Rejection("bad-argument", f"--contest: option {option.name} is always {VARIANT}")
        if text is None:
            raise Rejection("bad-argument", f"--contest: option {option.name} needs a value")
        value = option.parse(text)
        if option.name == "Log File":
            try:
                open_log(str(value))
            except (OSError, ValueError) as error:
                raise Rejection("bad-file", f"option Log File: {error}") from error
        self._dispatcher.options.set(option, value)

    # Events

    def _handle(self, event: Event) -> None:
        if isinstance(event, InputLine):
            self._handle_line(event)
        elif isinstance(event, LineupMade):
            self._begin(event)
        elif isinstance(event, MoveFound):
            game = self._game
            if game is not None and game.pending is event.pending:
                self._answer(game, event.move)
        elif isinstance(event, Failed):
            self._complain(event.text)
        elif isinstance(event, Signal):
            self._exit_code = event.exit_code
        else:
            self._end_at = self._clock() + END_WITHIN_S
            if self._game is not None and self._game.pending is not None:
                self._game.pending.control.stop()

    def _handle_line(self, line: InputLine) -> None:
        text = line.content[:SHOWN_BYTES].decode("utf-8", "replace").strip("\ufeff\0 \t\r")
        words = text.split()
        if not words or text.startswith("#"):
            return
        if line.is_cut:
            self._complain(f"a line is too long and was dropped; it begins with {shown(text)}")
            return
        try:
            self._carry_out(words, self._clock())
        except ValueError as error:
            self._complain(str(error))

    def _carry_out(self, words: list[str], came_at: float) -> None:
        name = words[0].upper()
        if name in ("INFO", "INFORMATION"):
            self._write(f"NAME junqi-engine {__version__}")
        elif name == "START":
            self._start(words[1:])
        elif name == "END":
            self._end(words[1:])
        elif name not in ("GO", "RESULT"):
            raise ValueError(f"{shown(' '.join(words))} is not a command of the dialect")
        elif self._game is None:
            raise ValueError(f"{name}: no game has been started")
        elif self._game.table is None:
            self._game.held.append((words, came_at))
        elif name == "GO":
            self._go(self._game, self._game.table, _parsed(name, parse_go, words[1:]), came_at)
        else:
            self._result(self._game, self._game.table, _parsed(name, parse_result, words[1:]))

    def _start(self, words: list[str]) -> None:
        """`START <first> <seconds> <plies>`. The first `GO` shows who moves first, so `first` is not used."""
        if len(words) > 3 or words[:1] not in ([], ["0"], ["1"]):
            raise ValueError(f"START {shown(' '.join(words))}: 0 or 1, seconds and plies must follow")
        seconds = _number(words[1], "seconds", MAX_SECONDS) if len(words) > 1 else USUAL_SECONDS
        quiet_plies = int(_number(words[2], "plies", MAX_PLIES)) if len(words) > 2 else USUAL_PLIES
        self._drop_game()
        self._game = _Game(self._games, seconds, quiet_plies)
        self._worker.make_lineup(self._games)

    def _begin(self, event: LineupMade) -> None:
        """Announce the line-up of the current game, then carry out the lines that waited for it."""
        from junqi_protocol.contest.table import ContestTable  # heavy, but the worker has loaded it by now

        game = self._game
        if game is None or game.number != event.game or game.table is not None:
            return
        game.table = ContestTable(event.lineup)
        self._write(f"ARRAY {event.lineup}")
        while game.held:
            try:
                self._carry_out(*game.held.popleft())
            except ValueError as error:
                self._complain(str(error))

    def _go(self, game: _Game, table: "ContestTable", report: Report, came_at: float) -> None:
        if game.pending is not None or game.waiting is not None:
            raise ValueError("GO: the previous one has not been answered")
        if table.is_repeated(report):
            self._write(game.last_answer)
            return
        if table.is_impossible(report):
            raise ValueError("GO: this cannot be the opponent's move in this game")
        game.asked_at = came_at
        game.waiting = report
        if not table.lacks_result:
            self._search(game, table)

    def _result(self, game: _Game, table: "ContestTable", report: Report) -> None:
        if not table.told(report):
            raise ValueError("RESULT: no move of ours lacks a result")
        if game.waiting is not None:
            self._search(game, table)

    def _end(self, words: list[str]) -> None:
        if self._game is None:
            raise ValueError("END: no game has been started")
        result = END_RESULTS.get(words[0] if words else "2", "draw")
        self._drop_game()
        self._worker.game_over(result)

    def _drop_game(self) -> None:
        """Discard the current game and its search. The next game has another line-up if this one had a move."""
        game, self._game = self._game, None
        if game is None:
            return
        if game.pending is not None:
            game.pending.control.stop()
        if game.table is not None and game.table.plies:
            self._games += 1

    # Moves and time

    def _search(self, game: _Game, table: "ContestTable") -> None:
        """Search for the answer to the `GO` that is waiting."""
        if game.waiting is not None:
            table.opponent_moved(game.waiting)
        game.waiting = None
        remaining_s = max(0.0, game.remaining_s)
        game.pending = PendingMove(
            self._worker.control(),
            list(table.positions()),
            game.quiet_plies,
            stop_at=game.asked_at + STOP_SHARE * remaining_s,
            answer_at=game.asked_at + ANSWER_SHARE * remaining_s,
            flag_falls_at=game.asked_at + remaining_s,
        )
        if self._end_at < math.inf:
            game.pending.control.stop()
        self._worker.find_move(game.pending)

    def _answer(self, game: _Game, move: str) -> None:
        game.pending = None
        table = game.table
        if table is None or move == NO_MOVE:
            self._complain("no legal move is known in this game")
            return
        start, target = (square_of(point, table.seat) for point in _points(move))
        table.we_moved(start, target)
        game.last_answer = f"BESTMOVE {start}{target}"
        self._write(game.last_answer)
        overhead_s = int(self._dispatcher.options["Move Overhead"]) / 1000
        game.remaining_s -= self._clock() - game.asked_at + overhead_s

    def _keep_time(self) -> None:
        """Do what is due: search without a result, stop a search, play the fallback move, end the session."""
        now, game = self._clock(), self._game
        if game is not None and game.table is not None:
            if game.waiting is not None and now >= min(self._result_due(game), self._end_at - END_WITHIN_S):
                self._search(game, game.table)
            pending = game.pending
            if pending is not None and now >= pending.stop_at:
                pending.control.stop()
            if pending is not None and now >= pending.answer_at and pending.fallback != NO_MOVE:
                self._answer(game, pending.fallback)
        is_busy = game is not None and (game.pending is not None or game.table is None)
        is_done = self._end_at < math.inf and not is_busy and self.inbox.empty()
        if self._exit_code is None and (now >= self._end_at or is_done):
            self._exit_code = 0

    def _seconds_to_wait(self) -> float:
        """How long to wait for an event until something is due."""
        moments = [self._end_at, self._clock() + WAKE_AFTER_S]
        if self._game is not None:
            pending = self._game.pending
            if self._game.waiting is not None:
                moments.append(self._result_due(self._game))
            if pending is not None:
                moments.append(pending.answer_at if pending.control.stopped else pending.stop_at)
        # A search that is overdue but has no fallback yet is looked at again after the shortest wait.
        return max(MIN_WAIT_S, min(moments) - self._clock())

    def _result_due(self, game: _Game) -> float:
        return game.asked_at + min(RESULT_WITHIN_S, RESULT_SHARE * max(0.0, game.remaining_s))

    def _complain(self, text: str) -> None:
        self._log("--", text)
        self._complaints += 1
        if self._complaints <= MAX_COMPLAINTS:
            self._complain_to(text)


def complain_on_stderr(text: str) -> None:
    """Write a line to stderr, if it is open."""
    with suppress(OSError):  # the referee of a contest may have closed it
        os.write(2, f"junqi-engine: {text}\n".encode("ascii", "backslashreplace"))


def _parsed(name: str, parse: Callable[[list[str]], Report], words: list[str]) -> Report:
    """The report of some arguments; the ValueError for wrong ones names the command."""
    try:
        return parse(words)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _number(word: str, unit: str, largest: float) -> float:
    """A number that is not negative, at most `largest`; ValueError for anything else."""
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError(f"START: {shown(word)} is not a number of {unit}")
    return min(number, largest)


def _points(move: str) -> tuple[str, str]:
    """The two points of a move such as `a6a12`."""
    cut = next(index for index in range(2, len(move)) if move[index].isalpha())
    return move[:cut], move[cut:]
