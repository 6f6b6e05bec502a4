"""The kernel cache: shared by processes that start at once, replaced when it is damaged or cannot be written."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.kernel_cache import permanent_folder
from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, scratch_record, specialise
from tests import warm_up
from tests.engine import SLACK, Engine
from tests.marking import long_after
from tests.modules import ROOT, all_modules

SUBMARINE = ["setoption name UCI_Variant value submarine", "isready", "go"]
COMPILE_DEADLINE_S = 900.0
"""Two processes that compile at once, on a busy machine."""
KERNEL = re.compile(r"^@kernel\(", re.MULTILINE)


def start(cache: Path | str) -> Engine:
    return Engine(environment={"JUNQI_ENGINE_CACHE": str(cache)})


def is_ready(engine: Engine) -> bool:
    """Whether the kernels were in the cache; fails unless the engine works."""
    with engine:
        engine.send(*SUBMARINE)
        lines = engine.until("bestmove", COMPILE_DEADLINE_S)
        assert any(" pv b2b1 a2b2 a1a2 b1a1 b2b1 b1b0" in line for line in lines)
        engine.send("quit")
        assert engine.exit_code() == 0
        assert engine.process.stderr.read() == b""
        return not any("compiling" in line for line in lines)


@pytest.mark.long
def test_two_fresh_processes_share_one_folder(tmp_path: Path) -> None:
    """Folders of old versions that have not been used for long are removed."""
    digits = "0123456789abcdef0123"
    old, young = (tmp_path / f"puzzles.submarine-{name}" for name in (digits, digits[::-1]))
    for folder in (old, young, tmp_path / "mine"):
        folder.mkdir()
    for folder in (old, tmp_path / "mine"):
        os.utime(folder, (0, 0))
    engines = [start(tmp_path), start(tmp_path)]
    for engine in engines:
        engine.send(*SUBMARINE[:-1])
    for engine in engines:
        assert not is_ready(engine)
    assert is_ready(start(tmp_path))
    (folder,) = set(tmp_path.iterdir()) - {young, tmp_path / "mine"}
    assert folder.name.startswith("puzzles.submarine-") and folder != old
    assert young.exists() and (tmp_path / "mine").exists()


@pytest.mark.parametrize(("number", "code"), long_after(1, [(signal.SIGTERM, 0), (signal.SIGINT, 130)]))
def test_a_signal_in_the_middle_of_compiling(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with start(tmp_path) as engine:
        engine.send("go nodes 10")
        engine.until("info string compiling")
        time.sleep(1.0)
        asked = time.monotonic()
        engine.signal(number)
        *progress, answer = engine.rest()
        assert answer == "bestmove (none)"
        assert all(line.startswith("info string compiling kernels: ") for line in progress)
        assert engine.exit_code() == code
        assert time.monotonic() - asked < 1.0 * SLACK
        assert engine.process.stderr.read() == b""


@pytest.mark.long
def test_a_folder_that_a_killed_process_filled_in_part_is_completed(tmp_path: Path) -> None:
    with start(tmp_path) as engine:
        engine.send("setoption name UCI_Variant value submarine", "isready")
        engine.until("info string compiling")
        while not list(tmp_path.rglob("*.nbc")):
            time.sleep(0.01)
        engine.signal(signal.SIGKILL)
        engine.exit_code()
    assert not is_ready(start(tmp_path))
    assert is_ready(start(tmp_path))


# Folders are handled alike for all games; the submarine's six kernels are the quickest to compile.


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder that has been filled before the tests; the copy serves as well."""
    folder, copy = permanent_folder("puzzles.submarine"), tmp_path_factory.mktemp("kernels") / "copy"
    shutil.copytree(folder, copy / folder.name)
    assert is_ready(start(copy))
    return copy


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A folder to be damaged."""
    shutil.copytree(filled, tmp_path / "cache")
    return tmp_path / "cache"


def file_of_search(cache: Path, suffix: str) -> Path:
    (path,) = cache.rglob(f"slides.search-*{suffix}")
    return path


@pytest.mark.long
@pytest.mark.parametrize("damage", ["a bit", "a lost file"])
def test_a_damaged_folder_is_replaced(cache: Path, damage: str) -> None:
    victim = file_of_search(cache, ".nbc")
    if damage == "a bit":
        data = bytearray(victim.read_bytes())
        data[len(data) // 2] ^= 1
        victim.write_bytes(data)
    else:
        victim.unlink()
    assert not is_ready(start(cache))
    assert is_ready(start(cache))


@pytest.mark.long
def test_a_file_that_another_process_has_added_does_no_harm(cache: Path) -> None:
    victim = file_of_search(cache, ".nbc")
    added = victim.with_name("added.1.nbc")
    added.write_bytes(victim.read_bytes())
    assert is_ready(start(cache))
    assert added.exists()


@pytest.mark.long
def test_a_damaged_file_without_a_manifest_is_compiled_again(cache: Path) -> None:
    """As after a first start that was interrupted: nothing says which files are good but the files themselves."""
    next(cache.rglob("manifest.json")).unlink()
    victim = file_of_search(cache, ".nbc")
    whole = victim.read_bytes()
    victim.write_bytes(whole[:-50] + bytes([whole[-50] ^ 1]) + whole[-49:])
    assert not is_ready(start(cache))
    assert is_ready(start(cache))
    assert victim.read_bytes() != whole[:-50] + bytes([whole[-50] ^ 1]) + whole[-49:]


def in_cache(cache: Path, *program: str) -> subprocess.CompletedProcess[str]:
    """Run lines of Python with this cache."""
    environment = os.environ | {"JUNQI_ENGINE_CACHE": str(cache)}
    code = "\n".join(["import os", "from junqi_engine.kernel_cache import *", "name = 'puzzles.submarine'", *program])
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)


@pytest.mark.long
@pytest.mark.parametrize("text", ["", "{}", '["absent.nbc"]'])
def test_an_invalid_manifest_is_not_intact(cache: Path, text: str) -> None:
    manifest = next(cache.rglob("manifest.json"))
    manifest.write_text(text)
    assert in_cache(cache, "print(cache_is_warm(name))", "seal(name)").stdout == "False\n"
    assert in_cache(cache, "print(cache_is_warm(name))").stdout == "True\n"


def test_a_damaged_file_is_never_sealed(cache: Path) -> None:
    victim = file_of_search(cache, ".nbc")
    victim.write_bytes(victim.read_bytes()[:-1])
    next(cache.rglob("manifest.json")).unlink()
    in_cache(cache, "seal(name)")
    assert victim.name not in next(cache.rglob("manifest.json")).read_text()


def test_a_file_in_the_place_of_another_is_not_loaded(cache: Path) -> None:
    victim = file_of_search(cache, ".nbc")
    shutil.copy(next(path for path in victim.parent.glob("*.nbc") if path != victim), victim)
    assert in_cache(cache, "print(cache_is_warm(name))").stdout == "False\n"


def test_a_file_of_another_version_is_not_loaded(cache: Path) -> None:
    (folder,) = cache.iterdir()
    version = 20 * "0"
    folder.rename(cache / f"puzzles.submarine-{version}")
    program = ("import junqi_engine.kernel_cache as c", f"c._fingerprint = lambda _: '{version}'")
    assert in_cache(cache, *program, "print(cache_is_warm(name))").stdout == "False\n"


def replace(path: Path, kind: str) -> None:
    """Put something else in the place of a whole file of the cache."""
    if kind == "writable":
        path.chmod(0o666)
        return
    path.rename(path.parent / "moved")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "moved")


@pytest.mark.skipif(os.name != "posix", reason="users, modes and pipes of POSIX")
@pytest.mark.parametrize(
    ("victim", "kind"),
    [
        *(("slides.search-*.nbc", kind) for kind in ("writable", "pipe", "device", "link")),
        *(("manifest.json", kind) for kind in ("pipe", "device")),
    ],
)
def test_what_is_not_a_file_of_ours_is_replaced(cache: Path, victim: str, kind: str) -> None:
    """A pipe would never end, and /dev/zero neither."""
    (path,) = cache.rglob(victim)
    replace(path, kind)
    ran = in_cache(cache, "print(is_shared(name), cache_is_warm(name))", "seal(name)")
    assert ran.stdout == "True False\n" and ran.stderr == ""
    assert path.name != "manifest.json" or (path.is_file() and not path.is_symlink())


@pytest.mark.skipif(os.name != "posix", reason="users and modes of POSIX")
@pytest.mark.parametrize("victim", ["slides.search-*.nbc", "manifest.json"])
def test_a_cache_with_a_folder_in_the_place_of_a_file_is_not_used(cache: Path, victim: str) -> None:
    (path,) = cache.rglob(victim)
    replace(path, "folder")
    ran = in_cache(cache, "print(is_shared(name))")
    assert ran.stdout == "False\n"
    assert ran.stderr == f"junqi-engine: {path} is a folder: it is not used to keep kernels\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives a link away")
def test_a_link_of_another_user_is_not_used(cache: Path, tmp_path: Path) -> None:
    """It leads to a folder such as /tmp, and elsewhere a moment later."""
    cache.chmod(0o1777)
    link = tmp_path / "link"
    link.symlink_to(cache)
    assert in_cache(link, "print(is_shared(name))").stdout == "True\n"
    os.lchown(link, 12345, 12345)
    ran = in_cache(link, "print(is_shared(name))")
    assert ran.stdout == "False\n"
    assert ran.stderr == f"junqi-engine: {link} belongs to another user: it is not used to keep kernels\n"


OTHER_USER = "os.geteuid = lambda: 12345"


@pytest.mark.skipif(os.name != "posix", reason="users and modes of POSIX")
@pytest.mark.parametrize(
    ("place", "mode", "before", "fault"),
    long_after(
        3,
        [
            ("the root", 0o720, "", "can be written by other users"),
            ("the folder", 0o700, OTHER_USER, "belongs to another user"),
            ("a subfolder", 0o777, "", "can be written by other users"),
            ("the folder", 0o777, "", "can be written by other users"),
            ("the folder", 0o1777, "", "can be written by other users"),
            ("the folder", 0o1777, OTHER_USER, "belongs to another user"),
        ],
    ),
)
def test_a_cache_that_others_may_change_is_not_used(
    cache: Path, place: str, mode: int, before: str, fault: str
) -> None:
    (folder,) = cache.iterdir()
    (subfolder,) = (path for path in folder.iterdir() if path.is_dir())
    changed = {"the root": cache, "the folder": folder, "a subfolder": subfolder}[place]
    changed.chmod(mode)
    ran = in_cache(cache, before, "print(is_shared(name), cache_is_warm(name), folder_of(name).stat().st_mode & 0o777)")
    assert ran.stdout == f"False False {0o700}\n"
    told = folder if before else changed
    assert ran.stderr == f"junqi-engine: {told} {fault}: it is not used to keep kernels\n"
    assert folder.exists()


def test_a_new_cache_is_private(tmp_path: Path) -> None:
    program = ("of_numba = folder_of(name) / 'slides'", "of_numba.mkdir()")
    in_cache(tmp_path / "new", "os.umask(0)", *program, "CheckedFiles(of_numba, 'kernel', None).save('key', 'data')")
    made = [tmp_path / "new", *(tmp_path / "new").rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in made if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in made if path.is_file()} == {0o600}


@pytest.mark.long
def test_a_process_that_cannot_use_the_folder_leaves_it_to_the_others(cache: Path) -> None:
    program = (
        "folder = folder_of(name)",
        "replace_folder(name)",
        "print(cache_is_warm(name), folder_of(name) == folder)",
    )
    assert in_cache(cache, *program).stdout == "False False\n"
    assert in_cache(cache, "print(cache_is_warm(name))").stdout == "True\n"


def test_every_kernel_belongs_to_a_package_that_is_compiled_before_the_tests() -> None:
    """A test would wait for a kernel that is compiled later.

    The folders of tools have no manifest: their kernels are compiled at the first call.
    """
    modules = {name: path for name, path in all_modules().items() if name.split(".")[0] != "tools"}
    with_kernels = [path for path in modules.values() if KERNEL.search(path.read_text(encoding="utf-8"))]
    packages = {str(ROOT.joinpath(*name.split("."))) for name in warm_up.packages()}
    assert len(with_kernels) > 20
    for path in with_kernels:
        assert packages & {str(folder) for folder in path.parents}, path


@pytest.mark.long
def test_kernels_of_tools_depend_on_those_of_junqi(tmp_path: Path) -> None:
    """They call them, and numba would not notice a change."""
    shutil.copytree(ROOT / "junqi_engine", tmp_path / "junqi_engine", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tools/training").mkdir(parents=True)
    program = (
        "from junqi_engine.kernel_cache import *; print(permanent_folder(package_of('tools.training.guess')).name)"
    )
    names = []
    for _ in range(2):
        ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
        names.append(ran.stdout)
        with (tmp_path / "junqi_engine/search/keys.py").open("a") as file:
            file.write("# changed\n")
    assert all(name.startswith("tools.training-") for name in names)
    assert names[0] != names[1]


def test_bit_intrinsics() -> None:
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


def test_a_kernel_is_compiled_at_its_first_call_with_its_own_signature() -> None:
    @kernel("int64(uint8)", cache=False)
    def double(number):
        return 2 * number

    assert not double.signatures
    assert double(200) == 400
    assert [str(one) for one in double.nopython_signatures] == ["(uint8,) -> int64"]


def test_a_caller_uses_the_signature_of_a_kernel_not_the_types_of_its_call() -> None:
    @kernel("int64(uint8)", cache=False)
    def low_byte(number):
        return number

    @kernel("int64(int64)", cache=False)
    def caller(number):
        return low_byte(number)

    assert caller(257) == 1


def test_scratch_memory_belongs_to_one_call() -> None:
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


STRIDE = 0
INSTANCES = """
from numba import types
from junqi_engine.kernels import specialise

