"""Atomic file writes, an exclusive writer lock, and reads that refuse anything but a regular file.

A program that is killed, a full disk or a power failure leaves the old file or the new one, never a part; a killed one
may leave a file `.NAME.*.new`. No function follows a link in the last part of the path of a file or waits for the other
end of a pipe: a name that does not stand for a regular file is an `OSError`.

Windows lacks these locks: there a lock is always granted, and only `write_whole` writes.
"""

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_NAMES_OF_FLAGS = ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
_SAFE = sum(getattr(os, name, 0) for name in _NAMES_OF_FLAGS)
"""The flags of every file: not inherited, no link followed, no waiting for the other end of a pipe."""


def write_whole(path: Path, contents: bytes | memoryview, replaces: bool, mode: int = 0o666) -> None:
    """Write a file with the permissions `mode` less the umask. A replaced file keeps its own (not on Windows).

    `FileExistsError` if the file exists, unless it `replaces`; `OSError` if it cannot be written, or if its name stands
    for anything but a regular file. The contents are on disk before the file gets its name.
    """
    kept = _permissions(path) if replaces else None
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}.new"
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE, mode)
    try:
        if sys.platform != "win32" and kept is not None:
            os.fchmod(file, kept)
        write_all(file, contents)
        os.fsync(file)
        os.close(file)
        if replaces:
            os.replace(temporary, path)
        elif sys.platform == "win32":
            os.rename(temporary, path)
        else:
            os.link(temporary, path)
            temporary.unlink()
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            os.close(file)
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_all(file: int, contents: bytes | memoryview) -> None:
    view = memoryview(contents)
    while view:
        view = view[os.write(file, view) :]


def append_whole(file: int, contents: bytes, end: int) -> None:
    """Append to an open file of `end` bytes and write it to disk. If that fails, cut it back, and raise `OSError`."""
    try:
        write_all(file, contents)
        os.fsync(file)
    except OSError:
        with suppress(OSError):  # a device cannot be cut
            os.ftruncate(file, end)
            os.lseek(file, end, os.SEEK_SET)
        raise


def read_regular(path: Path, max_bytes: int) -> bytes:
    """The contents of a file; `OSError` if it is a link, a folder, a pipe or a device, or has more than `max_bytes`."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _SAFE)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"larger than {max_bytes} bytes", str(path))
    return data


def lock(file: int) -> bool:
    """Lock an open file; False if another process has locked it. A system without locks locks nothing."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def open_folder(folder: Path) -> int:
    """Open a folder, to be locked. OSError on a system that opens no folders, such as Windows."""
    return os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0))


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Create the folder if it is missing, and hold it as its only writer. A symlink to a folder is accepted.

    ValueError if another program holds it, OSError if it cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle = open_folder(folder)
    try:
        if not lock(handle):
            raise ValueError(f"{folder}: another program is writing to it")
        yield
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Write the names of a folder to disk, if the file system supports it."""
    with suppress(OSError):
        handle = open_folder(folder)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _permissions(path: Path) -> int | None:
    """The permissions of a file; None if it is missing, `OSError` if it is not a regular file."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return mode & 0o777
