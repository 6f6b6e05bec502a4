"""The steps of a check in their order, by title, and what runs them.

Each tests one sentence about the protocol, its docstring, which begins with the section of docs/protocol.md.
"""

import argparse
import json
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial

from junqi_engine.client.engine_client import EngineError, EngineFault
from junqi_engine.rules.board import BOARDS
from junqi_referee.check import connection, late_games, positions
from junqi_referee.check.subject import (
    GO_PATIENCE_S,
    Step,
    StepFailed,
    Subject,
    default_lineups,
    during_search,
    in_time,
    refused,
    refused_go,
    same_position,
    says,
    silent,
)
from junqi_referee.exits import ExitCode, RefereeError, one_line
from junqi_referee.playing.engine_pool import build_revisions
from junqi_referee.settings.engine import read_engine_words
from junqi_referee.time_control import TimeControl

CLOCK_MS = 400

STEPS: Mapping[str, Step] = {
    "uciok in time": connection.starts_in_time,
    "identity and options": connection.identity,
    "readyok": connection.ready,
    "blank lines, comments, tabs and CR": connection.spacing,
    "unknown words before a command": connection.leading_words,
    "unknown command": connection.unknown_command,
    "options": connection.options,
    "positions that are rejected": positions.positions,
    "a go that is rejected": positions.bad_go,
    "legal moves": positions.legal,
    "a game in partner visibility": positions.plays_games,
    "a dark game": positions.plays_dark_games,
    "a game with every suffix": positions.follows_events,
    "the ends of games": late_games.plays_late_games,
    "dark and open viewers": positions.viewers,
    "searchmoves": positions.searchmoves,
    "movetime": positions.movetime,
    "infinite, isready, stop": positions.infinite,
    "ponder": positions.ponders("go ponder nodes 100", GO_PATIENCE_S),
    "ponder without limits": positions.ponders("go ponder", 1.0),
    "a clock that has run out": positions.empty_clock("wtime 0 btime 0 winc 0 binc 0", "time 0 inc 0"),
    "a negative clock": positions.empty_clock("wtime -100 btime -100", "time -1 inc 0"),
    "chances after a score": positions.shows_chances,
    "limited strength": positions.limits_strength,
    "commands during a search": positions.interrupted_search,
    "searches in a row": positions.searches_in_a_row,
    "stop and ponderhit when idle": positions.idle,
    "line-ups": positions.setup_for_every_seat,
    "a finished game": positions.finished,
    "a line that is too long": connection.long_line,
    "hostile input": connection.hostile,
    "isready three times": connection.two_readies,
    "answers before readyok": connection.answers_before_readyok,
    "a comment with a command in it": silent("#lines: lines that begin with `#` are accepted", "# go", "#quit"),
    "option names with spaces": silent(
        "#options: names and values are case-insensitive and may contain spaces",
        "setoption name mOVE oVERHEAD value 30",
    ),
    "options of other variants": silent(
        "#options: Options of other variants may be set at any time", "setoption name Metric value move"
    ),
    "too many threads": refused(
        "#options: If a version, thread count or size is unavailable, the engine rejects it and keeps the old value",
        "bad-value",
        "setoption name Threads value 100000",
    ),
    "an unknown version": refused(
        "#options: If a version, thread count or size is unavailable, the engine rejects it and keeps the old value",
        "bad-value",
        "setoption name Player value 0.0.0",
    ),
    "an unknown variant": refused(
        "#options: combo `siguo` `luzhanqi` ...", "bad-value", "setoption name UCI_Variant value chess"
    ),
    "an option without a value": refused("#options: setoption name X [value Y]", "bad-argument", "setoption name Seed"),
    "the position before any position": positions.before_any_position,
    "choosing the variant": positions.choosing_the_variant,
    "a FEN that reads back": positions.fen_reads_back,
    "the number of fields of a FEN": positions.fen_fields,
    "an impossible position": positions.impossible_position,
    "the viewer by default": same_position(
        "#positions-of-junqi: without both, `SN` (luzhanqi `S`)",
        lambda board: "position startpos",
        lambda board: f"position startpos viewer {board.teams[0]}",
    ),
    "the viewer by the line-ups": same_position(
        "#positions-of-junqi: Without `viewer`, the viewer is the seats whose line-ups are given",
        lambda board: f"position startpos lineup {default_lineups(board)}",
        lambda board: f"position startpos lineup {default_lineups(board)} viewer {board.teams[0]}",
    ),
    "the built-in line-up": same_position(
        "#positions-of-junqi: Without any `lineup`, the viewer's seats have the built-in one",
        lambda board: f"position startpos viewer {board.teams[0]}",
        lambda board: f"position startpos lineup {default_lineups(board)} viewer {board.teams[0]}",
    ),
    "an unknown viewer": refused(
        "#positions-of-junqi: viewer: [...] one seat or one team, or `*` for all",
        "bad-position",
        "position startpos viewer SX",
    ),
    "an impossible outcome": positions.battle_on_nothing,
    "resignation": positions.resigned,
    "a move after the end": positions.game_over,
    "bestmove without a suffix": positions.bare_answer,
    "go depth": in_time("#go: `go` + `depth N`", "go depth 1", 1000),
    "go without a limit": in_time("#go: Without any limit, `go` searches for 1 s in Junqi", "go", 1100),
    "the teams' clocks": in_time(
        "#go: `wtime/winc` are the clock of South's team", f"go wtime {CLOCK_MS} btime 9000 winc 0 binc 0", CLOCK_MS
    ),
    "the mover's clock": in_time("#go: `time`, `inc`: the clock of the seat", f"go time {CLOCK_MS} inc 0", CLOCK_MS),
    "the mover's clock beside the teams'": in_time(
        "#go: `time`, `inc` take precedence over the clocks of the teams",
        f"go time {CLOCK_MS} inc 0 wtime 90000 btime 90000",
        CLOCK_MS,
    ),
    "movestogo": in_time(
        "#go: `movestogo N`", f"go wtime {CLOCK_MS} btime {CLOCK_MS} winc 0 binc 0 movestogo 1", CLOCK_MS
    ),
    "searchmoves that are illegal": refused_go(
        "#errors: a rejected `go` gets `bestmove (none)`",
        "illegal-move bad-move",
        "position startpos",
        "go searchmoves h1h2",
    ),
    "perft": positions.perft,
    "perft of what is hidden": refused_go(
        "#go: Junqi requires viewer `*`", "needs-open", "position startpos viewer S", "go perft 1"
    ),
    "a line-up for the mover": positions.setup_by_default,
    "a new seed for each game": positions.new_seeds,
    "a line-up for an unknown seat": refused_go(
        "#go: `go setup [SEAT]`", "bad-argument", "position startpos", "go setup X"
    ),
    "d shows the seat to move": says(
        "#info-string: the seat to move", r"info string .*\bS\b.*", "position startpos", "d"
    ),
    "eval": says(
        "#commands: `eval`: the static evaluation",
        r"info string .*\d.*",
        "position startpos",
        "eval",
    ),
    "belief": says(
        "#info: `info belief <point> a:0.01 b:0.02 ...`",
        r"info belief [a-q]\d+( [a-l]:[01]\.\d+)+",
        "position startpos",
        "belief",
    ),
    "belief of an empty point": refused("#commands: belief [POINT]", "bad-argument", "position startpos", "belief z99"),
    "help and version": says("#commands: `help`, `version`: text for people", "info string .+", "help", "version"),
    "ponderhit does not end an infinite search": during_search("#go: `ponderhit`: as in UCI", "ponderhit"),
    "d and legal during a search": during_search(
        "#commands: `isready`: [...] also during a search, which continues", "d", "legal"
    ),
    "nonsense during a search": during_search("#errors: A rejected command changes nothing", "xyzzy", "position_"),
    "setoption during a search": positions.option_waits,
    "a long line that is read": connection.long_line_is_read,
    "quit during a search": connection.quit_in_search,
    "SIGTERM during a search": connection.signalled(signal.SIGTERM, 0, in_search=True),
    "SIGINT during a search": connection.signalled(signal.SIGINT, 130, in_search=True),
    "quit": connection.quit_idle,
    "end of input": connection.end_of_input,
    "end of input after searches": connection.end_of_input_after_searches,
    "closed output": connection.closed_output,
    "SIGTERM": connection.signalled(signal.SIGTERM, 0),
    "SIGINT": connection.signalled(signal.SIGINT, 130),
}

PLAYS = (
    "uciok in time",
    "identity and options",
    "readyok",
    "a game in partner visibility",
    "a dark game",
    "a game with every suffix",
    "the ends of games",
    "bestmove without a suffix",
    "go depth",
    "movetime",
    "the teams' clocks",
    "the mover's clock",
    "movestogo",
    "a clock that has run out",
    "line-ups",
    "quit",
)
"""The steps that a match depends on."""
ANALYSES = (
    "isready three times",
    "blank lines, comments, tabs and CR",
    "a comment with a command in it",
    "go without a limit",
    "infinite, isready, stop",
    "ponder",
    "ponder without limits",
    "ponderhit does not end an infinite search",
    "commands during a search",
    "nonsense during a search",
    "searchmoves",
    "chances after a score",
    "limited strength",
    "a go that is rejected",
    "a finished game",
    "stop and ponderhit when idle",
    "quit during a search",
    "end of input",
)
"""The steps that a program depends on which shows a search."""
LEVELS: dict[str, Mapping[str, Step]] = {
    "plays": {name: STEPS[name] for name in PLAYS},
    "analyses": {name: STEPS[name] for name in (*PLAYS, *ANALYSES)},
    "complete": STEPS,
}
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
