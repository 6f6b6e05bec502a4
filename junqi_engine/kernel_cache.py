"""Where compiled kernels are kept between two starts.

numba notices a change in the file of a kernel, but not in the file of a kernel that it calls. Therefore the name of the
cache folder is a hash of all source files of the kernel's package, of Junqi's for a package of tools, of `kernels.py`
with the compile options and of this file, and of the versions of Python, numpy, numba and llvmlite. It is in the user's
cache directory, or in the folder that the environment variable `JUNQI_ENGINE_CACHE` names.

Each file begins with a checksum of its name, its folder's and its contents. One that does not fit it is compiled again
and overwritten, at any time: no damage is ever loaded. So is one that another user owns or may write, and what is not a
regular file. When all kernels are compiled, `seal` writes a manifest of the whole files. A cache is warm when each file
of the manifest is whole; files that another process has added do no harm.

A folder that another user owns or may write, itself or a part, is not used, nor one with a folder in the place of a
file, which one line on stderr says; neither is one that cannot be written. A temporary one serves instead, and is
removed at exit. Neither case raises an exception. When something is compiled, folders of other versions that have not
been used for two months are removed.
"""

import atexit
import hashlib
import json
import os
import pickle
import platform
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import config
from numba.core.caching import IndexDataCacheFile

from junqi_engine.files import open_regular, read_regular
from junqi_engine.foreign_json import read_json

MANIFEST = "manifest.json"
KERNEL_SUFFIX = ".nbc"
MOST_BYTES = 1 << 28
"""Of a file; the largest kernels have a few million."""
TOOLS = "tools"
KEPT_S = 60 * 24 * 3600
USED_AGAIN_S = 24 * 3600
PRIVATE = 0o700
PRIVATE_FILE = 0o600
DIGEST_BYTES = hashlib.sha256().digest_size

_BELONGS = "belongs to another user"

_folders: dict[str, Path] = {}
_is_warm: dict[Path, bool] = {}
_temporary: list[Path] = []
_borrowed: set[str] = set()


def package_of(module: str) -> str:
    """Junqi is one package of kernels; each puzzle and each folder of tools is one of its own, so that none waits for
    another's.
    """
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in ("puzzles", TOOLS) else parts[0]


def folder_of(package: str) -> Path:
    """The folder that this process uses for the kernels of `package`."""
    if package not in _folders:
        try:
            folder = permanent_folder(package)
            _make(folder)
            _is_warm[folder] = _is_complete(folder)
        except OSError:
            folder = _temporary_folder()
        _folders[package] = folder
    return _folders[package]


def permanent_folder(package: str) -> Path:
    """The folder that processes share, whether or not it can be written."""
    chosen = os.environ.get("JUNQI_ENGINE_CACHE")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("junqi-engine", appauthor=False)
    return root / f"{package}-{_fingerprint(package)}"


def is_shared(package: str) -> bool:
    """Whether the folder in use is the permanent one."""
    return folder_of(package) not in _temporary


def share_folder(package: str, folder: Path) -> None:
    """Use `folder` as it is: another process has verified it and is filling it."""
    _folders[package] = folder
    _is_warm[folder] = False
    _borrowed.add(package)


def cache_is_warm(package: str) -> bool:
    """Whether every kernel of `package` can be loaded without compiling."""
    return _is_warm[folder_of(package)]


def seal(package: str) -> None:
    """Write the manifest of a package's cache, after its last kernel was loaded or compiled."""
    folder = folder_of(package)
    _prune(folder)
    try:
        partial = folder / f"{MANIFEST}.{os.getpid()}"
        partial.write_text(json.dumps(sorted(_whole_files(folder))))
        partial.replace(folder / MANIFEST)
    except OSError:
        return  # without a manifest, the next start compiles what is missing
    _is_warm[folder] = True


def _prune(folder: Path) -> None:
    """Remove the package's folders of other versions that have not been used for `KEPT_S`."""
    package = folder.name.rpartition("-")[0]
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.glob(f"{package}-{20 * '[0-9a-f]'}"):
            if time.time() - other.stat().st_mtime > KEPT_S:
                shutil.rmtree(other, ignore_errors=True)


@atexit.register
def remove_temporary_folders() -> None:
    """At exit, or before a process that leaves in another way."""
    for folder in _temporary:
        shutil.rmtree(folder, ignore_errors=True)


def _fingerprint(package: str) -> str:
    """A hash of all that the machine code of `package` depends on."""
    here = Path(__file__).resolve().with_name("kernels.py")
    folders = [here.parent.parent.joinpath(*package.split("."))]
    if package.split(".")[0] == TOOLS:
        # Kernels of tools call those of Junqi.
        folders.append(here.parent)
    sources = sorted(source for folder in folders for source in folder.rglob("*.py"))
    digest = hashlib.sha256()
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    digest.update(repr((versions, config.BOUNDSCHECK, config.OPT)).encode())  # type: ignore[attr-defined]
    for source in [here, Path(__file__).resolve(), *sources]:
        # numba asks for the path and the time of change as well: another checkout must not find this one's files.
        digest.update(f"{source} {source.stat().st_mtime_ns}\0".encode() + source.read_bytes())
    return digest.hexdigest()[:20]


