"""The engine under test: starts it, talks to it, and measures it, for the steps of a check; and kinds of steps.

A kind is a function that makes a step from a sentence of the protocol and lines for the engine.
"""

import random
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from junqi_engine.client.engine_client import EngineClient, Patience
from junqi_engine.client.engine_lines import NO_MOVE, LineFault, best_score, spaced
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from junqi_referee.check.answers import Answers
from junqi_referee.exits import RefereeError
from junqi_referee.playing.overheard import RECEIVED, SENT, Listener, OverheardClient
from junqi_referee.settings.engine import read_program
from junqi_referee.time_control import TimeControl
from junqi_referee.truth import Truth

SLACK = 10
"""How many times as long as the protocol allows a step may take, unless the check is strict."""
QUIET_S = 0.1
"""The engine counts as silent after this time without a line."""
HEAR_MOST_S = 30.0
"""An engine that does not fall silent is listened to for so much longer."""
GO_PATIENCE_S = 10.0
NODES = "go nodes 200"
"""A search that is short for any engine."""
ERROR = "info string error "
LINE_OF_PROTOCOL = re.compile(
    r"(id (name|author) \S.*|option name \S.* type (check|spin|combo|button|string).*|uciok|readyok"
    r"|info( .*)?|bestmove \S+( ponder \S+)?)"
)

Enough = Callable[[list[str]], bool | int]
"""Whether the lines that arrived so far contain everything that was asked for."""


class StepFailed(Exception):
    """The engine does not do what a step tests."""


