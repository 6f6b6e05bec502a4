"""The console command `junqi-referee`."""

import os
import sys
from typing import NoReturn

from tools.referee.exits import ExitCode


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    if os.name != "posix":
        print("junqi-referee: it needs a POSIX system, such as Linux, macOS or WSL", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
    try:
        # Here, because it loads the rules, which may take long enough for somebody to lose patience.
        from tools.referee.cli import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("junqi-referee: interrupted", file=sys.stderr)
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        # All is saved and stopped by now; taking the compiler's library down properly would take up to a second.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
