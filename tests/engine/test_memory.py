"""The memory and the processors of a machine and of a container."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from junqi_engine.processors import processors
from junqi_protocol import free_memory as memory
from junqi_protocol.free_memory import free_memory_mb, memory_mb

MACHINE_MB = 8000
MB = 1 << 20


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the control groups, on a machine with `MACHINE_MB`."""
    monkeypatch.setattr(memory, "_machine_mb", lambda: MACHINE_MB)
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(memory, "OWN_CGROUP", tmp_path / "own")
    return tmp_path


def write_group(folder: Path, version: int, limit: object, used: int = 0, files: int = 0) -> None:
    """A group with a limit and what it uses, `files` of it for files, in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ("memory.limit_in_bytes", "memory.usage_in_bytes") if version == 1 else ("memory.max", "memory.current")
    for name, value in zip(names, (limit, used), strict=True):
        (folder / name).write_text(f"{value}\n")
    field = "total_inactive_file" if version == 1 else "inactive_file"
    (folder / "memory.stat").write_text(f"anon {used - files}\n{field} {files}\n")


@pytest.mark.parametrize(
    ("version", "own", "folder"),
    [
        (2, "0::/", ""),
        (2, "0::/box/engine", "box/engine"),
        (2, "0::/box/engine", "box"),
        (1, "5:cpu:/\n4:memory:/", "memory"),
        (1, "4:hugetlb,memory:/box", "memory/box"),
        (1, "4:memory:/docker/0123", "memory"),
    ],
)
def test_memory_limit_of_parent_group_holds(groups: Path, version: int, own: str, folder: str) -> None:
    (groups / "own").write_text(f"{own}\n")
    write_group(groups / folder, version, 512 * MB, 112 * MB)
    assert memory_mb() == 512
    # What this process uses is part of what is free for it.
    assert 400 <= free_memory_mb() <= 512 + 400


@pytest.mark.parametrize("version", [1, 2])
def test_file_cache_counts_as_free_memory(groups: Path, version: int) -> None:
    (groups / "own").write_text("4:memory:/\n0::/\n")
    found = []
    for files in (0, 300 * MB):
        write_group(groups if version == 2 else groups / "memory", version, 4000 * MB, 3900 * MB, files)
        found.append(free_memory_mb())
    without, with_files = found
    assert with_files - without == pytest.approx(300, abs=5)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processors cannot be chosen")
def test_threads_are_limited_by_usable_processors() -> None:
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
        "from junqi_protocol.catalogue import COMMON; "
        "print(next(option.most for option in COMMON if option.name == 'Threads'))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "1\n"
    assert processors() == len(os.sched_getaffinity(0))
