"""The benchmark command, and the comparison with another revision on a repository with one tiny section."""

import ast
import subprocess
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest

import junqi_speed
from junqi_engine.client.own_program import own_command
from junqi_referee import revisions as cache
from junqi_referee.revisions import Checkout, RevisionError, find_commit, this_checkout
from junqi_speed import SECTIONS, Report
from junqi_speed import __main__ as command
from junqi_speed.against import compare, measured, summary
from tests.helpers.engine import DEADLINE_S

pytestmark = pytest.mark.long
SECTION = """\
import json, pathlib
print(json.dumps({{"figures": {{"time to nod": [{value}, "ms"], "{only}": [1, "x"]}}, "signatures": {{}}}}))
pathlib.Path("rounds.txt").open("a").write("x")
"""
OLD = """\
print("tiny\\n  time to nod                         2 ms   (target: under 3)\\n    once                 1,500 x per s")
print("  player 1.0, signature: 00AB, 77 nodes")
"""
ENGINE = "import sys\nprint('readyok' if 'isready' in sys.argv else '')\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose section takes 2 ms at the tag `old`, and 1 ms in the working tree."""
    root = tmp_path / "repository"
    for folder in ("tools/junqi_speed", "tools/junqi_referee", "protocol/junqi_protocol"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
    (root / "protocol/junqi_protocol/__main__.py").write_text(ENGINE)
    (root / "tools/junqi_speed/__main__.py").write_text(SECTION.format(value=2, only="gone"))
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "tester")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "tester@example.org")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "first")
    git(root, "tag", "old")
    (root / "tools/junqi_speed/__main__.py").write_text(SECTION.format(value=1, only="new"))
    return root


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


# The command


def test_every_section_is_a_function_of_its_module() -> None:
    folder = Path(junqi_speed.__file__).parent
    found = set()
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        found |= {(name.removeprefix("measure_"), path.stem) for name in names if name.startswith("measure_")}
    assert found == {(name, module) for name, (module, _) in SECTIONS.items()}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["juqi"], "no section 'juqi'; expected one of junqi, "),
        (["--rounds", "0"], "'0' is not a positive whole number"),
        (["--rounds", "many"], "'many' is not a positive whole number"),
    ],
)
def test_wrong_usage_is_exit_code_2(words: Sequence[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert text in capsys.readouterr().err


def test_an_unknown_revision_is_exit_code_4() -> None:
    done = subprocess.run(
        own_command("junqi_speed", "klotski", "--against=-x"),
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("junqi_speed: '-x' is not a revision of the repository in ")
    assert done.stderr.count("\n") == 1


# Revisions


@pytest.fixture
def old(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    monkeypatch.setenv("JUNQI_ENGINE_CACHE", str(tmp_path / "cache"))
    return cache.build(find_commit("old", repository), root=repository)


def test_two_revisions_take_turns(repository: Path, old: Checkout) -> None:
    here, there, out = this_checkout(repository), old, StringIO()
    compare(here, there, ["tiny"], 3, out)
    assert [len((checkout.folder / "rounds.txt").read_text()) for checkout in (here, there)] == [3, 3]
    head, _, section, figure, *others = out.getvalue().splitlines()
    assert here.name.endswith(" with uncommitted changes")
    assert head.startswith(f"this checkout ({here.name}) / {there.name}, rounds: 3; ")
    assert section == "tiny"
    assert figure.split() == "time to nod 1 2 ms ratio 0.500 (0.500 to 0.500)".split()
    assert others == ["  new: only in this checkout", "  gone: only in the other revision"]
    git(repository, "commit", "--quiet", "--all", "--message", "second")
    assert len(this_checkout(repository).name) == 7


def test_a_section_that_fails_is_refused(repository: Path, old: Checkout) -> None:
    (repository / "tools/junqi_speed/__main__.py").write_text("raise ValueError('no such work')")
    here, there = this_checkout(repository), old
    with pytest.raises(
        RevisionError, match=r"'python -m junqi_speed tiny --json' failed with exit code 1: ValueError: no such"
    ):
        compare(here, there, ["tiny"], 1, StringIO())


def test_a_revision_that_prints_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "tools/bench").mkdir(parents=True)
    (tmp_path / "tools/bench/__main__.py").write_text(OLD)
    found = measured(Checkout("old", tmp_path), "tiny")
    assert found.figures == {"time to nod": (2.0, "ms"), "time to nod: once": (1500.0, "x per s")}
    assert found.signatures == {"player 1.0, signature": "00AB, 77 nodes"}


def report(value: float, signature: str = "A") -> Report:
    return Report(True, {"speed": (value, "x")}, {"player": signature})


def test_the_ratio_is_the_median_of_pairs() -> None:
    """The machine is three times as slow in the second round: the ratio of medians would be 1.5."""
    runs = [(report(2), report(1)), (report(6), report(3)), (report(3), report(2))]
    figure, signature = summary(runs)
    assert figure.split() == "speed 3 2 x ratio 2.000 (1.500 to 2.000)".split()
    assert signature == "player: equal, A"
