"""Compiles all kernels before the tests start. Tests watch deadlines, and parallel workers would compile the same."""

import pkgutil
import subprocess
import sys

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
    from junqi_engine.kernel_cache import cache_is_warm

    cold = [package for package in packages() if not cache_is_warm(package)]
    if cold:
        print(f"compiling the kernels of {', '.join(cold)}", file=sys.stderr, flush=True)
        # A package that cannot be compiled is reported by its tests.
        subprocess.run(
            [sys.executable, "-m", "protocol", "--compile"], cwd=ROOT, stdout=subprocess.DEVNULL, check=False
        )
