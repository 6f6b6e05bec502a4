"""The engine under test: starts it, talks to it, and measures it, for the steps of a check; and kinds of steps.

A kind is a function that makes a step from a sentence of the protocol and lines for the engine.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping

from junqi_engine.client.engine_client import EngineClient, Patience
from junqi_engine.client.engine_lines import LineFault, read_info, spaced
from junqi_engine.errors import EngineError, EngineFault, IllegalMove
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.exit_codes import RefereeError
from junqi_referee.full_game import FullGame
from junqi_referee.playing.taps import RECEIVED, Tap, TappedClient
from junqi_referee.settings.engine import options_in, read_program
from junqi_referee.time_control import TimeControl

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
BARE_MOVE = re.compile(r"[a-q]\d+[a-q]\d+|resign:[A-Z]")  # a resignation is an answer, too
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
        table: Mapping[str, str],
        variant: str,
        strict: bool,
        control: TimeControl,
        tap: Tap | None = None,
    ) -> None:
        self.program = read_program(table, "check")
        self.folder = table.get("dir")
        self.options = options_in(table)
        self.variant = variant
        self.board = BOARDS[variant]
        self.slack = 1 if strict else SLACK
        self.patience_s = control.patience_s
        self.started_in_s = 0.0
        self.improper: list[str] = []
        self._tap = tap
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
            first_ready_s=self.patience_s or Patience.first_ready_s,
            ready_s=self.patience_s or Patience.ready_s,
            unclocked_s=silent_s,
        )
        began = time.monotonic()
        client = TappedClient(self.program.start_command, folder=self.folder, patience=patience, on_line=self._on_line)
        client.tap = self._hear_both
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
        return self.opening.position_line(self.board.teams[0])

    @property
    def opening(self) -> FullGame:
        """A game at its start, from default line-ups."""
        lineups = dict.fromkeys(self.board.seats, lineup.DEFAULT)
        return FullGame(self.variant, lineups, self.board.seats[0], Rules.of(self.board))

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
        """The output of so many seconds, or until the process ends."""
        heard: list[str] = []

        def hear(line: bytes) -> bool:
            heard.append(line.decode("utf-8", "replace"))
            return False

        try:
            self.client.wait_for(hear, seconds, "silence")
        except EngineError as error:
            if error.fault not in (EngineFault.STALL, EngineFault.DISCONNECT):
                raise
        return heard

    def best(self, *lines: str) -> str:
        """The move in reply to lines that end in a `go`; a second reply fails the step."""
        move = self.client.ask(lines).move
        if count_answers(self.listen(QUIET_S)):
            raise StepFailed(f"a second answer to {lines[-1]!r}")
        return move

    def expect_answer(self, expected: str, *lines: str) -> None:
        """The only move in reply to lines that end in a `go` must be `expected`."""
        move = self.best(*lines)
        if move != expected:
            raise StepFailed(f"{lines[-1]!r} must be answered by {expected!r}, not {move!r}")

    def expect_readies(self, count: int, data: bytes) -> None:
        """Lines must bring this many `readyok` and nothing else but information."""
        heard = [line for line in self.hear_bytes(data) if line.startswith(ERROR) or not line.startswith("info ")]
        if heard != ["readyok"] * count:
            raise StepFailed(f"{data!r} must bring {count} readyok, not {heard[:4]}")

    def expect_no_answer(self, what: str, *lines: str) -> None:
        if answers := count_answers(self.hear(*lines)):
            raise StepFailed(f"{what}: {answers} answers too many")

    def expect_ready(self, what: str) -> None:
        began = time.monotonic()
        self.client.ready()
        self.within(time.monotonic() - began, 0.1, what)

    def expect_end(self, go: str, silent_s: float, by: str, allowed_s: float) -> None:
        """The running search must go on for `silent_s`, and end once within `allowed_s` of `by`."""
        if count_answers(self.listen(silent_s)):
            raise StepFailed(f"{go!r} was answered before {by!r}")
        answer = self.client.ask((by,))
        self.within(answer.time_ms / 1000, allowed_s, f"the answer to {by!r}")
        self.expect_no_answer(f"{go}, {by}")

    def search_for(self, seconds: float) -> None:
        """Begin an endless search."""
        self.client.send("position startpos", "go infinite")
        time.sleep(seconds)

    def within(self, seconds: float, allowed_s: float, what: str) -> None:
        """Fail if `what` took longer than the protocol allows."""
        if seconds > allowed_s * self.slack:
            raise StepFailed(f"{what} took {seconds:.3f} s, {allowed_s * self.slack:g} s are allowed")

    def expect_exit(self, after: str, answers: int = 0) -> None:
        """The process must end by itself, with exit code 0, after this many answers."""
        end = time.monotonic() + 1.0 * self.slack
        found = count_answers(self.listen(1.0 * self.slack))
        if not self.client.wait_for_exit(max(0.0, end - time.monotonic())):
            raise StepFailed(f"the process still runs {1.0 * self.slack:g} s after {after}")
        code = self.client.exit_code()
        self.stop()
        if code != 0:
            raise StepFailed(f"exit code {code} after {after}, not 0")
        if found != answers:
            raise StepFailed(f"{after} brought {found} answers, not {answers}")

    def move(self, full: FullGame, viewer: str = "") -> str:
        """The legal move of the seat to move; the viewer is its team or given."""
        viewer = viewer or next(team for team in self.board.teams if full.turn in team)
        position = full.position_line(viewer)
        move = self.client.ask((position, NODES)).move
        if move == NO_MOVE_TEXT:
            raise StepFailed(f"the answer is {NO_MOVE_TEXT}, although there are legal moves; {position}; {NODES}")
        seats = self.board.seats if viewer == OPEN_VIEWER else viewer
        if move not in [*full.legal(), *(f"resign:{seat}" for seat in full.alive if seat in seats)]:
            try:
                full.play(move, seats)
            except IllegalMove as error:
                raise StepFailed(f"{error}; {position}; {NODES}") from error
        return move

    def _hear_both(self, direction: str, line: bytes) -> None:
        if self._tap is not None:
            self._tap(direction, line)

    def _on_line(self, line: bytes) -> None:
        self._hear_both(RECEIVED, line)
        text = spaced(line).decode("utf-8", "replace")
        try:
            read_info(line)
        except LineFault as fault:
            self.improper.append(str(fault))
        if text and not LINE_OF_PROTOCOL.fullmatch(text):
            self.improper.append(f"a line that is not of the protocol: {text[:80]!r}")


def count_answers(lines: Iterable[str]) -> int:
    return sum(line.split(maxsplit=1)[:1] == ["bestmove"] for line in lines)


Step = Callable[[Subject], None]
"""Its docstring is the sentence of the protocol that it tests; `[...]` stands for omitted words."""


def in_time(sentence: str, allowed_ms: float, *gos: str) -> Step:
    """Each `go` in the starting position is answered by a move within `allowed_ms`."""

    def step(subject: Subject) -> None:
        subject.best(subject.start, NODES)
        for go in gos:
            answer = subject.client.ask((subject.start, go))
            subject.within(answer.time_ms / 1000, allowed_ms / 1000, f"the answer to {go!r}")
            if not BARE_MOVE.fullmatch(answer.move):
                raise StepFailed(f"{go!r} was answered by {answer.move!r}")

    step.__doc__ = sentence
    return step


def during_search(sentence: str, *lines: str) -> Step:
    """The lines do not end a search; `stop` then does, with one answer."""

    def step(subject: Subject) -> None:
        subject.search_for(0)
        if count_answers(subject.hear(*lines)):
            raise StepFailed(f"{lines[-1][:80]!r} ended a search")
        subject.client.ask(("stop",))
        subject.tell()  # what has waited for the end of the search is answered now

    step.__doc__ = sentence
    return step
