"""Runs the steps of a check on an engine, and prints what each found."""

import json
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

from junqi_engine.engines.client import EngineError
from junqi_engine.rules.board import BOARDS
from tools.referee.check.steps import LEVELS
from tools.referee.check.subject import Step, StepFailed, Subject
from tools.referee.exits import ExitCode, RefereeError, one_line
from tools.referee.playing.engine_pool import build_revisions
from tools.referee.time_control import TimeControl

MAX_RESTARTS = 3
"""A check ends after this many failures of the engine process."""


@dataclass(frozen=True)
class StepResult:
    """What a step found; `fault` is None if the step holds. `sentence` is the one of the protocol."""

    name: str
    fault: str | None
    seconds: float
    sentence: str = ""


def check(table: Mapping[str, Any], variant: str, strict: bool, as_json: bool, level: str = "complete") -> ExitCode:
    """Run the steps of a level on an engine and print their results; `FAILED` if a step fails."""
    if variant not in BOARDS:
        raise RefereeError(f"check: variant {variant} is not one of {', '.join(BOARDS)}")
    try:
        control = TimeControl.parse(table)
    except ValueError as error:
        raise RefereeError(f"check: {error}") from error
    subject = Subject(table, variant, strict, control)
    build_revisions([subject.program], variant, partial(print, file=sys.stderr, flush=True))
    out = sys.stderr if as_json else sys.stdout
    steps = LEVELS[level]
    results = []
    for result in run_steps(subject, steps):
        results.append(result)
        verdict = "ok  " if result.fault is None else "FAIL"
        fault = "" if result.fault is None else f": {result.fault} (the protocol: {result.sentence})"
        print(f"{verdict} {result.name} ({result.seconds:.2f} s){fault}", file=out, flush=True)
    failed = [result for result in results if result.fault is not None]
    not_tried = len(steps) - len(results)
    reached = _reached({result.name for result in results if result.fault is None})
    rest = f", {not_tried} not tried" if not_tried else ""
    print(f"{len(results) - len(failed)} steps hold, {len(failed)} do not{rest}; level: {reached}", file=out)
    if as_json:
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
                fault = str(error)
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
