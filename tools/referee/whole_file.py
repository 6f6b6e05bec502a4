"""Files that are written as a whole or not at all, also if the program is killed or the disk is full."""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

NO_NAMELESS_FILES = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT})
"""What systems report that have no files without a name."""


def write_whole(path: Path, contents: bytes, replaces: bool) -> None:
    """Write a file. Raises `FileExistsError` if it exists, unless it `replaces`; `OSError` if it cannot be written.

    The contents are on disk before the file gets its name. On Linux the file has no other name before, so nothing
    remains of a program that is killed; elsewhere a file `.NAME.*.new` may remain.
    """
    temporary = path.parent / f".{path.name}.{secrets.token_hex(6)}.new"
    file, is_nameless = _open_nameless(path.parent), True
    if file is None:
        file, is_nameless = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), False
    try:
        view = memoryview(contents)
        while view:
            view = view[os.write(file, view) :]
        os.fsync(file)
        if is_nameless:
            source = f"/proc/self/fd/{file}"
            # With a folder given, Python calls linkat(), which follows the link to the nameless file.
            os.link(source, temporary if replaces else path, src_dir_fd=file, follow_symlinks=True)
        elif not replaces:
            os.link(temporary, path)
        if replaces:
            os.replace(temporary, path)
    finally:
        os.close(file)
        if replaces or not is_nameless:
            with suppress(FileNotFoundError):
                temporary.unlink()
    _sync_folder(path.parent)


def _open_nameless(folder: Path) -> int | None:
    """A new file in a folder, without a name; None if the system has none."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in NO_NAMELESS_FILES and folder.is_dir():
            return None
        raise


def _sync_folder(folder: Path) -> None:
    """Write the names of a folder to disk."""
    with suppress(OSError):  # some file systems cannot
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
