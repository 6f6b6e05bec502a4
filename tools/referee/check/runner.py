"""Whether an engine speaks the protocol: one step after the other, each naming what is wrong.

A step that fails leaves the others alone: if the engine is dead or deaf by then it is started afresh for the next one.
"""

import json
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from junqi_engine.rules.board import BOARDS
from protocol.client import EngineClient, EngineError, Patience
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.time_control import TimeControl

SLACK = 10
"""How many times as long as the protocol allows a step may take, unless the check is strict."""
MOST_RESTARTS = 3
QUIET_S = 0.1
GO_PATIENCE_S = 10.0
LINE_OF_PROTOCOL = re.compile(
    r"(id (name|author) \S.*|option name \S.* type (check|spin|combo|button|string).*|uciok|readyok"
    r"|info( .*)?|bestmove \S+( ponder \S+)?)"
)


Enough = Callable[[list[str]], bool | int]
"""Whether the lines that came are all that was asked for."""


class Failed(Exception):
    """A step does not hold."""


@dataclass(frozen=True)
class Outcome:
    """What a step came to; `fault` is None if it holds."""

    name: str
    fault: str | None
    seconds: float
    sentence: str = ""


class Subject:
    """The engine under test, with the words that the steps need to talk to it."""

    def __init__(self, table: Mapping[str, Any], variant: str, strict: bool, control: TimeControl) -> None:
        self.command = shlex.split(str(table["cmd"]))
        self.folder = table.get("dir")
        self.options = dict(table.get("option", {}))
        self.variant = variant
        self.board = BOARDS[variant]
        self.slack = 1 if strict else SLACK
        self.patience_s = control.patience_s
        self.started_in_s = 0.0
        self.improper: list[str] = []
        self._client: EngineClient | None = None

    @property
    def client(self) -> EngineClient:
        """The process, started and ready if it was not."""
        if self._client is None:
            self._client = self.launch()
            self._client.ready()
        return self._client

    def launch(self) -> EngineClient:
        """A fresh process that has said `uciok` and been set."""
        silent_s = self.patience_s or GO_PATIENCE_S
        patience = Patience(
            uciok_s=self.patience_s or Patience.uciok_s,
            first_ready_s=self.patience_s or Patience.first_ready_s,
            ready_s=1.0 * self.slack,
            grace_s=silent_s,
            unclocked_s=silent_s,
        )
        began = time.monotonic()
        client = EngineClient(self.command, folder=self.folder, patience=patience, witness=self._witness)
        try:
            client.start()
            self.started_in_s = time.monotonic() - began
            for name, value in {"UCI_Variant": self.variant, **self.options}.items():
                client.send(f"setoption name {name} value {value}")
        except BaseException:
            client.close()
            raise
        return client

    def stop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def tell(self, *lines: str) -> None:
        """Send lines of which nothing is asked but that a `readyok` comes behind them."""
        self.hear(*lines, enough=lambda heard: True)

    def hear(self, *lines: str, enough: Enough | None = None) -> list[str]:
        """Send lines and give all that comes back, up to a `readyok` and a moment of silence after it.

        With `enough` nothing is waited for once it is true of what came, and more patiently as long as it is not.
        """
        return self.hear_bytes(("\n".join(lines) + "\n").encode(), enough)

    def hear_bytes(self, data: bytes, enough: Enough | None = None) -> list[str]:
        """The same for bytes as they are."""
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
        """What came already and what comes still, until it is enough or there has been silence for so long."""
        silent_s = 0.0
        while not enough(heard) and silent_s < seconds:
            more = self.listen(QUIET_S)
            heard = [*heard, *more]
            silent_s = 0.0 if more else silent_s + QUIET_S
        return heard

    def listen(self, seconds: float) -> list[str]:
        """What comes until there has been silence for so long."""
        return self.client.listen(seconds)

    def best(self, *lines: str) -> str:
        """The answer to lines that end in a `go`; a second one is a fault."""
        move = self.client.ask(lines).move
        extra = [line for line in self.listen(QUIET_S) if line.startswith("bestmove")]
        if extra:
            raise Failed(f"a second answer to {lines[-1]!r}: {extra[0]!r}")
        return move

    def expect_error(self, codes: str, *lines: str) -> None:
        """Send lines; the last of them must be rejected with one of some codes."""
        wanted_codes = set(codes.split())
        heard = self.hear(*lines, enough=lambda heard: bool(wanted_codes & set(error_codes(heard))))
        errors = error_codes(heard)
        if not wanted_codes & set(errors):
            found = f"'error {errors[0]}'" if errors else "no error"
            wanted = " or ".join(codes.split())
            raise Failed(f"{lines[-1][:80]!r} brought {found}, not 'info string error {wanted} ...'")

    def fen(self) -> str:
        """The engine's own idea of its position."""
        for line in self.hear("d", enough=lambda heard: any(" fen " in f" {line}" for line in heard)):
            if " fen " in f" {line}":
                return f" {line}".split(" fen ", 1)[1]
        raise Failed("'d' showed no line with 'fen <FEN>'")

    def within(self, seconds: float, allowed_s: float, what: str) -> None:
        """A time that the protocol bounds."""
        if seconds > allowed_s * self.slack:
            raise Failed(f"{what} took {seconds:.3f} s, {allowed_s * self.slack:g} s are allowed")

    def _witness(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").strip()
        if text and not LINE_OF_PROTOCOL.fullmatch(text):
            self.improper.append(f"a line that is not of the protocol: {text[:80]!r}")


def count_answers(lines: Iterable[str]) -> int:
    return sum(line.startswith("bestmove") for line in lines)


def error_codes(lines: Iterable[str]) -> list[str]:
    """The codes of the errors among some lines; one without a code has none."""
    return [code for line in lines if line.startswith("info string error ") for code in line.split()[3:4]]


Step = Callable[[Subject], None]
"""Its docstring is the sentence of the protocol that it tests, `[...]` where something is left out of it."""


def ends(subject: Subject, code: int, after: str) -> None:
    """The process must end by itself, with an exit code."""
    client = subject.client
    if not client.wait_for_exit(1.0 * subject.slack):
        raise Failed(f"still there {1.0 * subject.slack:g} s after {after}")
    found = client.exit_code()
    subject.stop()
    if found != code:
        raise Failed(f"exit code {found} after {after}, not {code}")


def check(table: Mapping[str, Any], variant: str, strict: bool, as_json: bool) -> ExitCode:
    """Run all steps on an engine and print each; `FAILED` when one does not hold."""
    from tools.referee.check.steps import STEPS

    if "cmd" not in table:
        raise RefereeError("check: cmd is missing")
    if variant not in BOARDS:
        raise RefereeError(f"check: variant {variant} is none of {', '.join(BOARDS)}")
    try:
        control = TimeControl.parse(table)
    except ValueError as error:
        raise RefereeError(f"check: {error}") from error
    subject = Subject(table, variant, strict, control)
    out = sys.stderr if as_json else sys.stdout
    outcomes = []
    for outcome in run_steps(subject, STEPS):
        outcomes.append(outcome)
        verdict = "ok  " if outcome.fault is None else "FAIL"
        fault = "" if outcome.fault is None else f": {outcome.fault} (the protocol: {outcome.sentence})"
        print(f"{verdict} {outcome.name} ({outcome.seconds:.2f} s){fault}", file=out, flush=True)
    failed = [outcome for outcome in outcomes if outcome.fault is not None]
    left_out = len(STEPS) - len(outcomes)
    rest = f", {left_out} not tried" if left_out else ""
    print(f"{len(outcomes) - len(failed)} steps hold, {len(failed)} do not{rest}", file=out)
    if as_json:
        faults = {outcome.name: outcome.fault for outcome in failed}
        found = {
            "command": shlex.join(subject.command),
            "steps": len(outcomes),
            "failed": faults,
            "not_tried": left_out,
        }
        print(json.dumps(found, ensure_ascii=False), flush=True)
    return ExitCode.FAILED if failed else ExitCode.DONE


def run_steps(subject: Subject, steps: Mapping[str, Step]) -> Iterator[Outcome]:
    """The outcomes, as they come. The rest is left out when the engine does not start, or has died too often."""
    restarts = 0
    try:
        for number, (name, step) in enumerate(steps.items()):
            began = time.monotonic()
            fault = None
            try:
                step(subject)
            except Failed as error:
                fault = str(error)
                subject.stop()
            except EngineError as error:
                fault = str(error)
                subject.stop()
                restarts += 1
            if subject.improper:
                fault = "; ".join(filter(None, [fault, subject.improper[0]]))
                subject.improper.clear()
            yield Outcome(name, fault, time.monotonic() - began, step.__doc__ or "")
            if restarts == MOST_RESTARTS or (fault is not None and number == 0):
                break
    finally:
        subject.stop()
