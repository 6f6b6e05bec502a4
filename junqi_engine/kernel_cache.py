"""Where compiled kernels are kept between two starts.

numba notices a change in the file of a kernel, but not in the file of a kernel that it calls. Therefore the name of the
cache folder is a hash of all source files of the kernel's package, of Junqi's for a package of tools, of `kernels.py`
with the compile options, and of the versions of Python, numpy, numba and llvmlite. It is in the user's cache directory,
or in the folder that the environment variable `JUNQI_ENGINE_CACHE` names.

When all kernels are compiled, `seal` writes a manifest with the checksum of every file. A folder in which a file of the
manifest is missing or has changed, or that numba cannot read, is replaced by a fresh one; files that another process
has added since do no harm. A folder that cannot be written is replaced by a temporary one that is removed at exit.
Neither case raises an exception. When something is compiled, folders of other versions that have not been used for two
months are removed.
"""

import atexit
import hashlib
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core import config

MANIFEST = "manifest.json"
TOOLS = "tools"
KEPT_S = 60 * 24 * 3600
USED_AGAIN_S = 24 * 3600

_folders: dict[str, Path] = {}
_intact: dict[Path, bool] = {}
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
            _intact[folder] = _verify(folder)
        except OSError:
            folder = _temporary_folder()
        _folders[package] = folder
    return _folders[package]


def permanent_folder(package: str) -> Path:
    """The folder that processes share, whether or not it can be written."""
    return _cache_root() / f"{package}-{_fingerprint(package)}"


def is_shared(package: str) -> bool:
    """Whether the folder in use is the permanent one."""
    return folder_of(package) not in _temporary


def share_folder(package: str, folder: Path) -> None:
    """Use `folder` as it is: another process has verified it and is filling it."""
    _folders[package] = folder
    _intact[folder] = False
    _borrowed.add(package)


def cache_is_warm(package: str) -> bool:
    """Whether every kernel of `package` can be loaded without compiling."""
    return _intact[folder_of(package)]


def seal(package: str) -> None:
    """Write the manifest of a package's cache, after its last kernel was loaded.

    A package whose parts are loaded one at a time seals after each part, so that new files do not look like damage.
    """
    folder = folder_of(package)
    _prune(folder)
    if _intact[folder] and _listed(folder) == {path.relative_to(folder).as_posix() for path in _files(folder)}:
        return
    try:
        partial = folder / f"{MANIFEST}.{os.getpid()}"
        partial.write_text(json.dumps(_checksums(folder)))
        partial.replace(folder / MANIFEST)
    except OSError:
        return  # without a manifest, the kernels are compiled again at the next start
    _intact[folder] = True


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


def _cache_root() -> Path:
    chosen = os.environ.get("JUNQI_ENGINE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "junqi-engine"


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
    for source in [here, *sources]:
        # numba asks for the path and the time of change as well: another checkout must not find this one's files.
        digest.update(f"{source} {source.stat().st_mtime_ns}\0".encode() + source.read_bytes())
    return digest.hexdigest()[:20]


def _verify(folder: Path) -> bool:
    """Make `folder` usable: whether it is complete and unharmed; a harmed one is emptied first."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")
    if not manifest.exists():
        return False
    intact = _matches_manifest(folder)
    if not intact:
        shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
    elif time.time() - folder.stat().st_mtime > USED_AGAIN_S:
        os.utime(folder)  # it is in use
    return intact


def _matches_manifest(folder: Path) -> bool:
    """Whether every file of the manifest is there and unharmed. True if this process cannot tell for now."""
    try:
        return json.loads((folder / MANIFEST).read_text()).items() <= _checksums(folder).items()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    except (ValueError, AttributeError):
        return False


def _checksums(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in _files(folder)
    }


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.nb?")) if path.is_file()]


def _listed(folder: Path) -> set[str]:
    try:
        return set(json.loads((folder / MANIFEST).read_text()))
    except (OSError, ValueError):
        return set()


def _temporary_folder() -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="junqi-engine-"))
    except OSError:  # no room anywhere: return a folder that cannot be made, which numba cannot use
        folder = Path(os.devnull) / f"junqi-engine-{len(_temporary)}"
    _temporary.append(folder)
    _intact[folder] = False
    return folder


def replace_folder(package: str) -> None:
    """Give up the package's folder, which numba could not read or write, for a fresh temporary one.

    The folder is removed if it is damaged or has no manifest. Otherwise this process alone is in difficulties, for want
    of memory or file descriptors, and others go on using it. A RuntimeError if the folder is another process's, which
    will find the same.
    """
    folder = _folders[package]
    if package in _borrowed:
        raise RuntimeError(f"the cache folder cannot be used: {folder}")
    if not _matches_manifest(folder):
        shutil.rmtree(folder, ignore_errors=True)
    _folders[package] = _temporary_folder()
