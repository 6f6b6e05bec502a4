"""Git revisions as engines, on small repositories whose engine is a script, so that nothing is compiled."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from junqi_referee import revisions as cache
from junqi_referee.cli import run
from junqi_referee.exit_codes import ExitCode
from junqi_referee.revisions import Checkout, Revision
from tests.helpers.referee import ENGINES, refused

pytestmark = pytest.mark.long
LOG = "JUNQI_TEST_LOG"
"""The environment variable with the log of the engines."""
ENGINE = """\
import json, os, sys

LABEL = "first"
with open(os.environ["JUNQI_TEST_LOG"], "a") as log:
    did = "compile" if sys.argv[1:] and sys.argv[1] != "--contest" else "start"
    words = [LABEL, did, sys.argv[1:], os.getcwd(), os.environ.get("JUNQI_ENGINE_CACHE")]
    log.write(json.dumps(words) + "\\n")
if did == "compile":
    print("info string compiling kernels: 50% done", flush=True)
    print("readyok")
    sys.exit()
"""


class Repository:
    """A git repository with an engine, at the tag `old` and, with another label, in the last commit."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.engine = root / "protocol/junqi_protocol/__main__.py"
        self.engine.parent.mkdir(parents=True)
        (root / "protocol/junqi_protocol/__init__.py").touch()
        self.script = ENGINE + (ENGINES / "script.py").read_text()
        (root / ".gitignore").write_text("*.ignored\n")
        self.git("init", "--quiet", "--initial-branch", "main")
        self.label("old")
        self.commit("old")
        self.git("tag", "old")
        self.label("new")
        self.commit("new")

    def git(self, *words: str) -> str:
        command = ["git", "-C", str(self.root), "-c", "user.name=t", "-c", "user.email=t@example.org", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def label(self, label: str) -> None:
        self.engine.write_text(self.script.replace('"first"', f'"{label}"'))

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.hash("HEAD")

    def hash(self, name: str) -> str:
        return self.git("rev-parse", name)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository for `rev=`, with an empty cache; the output of the engines is in `log.jsonl`."""
    monkeypatch.setenv("JUNQI_ENGINE_REPOSITORY", str(tmp_path / "repository"))
    monkeypatch.setenv("JUNQI_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(LOG, str(tmp_path / "log.jsonl"))
    return Repository(tmp_path / "repository")


def log(folder: Path) -> list[list]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def home_of(revision: Revision) -> Path:
    return cache.checkout_of(revision).folder.parent


# Names of revisions


def test_revision_is_named_as_in_git(made: Repository) -> None:
    new, old = made.hash("HEAD"), made.hash("old")
    assert {cache.find(text).commit for text in ("HEAD", "main", "refs/heads/main", new, new[:9])} == {new}
    assert {cache.find(text).commit for text in ("old", "HEAD~1", "main^", "refs/tags/old")} == {old}
    assert (str(cache.find("HEAD")), cache.find("HEAD").short) == (new, new[:7])


# A match


def test_match_between_revisions_is_played(
    made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "protocol.py").write_text("raise SystemExit('the file of the current folder')")
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("PYTHONPATH", str(elsewhere))
    record = tmp_path / "games.jsonl"
    words = ["match", "--engine", "rev=HEAD", "--engine", "rev=old", "--each", "st=5", "--record", str(record)]
    assert run([*words, "--max-plies", "8", "--json"]) == ExitCode.DONE
    new, old = made.hash("HEAD"), made.hash("old")
    printed = capsys.readouterr()
    assert json.loads(printed.out)["engines"] == [new[:7], old[:7]]
    assert f"building revision {new[:7]} (compiling kernels; may take minutes): 50% done" in printed.err
    for line in record.read_text().splitlines():
        game = json.loads(line)
        assert {entry["name"]: entry["revision"] for entry in game["engines"].values()} == {new[:7]: new, old[:7]: old}
        assert {entry["command"] for entry in game["engines"].values()} == {"python -m junqi_protocol"}
        assert game["ending"] == "max-plies"
    revisions = tmp_path / "cache/revisions"
    kernels = {"new": str(revisions / new / "kernels"), "old": str(revisions / old / "kernels")}
    said = log(tmp_path)
    assert [(label, did) for label, did, *_ in said[:2]] == [("new", "compile"), ("old", "compile")]
    assert said[0][2] == ["setoption name UCI_Variant value siguo", "isready"]
    assert sorted((label, did) for label, did, *_ in said[2:]) == [("new", "start"), ("old", "start")]
    assert all(cache_of == kernels[label] for label, _, _, _, cache_of in said)
    assert {folder for _, did, _, folder, _ in said if did == "start"} == {str(elsewhere)}


BROKEN = [
    ("raise SystemExit('out of order')", "the kernels of siguo cannot be compiled: exit code 1: out of order"),
    ("print('info string error internal a fault'); print('readyok')", "cannot be compiled: info string error internal"),
    ("", "the kernels of siguo cannot be compiled: no readyok"),
    ("import time; time.sleep(100)", "the kernels of siguo cannot be compiled: they are not ready within 0.5 s"),
    (None, "the revision has no protocol/junqi_protocol/__main__.py; expected a revision of junqi-engine"),
]


@pytest.mark.parametrize(("engine", "text"), BROKEN, ids=[text for _, text in BROKEN])
def test_revision_that_cannot_be_built_is_exit_code_4(
    made: Repository, engine: str | None, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if text.endswith("0.5 s"):
        monkeypatch.setattr("junqi_referee.revisions.COMPILE_S", 0.5)
    if engine is None:
        made.engine.unlink()
    else:
        made.engine.write_text(engine)
    broken = made.commit("broken")
    words = ["match", "--engine", "rev=old", "--engine", "rev=HEAD", "--each", "st=1"]
    line = refused(capsys, *words, code=ExitCode.NO_START)
    assert line.startswith(f"junqi-referee: revision {broken[:7]} cannot be built: ")
    assert text in line


def test_interrupted_compiler_is_ended(made: Repository) -> None:
    made.engine.write_text("import time; print('info string compiling kernels: 50% done', flush=True); time.sleep(100)")
    made.commit("slow")
    checkout = cache.build(cache.find("HEAD"))

    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        checkout.compile(["siguo"], interrupt)
    assert time.monotonic() - began < 10


# The working tree


def test_worktree_has_uncommitted_changes(made: Repository, tmp_path: Path) -> None:
    made.label("changed")
    (made.root / "staged.txt").write_text("staged")
    made.git("add", "staged.txt")
    (made.root / "secret.ignored").write_text("ignored")
    (made.root / "protocol/junqi_protocol/__init__.py").unlink()
    before = made.git("status", "--porcelain"), made.git("ls-files", "--stage"), made.git("stash", "list")
    revision = cache.find("worktree")
    assert revision.commit == made.hash("HEAD")
    assert len(revision.changes) == 40
    assert str(revision) == f"{revision.commit}+{revision.changes}"
    assert revision.short == f"{revision.commit[:7]}+{revision.changes[:7]}"
    assert before == (made.git("status", "--porcelain"), made.git("ls-files", "--stage"), made.git("stash", "list"))
    made.label("edited while the match runs")
    sources = cache.build(revision).folder
    names = {path.relative_to(sources).as_posix() for path in sources.rglob("*") if path.is_file()}
    assert names == {".gitignore", "protocol/junqi_protocol/__main__.py", ".git", "staged.txt"}
    assert '"changed"' in (sources / "protocol/junqi_protocol/__main__.py").read_text()
    assert cache.find("worktree") != revision
    made.label("changed")
    assert cache.find("worktree") == revision


# The cache


def test_revision_is_unpacked_once(made: Repository) -> None:
    checkout = cache.build(cache.find("old"))
    (checkout.folder / "mark").touch()
    assert cache.build(cache.find("old")) == checkout
    assert (checkout.folder / "mark").exists()
    assert checkout == Checkout(made.hash("old")[:7], checkout.folder, checkout.folder.parent / "kernels")


def test_interrupted_build_is_repeated(made: Repository) -> None:
    revision = cache.find("old")
    sources = cache.build(revision).folder
    (home_of(revision) / "used").unlink()
    (sources / "protocol/junqi_protocol/__main__.py").unlink()
    cache.build(revision)
    assert (sources / "protocol/junqi_protocol/__main__.py").exists()
