"""The exit codes of `junqi-referee`, and the exception that carries one."""

import sys
from collections.abc import Sequence
from enum import IntEnum

MAX_MESSAGE = 1500
"""Longer messages are cut to this many characters."""


class ExitCode(IntEnum):
    DONE = 0
    INTERNAL = 1
    USAGE = 2
    FAILED = 3
    """A bound of a regression or a step of a check failed, or a record breaks the rules."""
    NO_START = 4
    INTERRUPTED = 130


class RefereeError(Exception):
    """Ends the command with a message of one line and an exit code."""

    def __init__(self, text: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(one_line(text))
        self.code = code


def one_line(text: str) -> str:
    """The text, cut if too long, with unprintable characters escaped."""
    shown = text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}..."
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown)


def report(errors: Sequence[RefereeError], notes: Sequence[str] = ()) -> ExitCode:
    """Print notes and errors on stderr; the exit code is that of a single error, or `FAILED` for several."""
    for line in (*notes, *errors):
        print(f"junqi-referee: {line}", file=sys.stderr)
    if not errors:
        return ExitCode.DONE
    return errors[0].code if len(errors) == 1 else ExitCode.FAILED


class Interrupted(Exception):
    """The run was interrupted; all finished games are in the record."""
