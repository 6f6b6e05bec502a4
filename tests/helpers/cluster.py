"""A Dask cluster of two workers for tests."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.referee import ROOT
from tests.helpers.waiting import until


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
        address = match_in(folder / "cluster.log", r"Scheduler at:\s+(tcp://\S+)")[1]
        options = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]
        processes += [start("distributed.cli.dask_worker", address, *options) for _ in range(2)]
        match_in(folder / "cluster.log", r"Registered to:(?s:.*)Registered to:")
        yield address, processes[1:]
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        logs.close()


def match_in(path: Path, pattern: str) -> re.Match[str]:
    return until(lambda: re.search(pattern, path.read_text()))
