"""Compiles all kernels before the tests start, each package in a process of its own: `python -m tests.warm_up PACKAGE`.

Tests watch deadlines, and parallel workers would compile the same kernels at the same time.
"""

import importlib
import os
import pkgutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import puzzles
from tests.referee_help import ROOT


def packages() -> list[str]:
    """The packages that have a kernel cache of their own; the largest one comes first."""
    return [
        "junqi_engine",
        *(f"puzzles.{found.name}" for found in pkgutil.iter_modules(puzzles.__path__) if found.ispkg),
    ]


def compile_kernels() -> None:
    """Compile what is not cached yet, on all processors."""
    from junqi_engine.kernels import cache_is_warm

    cold = [package for package in packages() if not cache_is_warm(package)]
    if cold:
        print(f"compiling the kernels of {', '.join(cold)}", file=sys.stderr, flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_compile_apart, cold))


def _compile_apart(package: str) -> None:
    subprocess.run([sys.executable, "-m", "tests.warm_up", package], cwd=ROOT, check=True)


def _compile_here(package: str) -> None:
    """Import every module of a package, which compiles its kernels, and write the manifest of its cache folder."""
    from junqi_engine.kernels import seal

    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        importlib.import_module(found.name)
    seal(package)


if __name__ == "__main__":
    _compile_here(sys.argv[1])
