"""The command line of `junqi-referee`: parses the arguments, runs the subcommand, turns errors into exit codes.

The modules of the arguments import neither rules nor numba, so `--help` is printed at once.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from junqi_engine.version import __version__
from tools.referee.commands.arguments import add_commands
from tools.referee.exits import ExitCode, Interrupted, RefereeError


def run(arguments: Sequence[str]) -> int:
    """Run the subcommand that the arguments name; returns the exit code."""
    # A supervisor's SIGTERM ends the run like Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        parsed = _parser().parse_args(arguments)
        return int(parsed.work(parsed))
    except RefereeError as error:
        print(f"junqi-referee: {error}", file=sys.stderr)
        return error.code
    except (KeyboardInterrupt, Interrupted):
        print("junqi-referee: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except MemoryError:
        print("junqi-referee: not enough memory; finished games are in the record", file=sys.stderr)
        return ExitCode.INTERNAL
    except BrokenPipeError:
        # The reader of stdout is gone; without this, Python would report it a second time at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.INTERNAL
    except OSError as error:
        # Of the system, such as a full disk behind stdout or no more files. What is left in the buffer of stdout would
        # fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        where = "" if error.filename is None else f"{error.filename}: "
        print(f"junqi-referee: {where}{error.strerror or error}", file=sys.stderr)
        return ExitCode.INTERNAL


class _Parser(argparse.ArgumentParser):
    """Raises `RefereeError` for wrong arguments."""

    def error(self, message: str) -> NoReturn:
        raise RefereeError(f"{message} (try {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="junqi-referee", description="Matches, tournaments and regressions between engines.")
    parser.add_argument("--version", action="version", version=f"junqi-referee {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    add_commands(commands)
    return parser
