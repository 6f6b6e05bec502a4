"""The program of an engine: a command, or a git revision of this project."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.referee.exits import ExitCode, RefereeError
from tools.referee.settings.readers import read_text
from tools.revisions.cache import checkout_of, find
from tools.revisions.checkout import START
from tools.revisions.repository import Revision, RevisionError

COMMAND, REVISION = "cmd", "rev"
PROGRAM_KEYS: Mapping[str, str] = {COMMAND: "COMMAND", REVISION: "REVISION"}
"""The keys that name a program, with the form of their values; an engine has one of them."""


@dataclass(frozen=True)
class Program:
    """What an engine runs. `name` is the default name of the engine.

    A revision has the same `command` on every machine, for people to read; `start_command` starts it.
    """

    name: str
    command: tuple[str, ...]
    revision: Revision | None = None

    @property
    def start_command(self) -> tuple[str, ...]:
        """The command that starts the program on this machine; a revision must have been built."""
        return self.command if self.revision is None else checkout_of(self.revision).command


def read_program(table: Mapping[str, Any], where: str) -> Program:
    """The program of a table `[[engine]]`.

    A revision that does not exist, or cannot be read, is an engine that does not start.
    """
    if COMMAND in table and REVISION in table:
        raise RefereeError(f"{where}: {COMMAND} and {REVISION} exclude each other")
    if REVISION not in table:
        command = _read_command(table.get(COMMAND, ""), where)
        return Program(Path(command[0]).name, command)
    try:
        revision = find(read_text(table[REVISION], where, REVISION))
    except RevisionError as error:
        raise RefereeError(f"{where}: {REVISION}={table[REVISION]}: {error}", ExitCode.NO_START) from error
    return Program(revision.short, ("python", *START), revision)


def _read_command(command: Any, where: str) -> tuple[str, ...]:
    """A command as its words, from one string or a list of strings."""
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise RefereeError(f"{where}: cmd={command}: {error}") from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RefereeError(f"{where}: cmd={command} must be a string or a list of strings")
    if not words or not words[0]:
        raise RefereeError(f"{where}: cmd is missing")
    return tuple(words)
