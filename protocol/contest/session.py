"""The contest dialect: `INFO`, `START`, `GO`, `RESULT` and `END` in, `NAME`, `ARRAY` and `BESTMOVE` out.

One thread reads, the session's own serves the lines and watches the clock, a worker (`contest_worker`) sets up and
thinks. Nothing is printed but the three answers; what is wrong with a line is said on stderr, and not for ever, since
nobody may be reading it.
"""

import math
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from junqi_engine import __version__
from protocol.contest.notation import Report, parse_go, parse_result, shown, square_of
from protocol.contest.worker import SEEDS, ContestWorker, Failed, Search, SetUp, Thought
from protocol.dispatch import Dispatcher
from protocol.game import NO_MOVE, Rejection
from protocol.jobs import EndOfInput, Signal
from protocol.lines import InputLine
from protocol.options import split_setoption

if TYPE_CHECKING:
    from protocol.contest.table import ContestTable

VARIANT = "luzhanqi"
USUAL_SECONDS, USUAL_PLIES = 1800.0, 31
MOST_SECONDS, MOST_PLIES = 1e7, 1000
MOST_COMPLAINTS = 100
MOST_HELD = 100
"""Lines that are kept while a line-up is being made."""
RESULT_WITHIN_S = 0.5
"""How long a `GO` waits for the `RESULT` that should have come before it."""
RESULT_SHARE = 0.05
STOP_SHARE, ANSWER_SHARE = 0.5, 0.7
"""Of the time that is left: when a search is stopped, and when it is no longer waited for. No sound player needs it."""
END_WITHIN_S = 0.9
WAKE_AFTER_S = 0.25
"""A signal that comes just before a wait begins is seen only after it."""
END_RESULTS = {"0": "loss", "1": "win", "2": "draw"}


Event = InputLine | EndOfInput | Signal | SetUp | Thought | Failed


@dataclass
class _Game:
    """A game that has been started. `left_s` is our clock, `waiting` a `GO` that still lacks the `RESULT` before it."""

    number: int
    left_s: float
    quiet_plies: int
    table: "ContestTable | None" = None
    asked_at: float = 0.0
    waiting: Report | None = None
    search: Search | None = None
    last_answer: str = ""
    held: deque[tuple[list[str], float]] = field(default_factory=lambda: deque(maxlen=MOST_HELD))


