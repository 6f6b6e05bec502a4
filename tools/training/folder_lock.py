"""One program at a time writes to a folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Make the folder if need be, and be the only one that writes to it. ValueError if another program does, OSError if
    it cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{folder}: another program is writing to it") from None
        yield
    finally:
        os.close(handle)
