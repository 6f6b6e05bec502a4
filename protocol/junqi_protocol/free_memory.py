"""The memory that this process may use, and how much of it is free: of the machine, or of a container.

Where free memory cannot be read, all memory counts as free.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil

if sys.platform != "win32":
    import resource

PROGRAM_MB = 512
"""Upper bound on the address space of the engine without its `Hash`, in MB."""
CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def memory_mb() -> int:
    """The memory in MB of the machine, or of the container if it has less."""
    return min([_machine_mb(), *(limit for limit, _ in _container_mb())])


def free_memory_mb() -> int:
    """The memory in MB that this process can use, including what it uses now.

    The system would grant more (overcommit), and then kill the process.
    """
    try:
        own_mb = psutil.Process().memory_info().rss >> 20
        free_mb = min(memory_mb(), (psutil.virtual_memory().available >> 20) + own_mb)
    except (OSError, psutil.Error):
        return memory_mb()
    free_mb = min([free_mb, *(limit - used + own_mb for limit, used in _container_mb())])
    return max(0, min(free_mb, address_space_mb() - PROGRAM_MB))


def address_space_mb() -> int:
    """The limit of the address space (`ulimit -v`) in MB; `sys.maxsize` without a limit."""
    if sys.platform != "win32":
        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        return sys.maxsize if most == resource.RLIM_INFINITY else most >> 20
    return sys.maxsize


def _machine_mb() -> int:
    try:
        total: int = psutil.virtual_memory().total
    except OSError:
        if sys.platform == "win32":
            raise
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return total >> 20


def _container_mb() -> Iterator[tuple[int, int]]:
    """The limit and the use, in MB, of each control group of this process that has a limit.

    The limits of parent groups hold too. Inside a container, its own group may be mounted at the root.
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
                except (OSError, ValueError):  # the group does not exist here, or its limit is `max`
                    continue
                # The cache of files is given up when memory is needed. In version 1, `total_` includes child groups.
                files_bytes = int(stat.get("total_inactive_file", stat.get("inactive_file", 0)))
                yield limit_bytes >> 20, (used_bytes - files_bytes) >> 20
