"""How the command ends: the exit codes, and the one exception that carries one."""

from enum import IntEnum


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
        super().__init__(text)
        self.code = code
