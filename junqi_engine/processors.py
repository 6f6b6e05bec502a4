"""How many processors this process may use."""

import os


def processors() -> int:
    """Those that it is allowed to run on, such as by `taskset`; on a system without such a rule all of them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
