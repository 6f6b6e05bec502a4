"""How much memory the machine has, and how much of it is free."""

import os
import sys


def memory_mb() -> int:
    """The machine's memory in MB; 1 TB where the system does not say."""
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


def free_memory_mb() -> int:
    """The memory in MB that this process can use, including what it uses now; all memory if the system does not say.

    The system would promise more, but it kills a process that uses more.
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        with open("/proc/self/statm", encoding="ascii") as file:
            own_pages = int(file.read().split()[1])
        return (int(fields["MemAvailable"].split()[0]) >> 10) + (own_pages * os.sysconf("SC_PAGE_SIZE") >> 20)
    except (OSError, ValueError, KeyError, IndexError):
        return memory_mb()
