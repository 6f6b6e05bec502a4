"""The contest's dialect: `INFO`, `START`, `GO`, `RESULT`, `END` in; `NAME`, `ARRAY`, `BESTMOVE` out.

A report becomes a position and a `go`, whose answer is a move of the dialect. The worker of an ordinary session takes
one report after the other; `INFO`, `START` and `END` do not wait. Faults are reported on stderr.
"""

import math
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from junqi_engine.errors import Refused, quoted
from junqi_engine.version import __version__
from junqi_protocol.contest.notation import Report, parse_go, parse_result, square_of
from junqi_protocol.options import setoption_words, split_setoption
from junqi_protocol.session import Call, Session
from junqi_protocol.streams import MAX_LINE_BYTES, complain, lines
from junqi_protocol.variant_game import DRAWN, SEEDS, Control, GoRequest

if TYPE_CHECKING:
    from junqi_protocol.contest.table import ContestTable

VARIANT = "luzhanqi"
USUAL_SECONDS, USUAL_PLIES = 1800.0, 31
"""Defaults of `START`: the seconds of a game, and the plies of the no-contact limit."""
MAX_SECONDS, MAX_PLIES = 1e7, 1000
MAX_COMPLAINTS = 100
"""Number of complaints after which stderr stays silent: a full pipe that nobody reads would block the engine."""
SHOWN_BYTES = 1000
ERROR = "info string error "
USAGE = 2
"""Exit code for a rejected setting."""


@dataclass(eq=False)
class _Game:
    """A game that has been started."""

    remaining_s: float
    quiet_plies: int
    seed: int
    table: "ContestTable | None" = None
    """None while the line-up is being made."""
    asked: tuple[str, str] | None = None
    """The opponent's move in the last `GO`."""
    answer: str = ""
    """Our answer to `asked`."""


