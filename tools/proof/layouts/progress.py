"""Surveys the sets of pieces that are missing in a folder, and tells how far it is."""

import sys
import time
from contextlib import closing

from tools.proof.layouts.enumeration import Layouts, Pieces, all_pieces
from tools.proof.layouts.folder import Folder, FolderError
from tools.proof.layouts.running import on_cluster, on_this_machine
from tools.proof.layouts.survey import Summary


def survey_all(folder: Folder, workers: int, scheduler: str | None) -> list[Summary]:
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
