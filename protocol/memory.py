"""How much memory this process may use, and how much of it is free: the machine's, or less in a container."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def memory_mb() -> int:
    """The memory in MB of the machine, or of the container if it has less; 1 TB where the system does not say."""
    return min([_machine_mb(), *(limit for limit, _ in _container_mb())])


def free_memory_mb() -> int:
    """The memory in MB that this process can use, including what it uses now; all memory if the system does not say.

    The system would promise more, but it kills a process that uses more.
    """
    own_mb, free_mb = 0, memory_mb()
    try:
        own_mb = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free_mb = min(free_mb, (int(fields["MemAvailable"].split()[0]) >> 10) + own_mb)
    except (OSError, ValueError, KeyError, IndexError):
        pass
    return max(0, min([free_mb, *(limit - used + own_mb for limit, used in _container_mb())]))


def _machine_mb() -> int:
    if sys.platform == "win32":
        import ctypes

        class MemoryStatus(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [
                (name, ctypes.c_ulonglong) for name in ("total", "free", "a", "b", "c", "d", "e")
            ]

        status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return int(status.total >> 20)
        return 1 << 20
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (ValueError, OSError):
        return 1 << 20


def _container_mb() -> Iterator[tuple[int, int]]:
    """The limit of each control group that this process is in, and what the group uses, in MB; of those with a limit.

    A group is bound by those above it too. Inside a container the path of its group may not be there; then what is at
    the root is its own.
    """
    try:
        lines = OWN_CGROUP.read_text().splitlines()
    except OSError:
        return
    for controllers, _, path in (line.partition(":")[2].partition(":") for line in lines):
        if controllers == "":
            root, limit, used = CGROUPS, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            root, limit, used = CGROUPS / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        own = root / path.lstrip("/")
        for group in (own, *own.parents):
            if group.is_relative_to(root):
                try:
                    limit_bytes, used_bytes = (int((group / name).read_text()) for name in (limit, used))
                    stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
                except (OSError, ValueError):  # no such group, or `max`
                    continue
                # What files leave in memory is given up when it is needed. In version 1, `total_` is with the groups
                # below.
                files_bytes = int(stat.get("total_inactive_file", stat.get("inactive_file", 0)))
                yield limit_bytes >> 20, (used_bytes - files_bytes) >> 20
