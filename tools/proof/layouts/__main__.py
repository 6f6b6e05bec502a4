"""`python -m tools.proof.layouts FOLDER [--workers N | --scheduler ADDRESS] [--table]`."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tools.proof.layouts.enumeration import Layouts, Pieces, all_pieces
from tools.proof.layouts.folder import Folder, FolderError
from tools.proof.layouts.running import RunningError, on_cluster, on_this_machine
from tools.proof.layouts.survey import Summary
from tools.proof.layouts.table import table, totals

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
    try:
        folder = Folder(arguments.folder)
        with folder.alone():
            summaries = _survey(folder, arguments.workers, arguments.scheduler)
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


def _survey(folder: Folder, workers: int, scheduler: str | None) -> list[Summary]:
    """Survey the sets that have no file; the summaries of all sets that have layouts."""
    sizes = {pieces: len(Layouts(pieces)) for pieces in all_pieces()}
    sets = [pieces for pieces, size in sizes.items() if size]
    # The largest first, so that none is left for one worker at the end.
    missing = sorted((one for one in sets if folder.summary(one) is None), key=lambda one: -sizes[one])
    started = time.monotonic()
    done_layouts, all_layouts = 0, sum(sizes[pieces] for pieces in missing)
    if missing:
        running = on_cluster(missing, scheduler) if scheduler else on_this_machine(missing, workers)
        with closing(running):
            for number, (pieces, contents) in enumerate(running, start=1):
                folder.write(pieces, contents)
                done_layouts += sizes[pieces]
                print(
                    f"{number} of {len(missing)}: {pieces}, {sizes[pieces]:,} layouts;"
                    f" {100 * done_layouts / all_layouts:.0f} % after {time.monotonic() - started:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
    return [_known(folder, pieces) for pieces in sets]


def _known(folder: Folder, pieces: Pieces) -> Summary:
    summary = folder.summary(pieces)
    if summary is None:
        raise FolderError(f"{folder.file(pieces)} has vanished")
    return summary


if __name__ == "__main__":
    sys.exit(main())
