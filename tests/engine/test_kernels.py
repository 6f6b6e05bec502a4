"""The kernel cache: shared by processes that start together, replaced when it is damaged or cannot be written."""

import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from junqi_engine import kernel_cache
from junqi_engine.kernel_cache import permanent_folder
from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, scratch_record
from tests.helpers import warm_up
from tests.helpers.engine import PROGRESS, Engine
from tests.helpers.modules import ENGINE, ROOT, all_modules, sources

SUBMARINE = ["setoption name UCI_Variant value submarine", "isready", "go"]
COMPILE_DEADLINE_S = 900.0
"""Time for two processes that compile together, on a busy machine."""
WAITS = "info string waiting for another process that is compiling them"
KERNEL = re.compile(r"^@kernel\(", re.MULTILINE)


def start(cache: Path | str) -> Engine:
    return Engine(environment={"JUNQI_ENGINE_CACHE": str(cache)})


def is_ready(engine: Engine) -> bool:
    """True if the kernels were in the cache; fails unless the engine works."""
    with engine:
        engine.send(*SUBMARINE)
        lines = engine.lines_until("bestmove", COMPILE_DEADLINE_S)
        assert any(" pv b2b1 a2b2 a1a2 b1a1 b2b1 b1b0" in line for line in lines)
        engine.send("quit")
        assert engine.exit_code() == 0
        assert engine.process.stderr.read() == b""
        return not any("compiling" in line for line in lines)


@pytest.mark.long
def test_two_fresh_processes_compile_once_and_report_progress(tmp_path: Path) -> None:
    """Folders of old versions that have not been used for long are removed."""
    digits = "0123456789abcdef0123"
    old, young = (tmp_path / f"junqi_puzzles.submarine-{name}" for name in (digits, digits[::-1]))
    for folder in (old, young, tmp_path / "mine"):
        folder.mkdir()
    for folder in (old, tmp_path / "mine"):
        os.utime(folder, (0, 0))
    engines = [start(tmp_path), start(tmp_path)]
    for engine in engines:
        engine.send(*SUBMARINE[:-1])
    for engine in engines:
        assert not is_ready(engine)
    assert sum(WAITS in engine.lines for engine in engines) == 1
    for engine in engines:
        shares = [int(match[1]) for match in map(PROGRESS.fullmatch, engine.lines) if match]
        assert len(shares) > 1 and shares == sorted(shares) and shares[-1] <= 100
    assert is_ready(start(tmp_path)) and not list(tmp_path.rglob("*.tmp.*"))
    (folder,) = set(tmp_path.iterdir()) - {young, tmp_path / "mine"}
    assert folder.name.startswith("junqi_puzzles.submarine-") and folder != old
    assert young.exists() and (tmp_path / "mine").exists()


# Folders are handled alike for all games; the submarine's six kernels are the quickest to compile.


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder that has been filled before the tests; the copy serves as well."""
    folder, copy = permanent_folder("junqi_puzzles.submarine"), tmp_path_factory.mktemp("kernels") / "copy"
    shutil.copytree(folder, copy / folder.name)
    assert is_ready(start(copy))
    return copy


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A folder to be damaged."""
    shutil.copytree(filled, tmp_path / "cache")
    return tmp_path / "cache"


def file_of_search(cache: Path) -> Path:
    (path,) = cache.rglob("junqi_puzzles.submarine.slides.breadth_first_search.0.nbc")
    return path


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-50])