def _make(folder: Path) -> None:
    """Make `folder` if it is not there. An OSError if it cannot be used, also if others could change what is in it."""
    folder.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    inside = [Path(parent, name) for parent, names, _ in os.walk(folder) for name in names]
    for each in (folder, folder.parent, *inside):
        if fault := _fault(each, is_root=each == folder.parent):
            with suppress(OSError):
                print(f"junqi-engine: {each} {fault}: it is not used to keep kernels", file=sys.stderr, flush=True)
            raise PermissionError(f"{each} {fault}")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")


def _fault(folder: Path, is_root: bool) -> str:
    """Why machine code from `folder` cannot be trusted, or not be kept there; empty if it can."""
    if folder.name == MANIFEST or folder.suffix == KERNEL_SUFFIX:
        return "is a folder"
    about = folder.stat()
    # A link of another user may lead elsewhere a moment later.
    if hasattr(os, "geteuid") and folder.lstat().st_uid not in (0, os.geteuid()):
        return _BELONGS
    fault = _fault_of(about)
    if is_root and about.st_mode & stat.S_ISVTX and (about.st_uid == 0 or fault != _BELONGS):
        return ""  # in a folder such as /tmp, others cannot touch what is ours
    return fault


def _fault_of(about: os.stat_result) -> str:
    """What a folder or file lets others do; empty if nothing. Only POSIX has such users and modes."""
    if not hasattr(os, "geteuid"):
        return ""
    if about.st_uid != os.geteuid():
        return _BELONGS
    return "can be written by other users" if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def _is_complete(folder: Path) -> bool:
    """Whether there is a manifest, and every file of it is whole."""
    try:
        listed = set(read_json(read_regular(folder / MANIFEST, MOST_BYTES)))
    except (OSError, ValueError, TypeError):
        return False
    if time.time() - folder.stat().st_mtime > USED_AGAIN_S:
        os.utime(folder)  # it is in use
    return bool(listed) and listed <= _whole_files(folder)


def _whole_files(folder: Path) -> set[str]:
    paths = folder.rglob(f"*{KERNEL_SUFFIX}")
    return {path.relative_to(folder).as_posix() for path in paths if _contents(path) is not None}


def _contents(path: Path) -> bytes | None:
    """What was written after the checksum; None if the file is not there, not whole, or not ours alone. OSError if it
    cannot be read.
    """
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        with os.fdopen(open_regular(path), "rb") as file:
            if _fault_of(os.fstat(file.fileno())):
                return None
            data = file.read(MOST_BYTES)
    except FileNotFoundError:
        return None
    contents = data[DIGEST_BYTES:]
    return contents if data[:DIGEST_BYTES] == _checksum(path, contents) else None


def _checksum(path: Path, contents: bytes) -> bytes:
    """The name and that of the package's folder are part of it: a file that was exchanged for another, or for one of
    another version, is not whole.
    """
    return hashlib.sha256(os.fsencode("/".join(path.parts[-3:])) + b"\0" + contents).digest()


class CheckedFiles(IndexDataCacheFile):
    """The files of one kernel as numba asks for them: one for each key, without an index."""

    def __init__(self, cache_path: str, filename_base: str, source_stamp: object) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        os.chmod(cache_path, PRIVATE)  # numba has made it as the umask allows

    def load(self, key: object) -> Any:
        """What was saved under `key`; None if there is nothing whole."""
        contents = _contents(self._path(key))
        return None if contents is None else pickle.loads(contents)

    def save(self, key: object, data: object) -> None:
        path = self._path(key)
        contents = self._dump(data)
        with self._open_for_write(path) as file:
            os.chmod(file.name, PRIVATE_FILE)
            file.write(_checksum(path, contents) + contents)

    def _path(self, key: object) -> Path:
        """numba's key has the signature, the processor and a hash of the code. All of them print what they are."""
        number = int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:8])
        return Path(self._data_path(self._data_name(number)))


def _temporary_folder() -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="junqi-engine-"))
    except OSError:  # no room anywhere: return a folder that cannot be made, which numba cannot use
        folder = Path(os.devnull) / f"junqi-engine-{len(_temporary)}"
    _temporary.append(folder)
    _is_warm[folder] = False
    return folder


def replace_folder(package: str) -> None:
    """Give up the package's folder, which this process could not read or write, for a fresh temporary one.

    Others go on using it. A RuntimeError if the folder is another process's, which will find the same.
    """
    folder = _folders[package]
    if package in _borrowed:
        raise RuntimeError(f"the cache folder cannot be used: {folder}")
    _folders[package] = _temporary_folder()
