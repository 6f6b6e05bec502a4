"""How soon a process is ready, and has answered its first `go`: with an empty cache of kernels, and with a full one."""

import tempfile
import time

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.line_process import own_command
from junqi_protocol.catalogue import CATALOGUE
from junqi_speed import Report

REPEATS = 9


def measure_start(report: Report) -> None:
    for entry in CATALOGUE:
        with tempfile.TemporaryDirectory(prefix="junqi-speed-") as cache:
            ready, answered = start_s(entry.variant, cache)
            report.figure(f"{entry.variant}, first readyok, empty cache", ready, "s", "10 on two idle cores")
            report.figure(f"{entry.variant}, first go, empty cache", answered, "s")
            warm = [start_s(entry.variant, cache) for _ in range(REPEATS)]
        report.figure(f"{entry.variant}, later readyok", min(ready for ready, _ in warm), "s", "0.7")
        report.figure(f"{entry.variant}, first go, full cache", min(answered for _, answered in warm), "s")


def start_s(variant: str, cache: str) -> tuple[float, float]:
    """Seconds from the start of a process with kernels from the folder `cache` until it is ready to play a variant, and
    until it has answered a first `go`.
    """
    client, started = EngineClient(["env", f"JUNQI_ENGINE_CACHE={cache}", *own_command()]), time.perf_counter()
    client.start()
    client.send(f"setoption name UCI_Variant value {variant}")
    client.ready(may_load=True)
    ready = time.perf_counter() - started
    client.ask(["go movetime 100"])
    answered = time.perf_counter() - started
    client.close()
    return ready, answered
