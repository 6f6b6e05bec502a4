"""`python -m tools.proof.layouts FOLDER [--workers N | --scheduler ADDRESS] [--table]`."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

DESCRIPTION = """\
Survey all layouts of classic Klotski: 4 x 5 cells, one 2 x 2 block, any number of vertical, horizontal and single
pieces, at least two empty cells. For each set of pieces the folder gets a file with the component of each layout and
its distance to the nearest goal (the block at the middle of the bottom) in each metric. A run that was interrupted
continues where it ended. Exit code 4: the folder is not of this command, or the scheduler cannot be used.
"""
EXIT_IMPOSSIBLE = 4
EXIT_INTERRUPTED = 130
MOST_WORKERS = 1024


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    from tools.proof.layouts.folder import Folder, FolderError
    from tools.proof.layouts.progress import survey_all
    from tools.proof.layouts.running import RunningError
    from tools.proof.layouts.table import table, totals

    try:
        folder = Folder(arguments.folder)
        with folder.alone():
            summaries = survey_all(folder, arguments.workers, arguments.scheduler)
    except (FolderError, RunningError) as error:
        print(f"tools.proof.layouts: {error}", file=sys.stderr)
        return EXIT_IMPOSSIBLE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    for line in [*(table(summaries) if arguments.table else ()), *totals(summaries)]:
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.proof.layouts",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the results are; made if it does not exist")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=_workers, default=os.cpu_count() or 1, metavar="N", help="processes, default %(default)s"
    )
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers do the work")
    parser.add_argument("--table", action="store_true", help="print a line for each set of pieces, in Markdown")
    return parser


def _workers(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 1 to {MOST_WORKERS}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
