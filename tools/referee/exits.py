"""How the command ends: the exit codes, and the one exception that carries one."""

from enum import IntEnum

LONGEST_TEXT = 1500


class ExitCode(IntEnum):
    DONE = 0
    INTERNAL = 1
    USAGE = 2
    FAILED = 3
    """A bound of a regression, or a step of a check, does not hold."""
    NO_START = 4
    INTERRUPTED = 130


class RefereeError(Exception):
    """Ends the command with one clear line and an exit code."""

    def __init__(self, text: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(one_line(text))
        self.code = code


def one_line(text: str) -> str:
    """Fit to be shown whatever is quoted in it."""
    shown = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown)