class Subject:
    """The engine under test, and what steps need to talk to it. Methods raise `StepFailed` and `EngineError`."""

    def __init__(
        self,
        table: Mapping[str, Any],
        variant: str,
        strict: bool,
        control: TimeControl,
        listener: Listener | None = None,
    ) -> None:
        self.program = read_program(table, "check")
        self.folder = table.get("dir")
        self.options = dict(table.get("option", {}))
        self.variant = variant
        self.board = BOARDS[variant]
        self.slack = 1 if strict else SLACK
        self.patience_s = control.patience_s
        self.started_in_s = 0.0
        self.improper: list[str] = []
        self._listener = listener
        self._answers = Answers(self.board)
        self._client: EngineClient | None = None

    @property
    def client(self) -> EngineClient:
        """The process; started, and ready for commands. `RefereeError` if it rejects an option of the command line."""
        if self._client is None:
            self._client = self.launch()
            refused = [line for line in self._client.ready() if line.startswith(ERROR)]
            if refused and self.options:
                raise RefereeError(f"check: the engine rejects an option: {refused[0].removeprefix(ERROR)}")
        return self._client

    def launch(self) -> EngineClient:
        """A new process that has sent `uciok` and received its options."""
        silent_s = self.patience_s or GO_PATIENCE_S
        patience = Patience(
            uciok_s=self.patience_s or Patience.uciok_s,
            first_ready_s=self.patience_s or Patience.first_ready_s,
            ready_s=1.0 * self.slack,
            grace_s=silent_s,
            unclocked_s=silent_s,
        )
        self._answers = Answers(self.board)
        began = time.monotonic()
        client = OverheardClient(
            self.program.start_command, folder=self.folder, patience=patience, witness=self._witness
        )
        client.listener = self._hear_both
        try:
            declared = client.start().options
            self.started_in_s = time.monotonic() - began
            variant = {"UCI_Variant": self.variant} if "uci_variant" in declared else {}
            for name, value in {**variant, **self.options}.items():
                client.send(f"setoption name {name} value {value}")
        except BaseException:
            client.close()
            raise
        return client

    @property
    def start(self) -> str:
        """The first position of a game, as the referee sends it to the first team."""
        ours = self.board.teams[0]
        return f"position startpos lineup {default_lineups(self.board)} viewer {ours}"

    def stop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def tell(self, *lines: str) -> None:
        """Send lines and wait for a `readyok` after them; other output is ignored."""
        self.hear(*lines, enough=lambda heard: True)

    def hear(self, *lines: str, enough: Enough | None = None) -> list[str]:
        """Send lines; return the output up to a `readyok` and a moment of silence after it.

        With `enough`, returns as soon as it is true of the output, and waits longer as long as it is not.
        """
        return self.hear_bytes(("\n".join(lines) + "\n").encode(), enough)

    def hear_bytes(self, data: bytes, enough: Enough | None = None) -> list[str]:
        """`hear` for bytes as they are."""
        heard: list[str] = []

        def is_readyok(line: bytes) -> bool:
            heard.append(line.decode("utf-8", "replace").strip())
            return heard[-1] == "readyok"

        self.client.send_bytes(data + b"isready\n")
        self.client.wait_for(is_readyok, self.slack, "readyok")
        del heard[-1]
        if enough is None:
            return [*heard, *self.listen(QUIET_S)]
        return self.hear_more(heard, enough, QUIET_S * self.slack)

    def hear_more(self, heard: list[str], enough: Enough, seconds: float) -> list[str]:
        """`heard` and the output that follows, until it is enough or the engine has been silent for `seconds`."""
        silent_s = 0.0
        end = time.monotonic() + seconds + HEAR_MOST_S
        while not enough(heard) and silent_s < seconds and time.monotonic() < end:
            more = self.listen(QUIET_S)
            heard = [*heard, *more]
            silent_s = 0.0 if more else silent_s + QUIET_S
        return heard

    def listen(self, seconds: float) -> list[str]:
        """The output until the engine has been silent for `seconds`."""
        return self.client.listen(seconds)

    def best(self, *lines: str) -> str:
        """The move in reply to lines that end in a `go`; a second reply fails the step."""
        move = self.client.ask(lines).move
        if count_answers(self.listen(QUIET_S)):
            raise StepFailed(f"a second answer to {lines[-1]!r}")
        return move

    def expect_error(self, codes: str, *lines: str) -> None:
        """Send lines; the last one must be rejected with one of the codes, given as words."""
        wanted_codes = set(codes.split())
        heard = self.hear(*lines, enough=lambda heard: bool(wanted_codes & set(error_codes(heard))))
        errors = error_codes(heard)
        if not wanted_codes & set(errors):
            found = f"'error {errors[0]}'" if errors else "no error"
            wanted = " or ".join(codes.split())
            raise StepFailed(f"{lines[-1][:80]!r} brought {found}, not 'info string error {wanted} ...'")

    def fen(self) -> str:
        """The FEN of the engine's position, from `d`."""
        for line in self.hear("d", enough=lambda heard: any(" fen " in f" {line}" for line in heard)):
            if " fen " in f" {line}":
                return f" {line}".split(" fen ", 1)[1]
        raise StepFailed("'d' showed no line with 'fen <FEN>'")

    def within(self, seconds: float, allowed_s: float, what: str) -> None:
        """Fail if `what` took longer than the protocol allows."""
        if seconds > allowed_s * self.slack:
            raise StepFailed(f"{what} took {seconds:.3f} s, {allowed_s * self.slack:g} s are allowed")

    def expect_exit(self, code: int, after: str) -> None:
        """The process must end by itself, with an exit code."""
        if not self.client.wait_for_exit(1.0 * self.slack):
            raise StepFailed(f"the process still runs {1.0 * self.slack:g} s after {after}")
        found = self.client.exit_code()
        self.stop()
        if found != code:
            raise StepFailed(f"exit code {found} after {after}, not {code}")

    def move(self, truth: Truth, viewer: str = "") -> str:
        """The move of the seat to move; the viewer is its team or given. `Answers` says whether it is legal."""
        position = truth.position_line(viewer or next(team for team in self.board.teams if truth.turn in team))
        move = self.client.ask((position, NODES)).move
        if move == NO_MOVE:
            raise StepFailed(f"the answer is {NO_MOVE}, although there are legal moves; {position}; {NODES}")
        return move

    def _hear_both(self, direction: str, line: bytes) -> None:
        if direction == SENT:
            self._answers.sent(line)
        if self._listener is not None:
            self._listener(direction, line)

    def _witness(self, line: bytes) -> None:
        self._hear_both(RECEIVED, line)
        fault = self._answers.fault_in(line)
        if fault is not None:
            self.improper.append(fault)
        text = spaced(line).decode("utf-8", "replace")
        try:
            best_score(line)
        except LineFault as fault:
            self.improper.append(f"a malformed line: {fault}")
        if text and not LINE_OF_PROTOCOL.fullmatch(text):
            self.improper.append(f"a line that is not of the protocol: {text[:80]!r}")


def count_answers(lines: Iterable[str]) -> int:
    return sum(line.split(maxsplit=1)[:1] == ["bestmove"] for line in lines)


def error_codes(lines: Iterable[str]) -> list[str]:
    """The codes of the error lines; a line without a code is skipped."""
    return [code for line in lines if line.startswith(ERROR) for code in line.split()[3:4]]


Step = Callable[[Subject], None]
"""Its docstring is the sentence of the protocol that it tests; `[...]` stands for omitted words."""


