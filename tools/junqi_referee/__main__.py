"""The console command `junqi-referee`."""

import os
import signal

USUAL = signal.getsignal(signal.SIGINT)
"""The handler of Ctrl-C while a command runs. A shell ignores Ctrl-C in the background."""
if USUAL != signal.SIG_IGN:  # Ctrl-C would interrupt an import, with a traceback
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import io
import sys
from typing import NoReturn

from junqi_referee.exit_codes import ExitCode

NEEDS_POSIX = "it locks record files by fcntl and waits for engines by poll"


def main() -> NoReturn:
    if os.name != "posix":
        print(f"junqi-referee: requires a POSIX system, such as Linux, macOS or WSL: {NEEDS_POSIX}", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
    for stream in (sys.stdout, sys.stderr):
        # Names of files and engines may not be text, and a terminal may not have all characters.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        from junqi_referee.cli import run

        signal.signal(signal.SIGINT, USUAL)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("junqi-referee: interrupted", file=sys.stderr)
        code = ExitCode.INTERRUPTED
    except (MemoryError, ImportError, OSError) as error:
        # A library could not be loaded: it is missing, or there is too little memory or too few files for it.
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        print(f"junqi-referee: cannot start: {reason}", file=sys.stderr)
        code = ExitCode.INTERNAL
    if code == ExitCode.INTERRUPTED:
        # Everything is saved and stopped. A regular exit would take up to a second to shut down the compiler's library.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
