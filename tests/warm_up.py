"""Compiles all kernels before the tests start. Tests watch deadlines, and parallel workers would compile the same."""

import pkgutil
import subprocess
import sys

import puzzles
from tests.referee_help import ROOT

LARGEST = "junqi_engine"
"""The largest package of kernels, which is compiled first. Those of the environments need its kernels."""
LOAD_ENVIRONMENTS = "from junqi_engine.env import Batch; Batch(1)"


def packages() -> list[str]:
    """The packages that have a kernel cache of their own."""
    return [LARGEST, *(f"puzzles.{found.name}" for found in pkgutil.iter_modules(puzzles.__path__) if found.ispkg)]


def compile_kernels() -> None:
    """Compile what is not cached yet, on all processors. A package that cannot be compiled is reported by its tests."""
    from junqi_engine.kernel_cache import cache_is_warm

    cold = [package for package in packages() if not cache_is_warm(package)]
    environments = _load_environments() if LARGEST not in cold else None
    if cold:
        print(f"compiling the kernels of {', '.join(cold)}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "protocol", "--compile"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as compiling:
            for line in compiling.stdout or ():
                if line.startswith(f"{LARGEST}: compiled in"):
                    environments = _load_environments()
    if environments is not None:
        environments.wait()


def _load_environments() -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", LOAD_ENVIRONMENTS], cwd=ROOT)
