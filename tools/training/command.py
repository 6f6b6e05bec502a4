"""How the training commands end: what they refuse is one line, and an exit code."""

import sys
from collections.abc import Callable

EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130


def run_command(name: str, run: Callable[[], int], interrupted: str = "interrupted") -> int:
    """The exit code of a command. A ValueError, ImportError or OSError is what it refuses; `interrupted` is said after
    Ctrl-C.
    """
    try:
        return run()
    except KeyboardInterrupt:
        print(f"{name}: {interrupted}", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (ValueError, ImportError) as error:
        reason = str(error)
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        reason = f"{where}{error.strerror or error}"
    print(f"{name}: {reason}", file=sys.stderr)
    return EXIT_REFUSED
