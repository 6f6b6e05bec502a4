"""The console command `junqi-referee`."""

import sys
from typing import NoReturn

from tools.referee.cli import run


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
