"""Runs the steps of a check: starts the engine, sends lines, hears the answers, and reports."""

import argparse
import json
import re
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources

from junqi_engine.client.engine_client import EngineClient, Patience
from junqi_engine.client.engine_lines import LineFault, read_info, spaced
from junqi_engine.errors import EngineError, EngineFault, quoted
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_engine.rules.visibility import Visibility
from junqi_referee.check.expected import ERROR, EXIT_S, Answers, Exchange
from junqi_referee.check.steps import END_OF_INPUT, GO, GO_PATIENCE_S, LEVELS, Step, Titles
from junqi_referee.exit_codes import ExitCode, RefereeError, one_line
from junqi_referee.full_game import FullGame
from junqi_referee.playing.engine_pool import build_revisions
from junqi_referee.playing.openings import parse_opening
from junqi_referee.playing.taps import RECEIVED, Tap, TappedClient
from junqi_referee.settings.engine import options_in, read_engine_words, read_program
from junqi_referee.settings.schedule import Opening
from junqi_referee.time_control import TimeControl

SLACK = 10
"""The factor by which the times of the protocol are extended, unless the check is strict."""
QUIET_S = 0.1
"""The engine counts as silent after this time without a line."""
MAX_LISTEN_S = 30.0
"""Time after which an engine that never falls silent is not listened to any longer."""
SEARCH_S = 0.2
"""Time that an endless search runs before the next line is sent."""
START_S, STARTS = 0.1, 3
"""The fastest of some starts counts: a busy machine delays one of them, a slow engine all."""
PLIES = 60
"""Plies of a game that the engine plays against itself."""
MAX_RESTARTS = 3
"""A check ends after this many failures of the engine process."""
LINE_OF_PROTOCOL = re.compile(
    r"(id (name|author) \S.*|option name \S.* type (check|spin|combo|button|string).*|uciok|readyok"
    r"|info( .*)?|bestmove \S+( ponder \S+)?)"
)


@cache
def games(variant: str) -> Mapping[str, list[tuple[Visibility, Opening]]]:
    """The games of positions.txt, by name."""
    text = resources.files("junqi_referee.check").joinpath("positions.txt").read_text(encoding="utf-8")
    found: dict[str, list[tuple[Visibility, Opening]]] = {}
    for line in text.splitlines():
        name, of_variant, visibility, *words = line.split()
        if of_variant == variant and name != "#":
            opening = parse_opening(words, BOARDS[variant], "positions.txt")
            found.setdefault(name, []).append((Visibility(visibility), opening))
    return found


