"""`junqi-engine --compile`: compile the kernels of every variant, for installers and container images."""

import importlib
import sys
import time
from collections.abc import Callable

from protocol.catalogue import CATALOGUE
from protocol.worker import describe_exception

COMPILED, FAILED, NOT_WRITABLE = 0, 1, 3
"""Exit codes: all kernels are in the cache; a kernel does not compile; the cache folder cannot be written."""


def compile_everything(write: Callable[[str], None]) -> int:
    """Compile what is not in the cache, print the progress with `write`, and return the exit code.

    An error is one line on stderr.
    """
    cache = importlib.import_module("junqi_engine.kernel_cache")
    compiling = importlib.import_module("junqi_engine.compiling")
    kernels = importlib.import_module("junqi_engine.kernels")
    for package in dict.fromkeys(entry.package for entry in CATALOGUE):
        if not cache.is_shared(package):
            complain(f"the cache folder cannot be written: {cache.permanent_folder(package)}")
            return NOT_WRITABLE
        started = time.monotonic()
        try:
            compiling.import_all(package)
            needed = kernels.kernels_of(package)
            if compiling.are_stored(package, needed):
                write(f"{package}: already compiled")
                continue
            compiling.compile_kernels(
                package, needed, lambda share, name=package: write(f"{name}: {compiling.progress_line(share)}")
            )
        except Exception as error:  # noqa: BLE001  reported, and the exit code says so
            complain(f"{package}: {describe_exception(error)}")
            return FAILED
        if not cache.is_shared(package) or not cache.cache_is_warm(package):
            complain(f"the cache folder cannot be written: {cache.permanent_folder(package)}")
            return NOT_WRITABLE
        write(f"{package}: compiled in {time.monotonic() - started:.1f} s")
    return COMPILED


def complain(text: str) -> None:
    """One line on stderr."""
    print(f"junqi-engine: {text}", file=sys.stderr, flush=True)
