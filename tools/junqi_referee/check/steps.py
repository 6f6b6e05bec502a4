"""The steps of a check in their order, by title, and what runs them.

Each tests one sentence about the protocol, its docstring, which begins with the section of docs/protocol.md.
"""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial

from junqi_engine.errors import EngineError, EngineFault
from junqi_engine.rules.board import BOARDS
from junqi_referee.check import connection, positions
from junqi_referee.check.subject import GO_PATIENCE_S, Step, StepFailed, Subject, during_search, in_time
from junqi_referee.exit_codes import ExitCode, RefereeError, one_line
from junqi_referee.playing.engine_pool import build_revisions
from junqi_referee.settings.engine import read_engine_words
from junqi_referee.time_control import TimeControl

CLOCK_MS = 400

PLAYS: dict[str, Step] = {
    "uciok in time": connection.starts_in_time,
    "identity and options": connection.identity,
    "readyok": connection.ready,
    "a game in partner visibility": positions.plays_games,
    "a dark game": positions.plays_dark_games,
    "a game with every suffix": positions.follows_events,
    "the ends of games": positions.plays_late_games,
    "bestmove without a suffix": positions.bare_answer,
    "go depth": in_time("#go: `go` + `depth N`", 1000, "go depth 1"),
    "movetime": positions.movetime,
    "the teams' clocks": in_time(
        "#go: `wtime/winc` are the clock of South's team", CLOCK_MS, f"go wtime {CLOCK_MS} btime 9000 winc 0 binc 0"
    ),
    "the mover's clock": in_time("#go: `time`, `inc`: the clock of the seat", CLOCK_MS, f"go time {CLOCK_MS} inc 0"),
    "movestogo": in_time(
        "#go: `movestogo N`", CLOCK_MS, f"go wtime {CLOCK_MS} btime {CLOCK_MS} winc 0 binc 0 movestogo 1"
    ),
    "a clock that has run out": in_time(
        "#go: clocks may be negative, which means 0: move at once",
        100,
        "go wtime 0 btime 0 winc 0 binc 0",
        "go time 0 inc 0",
    ),
    "line-ups": positions.setup_for_every_seat,
    "quit": connection.quit_idle,
}
"""The steps that a match depends on."""
ANALYSES: dict[str, Step] = {
    "isready three times": connection.two_readies,
    "blank lines, comments, tabs and CR": connection.spacing,
    "a comment with a command in it": connection.comments,
    "go without a limit": in_time("#go: Without any limit, `go` searches for 1 s in Junqi", 1100, "go"),
    "infinite, isready, stop": positions.infinite,
    "ponder": positions.ponders("go ponder nodes 100", GO_PATIENCE_S),
    "ponder without limits": positions.ponders("go ponder", 1.0),
    "ponderhit does not end an infinite search": during_search("#go: `ponderhit`: as in UCI", "ponderhit"),
    "commands during a search": positions.interrupted_search,
    "nonsense during a search": during_search("#errors: A rejected command changes nothing", "xyzzy", "position_"),
    "searchmoves": positions.searchmoves,
    "chances after a score": positions.shows_chances,
    "a go that is rejected": positions.bad_go,
    "a finished game": positions.finished,
    "stop and ponderhit when idle": positions.idle,
    "quit during a search": connection.quit_in_search,
    "end of input": connection.end_of_input,
}
"""The steps that a program depends on which shows a search."""
LEVELS: dict[str, Mapping[str, Step]] = {"plays": PLAYS, "analyses": {**PLAYS, **ANALYSES}}
"""The steps of each level, with those of the levels before it."""


MAX_RESTARTS = 3
"""A check ends after this many failures of the engine process."""


@dataclass(frozen=True)
class StepResult:
    """What a step found; `fault` is None if the step holds. `sentence` is what it tests."""

    name: str
    fault: str | None
    seconds: float
    sentence: str = ""

    @property
    def section(self) -> str:
        """The section of the page that has the sentence."""
        return f"docs/protocol.md{self.sentence.partition(':')[0]}"


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
    steps = LEVELS[parsed.level]
    results = []
    for result in run_steps(subject, steps):
        results.append(result)
        verdict = "ok  " if result.fault is None else "FAIL"
        fault = "" if result.fault is None else f": {result.fault} ({result.sentence.partition(': ')[2]})"
        print(f"{verdict} {result.name} ({result.seconds:.2f} s), {result.section}{fault}", file=out, flush=True)
    failed = [result for result in results if result.fault is not None]
    not_tried = len(steps) - len(results)
    reached = _reached({result.name for result in results if result.fault is None})
    rest = f", {not_tried} not tried" if not_tried else ""
    print(f"{len(results) - len(failed)} steps hold, {len(failed)} do not{rest}; level: {reached}", file=out)
    if parsed.json:
        faults = {result.name: result.fault for result in failed}
        found = {
            "command": shlex.join(subject.program.command),
            **({} if subject.program.revision is None else {"revision": str(subject.program.revision)}),
            "steps": len(results),
            "failed": faults,
            "not_tried": not_tried,
            "level": reached,
        }
        print(json.dumps(found, ensure_ascii=False), flush=True)
    return ExitCode.FAILED if failed else ExitCode.DONE


def _show_line(direction: str, line: bytes) -> None:
    text = line.decode("utf-8", "backslashreplace")
    print(f"     {direction} {one_line(text)}", file=sys.stderr, flush=True)


def _reached(held: Set[str]) -> str:
    """The highest level all of whose steps hold."""
    return next((level for level in reversed(LEVELS) if LEVELS[level].keys() <= held), "none")


def run_steps(subject: Subject, steps: Mapping[str, Step]) -> Iterator[StepResult]:
    """The results, one by one. Ends early if the engine does not start, or has failed `MAX_RESTARTS` times."""
    restarts = 0
    try:
        for number, (name, step) in enumerate(steps.items()):
            began = time.monotonic()
            fault = None
            try:
                step(subject)
            except StepFailed as error:
                fault = str(error)
                subject.stop()
            except EngineError as error:
                is_silent = EngineFault.STALL in (error.fault, getattr(error.__cause__, "fault", None))
                fault = f"{error}; does it flush stdout after each line?" if is_silent else str(error)
                subject.stop()
                restarts += 1
            fault = None if fault is None else one_line(fault)
            if subject.improper:
                fault = "; ".join(filter(None, [fault, subject.improper[0]]))
                subject.improper.clear()
            yield StepResult(name, fault, time.monotonic() - began, step.__doc__ or "")
            if restarts == MAX_RESTARTS or (fault is not None and number == 0):
                break
    finally:
        subject.stop()
