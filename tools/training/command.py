"""How the training commands end: what they refuse is one line, and an exit code."""

import signal
import sys
from collections.abc import Callable

from tools.referee.exits import RefereeError, one_line

EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130


def run_command(name: str, run: Callable[[], int], interrupted: str = "interrupted") -> int:
    """The exit code of a command. A ValueError, ImportError, OSError or RefereeError is what it refuses; `interrupted`
    is said after Ctrl-C, and after a supervisor's SIGTERM.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run()
    except KeyboardInterrupt:
        print(f"{name}: {interrupted}", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (ValueError, ImportError, RefereeError) as error:
        reason = str(error)
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        reason = f"{where}{error.strerror or error}"
    finally:
        signal.signal(signal.SIGTERM, before)
    print(f"{name}: {one_line(reason)}", file=sys.stderr)
    return EXIT_REFUSED
