"""The git repository: which revision a text names, and the sources of a revision.

The uncommitted changes are a revision too, `worktree`. They are read through an index and an object folder of their
own, so nothing in the repository changes.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