STRIDE = 0

def weight(number):
    return number * STRIDE

def total(number):
    return 0 if number == 0 else weight(number) + total(number - 1)

SIGNATURE = types.int64(types.int64)

def instance(stride):
    return specialise([(weight, SIGNATURE), (total, SIGNATURE)], {"STRIDE": stride}, f"by_{stride}")

if __name__ == "templates":
    one, ten = instance(1), instance(10)
    kernels = [one.weight, one.total, ten.weight, ten.total]
    print(one.total(4), ten.total(4), sum(sum(each.stats.cache_hits.values()) for each in kernels))
"""


@pytest.mark.long
def test_two_processes_share_the_cache_of_specialised_kernels(tmp_path: Path) -> None:
    (tmp_path / "templates.py").write_text(INSTANCES)
    environment = os.environ | {"JUNQI_ENGINE_CACHE": str(tmp_path / "cache")}

    def run() -> list[str]:
        code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(Path.cwd())!r}]; import templates"
        return subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        ).stdout.split()

    assert run() == ["10", "100", "0"]
    # Only the two kernels that were called are loaded.
    assert run() == ["10", "100", "2"]


def plain_weight(number):
    return number * STRIDE


def test_a_binding_that_no_function_uses_is_refused() -> None:
    with pytest.raises(ValueError, match="no function uses STRYDE"):
        specialise([(plain_weight, "int64(int64)")], {"STRYDE": 1}, "wrong")


def test_a_tag_is_used_once() -> None:
    specialise([(plain_weight, "int64(int64)")], {"STRIDE": 1}, "once", cache=False)
    with pytest.raises(ValueError, match="plain_weight already has an instance"):
        specialise([(plain_weight, "int64(int64)")], {"STRIDE": 2}, "once", cache=False)
