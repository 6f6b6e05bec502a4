"""A folder with the sources of a revision: how it is run, and how its kernels are compiled."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.revisions.repository import ROOT, SHORT, RevisionError, find_commit, has_changes

COMPILE_S = 1800.0
"""Compiling one variant takes less than a minute on an idle machine; a program that takes longer than this hangs."""
START = ("-P", "-m", "protocol")
"""What Python is told to start the engine. With `-P` it does not import from the current folder."""


@dataclass(frozen=True)
class Checkout:
    """A folder with the sources of one revision. `kernels` is its kernel cache, None for the default one.

    It runs with the Python and the packages that run this module.
    """

    name: str
    folder: Path
    kernels: Path | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """The command that starts the engine, whatever the current folder is."""
        return ("env", *(f"{name}={value}" for name, value in self._own().items()), sys.executable, *START)

    def environment(self) -> Mapping[str, str]:
        """The environment in which Python imports this revision."""
        return os.environ | self._own()

    def run(self, *arguments: str, timeout_s: float | None = None) -> str:
        """The output of `python ARGUMENTS` in this revision; RevisionError if it fails."""
        command = " ".join(["python", *arguments])
        try:
            done = subprocess.run(
                [sys.executable, *arguments],
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
            )
        except subprocess.TimeoutExpired:
            raise RevisionError(f"{self.name}: '{command}' has not ended within {timeout_s:g} s") from None
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["no error message"])[-1]
            raise RevisionError(f"{self.name}: '{command}' failed with exit code {done.returncode}: {reason}")
        return done.stdout

    def compile(self, variants: Sequence[str]) -> None:
        """Fill the kernel cache, so that no measurement includes compiling. Unknown variants are skipped."""
        for variant in variants:
            words = (f"setoption name UCI_Variant value {variant}", "isready")
            printed = self.run(*START, *words, timeout_s=COMPILE_S)
            failed = [line for line in printed.splitlines() if line.startswith("info string error internal")]
            if failed or "readyok" not in printed.splitlines():
                reason = failed[0] if failed else "no readyok"
                raise RevisionError(f"{self.name}: the kernels of {variant} cannot be compiled: {reason}")

    def _own(self) -> Mapping[str, str]:
        """The environment variables that this revision needs."""
        own = {"PYTHONPATH": str(self.folder)}
        if self.kernels is not None:
            own["JUNQI_ENGINE_CACHE"] = str(self.kernels)
        return own


def this_checkout(root: Path = ROOT) -> Checkout:
    """The working tree, with its uncommitted changes."""
    commit = find_commit("HEAD", root).commit[:SHORT]
    return Checkout(f"{commit} with uncommitted changes" if has_changes(root) else commit, root)
