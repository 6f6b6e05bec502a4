"""Compiles all kernels before the tests, which have deadlines; parallel workers would each compile the same kernels."""

import pkgutil
import subprocess
import sys

import junqi_puzzles
from tests.helpers.referee import ROOT


def packages() -> list[str]:
    """The packages with their own kernel cache."""
    names = [found.name for found in pkgutil.iter_modules(junqi_puzzles.__path__) if found.ispkg]
    return ["junqi_engine", *(f"junqi_puzzles.{name}" for name in names)]


def compile_kernels() -> None:
    """Compile the kernels that are not cached, on all processors. The tests report packages that fail to compile."""
    subprocess.run([sys.executable, "-m", "junqi_protocol", "--compile"], cwd=ROOT, stdout=sys.stderr)
