"""Helpers for the tests of the referee: scripted engines, short settings, running tournaments, processes."""

import io
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from junqi_engine.client.engine_client import Patience
from junqi_engine.client.line_process import own_command
from junqi_referee.cli import parse, run
from junqi_referee.exit_codes import ExitCode
from junqi_referee.playing.match import settings_of
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.settings.settings import MatchSettings

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ROOT / "tests" / "helpers" / "broken_engines"
SHORT = Patience(first_ready_s=20.0, ready_s=20.0)
"""For engines that hang, with a clock or `patience=`. Sound ones have neither, so that they are never late."""
NO_START = Patience(first_ready_s=1.0, ready_s=1.0)
"""For engines that never get ready only."""
PROTOCOL = own_command()
# An environment variable that all descendants inherit, also those that leave the process group or lose their parent.
MARK = f"JUNQI_TEST_RUN={os.getpid()}-{time.time_ns()}"
os.environ.update([MARK.split("=")])


def scripted(name: str, *arguments: str) -> list[str]:
    """The command of a program in `broken_engines`, or of a fault of `broken.py`; `script` is a sound engine."""
    program = ENGINES / f"{name}.py"
    words = [str(program)] if program.exists() else [str(ENGINES / "broken.py"), name]
    return [sys.executable, "-S", *words, *arguments]


SCRIPTS = ({"name": "one", "cmd": scripted("script")}, {"name": "other", "cmd": scripted("script")})
"""Two sound engines."""


def settings(*engines: dict[str, Any], each: dict[str, Any] | None = None, **match: Any) -> MatchSettings:
    """Settings from the words of engines and the flags of a tournament. By default there are no clocks."""
    if each is None and not any("dialect" in engine for engine in engines):
        each = {"nodes": 1}
    flags = [word for engine in engines for word in ("--engine", *words_of(engine))]
    flags += ["--each", *words_of(each)] if each else []
    for key, value in match.items():
        flags += [f"--{key.replace('_', '-')}", *(words_of(value) if isinstance(value, dict) else [str(value)])]
    return settings_of(parse(["tournament", *flags]))


def words_of(table: dict[str, Any]) -> list[str]:
    """Words `KEY=VALUE`; a command may be a list, `option` is a table."""
    words = []
    for key, value in table.items():
        if key == "option":
            words += [f"option.{name}={each}" for name, each in value.items()]
        else:
            words.append(f"{key}={shlex.join(value) if isinstance(value, list) else value}")
    return words


def play(chosen: MatchSettings, patience: Patience = SHORT, resume: bool = False) -> tuple[Tournament, str]:
    """Play a tournament; return it and its progress output."""
    tournament = Tournament(chosen, patience)
    out = io.StringIO()
    tournament.run(Progress(out), resume)
    return tournament, out.getvalue()


def refused(capsys: pytest.CaptureFixture[str], *words: str, code: ExitCode = ExitCode.USAGE) -> str:
    """The one line on stderr with which a command is refused; lines on preparations are left out."""
    assert run(words) == code
    captured = capsys.readouterr()
    [line] = [line for line in captured.err.splitlines() if not line.startswith("preparing ")]
    assert captured.out == "" and line.startswith("junqi-referee: ")
    return line


def processes_with(text: str, looks: int = 20) -> list[str]:
    """The command lines with a text among the processes of this test run; ending processes get a moment to end.

    With `looks=1` there is no waiting.
    """
    for _ in range(looks):
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                is_ours = MARK.encode() in (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # it ended meanwhile, or belongs to another user
            if is_ours and text in line and int(folder.name) != os.getpid():
                found.append(line)
        if not found:
            break
        time.sleep(0.1)
    return found
