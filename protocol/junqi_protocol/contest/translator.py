"""The contest's dialect in front of the ordinary session: `INFO`, `START`, `GO`, `RESULT`, `END` in; `NAME`, `ARRAY`,
`BESTMOVE` out.

A line of the dialect becomes commands of the text protocol, and the answers to these become answers of the dialect.
What else the session prints goes to the log. Each faulty line is reported on stderr, up to a limit, since nobody may be
reading it.
"""

import math
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from junqi_engine.client.engine_lines import NO_MOVE
from junqi_engine.errors import Refused
from junqi_engine.version import __version__
from junqi_protocol.commands import Call, CommandLine, set_option
from junqi_protocol.contest.notation import Report, parse_go, parse_result, shown, square_of
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.options import split_setoption
from junqi_protocol.session import ERROR, Session
from junqi_protocol.streams import EndOfInput, InputLine
from junqi_protocol.variant_game import DRAWN, SEEDS, Control

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
MIN_WAIT_S = 0.01
LEGAL = "info string legal "


class Answer(NamedTuple):
    """A line that the ordinary session prints."""

    line: str


@dataclass(eq=False)
class _Pending:
    """A `GO` that is being answered, by the first of `positions` that the rules accept and that has a legal move; each
    is a limit of quiet plies and the arguments of `position`. `fallback` is a legal move as soon as one is known.
    """

    positions: Iterator[tuple[int, list[str]]]
    is_refused: bool = False
    is_stopped: bool = False
    fallback: str = NO_MOVE


@dataclass(eq=False)
class _Game:
    """A game that has been started. `waiting` is a `GO` that waits for the `RESULT` before it."""

    remaining_s: float
    quiet_plies: int
    table: "ContestTable | None" = None
    """None while the line-up is being made."""
    asked_at: float = 0.0
    waiting: Report | None = None
    pending: _Pending | None = None
    last_answer: str = ""
    held: deque[tuple[list[str], float]] = field(default_factory=lambda: deque(maxlen=MAX_HELD_LINES))
    """Lines for this game, each with the time when it came, until the line-up is made."""

    @property
    def stop_at(self) -> float:
        return self.asked_at + STOP_SHARE * max(0.0, self.remaining_s)

    @property
    def answer_at(self) -> float:
        return self.asked_at + ANSWER_SHARE * max(0.0, self.remaining_s)

    @property
    def result_due(self) -> float:
        return self.asked_at + min(RESULT_WITHIN_S, RESULT_SHARE * max(0.0, self.remaining_s))


