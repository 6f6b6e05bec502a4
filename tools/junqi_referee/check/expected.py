"""Matchers: each looks at an engine's answers to the lines of a step, and returns the fault in words, or None."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from junqi_engine.client.engine_client import Identity
from junqi_engine.client.engine_lines import option_choices
from junqi_engine.errors import IllegalMove, Refused, quoted
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_engine.rules import lineup
from junqi_referee.full_game import FullGame

EXIT_S = 1.0
"""Time in which a process must end."""
ERROR = "info string error "
BARE_MOVE = re.compile(r"[a-q]\d+[a-q]\d+|resign:[A-Z]")  # a resignation is an answer, too
SCORE = re.compile(r" score (?:cp|mate) [+-]?\d+(?: wdl (\d{1,4}) (\d{1,4}) (\d{1,4})(?= |$))?")


class Exchange(NamedTuple):
    """A line that was sent, and those that came before the next one, each after the seconds since then."""

    sent: str
    heard: list[tuple[float, str]]

    @property
    def moves(self) -> list[tuple[float, str]]:
        """The `bestmove` lines: seconds and move."""
        words = ((after_s, line.split()) for after_s, line in self.heard)
        return [(after_s, "".join(found[1:2])) for after_s, found in words if found[:1] == ["bestmove"]]


@dataclass
class Answers:
    """Everything that the engine answered in a step.

    `game` is at the position of the search and `viewer` what the engine was told of it. A time limit is exceeded after
    `slack` times the time that the protocol allows. `exit_code` is None while the process runs.
    """

    game: FullGame
    viewer: str
    slack: int
    exchanges: list[Exchange]
    identity: Identity = field(default_factory=Identity)
    started_s: float = math.inf
    exit_code: int | None = None

    @property
    def last(self) -> Exchange:
        return self.exchanges[-1]

    @property
    def move(self) -> str:
        """The move of the last answer, empty without one."""
        return self.last.moves[-1][1] if self.last.moves else ""

    def late(self, took_s: float, allowed_s: float, what: str) -> str | None:
        """The fault if something took longer than it may."""
        limit_s = allowed_s * self.slack
        return f"{what} took {took_s:.3f} s, {limit_s:g} s are allowed" if took_s > limit_s else None


Expected = Callable[[Answers], str | None]


def all_of(*expected: Expected) -> Expected:
    """Return the first fault of some matchers."""
    return lambda answers: next(filter(None, (one(answers) for one in expected)), None)


def starts(within_s: float) -> Expected:
    """`uciok` comes in time."""
    return lambda answers: answers.late(answers.started_s, within_s, "uciok after the start of the process")


def identity(answers: Answers) -> str | None:
    """The reply to `uci` is complete."""
    known = answers.identity
    if not known.name or not known.author:
        return "uci must bring 'id name' and 'id author'"
    if known.protocol_version not in ("1", "2"):
        return "uci must bring 'info string protocol-version 2'"
    variant = answers.game.board.variant
    if variant not in option_choices(known.options.get("uci_variant", "")):
        return f"option UCI_Variant must offer {variant}"
    return None


def heard(text: str, count: int, within_s: float = math.inf) -> Expected:
    """A line comes this many times, each time soon after the line before it, and no error comes."""

    def expected(answers: Answers) -> str | None:
        lines = [(after_s, line) for exchange in answers.exchanges for after_s, line in exchange.heard]
        if errors := [line for _, line in lines if line.startswith(ERROR)]:
            return f"an error is not expected: {quoted(errors[0], 80)}"
        times_s = [after_s for after_s, line in lines if line == text]
        if len(times_s) != count:
            return f"{text} must come {count} times, not {len(times_s)}"
        return answers.late(max(times_s, default=0.0), within_s, text)

    return expected


def bestmoves(count: int) -> Expected:
    """The lines of the step together bring this many answers."""

    def expected(answers: Answers) -> str | None:
        found = sum(len(exchange.moves) for exchange in answers.exchanges)
        return None if found == count else f"{quoted(answers.last.sent, 80)}: {found} bestmoves came, not {count}"

    return expected


no_answer = bestmoves(0)


def one_bestmove(within_s: float = math.inf, after_s: float = 0.0) -> Expected:
    """The last line alone brings an answer; it may come `within_s` after the first `after_s`."""

    def expected(answers: Answers) -> str | None:
        for exchange, following in pairwise(answers.exchanges):
            if exchange.moves:
                return f"{quoted(exchange.sent, 80)} was answered before {quoted(following.sent, 80)}"
        took_s = max((took_s for took_s, _ in answers.last.moves), default=0.0)
        what = f"the answer to {answers.last.sent!r}"
        late = answers.late(took_s - after_s, within_s, f"{what} beyond {after_s:g} s" if after_s else what)
        return bestmoves(1)(answers) or late

    return expected


def each_move(wanted: Callable[[str, str], str | None], within_s: float = math.inf) -> Expected:
    """Each line brings one answer in time; `wanted`, of the line and the move, says what would be right, or None."""

    def expected(answers: Answers) -> str | None:
        for exchange in answers.exchanges:
            if len(exchange.moves) != 1:
                return f"{exchange.sent!r} was followed by {len(exchange.moves)} bestmoves, not 1"
            [(took_s, move)] = exchange.moves
            if (right := wanted(exchange.sent, move)) is not None:
                return f"{exchange.sent!r} was answered by {quoted(move)}; {right}"
            if fault := answers.late(took_s, within_s, f"the answer to {exchange.sent!r}"):
                return fault
        return None

    return expected


def bare_moves(within_s: float = math.inf) -> Expected:
    """Each line brings a move as two points, or a resignation, in time."""
    return each_move(lambda _, move: None if BARE_MOVE.fullmatch(move) else "a move is two points", within_s)


def _lineup_fault(_: str, answer: str) -> str | None:
    try:
        lineup.check(answer[1:] if answer.startswith("@") else "")
    except Refused as error:
        return str(error)
    return None


no_moves = each_move(lambda _, move: None if move == NO_MOVE_TEXT else f"{NO_MOVE_TEXT} is expected")
only_searchmove = each_move(lambda sent, move: None if move == sent.split()[-1] else "only one move may be searched")
legal_lineups = each_move(_lineup_fault)


def legal_move(answers: Answers) -> str | None:
    """The answer is a legal move of the seat to move or a resignation of one of the viewer's seats."""
    game, move = answers.game, answers.move
    if game.result is not None:
        return None if move == NO_MOVE_TEXT else f"the game is over, but the answer is {quoted(move)}"
    game, move, where = (
        answers.game,
        answers.move,
        f"; {answers.game.position_line(answers.viewer)}; {answers.last.sent}",
    )
    if move == NO_MOVE_TEXT:
        return f"the answer is {NO_MOVE_TEXT}, although there are legal moves{where}"
    seats = game.board.seats if answers.viewer == OPEN_VIEWER else answers.viewer
    if move in [*game.legal(), *(f"resign:{seat}" for seat in game.alive if seat in seats)]:
        return None
    try:
        game.play(move, seats)
    except IllegalMove as error:
        return f"{error}{where}"
    return None


def chances(total: int) -> Expected:
    """Each score is followed by chances with this sum; 0 if there must be none. The option must be there."""

    def expected(answers: Answers) -> str | None:
        scored = filter(None, (SCORE.search(line) for _, line in answers.last.heard))
        sums = {sum(map(int, found.groups("0"))) for found in scored}
        if "uci_showwdl" not in answers.identity.options or sums == {total} or not (sums or total):
            return None
        if not total:
            return "without UCI_ShowWDL there must be no wdl"
        return f"with UCI_ShowWDL, each score must be followed by 'wdl W D L', whose sum is {total}"

    return expected


def exits(code: int, count: int = 0) -> Expected:
    """The process ends by itself within `EXIT_S` of the last line; `count` answers come before."""

    def expected(answers: Answers) -> str | None:
        if answers.exit_code is None:
            return f"the process still runs {EXIT_S * answers.slack:g} s after {answers.last.sent}"
        if answers.exit_code != code:
            return f"exit code {answers.exit_code} after {answers.last.sent}, not {code}"
        return bestmoves(count)(answers)

    return expected
