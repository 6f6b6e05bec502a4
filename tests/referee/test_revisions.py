"""Git revisions as engines, on small repositories whose engine is a script, so that nothing is compiled."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from junqi_board.engine_programs import parse_program
from junqi_referee import revisions as cache
from junqi_referee.check.subject import Subject
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.revisions import Checkout, Revision, RevisionError
from junqi_referee.time_control import TimeControl
from tests.helpers.engine import DEADLINE_S
from tests.helpers.referee import ENGINES, ROOT, refused

pytestmark = pytest.mark.long
LOG = "JUNQI_TEST_LOG"
"""The environment variable that names the file in which the engines say what they do."""
ENGINE = """\
import json, os, sys

LABEL = "first"
with open(os.environ["JUNQI_TEST_LOG"], "a") as log:
    did = "compile" if sys.argv[1:] and sys.argv[1] != "--contest" else "start"
    words = [LABEL, did, sys.argv[1:], os.getcwd(), os.environ.get("JUNQI_ENGINE_CACHE")]
    log.write(json.dumps(words) + "\\n")
if did == "compile":
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
    """A repository that `rev=` refers to, with an empty cache; what the engines said is in `log.jsonl`."""
    monkeypatch.setenv("JUNQI_ENGINE_REPOSITORY", str(tmp_path / "repository"))
    monkeypatch.setenv("JUNQI_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(LOG, str(tmp_path / "log.jsonl"))
    return Repository(tmp_path / "repository")


def log(folder: Path) -> list[list]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def home_of(revision: Revision) -> Path:
    return cache.checkout_of(revision).folder.parent


def in_a_process(code: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", f"from junqi_referee.revisions import build, find\n{code}"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


# Names of revisions


def test_a_revision_is_named_as_git_names_it(made: Repository) -> None:
    new, old = made.hash("HEAD"), made.hash("old")
    assert {cache.find(text).commit for text in ("HEAD", "main", "refs/heads/main", new, new[:9])} == {new}
    assert {cache.find(text).commit for text in ("old", "HEAD~1", "main^", "refs/tags/old")} == {old}
    assert (str(cache.find("HEAD")), cache.find("HEAD").short) == (new, new[:7])


def test_an_unknown_revision_is_exit_code_4(made: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("no-such-branch", "-x", "--all", "^HEAD", "HEAD:protocol", "old..main", "a\0b", "司"):
        words = ["match", "--engine", f"rev={text}", "--engine", "rev=old", "--each", "st=1"]
        line = refused(capsys, *words, code=ExitCode.NO_START)
        assert f" is not a revision of the repository in {made.root}" in line
        assert line.startswith("junqi-referee: command line, engine 1: rev=")


def test_a_machine_without_git_is_exit_code_4(
    made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    words = ["match", "--engine", "rev=HEAD", "--engine", "rev=old", "--each", "st=1"]
    line = refused(capsys, *words, code=ExitCode.NO_START)
    assert line.endswith("command line, engine 1: rev=HEAD: a revision needs git, which is not installed")


# Settings


USAGE = [
    (["--engine", "rev=HEAD", "cmd=x", "--engine", "rev=old"], "engine 1: cmd and rev exclude each other"),
    (["--engine", "rev=", "--engine", "rev=old"], "rev='' must be a string that is not empty"),
    (["--engine", "rev=HEAD", "--engine", "rev=main"], "two engines are called '{short}'; give each a name"),
    (["--engine", "name=a", "--engine", "rev=main"], "engine 1: cmd is missing"),
]


@pytest.mark.parametrize(("words", "text"), USAGE, ids=[text for _, text in USAGE])
def test_wrong_usage_is_exit_code_2(
    made: Repository, words: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, "match", *words, "--each", "st=1")
    assert text.format(short=made.hash("HEAD")[:7]) in line


# A match


def test_a_match_between_revisions(
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
    assert json.loads(capsys.readouterr().out)["engines"] == [new[:7], old[:7]]
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


def test_a_match_continues_only_with_the_same_revision(
    made: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "games.jsonl"
    words = ["match", "--engine", "name=a", "rev=main", "--engine", "name=b", "rev=old", "--each", "st=5"]
    words += ["--max-plies", "4", "--record", str(record)]
    assert run(words) == ExitCode.DONE
    assert run([*words, "--rounds", "2", "--resume"]) == ExitCode.DONE
    assert len(record.read_text().splitlines()) == 4
    before = made.hash("main")
    made.label("newer")
    after = made.commit("newer")
    capsys.readouterr()
    line = refused(capsys, *words, "--rounds", "3", "--resume")
    assert line.endswith(f"game 1: SN: played by revision {before}, these settings name revision {after}")


BROKEN = [
    ("raise SystemExit('out of order')", "failed with exit code 1: out of order"),
    ("print('info string error internal a fault'); print('readyok')", "cannot be compiled: info string error internal"),
    ("", "the kernels of siguo cannot be compiled: no readyok"),
    ("import time; time.sleep(100)", "has not ended within 0.5 s"),
    (None, "the revision has no protocol/junqi_protocol/__main__.py; expected a revision of junqi-engine"),
]


@pytest.mark.parametrize(("engine", "text"), BROKEN, ids=[text for _, text in BROKEN])
def test_a_revision_that_cannot_be_built_is_exit_code_4(
    made: Repository, engine: str | None, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if text.startswith("has not ended"):
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


def test_check_and_board_take_revisions(made: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    subject = Subject({"rev": "old"}, "siguo", False, TimeControl.parse({}))
    assert subject.program.revision == Revision(made.hash("old"))
    assert parse_program("before=rev=old").command == subject.program.start_command
    assert (home_of(Revision(made.hash("old"))) / "sources/protocol/junqi_protocol/__main__.py").exists()
    client = subject.launch()
    client.close()
    assert client.identity.name == "script"
    line = refused(capsys, "check", "rev=nothing", code=ExitCode.NO_START)
    assert line.startswith("junqi-referee: check: rev=nothing: 'nothing' is not")


# The working tree


def test_the_working_tree_is_copied_as_it_is(made: Repository, tmp_path: Path) -> None:
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


def test_changes_that_only_another_machine_has_are_refused(made: Repository) -> None:
    made.label("changed")
    revision = cache.find("worktree")
    shutil.rmtree(home_of(revision))
    with pytest.raises(RevisionError, match=r"the copy of the uncommitted changes is not in .*commit them"):
        cache.build(revision)


# The cache


def test_a_revision_is_unpacked_once(made: Repository) -> None:
    checkout = cache.build(cache.find("old"))
    (checkout.folder / "mark").touch()
    assert cache.build(cache.find("old")) == checkout
    assert (checkout.folder / "mark").exists()
    assert checkout == Checkout(made.hash("old")[:7], checkout.folder, checkout.folder.parent / "kernels")


def test_an_interrupted_build_is_done_again(made: Repository) -> None:
    revision = cache.find("old")
    sources = cache.build(revision).folder
    (home_of(revision) / "used").unlink()
    (sources / "protocol/junqi_protocol/__main__.py").unlink()
    cache.build(revision)
    assert (sources / "protocol/junqi_protocol/__main__.py").exists()


def test_an_old_revision_whose_engine_is_elsewhere_runs(made: Repository) -> None:
    made.git("mv", "protocol/junqi_protocol/__main__.py", "protocol/__main__.py")
    made.commit("as it was before")
    assert cache.build(cache.find("HEAD"), ["siguo"]).command[-2:] == ("-m", "protocol")


def test_processes_build_one_after_the_other(made: Repository, tmp_path: Path) -> None:
    made.engine.write_text(
        "import os, time\n"
        "def say(word): open(os.environ['JUNQI_TEST_LOG'], 'a').write(f'{word}\\n')\n"
        "say('begin'); time.sleep(0.3); say('end'); print('readyok')\n"
    )
    made.commit("slow")
    processes = [in_a_process("build(find('HEAD'), ['siguo'])") for _ in range(3)]
    for process in processes:
        process.communicate(timeout=DEADLINE_S)
    assert [process.returncode for process in processes] == [0] * 3
    assert (tmp_path / "log.jsonl").read_text().split() == ["begin", "end"] * 3


def test_disused_revisions_are_removed(made: Repository) -> None:
    old, new = cache.find("old"), cache.find("main")
    cache.build(old)
    os.utime(home_of(old) / "used", (0, 0))
    foreign = home_of(old).parent / "notes"
    foreign.mkdir()
    (foreign / "used").touch()
    os.utime(foreign / "used", (0, 0))
    cache.build(new)
    assert {path.name for path in home_of(old).parent.iterdir()} == {str(new), "notes"}
    assert cache.build(old, ["siguo"]).folder.exists()
