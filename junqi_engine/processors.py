"""The number of processors for this process."""

import os


def processors() -> int:
    """The number of processors that this process may run on, which `taskset` can limit."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
