"""Git revisions of this project as programs: found in the repository, unpacked and compiled once, run beside others.

The uncommitted changes are a revision too, `worktree`. They are read through an index and an object folder of their
own, so nothing in the repository changes.

Each revision has a folder that its hash names: `revisions/HASH` in the user's cache directory for junqi-engine, or
`$JUNQI_ENGINE_CACHE/revisions/HASH`:

| name | contents |
|---|---|
| `sources` | the sources; complete if it exists |
| `kernels` | the kernel cache of this revision, apart from all others |
| `used` | its time is that of the last use; every process that uses the revision has a shared lock on it |
| `building` | locked while the revision is unpacked or compiled |

A folder that has not been used for 30 days is removed when another revision is used. POSIX only.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from junqi_engine.client.own_program import source_roots
from junqi_engine.user_folders import cache_folder as user_cache_folder

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "JUNQI_ENGINE_REPOSITORY"
"""The environment variable that names the folder of the repository."""
WORKTREE = "worktree"
"""The text that names the files as they are now, committed or not."""
SHORT = 7
"""Digits of a hash in names."""
HASH = re.compile(r"[0-9a-f]{40,64}")


class RevisionError(Exception):
    """A revision cannot be found, built or run; the text says why, in one line."""


@dataclass(frozen=True)
class Revision:
    """A commit, by its full hash. `changes` is the hash of the tree with the uncommitted changes, empty without any."""

    commit: str
    changes: str = ""

    def __str__(self) -> str:
        """The full hash, with `+` and the hash of the changes."""
        return "+".join(filter(None, (self.commit, self.changes)))

    @property
    def short(self) -> str:
        """The same with short hashes."""
        return "+".join(part[:SHORT] for part in (self.commit, self.changes) if part)


def repository() -> Path:
    """The repository that revisions are taken from; `RevisionError` if there is none.

    It is the one that the environment variable `JUNQI_ENGINE_REPOSITORY` names, otherwise the checkout that this code
    runs in, otherwise, for an installed package, that of the current folder.
    """
    chosen = os.environ.get(REPOSITORY)
    folder = Path(chosen) if chosen else ROOT if (ROOT / ".git").exists() else Path.cwd()
    try:
        return Path(_git(folder, "rev-parse", "--show-toplevel").rstrip("\n"))
    except GitFailed as error:
        raise RevisionError(
            f"there is no git repository in {folder} ({error.reason}); set {REPOSITORY} to a clone of junqi-engine"
        ) from None


def find_commit(text: str, root: Path) -> Revision:
    """The commit that a text names; `RevisionError` if there is no such commit, no git, or no repository in `root`."""
    _git(root, "rev-parse", "--git-dir")
    try:
        # A leading dash would be an option.
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{text}^{{commit}}")
        found = _git(root, *words).split()[-1]
    except (GitFailed, ValueError):  # a ValueError for a text with a null character
        found = ""
    if not HASH.fullmatch(found):
        raise RevisionError(f"{text!r} is not a revision of the repository in {root}")
    return Revision(found)


def commit_sources(commit: str, root: Path) -> bytes:
    """The sources of a commit, as a tar file."""
    return _git_bytes(root, "archive", "--format=tar", find_commit(commit, root).commit)


def snapshot(root: Path) -> tuple[Revision, bytes]:
    """The files as they are now: tracked ones, and untracked ones that are not ignored; the sources as a tar file."""
    try:
        return _snapshot(root)
    except OSError as error:
        raise RevisionError(f"the files in {root} cannot be copied: {error.strerror or error}") from None


def _snapshot(root: Path) -> tuple[Revision, bytes]:
    head = find_commit("HEAD", root)
    with tempfile.TemporaryDirectory(prefix="junqi-revision-") as name:
        scratch = Path(name)
        objects = _git(root, "rev-parse", "--path-format=absolute", "--git-path", "objects").rstrip("\n")
        index = _git(root, "rev-parse", "--path-format=absolute", "--git-path", "index").rstrip("\n")
        if Path(index).exists():
            shutil.copy2(index, scratch / "index")  # with it, git reads only files that changed
        (scratch / "objects").mkdir()
        apart = {
            "GIT_INDEX_FILE": str(scratch / "index"),
            "GIT_OBJECT_DIRECTORY": str(scratch / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects,
        }
        _git_bytes(root, "add", "--all", environment=apart)
        tree = _git_bytes(root, "write-tree", environment=apart).decode().strip()
        sources = _git_bytes(root, "archive", "--format=tar", tree, environment=apart)
    is_changed = tree != _git(root, "rev-parse", f"{head.commit}^{{tree}}").strip()
    return Revision(head.commit, tree if is_changed else ""), sources


def has_changes(root: Path) -> bool:
    """Whether a tracked file differs from the last commit."""
    return bool(_git(root, "status", "--porcelain", "--untracked-files=no").strip())


class GitFailed(RevisionError):
    """git ended with an error."""

    def __init__(self, root: Path, command: str, reason: str) -> None:
        super().__init__(f"git {command} failed in {root}: {reason}")
        self.reason = reason


def _git(root: Path, *arguments: str) -> str:
    return _git_bytes(root, *arguments).decode(errors="surrogateescape")


def _git_bytes(root: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> bytes:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except FileNotFoundError:
        raise RevisionError("a revision needs git, which is not installed") from None
    except OSError as error:
        raise RevisionError(f"git cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["no error message"])[0]
        raise GitFailed(root, arguments[0], reason)
    return done.stdout


COMPILE_S = 1800.0
"""Compiling one variant takes less than a minute on an idle machine; a program that takes longer than this hangs."""
MODULES = {"protocol/junqi_protocol/__main__.py": "junqi_protocol", "protocol/__main__.py": "protocol"}
"""By its file, the module that starts the engine of a revision."""


def _engine_module(folder: Path) -> str:
    """The module that starts the engine in a folder with sources; empty if there is none."""
    return next((module for file, module in MODULES.items() if (folder / file).is_file()), "")


@dataclass(frozen=True)
class Checkout:
    """A folder with the sources of one revision. `kernels` is its kernel cache, None for the default one.

    It runs with the Python and the packages that run this module.
    """

    name: str
    folder: Path
    kernels: Path | None = None

    @property
    def _start(self) -> tuple[str, ...]:
        """What Python is told to start the engine. With `-P` it does not import from the current folder."""
        return ("-P", "-m", _engine_module(self.folder))

    @property
    def command(self) -> tuple[str, ...]:
        """The command that starts the engine, whatever the current folder is."""
        return ("env", *(f"{name}={value}" for name, value in self._own().items()), sys.executable, *self._start)

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
            printed = self.run(*self._start, *words, timeout_s=COMPILE_S)
            failed = [line for line in printed.splitlines() if line.startswith("info string error internal")]
            if failed or "readyok" not in printed.splitlines():
                reason = failed[0] if failed else "no readyok"
                raise RevisionError(f"{self.name}: the kernels of {variant} cannot be compiled: {reason}")

    def _own(self) -> Mapping[str, str]:
        """The environment variables that this revision needs."""
        own = {"PYTHONPATH": os.pathsep.join(source_roots(str(self.folder)))}
        if self.kernels is not None:
            own["JUNQI_ENGINE_CACHE"] = str(self.kernels)
        return own


def this_checkout(root: Path = ROOT) -> Checkout:
    """The working tree, with its uncommitted changes."""
    commit = find_commit("HEAD", root).commit[:SHORT]
    return Checkout(f"{commit} with uncommitted changes" if has_changes(root) else commit, root)


KEPT_S = 30 * 24 * 3600
USED, BUILDING = "used", "building"
PARTIAL, REMOVED = "partial-", "removed-"
OWN_NAME = re.compile(r"[0-9a-f]{40,64}(\+[0-9a-f]{40,64})?")
"""The name of a folder of this cache; others are left alone."""

_held: dict[Path, int] = {}
"""The descriptors whose locks this process keeps until it ends, by folder."""


def find(text: str, root: Path | None = None, cache: Path | None = None) -> Revision:
    """The revision that a text names: a commit, tag or branch, or `worktree`, whose files are copied at once."""
    root = root or repository()
    if text != WORKTREE:
        return find_commit(text, root)
    revision, sources = snapshot(root)
    _fill(revision, sources, cache)
    return revision


def build(
    revision: Revision, variants: Sequence[str] = (), root: Path | None = None, cache: Path | None = None
) -> Checkout:
    """Unpack a revision unless the cache has it, and compile the kernels of some variants.

    Raises `RevisionError` if that fails. The revision cannot be removed until this process ends.
    """
    checkout = checkout_of(revision, cache)
    home = checkout.folder.parent
    _hold(home)
    with _alone(home):
        if not checkout.folder.exists():
            if revision.changes:
                raise RevisionError(
                    f"{revision.short}: the copy of the uncommitted changes is not in {home}: they exist only on the "
                    f"machine where they were made; commit them to play them elsewhere"
                )
            _unpack(commit_sources(revision.commit, root or repository()), home)
        checkout.compile(variants)
    _remove_disused(home.parent)
    return checkout


def checkout_of(revision: Revision, cache: Path | None = None) -> Checkout:
    """Where a revision is in the cache, whether it has been built or not."""
    home = (cache or cache_folder()) / str(revision)
    return Checkout(revision.short, home / "sources", home / "kernels")


def cache_folder() -> Path:
    """The folder of all revisions, outside of the checkout. RevisionError if this user has no cache."""
    try:
        return user_cache_folder().absolute() / "revisions"
    except FileNotFoundError as error:
        raise RevisionError(str(error)) from error


def _fill(revision: Revision, sources: bytes, cache: Path | None) -> None:
    """Put sources into the cache, unless they are there."""
    home = checkout_of(revision, cache).folder.parent
    _hold(home)
    with _alone(home):
        if not (home / "sources").exists():
            _unpack(sources, home)


def _unpack(archive: bytes, home: Path) -> None:
    """Unpack into a temporary folder and rename it: an interrupted run leaves no half-filled `sources`."""
    try:
        for interrupted in home.glob(f"{PARTIAL}*"):
            shutil.rmtree(interrupted, ignore_errors=True)
        partial = Path(tempfile.mkdtemp(prefix=PARTIAL, dir=home))
        try:
            with tarfile.open(fileobj=BytesIO(archive)) as tar:
                tar.extractall(partial, filter="data")
            # Python would run the engine of an installed package instead.
            if not _engine_module(partial):
                raise RevisionError(f"the revision has no {next(iter(MODULES))}; expected a revision of junqi-engine")
            partial.rename(home / "sources")
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except (OSError, tarfile.TarError) as error:
        raise _cannot_unpack(home, error) from None


def _hold(home: Path) -> None:
    """Say that a revision is in use, from now to the end of this process."""
    used = home / USED
    try:
        while not _is_held(home):
            home.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # it has just been removed
                descriptor = os.open(used, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
                fcntl.flock(descriptor, fcntl.LOCK_SH)
                _held[home] = descriptor
        os.utime(used)
    except OSError as error:
        raise _cannot_unpack(home, error) from None


def _is_held(home: Path) -> bool:
    """Whether this process has a lock on the file that is in the folder now; a lock on a removed file is given up."""
    descriptor = _held.get(home)
    if descriptor is None:
        return False
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(descriptor), (home / USED).stat()):
            return True
    os.close(_held.pop(home))
    return False


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Wait until no other process builds this revision, and let none do so meanwhile."""
    try:
        descriptor = os.open(home / BUILDING, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise _cannot_unpack(home, error) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_disused(cache: Path) -> None:
    """Remove the revisions that no process uses or has used for `KEPT_S`."""
    for home in cache.iterdir():
        with suppress(OSError):  # another process removes it, or it cannot be removed
            if home.name.startswith(REMOVED):
                shutil.rmtree(home, ignore_errors=True)  # a run that removed it was interrupted
            elif OWN_NAME.fullmatch(home.name) and _is_disused(home):
                _remove(home)


def _is_disused(home: Path) -> bool:
    stamp = home / USED if (home / USED).exists() else home
    return time.time() - stamp.stat().st_mtime > KEPT_S


def _remove(home: Path) -> None:
    """Remove a revision unless a process uses it."""
    if not (home / USED).exists():
        shutil.rmtree(home, ignore_errors=True)
        return
    descriptor = os.open(home / USED, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_disused(home):  # nobody used it before the lock
            removed = Path(tempfile.mkdtemp(prefix=REMOVED, dir=home.parent))
            home.rename(removed / home.name)
            shutil.rmtree(removed, ignore_errors=True)
    finally:
        os.close(descriptor)


def _cannot_unpack(home: Path, error: Exception) -> RevisionError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return RevisionError(f"{home}: the revision cannot be unpacked: {reason}")