class Subject:
    """The engine under test. Methods raise `EngineError` if it fails."""

    def __init__(
        self, table: Mapping[str, str], variant: str, strict: bool, control: TimeControl, tap: Tap | None = None
    ) -> None:
        self.program = read_program(table, "check")
        self.variant = variant
        self.improper: list[str] = []
        """Faults of single lines, such as a line that is not of the protocol."""
        self._board = BOARDS[variant]
        self._folder = table.get("dir")
        self._options = options_in(table)
        self._slack = 1 if strict else SLACK
        self._patience_s = control.patience_s
        self._tap = tap
        self._client: EngineClient | None = None
        self._is_warm = False
        self._exchanges: list[Exchange] = []
        self._sent_s = 0.0

    def fault(self, step: Step) -> str | None:
        """Carry out a step; the fault in words, None if the step holds."""
        self._exchanges = []
        lineups = dict.fromkeys(self._board.seats, lineup.DEFAULT)
        game = FullGame(self.variant, lineups, self._board.seats[0], Rules.of(self._board))
        answers = self._answers(game, OPEN_VIEWER if step.position.endswith(OPEN_VIEWER) else self._board.teams[0])
        if step.lines == ("uci",):
            self._start(answers)
            return step.expected(answers)
        client = self._ready(answers)
        if step.position in games(self.variant):
            return self._walk(client, step)
        if step.position and not self._is_warm:
            client.ask((game.position_line(answers.viewer), GO))
            self._is_warm = True
        return self._converse(client, step, answers)

    def stop(self) -> None:
        client, self._client = self._client, None
        self._is_warm = False
        if client is not None:
            client.close()

    def _walk(self, client: EngineClient, step: Step) -> str | None:
        """Search each position of some games. A game without moves is played by the engine's answers."""
        [go] = step.lines
        for visibility, opening in games(self.variant)[step.position]:
            game = replace(opening, moves=()).begin(self.variant, Rules.of(self._board))
            client.send("ucinewgame")
            for move in (*opening.moves, None) if opening.moves else [None] * PLIES:
                if game.result is not None and not opening.moves:
                    break
                team = next(team for team in self._board.teams if game.turn in team)
                answers = self._answers(game, {"dark": game.turn, "open": OPEN_VIEWER}.get(visibility, team))
                self._send(client, go, game.position_line(answers.viewer), is_searching=False)
                if fault := step.expected(answers):
                    return fault
                if game.result is None:
                    game.play(move or answers.move)
                self._exchanges.clear()
        return None

    def _converse(self, client: EngineClient, step: Step, answers: Answers) -> str | None:
        """Send the lines, hear what follows, and compare it with what is expected."""
        is_searching = False
        lines = self._lines(step, answers)
        for number, (position, line) in enumerate(lines, 1):
            is_answered = any(exchange.moves for exchange in self._exchanges)
            if is_searching and number == len(lines) and line in ("stop", "ponderhit") and not is_answered:
                self._begin(line)
                client.ask((line,))
            else:
                self._send(client, line, position, is_searching)
            is_searching |= _is_endless(line)
        if line in ("quit", END_OF_INPUT):
            answers.exit_code = self._wait_for_exit(client)
        else:
            self._settle(client)
        return step.expected(answers)

    def _lines(self, step: Step, answers: Answers) -> list[tuple[str, str]]:
        """The lines of a step, each with the `position` that comes before it if it is a `go`."""
        position, last = answers.game.position_line(answers.viewer), answers.game.legal()[-1]
        seats = [(team, seat) for team in self._board.teams for seat in team]
        found = []
        for line in step.lines:
            if "{seat}" in line:
                found += [(f"position startpos viewer {team}", line.format(seat=seat)) for team, seat in seats]
            else:
                found.append((position, line.format(last=last)))
        return found

    def _send(self, client: EngineClient, line: str, position: str, is_searching: bool) -> None:
        """Send a line; wait for the answer to a `go`, and after another line for a `readyok`."""
        is_go = line.split()[:1] == ["go"]
        self._begin(line)
        if is_go and not is_searching and not _is_endless(line):
            client.ask((position, line))
        elif is_go and not is_searching:
            client.send(position, line)
            self._listen(client, SEARCH_S)
        elif line == END_OF_INPUT:
            client.end_input()
        elif line == "quit":
            client.send(line)
        else:
            is_extra = line.split() != ["isready"]
            client.send(*((line, "isready") if is_extra else (line,)))
            client.wait_for(lambda line: line.strip() == b"readyok", self._slack, "readyok")
            if is_extra:
                heard = self._exchanges[-1].heard
                heard.remove(next(each for each in heard if each[1] == "readyok"))

    def _begin(self, line: str) -> None:
        self._exchanges.append(Exchange(line, []))
        self._sent_s = time.monotonic()

    def _settle(self, client: EngineClient) -> None:
        """Listen until each `go` is answered or nothing comes any more, and for a moment longer."""
        silent_s, end_s = 0.0, time.monotonic() + MAX_LISTEN_S
        gos = sum(exchange.sent.split()[:1] == ["go"] for exchange in self._exchanges)
        while silent_s < QUIET_S * self._slack and time.monotonic() < end_s:
            if sum(len(exchange.moves) for exchange in self._exchanges) >= gos:
                break
            silent_s = 0.0 if self._listen(client, QUIET_S) else silent_s + QUIET_S
        self._listen(client, QUIET_S)

    def _listen(self, client: EngineClient, seconds: float) -> bool:
        """Listen for a time, or until the process ends; True if a line came."""
        before = len(self._exchanges[-1].heard)
        try:
            client.wait_for(lambda line: False, seconds, "silence")
        except EngineError as error:
            if error.fault not in (EngineFault.STALL, EngineFault.DISCONNECT):
                raise
        return len(self._exchanges[-1].heard) > before

    def _wait_for_exit(self, client: EngineClient) -> int | None:
        """The exit code of a process that was asked to end; None if it still runs."""
        end_s = time.monotonic() + EXIT_S * self._slack
        self._listen(client, EXIT_S * self._slack)
        if not client.wait_for_exit(max(0.0, end_s - time.monotonic())):
            return None
        code = client.exit_code()
        self.stop()
        return code

    def _answers(self, game: FullGame, viewer: str) -> Answers:
        return Answers(game, viewer, self._slack, self._exchanges)

    def _start(self, answers: Answers) -> None:
        """Start the process as often as needed to find whether it starts in time, and end it."""
        self.stop()
        for _ in range(STARTS):
            client, started_s = self._launch()
            client.close()
            answers.identity, answers.started_s = client.identity, min(answers.started_s, started_s)
            if started_s <= START_S:
                break

    def _ready(self, answers: Answers) -> EngineClient:
        """The process, ready for commands. `RefereeError` if it rejects an option of the command line."""
        if self._client is None:
            self._client, _ = self._launch()
            refused = [line for line in self._client.ready() if line.startswith(ERROR)]
            if refused and self._options:
                raise RefereeError(f"check: the engine rejected an option: {refused[0].removeprefix(ERROR)}")
        answers.identity = self._client.identity
        return self._client

    def _launch(self) -> tuple[EngineClient, float]:
        """A new process that has sent `uciok` and received its options, and the seconds until the `uciok`."""
        patience = Patience(
            first_ready_s=self._patience_s or Patience.first_ready_s,
            ready_s=self._patience_s or Patience.ready_s,
            unclocked_s=self._patience_s or GO_PATIENCE_S,
        )
        began_s = time.monotonic()
        client = TappedClient(self.program.start_command, folder=self._folder, patience=patience, on_line=self._on_line)
        client.tap = self._tap
        try:
            declared = client.start().options
            started_s = time.monotonic() - began_s
            variant = {"UCI_Variant": self.variant} if "uci_variant" in declared else {}
            for name, value in {**variant, **self._options}.items():
                client.send(f"setoption name {name} value {value}")
        except BaseException:
            client.close()
            raise
        return client, started_s

    def _on_line(self, line: bytes) -> None:
        if self._tap is not None:
            self._tap(RECEIVED, line)
        text = spaced(line).decode("utf-8", "replace")
        if self._exchanges:
            self._exchanges[-1].heard.append((time.monotonic() - self._sent_s, text))
        try:
            read_info(line)
        except LineFault as fault:
            self.improper.append(str(fault))
        if text and not LINE_OF_PROTOCOL.fullmatch(text):
            self.improper.append(f"a line that is not of the protocol: {quoted(text, 80)}")


