"""The kernel cache: shared by processes that start at once, and replaced when it is damaged or can't be written."""

from pathlib import Path

import numpy as np
import pytest

from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel
from tests.engine import Engine


def start(cache: Path | str) -> Engine:
    return Engine(environment={"JUNQI_ENGINE_CACHE": str(cache)})


def is_ready(engine: Engine) -> bool:
    """Whether the kernels were found in the cache; fails unless the engine works."""
    with engine:
        lines = engine.ask("position startpos viewer *")
        engine.send("go perft 2")
        assert any(" nodes 1678 " in line for line in engine.until("bestmove"))
        engine.send("quit")
        assert engine.exit_code() == 0
        return not any("compiling" in line for line in lines)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that two fresh processes filled at the same time."""
    folder = tmp_path_factory.mktemp("kernels")
    engines = [start(folder), start(folder)]
    for engine in engines:
        engine.send("isready")
    for engine in engines:
        assert not is_ready(engine)
    return folder


def test_two_fresh_processes_share_one_folder(cache: Path) -> None:
    assert is_ready(start(cache))
    (folder,) = cache.iterdir()
    assert folder.name.startswith("junqi_engine-")


@pytest.mark.parametrize("damage", ["a bit", "a lost file"])
def test_a_damaged_folder_is_replaced(cache: Path, damage: str) -> None:
    files = sorted(path for path in cache.rglob("*.nb?"))
    victim = next(path for path in files if path.suffix == ".nbc" and ".perft-" in path.name)
    if damage == "a bit":
        data = bytearray(victim.read_bytes())
        data[len(data) // 2] ^= 1
        victim.write_bytes(data)
    else:
        victim.unlink()
    assert not is_ready(start(cache))
    assert is_ready(start(cache))


def test_an_index_that_numba_cannot_read_is_replaced_in_the_same_start(cache: Path) -> None:
    next(cache.rglob("manifest.json")).unlink()
    index = next(path for path in sorted(cache.rglob("*.nbi")) if ".perft-" in path.name)
    index.write_bytes(index.read_bytes()[:40])
    assert not is_ready(start(cache))


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert not is_ready(start(blocked / "cache"))


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