class ContestSession:
    """Speaks the dialect with the luzhanqi player behind it. `inbox` takes what the reader and signals bring.

    `settings` are `setoption` lines, which are carried out before all else; a `Rejection` says what is wrong with one.
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
        self._has_seed = False
        for line in settings:
            self._set(line, open_log)
        options = self._dispatcher.options
        options.set(options.find("UCI_Variant"), VARIANT)
        options.set(options.find("NoContactResult"), "loss")
        if not self._has_seed:
            # Line-ups that could be foreseen would be as good as shown.
            options.set(options.find("Seed"), int.from_bytes(os.urandom(4), "little") % SEEDS)
        seed = int(options["Seed"])
        self._log("--", f"seed {seed}")
        self._exit_code: int | None = None
        self._worker = ContestWorker(self._dispatcher, seed, self.inbox.put, self._log)

    def run(self) -> int:
        """Serve until the end; the exit code."""
        while self._exit_code is None:
            try:
                event = self.inbox.get(timeout=self._seconds_to_wait())
            except Empty:
                event = None
            if event is not None:
                self._handle(event)
            self._keep_time()
        return self._exit_code

    # Events

    def _handle(self, event: Event) -> None:
        if isinstance(event, InputLine):
            self._handle_line(event)
        elif isinstance(event, SetUp):
            self._set_up(event)
        elif isinstance(event, Thought):
            self._thought(event)
        elif isinstance(event, Failed):
            self._complain(event.text)
        elif isinstance(event, Signal):
            self._exit_code = event.exit_code
        else:
            self._end_at = self._clock() + END_WITHIN_S
            if self._game is not None and self._game.search is not None:
                self._game.search.control.stop()

    def _handle_line(self, line: InputLine) -> None:
        text = line.content[:1000].decode("utf-8", "replace").strip("\ufeff\0 \t\r")
        words = text.split()
        if not words or text.startswith("#"):
            return
        if line.is_cut:
            self._complain(f"a line that is too long was dropped; it began with {shown(text)}")
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
            raise ValueError(f"{shown(' '.join(words))} is no command of the dialect")
        elif self._game is None:
            raise ValueError(f"{name}: no game has been started")
        elif self._game.table is None:
            self._game.held.append((words, came_at))  # it belongs to the game whose line-up is still being made
        elif name == "GO":
            self._go(self._game, self._game.table, _read(name, parse_go, words[1:]), came_at)
        else:
            self._result(self._game, self._game.table, _read(name, parse_result, words[1:]))

    def _start(self, words: list[str]) -> None:
        """`START <first> <seconds> <plies>`. Who is first shows in the first `GO`."""
        if len(words) > 3 or words[:1] not in ([], ["0"], ["1"]):
            raise ValueError(f"START {shown(' '.join(words))}: 0 or 1, seconds and plies must follow")
        seconds = _number(words[1], "seconds", MOST_SECONDS) if len(words) > 1 else USUAL_SECONDS
        quiet_plies = int(_number(words[2], "plies", MOST_PLIES)) if len(words) > 2 else USUAL_PLIES
        self._drop_game()
        game = _Game(self._games, seconds, quiet_plies)
        self._game = game
        self._worker.make_lineup(game.number)

    def _set_up(self, event: SetUp) -> None:
        from protocol.contest.table import ContestTable  # heavy, and loaded by now

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
        if game.search is not None or game.waiting is not None:
            raise ValueError("GO: the one before is not answered yet")
        if table.is_repeated(report):
            self._write(game.last_answer)
            return
        if table.is_impossible(report):
            raise ValueError("GO: that cannot have been the opponent's move in this game")
        game.asked_at = came_at
        game.waiting = report
        if not table.lacks_result:
            self._think(game, table)

    def _result(self, game: _Game, table: "ContestTable", report: Report) -> None:
        if not table.told(report):
            raise ValueError("RESULT: no move of ours waits for one")
        if game.waiting is not None:
            self._think(game, table)

    def _end(self, words: list[str]) -> None:
        if self._game is None:
            raise ValueError("END: no game has been started")
        result = END_RESULTS.get(words[0] if words else "2", "draw")
        self._drop_game()
        self._worker.game_over(result)

    def _drop_game(self) -> None:
        """Forget the game in work, its search unanswered. The next one has another line-up if this one had a move."""
        game, self._game = self._game, None
        if game is None:
            return
        if game.search is not None:
            game.search.control.stop()
        if game.table is not None and game.table.plies:
            self._games += 1

    # Thinking

    def _think(self, game: _Game, table: "ContestTable") -> None:
        if game.waiting is not None:
            table.opponent_moved(game.waiting)
        game.waiting = None
        left_s = max(0.0, game.left_s)
        control = self._worker.control()
        search = Search(control, game.asked_at + STOP_SHARE * left_s, game.asked_at + ANSWER_SHARE * left_s)
        game.search = search
        until = game.asked_at + left_s
        if self._end_at < math.inf:
            control.stop()
        self._worker.find_move(
            search, list(table.positions()), game.quiet_plies, lambda: int(1000 * (until - self._clock()))
        )

    def _thought(self, event: Thought) -> None:
        game = self._game
        if game is not None and game.search is event.search:
            self._answer(game, event.move)

    def _answer(self, game: _Game, move: str) -> None:
        game.search = None
        table = game.table
        if table is None or move == NO_MOVE:
            self._complain("there is no move to be made in what has been told of this game")
            return
        start, target = (square_of(point, table.seat) for point in _points(move))
        table.we_moved(start, target)
        game.last_answer = f"BESTMOVE {start}{target}"
        self._write(game.last_answer)
        overhead_s = int(self._dispatcher.options["Move Overhead"]) / 1000
        game.left_s -= self._clock() - game.asked_at + overhead_s

    def _keep_time(self) -> None:
        """Do what is due: think without a result, stop a search, answer for it, leave."""
        now, game = self._clock(), self._game
        if game is not None and game.table is not None:
            if game.waiting is not None and now >= min(self._result_due(game), self._end_at - END_WITHIN_S):
                self._think(game, game.table)
            search = game.search
            if search is not None and now >= search.stop_at:
                search.control.stop()
            if search is not None and now >= search.answer_at and search.fallback != NO_MOVE:
                self._answer(game, search.fallback)
        is_busy = game is not None and (game.search is not None or game.table is None)
        if now >= self._end_at or (self._end_at < math.inf and not is_busy and self.inbox.empty()):
            self._exit_code = 0 if self._exit_code is None else self._exit_code

    def _seconds_to_wait(self) -> float:
        moments = [self._end_at, self._clock() + WAKE_AFTER_S]
        if self._game is not None:
            search = self._game.search
            if self._game.waiting is not None:
                moments.append(self._result_due(self._game))
            if search is not None:
                moments.append(search.answer_at if search.control.stopped else search.stop_at)
        # A search without a move to fall back on is looked at again soon after its time is over.
        return max(0.01, min(moments) - self._clock())

    def _result_due(self, game: _Game) -> float:
        return game.asked_at + min(RESULT_WITHIN_S, RESULT_SHARE * max(0.0, game.left_s))

    # The rest

    def _set(self, line: str, open_log: Callable[[str], None]) -> None:
        words = line.split()
        if words[:1] != ["setoption"]:
            raise Rejection("bad-argument", f"--contest: {shown(line)} is no setoption line")
        name, text = split_setoption(words[1:])
        option = self._dispatcher.options.find(name)
        if text is None or option.name == "UCI_Variant":
            raise Rejection("bad-argument", f"--contest: option {option.name} cannot be set so")
        value = option.parse(text)
        if option.name == "Log File":
            try:
                open_log(str(value))
            except (OSError, ValueError) as error:
                raise Rejection("bad-file", f"option Log File: {error}") from error
        self._has_seed = self._has_seed or option.name == "Seed"
        self._dispatcher.options.set(option, value)

    def _complain(self, text: str) -> None:
        self._log("--", text)
        self._complaints += 1
        if self._complaints <= MOST_COMPLAINTS:
            self._complain_to(text)


def complain_on_stderr(text: str) -> None:
    """One line on stderr, if there is one."""
    with suppress(OSError):  # a contest's referee may well have closed it
        os.write(2, f"junqi-engine: {text}\n".encode("ascii", "backslashreplace"))


def _read(name: str, parse: Callable[[list[str]], Report], words: list[str]) -> Report:
    try:
        return parse(words)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _number(word: str, name: str, most: float) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError(f"START: {shown(word)} is no number of {name}")
    return min(number, most)


def _points(move: str) -> tuple[str, str]:
    """The two points of a move such as `a6a12`."""
    cut = next(index for index in range(2, len(move)) if move[index].isalpha())
    return move[:cut], move[cut:]
