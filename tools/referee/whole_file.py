"""Files that are written as a whole or not at all, also if the program is killed or the disk is full."""

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

NO_NAMELESS_FILES = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT})
"""What systems report that have no files without a name."""


def write_whole(path: Path, contents: bytes, replaces: bool) -> None:
    """Write a file. Raises `FileExistsError` if it exists, unless it `replaces`; `OSError` if it cannot be written.

    The contents are on disk before the file gets its name. On Linux a new file has no other name before, so nothing
    remains of a program that is killed. While a file is replaced, and elsewhere always, a kill may leave a whole file
    `.NAME.junqi-engine.new`, which the next replacement removes.
    """
    temporary = path.parent / f".{path.name}.junqi-engine.new"
    file = _open_nameless(path.parent)
    is_nameless = file is not None
    if file is None:
        _remove_stale(temporary)
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    has_temporary = not is_nameless
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        view = memoryview(contents)
        while view:
            view = view[os.write(file, view) :]
        os.fsync(file)
        source = f"/proc/self/fd/{file}" if is_nameless else str(temporary)
        try:
            _link(source, path, file)
        except FileExistsError:
            if not replaces:
                raise
            if is_nameless:
                _remove_stale(temporary)
                _link(source, temporary, file)
            has_temporary = True
            os.replace(temporary, path)
    finally:
        if has_temporary:
            temporary.unlink(missing_ok=True)
        os.close(file)
    _sync_folder(path.parent)


def _link(source: str, path: Path, folder: int) -> None:
    # With a folder given, Python calls linkat(), which follows the link in /proc to the nameless file.
    os.link(source, path, src_dir_fd=folder, follow_symlinks=True)


def _remove_stale(temporary: Path) -> None:
    """Remove what a killed program has left behind; `FileExistsError` if another one is just replacing the file."""
    try:
        file = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        temporary.unlink(missing_ok=True)
    except BlockingIOError as error:
        raise FileExistsError(errno.EEXIST, "another program is replacing it", str(temporary)) from error
    finally:
        os.close(file)


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
