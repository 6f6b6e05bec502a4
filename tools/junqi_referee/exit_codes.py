"""Exit codes, and how a failed command ends.

With `JUNQI_DEBUG=1` in the environment, a command that fails prints the traceback too.
"""

import errno
import os
import shlex
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

MAX_MESSAGE = 1500
"""Longer messages are cut to this many characters."""
RAISE_AGAIN_S = 0.01
"""Delay before a lost Ctrl-C is raised again."""


class ExitCode(IntEnum):
    DONE = 0
    INTERNAL = 1
    USAGE = 2
    FAILED = 3
    """A bound of a regression or a step of a check failed, or a record breaks the rules."""
    NO_START = 4
    INTERRUPTED = 130


class RefereeError(Exception):
    """An error that ends the command, with a message of one line and an exit code."""

    def __init__(self, text: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(one_line(text))
        self.code = code


_SYSTEM_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE}
)
"""Errors that the command line has not caused: of the disk, of memory, too many open files."""


def file_error(where: object, error: OSError) -> RefereeError:
    """The error for a file that cannot be read or written; `where` names it."""
    code = ExitCode.INTERNAL if error.errno in _SYSTEM_ERRORS else ExitCode.USAGE
    return RefereeError(f"{where}: {error.strerror or error}", code)


def read_text(path: Path | Traversable, where: str) -> str:
    """The text of a file, which may begin with a byte-order mark; `where` names it in errors."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise file_error(where, error) from error
    except UnicodeDecodeError as error:
        raise RefereeError(f"{where}: not UTF-8: {error}") from error


def one_line(text: str) -> str:
    """The text, cut if too long, with unprintable characters escaped."""
    shown = text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}..."
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown)


def report(errors: Sequence[RefereeError], notes: Sequence[str] = ()) -> ExitCode:
    """Print notes and errors on stderr; return the exit code of a single error, or `FAILED` for several."""
    for line in (*notes, *errors):
        print(f"junqi-referee: {line}", file=sys.stderr)
    if not errors:
        return ExitCode.DONE
    return errors[0].code if len(errors) == 1 else ExitCode.FAILED


class Interrupted(Exception):
    """The run was interrupted. All finished games are in the record; the text, if any, says how to resume."""


def how_to_continue() -> str:
    """The command that continues this one after an interruption, as a text of two lines."""
    words = [word for word in sys.argv[1:] if word != "--resume"]
    return f"continue with:\n{command_line([*words, '--resume'])}"


def command_line(words: Sequence[str] | None = None) -> str:
    """The command with some arguments, by default those of this process."""
    return shlex.join(["junqi-referee", *(sys.argv[1:] if words is None else words)])


def run_command(
    name: str, run: Callable[[], int], interrupted: str = "interrupted", refusals: tuple[type[Exception], ...] = ()
) -> int:
    """Run a command and return its exit code. An error is printed on stderr, in one line after the command's name.

    `refusals` are exceptions shown without traceback, besides `RefereeError`. `interrupted` is printed after Ctrl-C,
    SIGTERM and SIGHUP.
    """
    try:
        with _heeding_signals():
            return run()
    except RefereeError as error:
        fault: BaseException = error
        text, code = str(error), error.code
    except refusals as error:
        fault, text, code = error, one_line(str(error)), ExitCode.USAGE
    except (KeyboardInterrupt, Interrupted) as error:
        fault, text, code = error, str(error) or interrupted, ExitCode.INTERRUPTED
    except MemoryError as error:
        fault, text, code = error, "not enough memory; finished games are in the record", ExitCode.INTERNAL
    except OSError as error:
        fault = error
        # An error of the system, such as a full disk behind stdout or too many open files. The rest in the buffer of
        # stdout would fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):  # the reader of stdout is gone
            return ExitCode.INTERNAL
        where = "" if error.filename is None else f"{error.filename}: "
        text, code = f"{where}{error.strerror or error}", ExitCode.INTERNAL
    if os.environ.get("JUNQI_DEBUG") == "1":
        traceback.print_exception(fault)
    print(f"{name}: {text}", file=sys.stderr)
    return code


@contextmanager
def _heeding_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt, as Ctrl-C does; nohup ignores SIGHUP.

    Python drops an exception in a destructor or in a callback of an import, and loading numba and kernels runs
    thousands of these. A KeyboardInterrupt that was dropped is raised again.
    """
    heeded = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) != signal.SIG_IGN]
    before = {each: signal.signal(each, signal.default_int_handler) for each in heeded}
    drop = sys.unraisablehook

    def send() -> None:
        if signal.getsignal(signal.SIGTERM) is signal.default_int_handler:
            os.kill(os.getpid(), signal.SIGTERM)

    def dropped(lost: Any) -> None:
        if lost.exc_type is KeyboardInterrupt:
            threading.Timer(RAISE_AGAIN_S, send).start()
        else:
            drop(lost)

    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = drop
        for each, handler in before.items():
            signal.signal(each, handler)