class ContestSession(Session):
    """Speaks the dialect for the luzhanqi player.

    `settings` are `setoption` lines, carried out first; `Refused` for one that cannot be.
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
        is_read: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(lambda line: self.inbox.put(Answer(line)), dispatcher, open_log, is_read=is_read)
        self._say, self._complain_to, self._log, self._clock = write, complain, log, clock
        self._complaints = self._games = 0
        self._game: _Game | None = None
        self._asked: deque[_Game | _Pending] = deque()
        """What each `go` that was not answered yet is for: a line-up or a move."""
        self._end_at = math.inf
        for line in settings:
            self._set(line)
        options = self.dispatcher.options
        options.set(options.find("UCI_Variant"), VARIANT)
        options.set(options.find("NoContactResult"), "loss")
        # The seed of each game follows from this one, so the log of a session is enough to repeat it.
        self._seed = secrets.randbelow(SEEDS) if options["Seed"] == DRAWN else int(options["Seed"])
        self._log("--", f"seed {self._seed}")
        self.answer_isready()

    def _set(self, line: str) -> None:
        words = line.split()
        if words[:1] != ["setoption"]:
            raise Refused("bad-argument", f"--contest: {shown(line)} is not a setoption line")
        name, _ = split_setoption(words[1:])
        if self.dispatcher.options.find(name).name == "UCI_Variant":
            raise Refused("bad-argument", f"--contest: option UCI_Variant is always {VARIANT}")
        call = CommandLine("setoption", " ".join(words[1:]).encode())
        set_option(Call(call, self.dispatcher, Control(lambda line: self._log("--", line)), self._open_log))

    def _tell(self, line: str) -> None:
        super()._handle_line(InputLine(line.encode()))

    # Events

    def handle(self, event: object) -> None:
        if isinstance(event, Answer):
            self._handle_answer(event.line)
            return
        super().handle(event)
        if isinstance(event, EndOfInput):
            self._end_at = self._clock() + END_WITHIN_S
            self._worker.stop_searches()

    def next_due(self) -> float:
        moments = [self._end_at]
        game = self._game
        if game is not None:
            if game.waiting is not None:
                moments.append(game.result_due)
            if game.pending is not None:
                moments.append(game.answer_at if game.pending.is_stopped else game.stop_at)
        # What is overdue, such as a search without a fallback, is looked at again after the shortest wait.
        return time.monotonic() + max(MIN_WAIT_S, min(moments) - self._clock())

    def keep_time(self) -> None:
        """Also do what is due: search without a result, stop a search, play the fallback move, end the session."""
        now, game = self._clock(), self._game
        if game is not None and game.table is not None:
            if game.waiting is not None and (now >= game.result_due or self.is_input_over):
                self._find_move(game, game.table)
            pending = game.pending
            if pending is not None and now >= game.stop_at and not pending.is_stopped:
                pending.is_stopped = True
                self._worker.stop_searches()
            if pending is not None and now >= game.answer_at and pending.fallback != NO_MOVE:
                self._answer(game, pending.fallback)
        if now >= self._end_at and self.exit_code is None:
            self.end(0)
        super().keep_time()

    def _handle_answer(self, line: str) -> None:
        """Take in a line that the ordinary session printed."""
        asked = self._asked[0] if self._asked else None
        pending = asked if isinstance(asked, _Pending) else None
        if line.startswith("bestmove "):
            self._asked.popleft()
            self._handle_bestmove(asked, line.split()[1])
        elif line.startswith(ERROR):
            self._complain(line.removeprefix(ERROR).strip())
            if pending is not None and not pending.is_refused:
                pending.is_refused = True
                self._worker.stop_searches()
        else:
            self._log("--", line)
            if pending is not None and line.startswith(LEGAL) and not pending.is_refused:
                pending.fallback = line.removeprefix(LEGAL).split()[0]

    def _handle_bestmove(self, asked: "_Game | _Pending | None", move: str) -> None:
        game = self._game
        if game is None:
            return
        if game is asked:
            self._begin(game, move.removeprefix("@"))
        elif game.pending is asked and isinstance(asked, _Pending):
            if asked.fallback != NO_MOVE and (move == NO_MOVE or asked.is_refused):
                self._answer(game, asked.fallback)
            elif move == NO_MOVE or asked.is_refused:
                self._try_position(game, asked)
            else:
                self._answer(game, move)

    def _handle_line(self, line: InputLine) -> None:
        text = line.content[:SHOWN_BYTES].decode("utf-8", "replace").strip("\ufeff\0 \t\r")
        words = text.split()
        if not words or text.startswith("#"):
            return
        if line.is_cut:
            self._complain(f"a line is too long and was dropped; it begins with {shown(text)}")
            return
        self._try_line(words, self._clock())

    def _try_line(self, words: list[str], came_at: float) -> None:
        try:
            self._carry_out_words(words, came_at)
        except ValueError as error:
            self._complain(str(error))

    def _carry_out_words(self, words: list[str], came_at: float) -> None:
        name = words[0].upper()
        if name in ("INFO", "INFORMATION"):
            self._say(f"NAME junqi-engine {__version__}")
        elif name == "START":
            self._start(words[1:])
        elif name == "END":
            self._end()
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
        self._game = _Game(seconds, quiet_plies)
        seed = Random(f"{self._seed} {self._games}").randrange(SEEDS) if self._games else self._seed
        self._tell(f"setoption name Seed value {seed}")
        self._tell("ucinewgame")
        self._asked.append(self._game)
        self._tell("go setup S")

    def _begin(self, game: _Game, lineup: str) -> None:
        """Announce the line-up of the current game, then carry out the lines that waited for it."""
        from junqi_protocol.contest.table import ContestTable  # heavy, but the worker has loaded it by now

        game.table = ContestTable(lineup)
        self._say(f"ARRAY {lineup}")
        while game.held:
            self._try_line(*game.held.popleft())

    def _go(self, game: _Game, table: "ContestTable", report: Report, came_at: float) -> None:
        if game.pending is not None or game.waiting is not None:
            raise ValueError("GO: the previous one has not been answered")
        if table.is_repeated(report):
            self._say(game.last_answer)
            return
        if table.is_impossible(report):
            raise ValueError("GO: this cannot be the opponent's move in this game")
        game.asked_at = came_at
        game.waiting = report
        if not table.lacks_result:
            self._find_move(game, table)

    def _result(self, game: _Game, table: "ContestTable", report: Report) -> None:
        if not table.told(report):
            raise ValueError("RESULT: no move of ours lacks a result")
        if game.waiting is not None:
            self._find_move(game, table)

    def _end(self) -> None:
        if self._game is None:
            raise ValueError("END: no game has been started")
        self._drop_game()

    def _drop_game(self) -> None:
        """Discard the current game and its search. The next game has another line-up if this one had a move."""
        game, self._game = self._game, None
        if game is None:
            return
        self._worker.stop_searches()
        if game.table is not None and game.table.plies:
            self._games += 1

    # Moves

    def _find_move(self, game: _Game, table: "ContestTable") -> None:
        """Search for the answer to the `GO` that is waiting."""
        if game.waiting is not None:
            table.opponent_moved(game.waiting)
        game.waiting = None
        # A referee that asks for a move does not consider the game finished: without the limit there may be one.
        game.pending = _Pending(product((game.quiet_plies, 0), table.positions()))
        self._try_position(game, game.pending)

    def _try_position(self, game: _Game, pending: _Pending) -> None:
        quiet_plies, words = next(pending.positions, (0, []))
        if not words:
            game.pending = None
            self._complain("no legal move is known in this game")
            return
        pending.is_refused, pending.fallback = False, NO_MOVE
        if self.dispatcher.options["NoContactLimit"] != quiet_plies:
            self._tell(f"setoption name NoContactLimit value {quiet_plies}")
        remaining_ms = int(1000 * (game.asked_at + game.remaining_s - self._clock()))
        self._asked.append(pending)
        self._tell(" ".join(["position", *words]))
        self._tell("legal")
        self._tell(f"go time {max(1, remaining_ms)} inc 0")
        if self.is_input_over:
            self._worker.stop_searches()

    def _answer(self, game: _Game, move: str) -> None:
        game.pending = None
        table = game.table
        if table is None:
            return
        start, target = (square_of(point, table.seat) for point in _points(move))
        table.we_moved(start, target)
        game.last_answer = f"BESTMOVE {start}{target}"
        self._say(game.last_answer)
        overhead_s = int(self.dispatcher.options["Move Overhead"]) / 1000
        game.remaining_s -= self._clock() - game.asked_at + overhead_s

    def _complain(self, text: str) -> None:
        self._log("--", text)
        self._complaints += 1
        if self._complaints <= MAX_COMPLAINTS:
            self._complain_to(text)


def complain_on_stderr(text: str) -> None:
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
    cut = next(index for index in range(2, len(move)) if move[index].isalpha())
    return move[:cut], move[cut:]