def _is_endless(line: str) -> bool:
    return line.split()[:2] in (["go", "infinite"], ["go", "ponder"])


@dataclass(frozen=True)
class StepResult:
    """The result of a step; `fault` is None if the step holds. `sentence` is the sentence that it tests."""

    name: str
    fault: str | None
    seconds: float
    sentence: str = ""

    @property
    def section(self) -> str:
        """The section of the page that has the sentence."""
        return f"docs/protocol.md{self.sentence.partition(':')[0]}"


def run_steps(subject: Subject, titles: Titles) -> Iterator[StepResult]:
    """The results, one by one. Ends early if the engine does not start, or has failed `MAX_RESTARTS` times."""
    restarts = 0
    try:
        for number, (title, steps) in enumerate(titles.items()):
            began_s = time.monotonic()
            fault = None
            try:
                fault = next(filter(None, map(subject.fault, steps)), None)
            except EngineError as error:
                is_silent = EngineFault.STALL in (error.fault, getattr(error.__cause__, "fault", None))
                fault = f"{error}; does it flush stdout after each line?" if is_silent else str(error)
                restarts += 1
            if subject.improper:
                fault = "; ".join(filter(None, [fault, subject.improper[0]]))
                subject.improper.clear()
            elif fault is not None:
                subject.stop()
            fault = fault and one_line(fault)
            yield StepResult(title, fault, time.monotonic() - began_s, steps[0].sentence)
            if restarts == MAX_RESTARTS or (fault is not None and number == 0):
                break
    finally:
        subject.stop()


def check_engine(parsed: argparse.Namespace) -> ExitCode:
    table, variant = read_engine_words(parsed.engine, "check"), parsed.variant
    if variant not in BOARDS:
        raise RefereeError(f"check: variant {variant} is not one of {', '.join(BOARDS)}")
    try:
        control = TimeControl.parse(table)
    except ValueError as error:
        raise RefereeError(f"check: {error}") from error
    subject = Subject(table, variant, parsed.strict, control, _show_line if parsed.verbose else None)
    build_revisions([subject.program], variant, partial(print, file=sys.stderr, flush=True))
    out = sys.stderr if parsed.json else sys.stdout
    titles = LEVELS[parsed.level]
    results = []
    for result in run_steps(subject, titles):
        results.append(result)
        verdict = "ok  " if result.fault is None else "FAIL"
        fault = "" if result.fault is None else f": {result.fault} ({result.sentence.partition(': ')[2]})"
        print(f"{verdict} {result.name} ({result.seconds:.2f} s), {result.section}{fault}", file=out, flush=True)
    failed = {result.name: result.fault for result in results if result.fault is not None}
    not_tried = len(titles) - len(results)
    reached = _reached({result.name for result in results} - failed.keys())
    rest = f", {not_tried} not tried" if not_tried else ""
    print(f"{len(results) - len(failed)} steps hold, {len(failed)} do not{rest}; level: {reached}", file=out)
    if parsed.json:
        found = {
            "command": shlex.join(subject.program.command),
            **({} if subject.program.revision is None else {"revision": str(subject.program.revision)}),
            "steps": len(results),
            "failed": failed,
            "not_tried": not_tried,
            "level": reached,
        }
        print(json.dumps(found, ensure_ascii=False), flush=True)
    return ExitCode.FAILED if failed else ExitCode.DONE


def _show_line(direction: str, line: bytes) -> None:
    text = line.decode("utf-8", "backslashreplace")
    print(f"     {direction} {one_line(text)}", file=sys.stderr, flush=True)


def _reached(held: Set[str]) -> str:
    """The highest level whose steps all hold."""
    return next((level for level in reversed(LEVELS) if LEVELS[level].keys() <= held), "none")
