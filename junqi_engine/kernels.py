"""How numba compiles and caches the hot loops. The puzzles and Junqi share this module.

A kernel is a function decorated with `@kernel(signature)`. It is compiled, or loaded from the cache, when its module is
imported. Signatures must be explicit: a lazily typed recursive function crashes the interpreter when numba loads it
from the cache.

**Cache.** numba notices a change in the file of a kernel, but not in the file of a kernel that it calls. Therefore the
name of the cache folder is a hash of all source files of the kernel's package, of this module, of the compile options,
and of the versions of Python, numpy, numba and llvmlite. It is in the user's cache directory, or in the folder that the
environment variable `JUNQI_ENGINE_CACHE` names.

When all kernels are loaded, `seal` writes a manifest with the checksum of every file. A folder that does not match its
manifest, or that numba cannot read, is replaced by a fresh one; a folder that cannot be written, by a temporary one
that is removed at exit. Neither case raises an exception. When something is compiled, folders of other versions that
have not been used for two months are removed.
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
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config, types
from numba.core.errors import NumbaError
from numba.extending import intrinsic

OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}
MANIFEST = "manifest.json"
KEPT_S = 60 * 24 * 3600
USED_AGAIN_S = 24 * 3600

_folders: dict[str, Path] = {}
_intact: dict[Path, bool] = {}
_temporary: list[Path] = []
_without_cache: set[str] = set()
_instances: set[str] = set()


def record_type(dtype: np.dtype) -> Any:
    """The numba type of one record of an aligned structured `dtype`, for use in signatures."""
    return numba.from_dtype(dtype)


def kernel(signature: Any, **options: Any) -> Callable[[Callable], Callable]:
    """Compile a function for one explicit `signature`, with the options and the cache of this module."""

    def decorate(function: Callable) -> Callable:
        package = _package_of(function.__module__)
        uncached = numba.njit(signature, **(OPTIONS | options | {"cache": False}))
        if package in _without_cache:
            return uncached(function)
        compiler = numba.njit(signature, **(OPTIONS | options))
        _use(_folder(package))
        try:
            return compiler(function)
        except NumbaError:
            raise
        except Exception:  # noqa: BLE001  unpickling a damaged cache file may raise anything
            _replace(package)
        try:
            return compiler(function)
        except (OSError, RuntimeError):  # there is no room for a cache: do not try again for every kernel
            _without_cache.add(package)
            return uncached(function)

    return decorate


def inlined(function: Callable) -> Any:
    """A function whose body is copied into each kernel that calls it: without a signature, a call or code of its own.

    For operations of a few lines on arrays: passing an array to a kernel counts its references.
    """
    return numba.njit(function, inline="always", error_model=OPTIONS["error_model"])


def specialise(
    functions: Iterable[tuple[Callable, Any]], bindings: Mapping[str, Any], tag: str, **options: Any
) -> ModuleType:
    """Compile plain functions, each with its signature, with some globals of their module rebound.

    A kernel that calls an evaluator, or that has one form for small boards and one for large ones, is written once, as
    a plain function that reads the part that varies from a global of its module. numba treats globals as constants, so
    every instance is as fast as one written by hand: constants are folded and calls are direct.

    `bindings` gives the globals of this instance by name: numbers, kernels, or modules of kernels. `functions` are
    compiled in order, and each calls the instances of those before it, and itself. One whose signature is None is
    `inlined`. The result has the compiled functions by their names; it is a module, since kernels can call functions of
    a module.
    `tag`, an identifier, keeps the instances apart in the cache. A `ValueError` names a binding that no function uses,
    or a function that has an instance of this tag already.

        small = specialise([(count, COUNT), (search, SEARCH)], {"WORDS": 1}, "small")
        large = specialise([(count, COUNT), (search, SEARCH)], {"WORDS": 4}, "large")
        small.search(board)

    Closures over kernels would do the same, but numba never finds them in its cache.
    """
    pairs = list(functions)
    used = {name for function, _ in pairs for name in function.__code__.co_names}
    if unused := sorted(set(bindings) - used):
        raise ValueError(f"specialise {tag}: no function uses {', '.join(unused)}")
    for function, _ in pairs:
        name = f"{function.__module__}.{tag}.{function.__name__}"
        if name in _instances:
            raise ValueError(f"specialise {tag}: {function.__name__} already has an instance of this tag")
        _instances.add(name)
    compiled = ModuleType(tag)
    done: dict[str, Any] = {}
    scopes: dict[int, dict[str, Any]] = {}
    for function, signature in pairs:
        # Functions of one module share one set of globals; their own plain versions must not be in it.
        if id(function.__globals__) not in scopes:
            plain = {other.__name__ for other, _ in pairs}
            scope = {name: value for name, value in function.__globals__.items() if name not in plain}
            scopes[id(function.__globals__)] = scope | dict(bindings) | done
        instance = FunctionType(function.__code__, scopes[id(function.__globals__)], function.__name__)
        # The cache uses this name as its key. numba recognises a call to itself by the part after the last dot.
        instance.__qualname__ = f"{tag}.{function.__name__}"
        instance.__doc__ = function.__doc__
        ready = inlined(instance) if signature is None else kernel(signature, **options)(instance)
        setattr(compiled, function.__name__, ready)
        done[function.__name__] = ready
        for scope in scopes.values():
            scope[function.__name__] = ready
    return compiled


def cache_is_warm(package: str) -> bool:
    """Whether every kernel of `package` can be loaded without compiling."""
    return _intact[_folder(package)]


def seal(package: str) -> None:
    """Write the manifest of a package's cache, after its last kernel was loaded.

    A package whose parts are loaded one at a time seals after each part, so that new files do not look like damage.
    """
    folder = _folder(package)
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


def _package_of(module: str) -> str:
    """Junqi is one package of kernels; each puzzle is one of its own, so that none waits for another's."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "puzzles" else parts[0]


def _folder(package: str) -> Path:
    if package not in _folders:
        folder = _cache_root() / f"{package}-{_fingerprint(package)}"
        try:
            _intact[folder] = _verify(folder)
        except OSError:
            folder = _temporary_folder()
        _folders[package] = folder
    return _folders[package]


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
    here = Path(__file__).resolve()
    sources = sorted(here.parent.parent.joinpath(*package.split(".")).rglob("*.py"))
    digest = hashlib.sha256()
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    digest.update(repr((versions, OPTIONS, config.BOUNDSCHECK, config.OPT)).encode())  # type: ignore[attr-defined]
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
    try:
        intact = json.loads(manifest.read_text()) == _checksums(folder)
    except ValueError:
        intact = False
    if not intact:
        shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
    elif time.time() - folder.stat().st_mtime > USED_AGAIN_S:
        os.utime(folder)  # it is in use
    return intact


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


def _replace(package: str) -> None:
    """Give up the package's folder, which numba could not read or write, for a fresh temporary one."""
    shutil.rmtree(_folders[package], ignore_errors=True)
    _folders[package] = _temporary_folder()
    _use(_folders[package])


def _use(folder: Path) -> None:
    # numba asks for its cache directory at the moment a function is decorated, and nowhere else.
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]


@intrinsic
def count_trailing_zeros(typing_context: Any, word: Any) -> Any:
    """Index of the lowest set bit of an unsigned `word`, which must not be 0; an unsigned integer of its width."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return word(word), generate


@intrinsic
def count_ones(typing_context: Any, word: Any) -> Any:
    """Number of set bits of an unsigned `word`; an unsigned integer of its width."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), generate