class Translator:
    """A player of luzhanqi that speaks the dialect. `say` prints a line."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.session = Session(self._hear)
        self._say = say
        self._complaints = self._games = 0
        self._game: _Game | None = None

    def serve(self, settings: Sequence[str]) -> int:
        """Carry out `setoption` lines, then take lines from stdin until its end; the exit code."""
        options = self.session.dispatcher.options
        options["UCI_Variant"] = VARIANT
        try:
            for setting in settings:
                self._set(setting)
        except Refused as refused:
            complain(f"{refused.code} {refused}")
            return USAGE
        # The seeds of all games are derived from this one.
        self._seed = secrets.randbelow(SEEDS) if options["Seed"] == DRAWN else int(options["Seed"])
        self.session.ready()
        for line in lines():
            self.take(line)
        self.session.end()
        return 0

    def _set(self, line: str) -> None:
        words = setoption_words(line)
        if words[:1] != ["setoption"]:
            raise Refused("bad-argument", f"--contest: {quoted(line)} is not a setoption line")
        dispatcher = self.session.dispatcher
        if dispatcher.options.find(split_setoption(words[1:])[0]).name == "UCI_Variant":
            raise Refused("bad-argument", f"--contest: option UCI_Variant is always {VARIANT}")
        dispatcher.set_option(words[1:], Control(self._hear))

    def _hear(self, line: str) -> None:
        """Take a line that the session prints in its own protocol; only errors are passed on, to stderr."""
        if line.startswith(ERROR) and self._complaints < MAX_COMPLAINTS:
            self._complaints += 1
            complain(line.removeprefix(ERROR))

    # The thread that reads

    def take(self, line: bytes) -> None:
        text = line[:SHOWN_BYTES].decode("utf-8", "replace").strip("\ufeff\0 \t\r")
        words = text.split()
        if not words or text.startswith("#"):
            return
        try:
            if len(line) > MAX_LINE_BYTES:
                raise ValueError(f"a line is too long and was dropped; it begins with {quoted(text)}")
            self._take_words(words[0].upper(), words[1:])
        except ValueError as error:
            self._hear(f"{ERROR}{error}")

    def _take_words(self, name: str, arguments: list[str]) -> None:
        game = self._game
        if name in ("INFO", "INFORMATION"):
            self._say(f"NAME junqi-engine {__version__}")
        elif name == "START":
            self._start(arguments)
        elif name not in ("GO", "RESULT", "END"):
            raise ValueError(f"{quoted(' '.join([name, *arguments]))} is not a command of the dialect")
        elif game is None:
            raise ValueError(f"{name}: no game has been started")
        elif name == "END":
            self._drop_game()
        elif name == "GO":
            report = _parsed(name, parse_go, arguments)
            self.session.add(partial(self._go, game, report, time.monotonic()))
        else:
            self.session.add(partial(self._result, game, _parsed(name, parse_result, arguments)))

    def _start(self, words: list[str]) -> None:
        """`START <first> <seconds> <plies>`. The first `GO` shows who moves first, so `first` is not used."""
        if len(words) > 3 or words[:1] not in ([], ["0"], ["1"]):
            raise ValueError(f"START: expected 0 or 1, seconds and plies, not {quoted(' '.join(words))}")
        seconds = _number(words[1], "seconds", MAX_SECONDS) if len(words) > 1 else USUAL_SECONDS
        quiet_plies = int(_number(words[2], "plies", MAX_PLIES)) if len(words) > 2 else USUAL_PLIES
        self._drop_game()
        seed = Random(f"{self._seed} {self._games}").randrange(SEEDS) if self._games else self._seed
        self._game = _Game(seconds, quiet_plies, seed)
        self.session.add(partial(self._set_up, self._game))

    def _drop_game(self) -> None:
        """Discard the current game and its search. The next game has another line-up if this one had a move."""
        game, self._game = self._game, None
        self.session.stop()
        if game is not None and game.table is not None and game.table.plies:
            self._games += 1

    # The worker's thread. Queued calls of a discarded game are not answered.

    def _set_up(self, game: _Game, call: Call) -> Iterable[str]:
        from junqi_protocol.contest.table import ContestTable  # heavy, but the game is loaded by now

        for name, value in (("Seed", game.seed), ("NoContactLimit", game.quiet_plies)):
            self.session.dispatcher.set_option(["name", name, "value", str(value)], call.control)
        call.game.new_game()
        table = ContestTable(call.game.setup("S", call.control))
        if game is self._game:
            game.table = table
            self._say(f"ARRAY {table.lineup}")
        return ()

    def _go(self, game: _Game, report: Report, came_at: float, call: Call) -> Iterable[str]:
        table = game.table
        if game is not self._game or table is None:
            return ()
        if game.answer and report.move == game.asked:
            self._say(game.answer)
            return ()
        if game.answer and report.move is None:
            raise Refused("bad-argument", "GO: the opponent has not moved")
        table.opponent_moved(report)
        move = self._answer(table.positions(), came_at + game.remaining_s, call)
        if game is not self._game:
            return ()
        start, target = (square_of(point, table.seat) for point in _points(move))
        table.we_moved(start, target)
        game.asked, game.answer = report.move, f"BESTMOVE {start}{target}"
        self._say(game.answer)
        overhead_ms = int(self.session.dispatcher.options["Move Overhead"])
        game.remaining_s -= time.monotonic() - came_at + overhead_ms / 1000
        return ()

    def _answer(self, positions: Sequence[list[str]], ends_at: float, call: Call) -> str:
        """A move in the first of these positions that the rules accept and that has a legal move."""
        for words in positions:
            try:
                call.game.set_position(words)
                remaining_ms = max(1, int(1000 * (ends_at - time.monotonic())))
                return call.game.go(GoRequest(time_ms=remaining_ms, inc_ms=0), call.control)
            except Refused as refused:
                self._hear(f"{ERROR}{refused.code} {refused}")
        raise Refused("illegal-move", "no legal move is known in this game")

    def _result(self, game: _Game, report: Report, call: Call) -> Iterable[str]:
        if game is self._game and game.table is not None and not game.table.add_result(report):
            raise Refused("bad-argument", "RESULT: all our moves have their result")
        return ()


def _parsed(name: str, parse: Callable[[list[str]], Report], words: list[str]) -> Report:
    """The report of a command; a ValueError names the command."""
    try:
        return parse(words)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _number(word: str, unit: str, largest: float) -> float:
    """A number from 0, clamped to `largest`; ValueError for anything else."""
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError(f"START: {quoted(word)} is not a number of {unit}")
    return min(number, largest)


def _points(move: str) -> tuple[str, str]:
    cut = next(index for index in range(2, len(move)) if move[index].isalpha())
    return move[:cut], move[cut:]
