"""Git revisions of this project as programs: worktrees of git, checked out and compiled once, run beside others.

The uncommitted changes are a revision too, `worktree`, as `git stash create` stores them: files that git does not track
are not in it. Each revision has a folder that its hash names: `revisions/HASH` in the user's cache directory for
junqi-engine, or `$JUNQI_ENGINE_CACHE/revisions/HASH`:

| name | contents |
|---|---|
| `sources` | the worktree |
| `kernels` | the kernel cache of this revision, apart from all others |
| `used` | made when `sources` is complete; its time is that of the last use |

A folder that has not been used for 30 days is removed when another revision is used. POSIX only.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from junqi_engine.user_folders import cache_folder as user_cache_folder

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "JUNQI_ENGINE_REPOSITORY"
"""The environment variable that names the folder of the repository."""
WORKTREE = "worktree"
"""The text that names the tracked files as they are now, committed or not."""
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
    """The commit that a text names; `RevisionError` without it, without git, or without a repository in `root`."""
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


def working_tree(root: Path) -> tuple[Revision, str]:
    """The tracked files as they are now, as a revision, and the commit that git has them in."""
    head = find_commit("HEAD", root)
    stash = _git(root, "stash", "create").strip()
    if not stash:
        return head, head.commit
    return Revision(head.commit, _git(root, "rev-parse", f"{stash}^{{tree}}").strip()), stash


class GitFailed(RevisionError):
    def __init__(self, root: Path, command: str, reason: str) -> None:
        super().__init__(f"git {command} failed in {root}: {reason}")
        self.reason = reason


def _git(root: Path, *arguments: str) -> str:
    """The output of a git command, which runs no hooks."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "-c", f"core.hooksPath={os.devnull}", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="surrogateescape",
        )
    except FileNotFoundError:
        raise RevisionError("a revision needs git, which is not installed") from None
    except OSError as error:
        raise RevisionError(f"git cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        lines = done.stderr.encode(errors="replace").decode().strip().splitlines()
        raise GitFailed(root, arguments[0], (lines or ["no error message"])[-1])
    return done.stdout


COMPILE_S = 1800.0
"""Compiling one variant takes less than a minute on an idle machine; a program that takes longer than this hangs."""
PROGRESS = "info string compiling kernels: "
"""The beginning of the lines in which an engine reports the percentage that is compiled."""
MODULES = {"protocol/junqi_protocol/__main__.py": "junqi_protocol", "protocol/__main__.py": "protocol"}
"""The module that starts the engine of a revision, by its file."""
SOURCE_ROOTS = ("", "protocol", "puzzles", "tools")
"""The folders of packages; the first revisions have the first one alone."""


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
        """The arguments of Python that start the engine. With `-P` it does not import from the current folder."""
        return ("-P", "-m", _engine_module(self.folder))

    @property
    def command(self) -> tuple[str, ...]:
        """The command that starts the engine, whatever the current folder is."""
        return ("env", *(f"{name}={value}" for name, value in self._own().items()), sys.executable, *self._start)

    def run(self, *arguments: str) -> str:
        """The output of `python ARGUMENTS` in this revision; RevisionError if it fails."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=os.environ | self._own(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode != 0:
            command = " ".join(["python", *arguments])
            reason = (done.stderr.strip().splitlines() or ["no error message"])[-1]
            raise RevisionError(f"{self.name}: '{command}' failed with exit code {done.returncode}: {reason}")
        return done.stdout

    def compile(self, variants: Sequence[str], say: Callable[[str], None] = lambda text: None) -> None:
        """Fill the kernel cache, so that no measurement includes compiling; `say` gets the progress."""
        for variant in variants:
            with subprocess.Popen(
                [*self.command, f"setoption name UCI_Variant value {variant}", "isready"],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            ) as process:
                deadline = threading.Timer(COMPILE_S, process.kill)
                deadline.daemon = True
                deadline.start()
                lines = []
                try:
                    for line in process.stdout or ():
                        lines.append(line.strip())
                        if lines[-1].startswith(PROGRESS):
                            share = lines[-1].removeprefix(PROGRESS)
                            say(f"building revision {self.name} (compiling kernels; may take minutes): {share}")
                    process.wait()
                    is_late = not deadline.is_alive()
                finally:
                    process.kill()  # if this program is interrupted
                    deadline.cancel()
            reason = next((line for line in lines if line.startswith("info string error internal")), "")
            if is_late:
                reason = f"they are not ready within {COMPILE_S:g} s"
            elif process.returncode:
                reason = f"exit code {process.returncode}: {lines[-1] if lines else 'no error message'}"
            elif not reason and "readyok" not in lines:
                reason = "no readyok"
            if reason:
                raise RevisionError(f"{self.name}: the kernels of {variant} cannot be compiled: {reason}")

    def _own(self) -> Mapping[str, str]:
        """The environment variables that this revision needs."""
        roots = SOURCE_ROOTS if self._start[-1] == "junqi_protocol" else SOURCE_ROOTS[:1]
        own = {"PYTHONPATH": os.pathsep.join(str(self.folder / root) for root in roots)}
        if self.kernels is not None:
            own["JUNQI_ENGINE_CACHE"] = str(self.kernels)
        return own


def this_checkout(root: Path = ROOT) -> Checkout:
    """The working tree, with its uncommitted changes."""
    commit = find_commit("HEAD", root).commit[:SHORT]
    is_changed = bool(_git(root, "status", "--porcelain", "--untracked-files=no").strip())
    return Checkout(f"{commit} with uncommitted changes" if is_changed else commit, root)


KEPT_S = 30 * 24 * 3600
OWN_NAME = re.compile(r"[0-9a-f]{40,64}(\+[0-9a-f]{40,64})?")
"""The name of a folder of this cache; others are left alone."""


def find(text: str, root: Path | None = None) -> Revision:
    """The revision that a text names: a commit, tag or branch, or `worktree`, whose files are copied at once."""
    root = root or repository()
    if text != WORKTREE:
        return find_commit(text, root)
    revision, commit = working_tree(root)
    _check_out(revision, commit, root)
    return revision


def build(
    revision: Revision,
    variants: Sequence[str] = (),
    root: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Checkout:
    """Check out a revision unless the cache has it, and compile the kernels of some variants.

    `say` gets the progress. `RevisionError` if it fails.
    """
    checkout = checkout_of(revision)
    home = checkout.folder.parent
    if not (home / "used").exists():
        if revision.changes:
            raise RevisionError(
                f"{revision.short}: the copy of the uncommitted changes is not in {home}: they exist only on the "
                f"machine where they were made; commit them to play them elsewhere"
            )
        root = root or repository()
        _check_out(revision, find_commit(revision.commit, root).commit, root)
    with _alone(home):
        (home / "used").touch()
        checkout.compile(variants, say)
    for other in home.parent.iterdir():
        if OWN_NAME.fullmatch(other.name) and _is_disused(other):
            with _alone(other):
                if _is_disused(other):  # nobody began to use it while this process waited
                    shutil.rmtree(other, ignore_errors=True)
    return checkout


def _is_disused(home: Path) -> bool:
    used = home / "used"
    return used.exists() and time.time() - used.stat().st_mtime > KEPT_S


def checkout_of(revision: Revision) -> Checkout:
    """The folder of a revision in the cache, built or not; `RevisionError` if there is no cache."""
    try:
        home = user_cache_folder().absolute() / "revisions" / str(revision)
    except FileNotFoundError as error:
        raise RevisionError(str(error)) from error
    return Checkout(revision.short, home / "sources", home / "kernels")


def _check_out(revision: Revision, commit: str, root: Path) -> None:
    """Make the worktree of a revision, unless it is complete. The rest of an interrupted run is removed."""
    sources = checkout_of(revision).folder
    home = sources.parent
    with _alone(home):
        if (home / "used").exists():
            return
        shutil.rmtree(sources, ignore_errors=True)
        _git(root, "worktree", "prune")
        _git(root, "worktree", "add", "--force", "--detach", str(sources), commit)
        # Without this module, Python would run the engine of an installed package.
        if not _engine_module(sources):
            raise RevisionError(f"the revision has no {next(iter(MODULES))}; expected a revision of junqi-engine")
        (home / "used").touch()


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Lock a revision: wait until no other process builds it, and keep others out meanwhile."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(home, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise RevisionError(f"{home}: the revision cannot be checked out: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
