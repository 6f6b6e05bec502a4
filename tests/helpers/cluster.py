"""A Dask cluster of two workers for tests."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.referee import ROOT


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """The address of a scheduler that runs with its log in a folder, and its two worker processes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1s"}
    logs = (folder / "cluster.log").open("w+")

    def start(*words: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *words],
            cwd=folder, env=environment, stdout=logs, stderr=logs, start_new_session=True,
        )  # fmt: skip

    processes = [start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")]
    try:
        address = wait_for(folder / "cluster.log", r"Scheduler at:\s+(tcp://\S+)")
        options = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]
        processes += [start("distributed.cli.dask_worker", address, *options) for _ in range(2)]
        wait_for(folder / "cluster.log", r"Registered to:(?s:.*)Registered to:")
        yield address, processes[1:]
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        logs.close()


def wait_for(path: Path, pattern: str) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = re.search(pattern, path.read_text())
        if found:
            return found[1] if found.groups() else found[0]
        time.sleep(0.1)
    raise AssertionError(path.read_text())
