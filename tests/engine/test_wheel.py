"""The package as users install it: types, versions, and the files of the referee, from a wheel."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from junqi_engine.version import __version__
from tests.helpers.referee import ROOT

pytestmark = pytest.mark.long
"""In CI only: a wheel is built with hatchling from the package index, and mypy comes with the extra `dev`."""
DEADLINE_S = 600.0
WITH_TYPOS = """\
import junqi_engine as junqi
from junqi_engine import Egnine  # wrong
from junqi_puzzles import klotski, submarine
from junqi_puzzles.base import Limits
from junqi_engine.client.engine_client import Patience

game: junqi.Game = junqi.Gmae("siguo")  # wrong
junqi.Game("siguo").legal_movse  # wrong
move: int = junqi.Game("siguo").push("g6g7")  # wrong
junqi.env.Bacth(4)  # wrong
junqi.env.Batch(4).step("g6g7")  # wrong
submarine.slove(submarine.parse("m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne"))  # wrong
klotski.from_rush_hour(3)  # wrong
klotski.solve(klotski.parse(klotski.START), limits=Limits(solutions=3))
Patience(redy_s=3.0)  # wrong
"""


NEEDED = ("llvmlite", "numba", "numpy", "platformdirs", "psutil")
"""The packages that pip installs with the wheel, without extras."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("wheel")
    source = root / "source"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    run(root, sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(root), str(source))
    [made] = root.glob("*.whl")
    return made


def environment(wheel: Path, name: str) -> tuple[Path, Path]:
    """A virtual environment with the wheel and nothing else, and the folder of its packages."""
    made = wheel.parent / name
    run(wheel.parent, sys.executable, "-m", "venv", "--without-pip", str(made))
    python = str(made / "bin/python")
    run(wheel.parent, sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", str(wheel))
    [packages] = made.glob("lib/*/site-packages")
    return made, packages


@pytest.fixture(scope="module")
def folder(wheel: Path) -> Path:
    """A virtual environment into which the wheel is installed; its dependencies are those of this one."""
    made, packages = environment(wheel, "made")
    (packages / "dependencies.pth").write_text(str(Path(str(pytest.__file__)).parent.parent))
    return made


@pytest.fixture(scope="module")
def bare(wheel: Path) -> Path:
    """A virtual environment into which the wheel is installed without any extra."""
    made, packages = environment(wheel, "bare")
    for name in NEEDED:
        package = Path(str(importlib.import_module(name).__file__)).parent
        for each in (package, *package.parent.glob(f"{name}.libs")):
            (packages / each.name).symlink_to(each)
    return made


def run(here: Path, *command: str, codes: tuple[int, ...] = (0,), given: str = "") -> str:
    """The stdout of a command with `given` as its stdin."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=here, env=environment, input=given, capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


SEARCH = ("position startpos viewer S", "go nodes 1000")
MOVE = re.compile(r"^bestmove [a-q][0-9]+[a-q][0-9]+", re.MULTILINE)


def test_installed_wheel_plays(bare: Path, tmp_path: Path) -> None:
    """Copies of one version share their kernels, so nothing is compiled here."""
    engine = str(bare / "bin/junqi-engine")
    assert all(line.endswith(": already compiled") for line in run(tmp_path, engine, "--compile").splitlines())
    assert MOVE.search(run(tmp_path, engine, *SEARCH))
    lines = "".join(f"{line}\n" for line in SEARCH)
    assert MOVE.search(run(tmp_path, engine, given=lines))
    code = "import junqi_engine; print(len(junqi_engine.Game('luzhanqi', seed=1).legal_moves) > 0)"
    assert run(tmp_path, str(bare / "bin/python"), "-c", code) == "True\n"


@pytest.mark.parametrize("program", ["junqi-engine", "junqi-referee", "junqi-board"])
def test_user_modules_on_the_path_do_no_harm(bare: Path, tmp_path: Path, program: str) -> None:
    for name in ("protocol", "puzzles"):
        (tmp_path / f"{name}.py").write_text("MINE = True\n")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/__init__.py").touch()
    path = f"PYTHONPATH={tmp_path}"
    assert run(tmp_path, "env", path, str(bare / "bin" / program), "--version") == f"{program} {__version__}\n"


def test_wheel_has_all_user_packages(folder: Path) -> None:
    [packages] = folder.glob("lib/*/site-packages")
    top = {path.name for path in packages.iterdir() if path.is_dir() and not path.name.endswith(".dist-info")}
    ours = {"junqi_engine", "junqi_protocol", "junqi_puzzles", "junqi_referee", "junqi_board"}
    assert top - {"__pycache__"} == ours


def test_current_folder_is_not_imported(folder: Path, tmp_path: Path) -> None:
    for name in ("junqi_engine", "protocol", "puzzles", "tools", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a file of the user was imported')\n")
    programs = folder / "bin"
    assert "uciok" in run(tmp_path, str(programs / "junqi-engine"), "uci")
    assert "bestmove" in run(tmp_path, str(programs / "junqi-engine"), "setoption name Player value 1.0", "go")
    assert "--engine" in run(tmp_path, str(programs / "junqi-referee"), "match", "--help")
    assert "--folder" in run(tmp_path, str(programs / "junqi-board"), "--help")


def test_type_checker_finds_typos(folder: Path, tmp_path: Path) -> None:
    """By `mypy --strict`, for programs of users."""
    (tmp_path / "sound.py").write_text((ROOT / "docs/examples/tournament.py").read_text())
    (tmp_path / "typos.py").write_text(WITH_TYPOS)
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(folder / "bin/python")]
    *told, last = run(
        tmp_path, *command, "--cache-dir", str(folder / "mypy"), "sound.py", "typos.py", codes=(1,)
    ).splitlines()
    wrong = {number for number, line in enumerate(WITH_TYPOS.splitlines(), 1) if line.endswith("# wrong")}
    assert {line.partition(": ")[0] for line in told} == {f"typos.py:{number}" for number in wrong}
    assert last.endswith("in 1 file (checked 2 source files)")
