"""The machine that games are played on, and its load. With a time per move, results depend on both."""

import os
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from junqi_engine.processors import processors
from junqi_referee.exit_codes import one_line


@cache
def machine() -> dict[str, Any]:
    """The name of the processor, the number of cores that this process may use, the system, the version of Python."""
    return {
        "processor": processor(),
        "cores": processors(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def processor() -> str:
    """The name of the processor, as exactly as the system reports it."""
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.partition(":")[2].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def load() -> float | None:
    """The load average of the last minute; None if the system has none."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


def machines_of(runs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The machines of the entries `run` of games, each with its number of games and its least and highest load."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for run in runs:
        entry = run.get("machine", {})
        seen = found.setdefault(tuple(sorted(entry.items())), {**entry, "games": 0, "load": []})
        seen["games"] += 1
        loads = [*seen["load"], *(value for value in run.get("load", []) if value is not None)]
        seen["load"] = [min(loads), max(loads)] if loads else []
    return list(found.values())


def machine_text(entry: Mapping[str, Any]) -> str:
    """One entry of `machines_of` as a line."""
    named = {key: value for key, value in entry.items() if key != "load"}
    parts = [str(value) if key == "processor" else f"{key} {value}" for key, value in named.items()]
    return one_line(f"machine: {', '.join(parts)}, load {' to '.join(map(str, entry['load'])) or 'unknown'}")