def random_game(subject: Subject, rng: random.Random, first: str) -> Truth:
    """A game at its start, from random line-ups; the seat `first` moves first."""
    lineups = {seat: lineup_choice.sensible(rng) for seat in subject.board.seats}
    return Truth(subject.variant, lineups, first, Rules.of(subject.board))


def first_move(subject: Subject, is_attack: bool = False) -> str:
    """A first move from the built-in line-ups, without its suffix."""
    board = subject.board
    lineups = dict.fromkeys(board.seats, lineup.DEFAULT)

    def start() -> Truth:
        return Truth(board.variant, lineups, board.seats[0], Rules.of(board))

    # Only a battle adds a suffix to a first move.
    return next(move for move in start().legal() if (start().play(move) != move) == is_attack)


BARE_MOVE = re.compile(r"[a-q]\d+[a-q]\d+|resign:[A-Z]")  # a resignation is an answer, too


def refused(sentence: str, codes: str, *lines: str) -> Step:
    """The last line is rejected with one of the codes, and the position does not change."""

    def step(subject: Subject) -> None:
        subject.tell(*lines[:-1])
        before = subject.fen()
        subject.expect_error(codes, lines[-1])
        if subject.fen() != before:
            raise StepFailed(f"{lines[-1][:80]!r} was rejected and changed the position")

    step.__doc__ = sentence
    return step


def refused_go(sentence: str, codes: str, *lines: str) -> Step:
    """The lines end in a `go` that is rejected, and answered by `bestmove (none)`."""

    def step(subject: Subject) -> None:
        move = subject.best(*lines)
        if move != NO_MOVE:
            raise StepFailed(f"{lines[-1][:80]!r} must be answered by 'bestmove (none)', not {move!r}")
        subject.expect_error(codes, *lines)

    step.__doc__ = sentence
    return step


def silent(sentence: str, *lines: str) -> Step:
    """The lines bring no output."""

    def step(subject: Subject) -> None:
        heard = [line for line in subject.hear(*lines) if line != "readyok"]
        if heard:
            raise StepFailed(f"{lines[-1][:80]!r} brought {heard[0][:80]!r}")

    step.__doc__ = sentence
    return step


def says(sentence: str, pattern: str, *lines: str) -> Step:
    """One line of the output matches a pattern."""

    def step(subject: Subject) -> None:

        def is_said(heard: list[str]) -> bool:
            return any(re.fullmatch(pattern, line) for line in heard)

        if not is_said(subject.hear(*lines, enough=is_said)):
            raise StepFailed(f"{lines[-1][:80]!r} brought no line like {pattern!r}")

    step.__doc__ = sentence
    return step


def same_position(sentence: str, first: Callable[[Board], str], second: Callable[[Board], str]) -> Step:
    """Two commands set up the same position."""

    def step(subject: Subject) -> None:
        found = []
        for command in (first(subject.board), second(subject.board)):
            subject.tell("position startpos", command)
            found.append(subject.fen())
        if found[0] != found[1]:
            raise StepFailed(f"{second(subject.board)[:80]!r} gave {found[1]!r}, not {found[0]!r}")

    step.__doc__ = sentence
    return step


def in_time(sentence: str, go: str, allowed_ms: float) -> Step:
    """A `go` in the starting position is answered by a move within `allowed_ms`."""

    def step(subject: Subject) -> None:
        subject.best(subject.start, NODES)
        answer = subject.client.ask((subject.start, go))
        subject.within(answer.time_ms / 1000, allowed_ms / 1000, f"the answer to {go!r}")
        if not BARE_MOVE.fullmatch(answer.move):
            raise StepFailed(f"{go!r} was answered by {answer.move!r}")

    step.__doc__ = sentence
    return step


def during_search(sentence: str, *lines: str) -> Step:
    """The lines do not end a search; `stop` then does, with one answer."""

    def step(subject: Subject) -> None:
        subject.client.send("position startpos", "go infinite")
        heard = subject.hear(*lines)
        if count_answers(heard):
            raise StepFailed(f"{lines[-1][:80]!r} ended a search")
        subject.client.ask(("stop",))
        subject.tell()  # what has waited for the end of the search is answered now

    step.__doc__ = sentence
    return step


def default_lineups(board: Board) -> str:
    return " ".join(f"{seat}:{lineup.DEFAULT}" for seat in board.teams[0])


def answer_and(beginning: str) -> Enough:
    """Whether a `bestmove` and a line with this beginning arrived, in any order."""
    return lambda heard: count_answers(heard) > 0 and any(line.startswith(beginning) for line in heard)
