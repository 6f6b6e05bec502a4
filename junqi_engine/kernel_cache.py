"""The cache of compiled kernels on the disk.

The name of the cache folder is a hash of everything that the machine code depends on: the source files that declare
kernels of a package and all files that these import, among them `kernels.py` with the compile options and this file;
the versions of Python, numpy, numba and llvmlite; the processor. So no entry can be out of date, and all copies of one
version share it. It is in the user's cache directory, or in the folder that the environment variable
`JUNQI_ENGINE_CACHE` names.

A folder is used if it and its parent belong to this user or to root, and no other user may write to them: others could
put their machine code there. A read-only folder is used, but missing kernels are compiled at each start. `cache_fault`
says why compiled kernels are not saved. Damaged entries are compiled again. No function raises an exception because of
what is on the disk.
"""

import hashlib
import importlib.util
import os
import pickle
import platform
import re
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core import codegen, config

from junqi_engine.user_folders import cache_folder

KERNEL_SUFFIX = ".nbc"
ENGINE, PUZZLES = "junqi_engine", "junqi_puzzles"
DECLARES_KERNELS = b"kernel("
IMPORTS = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
WORDS = re.compile(r"\w+")
KEPT_S = 60 * 24 * 3600
USED_AGAIN_S = 24 * 3600
OTHERS_READ, OTHERS_ENTER = 0o644, 0o755
"""The permissions of new files and folders, less the umask."""

_folders: dict[str, Path | None] = {}
_faults: dict[str, str] = {}


def package_of(module: str) -> str:
    """The package that a module's kernels belong to: Junqi, one puzzle, or the training. Each is compiled alone."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == PUZZLES else parts[0]


def folder_of(package: str) -> Path | None:
    """The cache folder of `package` for this process; None if no folder may be used."""
    if package not in _folders:
        try:
            _folders[package] = _open(permanent_folder(package).resolve())
        except OSError as error:
            _folders[package] = None
            _faults[package] = str(error)
    return _folders[package]


def permanent_folder(package: str) -> Path:
    """The shared cache folder of `package`, usable or not. FileNotFoundError if the user has no home directory."""
    return cache_folder() / f"{package}-{_fingerprint(package)}"


def cache_fault(package: str) -> str:
    """The reason why compiled kernels of `package` are not saved; empty if they are."""
    folder = folder_of(package)
    if folder is None:
        return _faults[package]
    return "" if os.access(folder, os.W_OK) else f"{folder} cannot be written"


def has_kernels(package: str) -> bool:
    """Whether the cache has any kernel of `package`."""
    folder = folder_of(package)
    return folder is not None and any(folder.glob(f"*{KERNEL_SUFFIX}"))


def has_entry(package: str, name: str) -> bool:
    """Whether the cache has an entry of this name."""
    folder = folder_of(package)
    return folder is not None and (folder / f"{name}{KERNEL_SUFFIX}").exists()


def load_kernel(package: str, name: str) -> Any:
    """The entry saved under this name; None if it is missing or damaged."""
    folder = folder_of(package)
    if folder is None:
        return None
    try:
        return pickle.loads((folder / f"{name}{KERNEL_SUFFIX}").read_bytes())
    except Exception:  # noqa: BLE001  a damaged entry can raise anything; the kernel is then compiled again
        return None


def save_kernel(package: str, name: str, data: bytes) -> None:
    """Save a pickle under a name, if the cache can be written."""
    folder = folder_of(package)
    if folder is None:
        return
    path = folder / f"{name}{KERNEL_SUFFIX}"
    partial = folder / f"{path.name}.tmp.{os.getpid()}"
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OTHERS_READ), "wb") as file:
            file.write(data)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()


def prune(package: str) -> None:
    """Remove folders of other versions of the package that have not been used for `KEPT_S` seconds."""
    folder = folder_of(package)
    if folder is None:
        return
    with suppress(OSError):
        for other in folder.parent.glob(f"{package}-{20 * '[0-9a-f]'}"):
            if other != folder and time.time() - other.stat().st_mtime > KEPT_S:
                shutil.rmtree(other, ignore_errors=True)


def _fingerprint(package: str) -> str:
    """A hash of everything that the machine code of `package` depends on."""
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    options: Any = config
    processor = (
        binding.get_process_triple(),
        options.CPU_NAME or binding.get_host_cpu_name(),
        codegen.get_host_cpu_features() if options.CPU_FEATURES is None else options.CPU_FEATURES,
    )
    digest = hashlib.sha256(repr((versions, processor, options.BOUNDSCHECK, options.OPT)).encode())
    for name, contents in sorted(_sources(package).items()):
        digest.update(f"{name} {len(contents)}\0".encode() + contents)
    return digest.hexdigest()[:20]


def _sources(package: str) -> dict[str, bytes]:
    """The files of `package` that declare kernels and all files that these import, by module name."""
    contents = {}
    for name in {package.partition(".")[0], ENGINE}:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.submodule_search_locations is not None  # it is a package that exists
        for folder in map(Path, spec.submodule_search_locations):
            for source in folder.rglob("*.py"):
                module = ".".join((name, *source.relative_to(folder).with_suffix("").parts))
                contents[module] = source.read_bytes()
    waiting = [name for name, text in contents.items() if package_of(name) == package and DECLARES_KERNELS in text]
    waiting.append(__name__)
    found: dict[str, bytes] = {}
    while waiting:
        name = waiting.pop()
        if name in contents and name not in found:
            found[name] = contents[name]
            for module, names in IMPORTS.findall(contents[name].decode()):
                waiting += [module, *(f"{module}.{each}" for each in WORDS.findall(names))]
    return found


def _open(folder: Path) -> Path:
    """Create the folder if it is missing. OSError if it cannot be used, or if another user could change it."""
    folder.parent.mkdir(mode=OTHERS_ENTER, parents=True, exist_ok=True)
    folder.mkdir(mode=OTHERS_ENTER, exist_ok=True)
    if hasattr(os, "geteuid"):  # POSIX
        for each in (folder, folder.parent):
            about = each.stat()
            if about.st_uid not in (0, os.geteuid()):
                raise PermissionError(f"{each} belongs to another user")
            # In a sticky parent, such as /tmp, other users cannot change our folder.
            is_sticky = each != folder and about.st_mode & stat.S_ISVTX
            if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not is_sticky:
                raise PermissionError(f"{each} can be written by other users")
    if time.time() - folder.stat().st_mtime > USED_AGAIN_S:
        with suppress(OSError):
            os.utime(folder)  # mark it as used, for `prune`
    return folder
