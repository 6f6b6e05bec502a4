"""Compiles all kernels before the tests start. Tests watch deadlines, and parallel workers would compile the same."""

import pkgutil
import subprocess
import sys

import junqi_puzzles
from tests.helpers.referee import ROOT


def packages() -> list[str]:
    """The packages that have a kernel cache of their own."""
    names = [found.name for found in pkgutil.iter_modules(junqi_puzzles.__path__) if found.ispkg]
    return ["junqi_engine", *(f"junqi_puzzles.{name}" for name in names)]


def compile_kernels() -> None:
    """Compile what is not cached yet, on all processors. A package that cannot be compiled is reported by its tests."""
    subprocess.run([sys.executable, "-m", "junqi_protocol", "--compile"], cwd=ROOT, stdout=sys.stderr)