DAMAGES = {
    "lost": Path.unlink,
    "cut": cut,
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


def of_new_process(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what this process knows of its folders."""
    monkeypatch.setenv("JUNQI_ENGINE_CACHE", str(cache))
    monkeypatch.setattr(kernel_cache, "_folders", {})


NAMES_OF_FOLDERS = """
import sys
sys.path.insert(0, sys.argv[1])
from junqi_engine.kernel_cache import permanent_folder
print(*(permanent_folder(package).name for package in ("junqi_engine", "junqi_puzzles.submarine")))
"""


@pytest.mark.parametrize(
    ("changed", "junqi", "submarine"),
    [
        ("junqi_engine/client/engine.py", False, False),
        ("junqi_engine/api/game.py", False, False),
        ("junqi_engine/rules/pieces.py", True, False),
        ("junqi_engine/search/alpha_beta.py", True, False),
        ("junqi_engine/kernels.py", True, True),
    ],
)
def test_kernels_are_recompiled_only_after_a_change_of_sources(
    tmp_path: Path, changed: str, junqi: bool, submarine: bool
) -> None:
    shutil.copytree(ROOT / "junqi_engine", tmp_path / "junqi_engine", ignore=shutil.ignore_patterns("__pycache__"))

    def names() -> list[str]:
        environment = os.environ | {"JUNQI_ENGINE_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "-c", NAMES_OF_FOLDERS, str(tmp_path)]
        return subprocess.check_output(command, env=environment, cwd=tmp_path, text=True).split()

    before = names()
    with open(tmp_path / changed, "a") as source:
        source.write("# a comment\n")
    assert [new != old for new, old in zip(names(), before, strict=True)] == [junqi, submarine]


PACKAGE, SEARCH = "junqi_puzzles.submarine", "junqi_puzzles.submarine.slides.breadth_first_search.0"


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_cache_entry_is_not_loaded_and_never_raises(
    cache: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    of_new_process(cache, monkeypatch)
    assert kernel_cache.load_kernel(PACKAGE, SEARCH) is not None
    DAMAGES[damage](file_of_search(cache))
    assert kernel_cache.load_kernel(PACKAGE, SEARCH) is None
    kernel_cache.save_kernel(PACKAGE, SEARCH, pickle.dumps("new"))
    assert kernel_cache.load_kernel(PACKAGE, SEARCH) == (None if damage == "a folder" else "new")
    assert not list(cache.rglob("*.tmp.*"))


OTHER_USER = """
import os, pwd, sys
import junqi_protocol.games.submarine
from junqi_engine import compiling, kernel_cache, kernels
from junqi_protocol.catalogue import CATALOGUE
from junqi_protocol.dispatch import Dispatcher, load_game
(entry,) = (entry for entry in CATALOGUE if entry.variant == "submarine")
options, lines, found = Dispatcher().options, [], kernels.kernels_of(entry.package)
kernels.kernel("int64(int64)", cache=False)(lambda number: number)(1)  # it imports what that user may be unable to read
compiling.compile_kernels = lambda *_: None
os.environ.pop("HOME", None)
if sys.argv[1]:
    os.environ["HOME"] = sys.argv[1]
os.setgroups([])
os.setgid(54321)
os.setuid(54321)
load_game(entry, options, lambda text: lines.append(f"info string {text}"))
for each in found if not lines else ():
    each.prepare()
print(*lines[:1], sep="")
print(kernel_cache.cache_fault(entry.package))
print(sum(sum(each.stats.cache_hits.values()) for each in found))
"""


def as_other_user(home: str, **environment: str) -> list[str]:
    """Run an engine of submarine as another user; its first line, the reason why it saves no kernels, and the number of
    kernels that it has loaded from the cache.
    """
    given = {name: text for name, text in os.environ.items() if name != "JUNQI_ENGINE_CACHE"} | environment
    command = [sys.executable, "-c", OTHER_USER, home]
    done = subprocess.run(command, env=given, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes another user")


@pytest.fixture
def open_cache(filled: Path) -> Iterator[Path]:
    """A cache of root that everybody can reach."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(filled, Path(folder) / "cache")
        yield Path(folder) / "cache"


def is_public(*folders: Path) -> bool:
    """True if every user may enter some folders and those above them."""
    return all(one.stat().st_mode & 0o001 for folder in folders for one in (folder, *folder.parents))


@as_root
@pytest.mark.skipif(not is_public(ROOT, Path(sys.prefix)), reason="another user cannot enter this checkout")
def test_cache_of_root_serves_other_users(open_cache: Path) -> None:
    folder = file_of_search(open_cache).parent
    assert as_other_user("", JUNQI_ENGINE_CACHE=str(open_cache)) == ["", f"{folder} cannot be written", "6"]


@pytest.mark.skipif(os.name != "posix", reason="users and modes of POSIX")
@pytest.mark.parametrize(
    ("place", "mode", "owner", "fault"),
    [
        ("the root", 0o720, 0, "can be written by other users"),
        ("the root", 0o1777, 0, ""),
        ("the folder", 0o777, 0, "can be written by other users"),
        ("the folder", 0o1777, 0, "can be written by other users"),
        ("the folder", 0o755, 54321, "belongs to another user"),
        ("the root", 0o755, 54321, "belongs to another user"),
        ("the root", 0o1777, 54321, "belongs to another user"),
    ],
)
def test_cache_writable_by_others_is_ignored(
    cache: Path, monkeypatch: pytest.MonkeyPatch, place: str, mode: int, owner: int, fault: str
) -> None:
    folder = file_of_search(cache).parent
    changed = {"the root": cache, "the folder": folder}[place]
    changed.chmod(mode)
    if owner:
        if os.geteuid() != 0:
            pytest.skip("only root gives a folder away")
        os.chown(changed, owner, owner)
    of_new_process(cache, monkeypatch)
    assert kernel_cache.folder_of(PACKAGE) == (None if fault else folder)
    assert kernel_cache.cache_fault(PACKAGE) == (f"{changed} {fault}" if fault else "")
    assert kernel_cache.load_kernel(PACKAGE, SEARCH) is None or not fault


HOLDS = """
import sys
from junqi_engine.files import lock, open_folder
from pathlib import Path
assert lock(handle := open_folder(Path(sys.argv[1])))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
@pytest.mark.parametrize("ending", ["it has compiled", "it is killed"])
def test_engine_waits_for_another_process_that_compiles(cache: Path, ending: str) -> None:
    missing = cache.parent / "missing"
    file = file_of_search(cache).rename(missing)
    assert file == missing
    folder = next(cache.iterdir())
    command = [sys.executable, "-c", HOLDS, str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as holder, start(cache) as engine:
        assert holder.stdout.readline() == "held\n"
        engine.send(*SUBMARINE)
        engine.lines_until(WAITS)
        if ending == "it has compiled":
            missing.rename(folder / f"{SEARCH}.nbc")
            before = (folder / f"{SEARCH}.nbc").stat().st_mtime_ns
        else:
            holder.kill()
        engine.lines_until("bestmove", COMPILE_DEADLINE_S)
        if ending == "it has compiled":
            assert (folder / f"{SEARCH}.nbc").stat().st_mtime_ns == before
        assert (folder / f"{SEARCH}.nbc").exists()
        holder.kill()


def test_conftest_compiles_every_kernel() -> None:
    """A test would wait for a kernel that is compiled later.

    Those of tools are compiled at the first call.
    """
    with_kernels = [
        path for folder in ENGINE for path in sources(folder) if KERNEL.search(path.read_text(encoding="utf-8"))
    ]
    packages = {str(all_modules()[name].parent) for name in warm_up.packages()}
    assert len(with_kernels) > 20
    for path in with_kernels:
        assert packages & {str(folder) for folder in path.parents}, path


def test_bit_intrinsics_equal_python() -> None:
    for width in (np.uint16, np.uint32, np.uint64):
        kind = np.dtype(width).name

        @kernel(f"{kind}({kind})", cache=False)
        def lowest(word):
            return count_trailing_zeros(word)

        @kernel(f"{kind}({kind})", cache=False)
        def ones(word):
            return count_ones(word)

        for word in (1, 2, 12, 0x8000, 0x7FFF):
            assert lowest(width(word)) == (word & -word).bit_length() - 1
            assert ones(width(word)) == word.bit_count()


def test_kernel_call_uses_declared_signature() -> None:
    @kernel("int64(uint8)", cache=False)
    def low_byte(number):
        return number

    @kernel("int64(int64)", cache=False)
    def caller(number):
        return low_byte(number)

    assert caller(257) == 1


def test_scratch_memory_is_not_shared_between_calls() -> None:
    room = scratch_record(np.dtype([("tail", np.uint8), ("cells", np.int64, (2, 3))], align=True))

    @kernel("int64(int64)", cache=False)
    def total(depth):
        scratch = room()
        for row in range(2):
            for column in range(3):
                scratch.cells[row, column] = depth
        if depth > 1:
            total(depth - 1)
        found = 0
        for row in range(2):
            for column in range(3):
                found += scratch.cells[row, column]
        return found

    assert total(7) == 42
