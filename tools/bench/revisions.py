"""Another git revision, unpacked into a cache folder and compiled, to be measured next to this checkout.

The folder is named by the commit: `~/.cache/junqi-engine/revisions/COMMIT`, or `$JUNQI_ENGINE_CACHE/revisions/COMMIT`.
It holds the sources and the kernels of that revision, so a second comparison starts at once. The revision runs with
the Python and the packages that run this module.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHORT_COMMIT = 10


class BenchError(Exception):
    """The comparison is impossible; the text says why, in one line."""


@dataclass(frozen=True)
class Checkout:
    """A folder with the sources of one revision. `kernels` is its kernel cache, None for the default one."""

    name: str
    folder: Path
    kernels: Path | None = None

    def environment(self) -> Mapping[str, str]:
        """The environment in which Python imports this revision."""
        own = {"PYTHONPATH": str(self.folder)}
        if self.kernels is not None:
            own["JUNQI_ENGINE_CACHE"] = str(self.kernels)
        return os.environ | own

    def run(self, *arguments: str) -> str:
        """The output of `python ARGUMENTS` in this revision; BenchError if it fails."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["no error message"])[-1]
            command = " ".join(["python", *arguments])
            raise BenchError(f"{self.name}: '{command}' failed with exit code {done.returncode}: {reason}")
        return done.stdout

    def compile(self, variants: Sequence[str]) -> None:
        """Fill the kernel cache, so that no measurement includes compiling. Unknown variants are skipped."""
        for variant in variants:
            printed = self.run("-m", "protocol", f"setoption name UCI_Variant value {variant}", "isready")
            failed = [line for line in printed.splitlines() if line.startswith("info string error internal")]
            if failed or "readyok" not in printed.splitlines():
                reason = failed[0] if failed else "no readyok"
                raise BenchError(f"{self.name}: the kernels of {variant} cannot be compiled: {reason}")


def this_checkout(root: Path = ROOT) -> Checkout:
    """The working tree, with its uncommitted changes."""
    commit = _git(root, "rev-parse", "HEAD").strip()[:SHORT_COMMIT]
    changed = _git(root, "status", "--porcelain", "--untracked-files=no").strip()
    return Checkout(f"{commit} with uncommitted changes" if changed else commit, root)


def unpacked(revision: str, root: Path = ROOT, cache: Path | None = None) -> Checkout:
    """The sources of a revision in the cache folder; BenchError if there is no such revision, git or space."""
    commit = _commit(revision, root)
    home = (cache or cache_folder()) / commit
    sources = home / "sources"
    if not sources.exists():
        archive = _git_bytes(root, "archive", "--format=tar", commit)
        try:
            _unpack(archive, home, sources)
        except OSError as error:
            raise BenchError(f"{sources}: the revision cannot be unpacked: {error.strerror or error}") from None
    return Checkout(commit[:SHORT_COMMIT], sources, home / "kernels")


def cache_folder() -> Path:
    """The folder of all unpacked revisions, outside of the checkout."""
    chosen = os.environ.get("JUNQI_ENGINE_CACHE")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (Path(chosen) if chosen else base / "junqi-engine") / "revisions"


def _unpack(archive: bytes, home: Path, sources: Path) -> None:
    """Unpack into a temporary folder and rename it: an interrupted run leaves no half-filled `sources`."""
    home.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix="partial-", dir=home))
    try:
        with tarfile.open(fileobj=BytesIO(archive)) as tar:
            tar.extractall(partial, filter="data")
        try:
            partial.rename(sources)
        except OSError:
            # Another process unpacked the same revision in the meantime.
            if not sources.exists():
                raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _commit(revision: str, root: Path) -> str:
    _git(root, "rev-parse", "--git-dir")
    try:
        # A leading dash would be an option.
        return _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").split()[-1]
    except BenchError:
        raise BenchError(f"{revision!r} is not a revision of the repository in {root}") from None


def _git(root: Path, *arguments: str) -> str:
    return _git_bytes(root, *arguments).decode(errors="replace")


def _git_bytes(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
    except FileNotFoundError:
        raise BenchError("--against needs git, which is not installed") from None
    if done.returncode != 0:
        reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["no error message"])[0]
        raise BenchError(f"git {arguments[0]} failed in {root}: {reason}")
    return done.stdout
