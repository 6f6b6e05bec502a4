"""docs/referee.md is correct: its scripts run, and its table has every flag of a match with its default."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from junqi_engine.client.line_process import own_command
from tests.helpers.cluster import match_in
from tests.helpers.engine import DEADLINE_S
from tests.helpers.pages import code_in, read, tables

PAGE = read("docs/referee.md")
BENCH, CLUSTER = re.findall(r"<!-- script: .*? -->\n```sh\n(.*?)```", PAGE, re.DOTALL)


def command(name: str, folder: Path, *words: str) -> None:
    """Put a command into a folder, which starts one of our programs with more words before those of the caller."""
    path = folder / name
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    path.chmod(0o755)


def in_shell(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    return subprocess.run(
        text, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )


def test_bench_script_notices_a_changed_move(tmp_path: Path) -> None:
    """With quick players; another player makes other moves."""
    command("junqi-engine", tmp_path, *own_command(), "setoption name Player value 1.2")
    assert in_shell(BENCH, tmp_path).returncode == 2
    (tmp_path / "bench.new").rename(tmp_path / "bench.txt")
    assert in_shell(BENCH, tmp_path).returncode == 0
    command("junqi-engine", tmp_path, *own_command(), "setoption name Player value 1.1")
    changed = in_shell(BENCH, tmp_path)
    assert changed.returncode == 1
    assert re.search(r"^< signature \w+$", changed.stdout, re.MULTILINE)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.long
def test_cluster_of_three_lines_plays_a_match(tmp_path: Path) -> None:
    """On one machine, with quick players and one pair of games."""
    command("dask", tmp_path, sys.executable, "-W", "ignore", "-m", "dask")
    command("junqi-engine", tmp_path, *own_command())
    command("junqi-referee", tmp_path, *own_command("junqi_referee"))
    text = CLUSTER.replace("8786", str(free_port())).replace("host:", "127.0.0.1:")
    text = text.replace("cmd=junqi-engine ", "cmd=junqi-engine option.Player=1.1 name=one ", 1).replace("50", "1")
    *servers, match = text.splitlines()
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    processes, logs = [], [tmp_path / "scheduler.log", tmp_path / "worker.log"]
    try:
        for line, log, ready in zip(servers, logs, ("Scheduler at:", "Registered to:"), strict=True):
            with log.open("w") as output:
                process = subprocess.Popen(
                    f"exec {line}",
                    shell=True,
                    cwd=tmp_path,
                    env=environment,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            processes.append(process)
            match_in(log, ready)
        played = in_shell(match, tmp_path)
        assert played.returncode == 0, played.stderr
        assert re.search(r"games 2: \d wins", played.stdout)
    finally:
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def flags() -> dict[str, str]:
    """The second column of the table of flags, by flag."""
    [table] = [table for table in tables(PAGE) if table[0][0] == "flag"]
    return {flag: row[1] for row in table[2:] for flag in code_in(row[0])}


@pytest.mark.parametrize("name", ["match", "tournament", "ci"])
def test_table_has_every_flag_with_its_default(name: str, flags: dict[str, str]) -> None:
    words = own_command("junqi_referee", name, "--help")
    shown = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE_S, check=True).stdout
    parts = re.split(r"^  (--[\w-]+)", shown.partition("options:")[2], flags=re.MULTILINE)[1:]
    told = {flag: " ".join(text.split()) for flag, text in zip(parts[::2], parts[1::2], strict=True)}
    assert told.keys() - {"--against"} <= flags.keys()
    for flag, text in told.items():
        default = re.search(r"\(default: ([^()]*)\)$", text)
        if default and flag in flags:
            assert default[1] in flags[flag].replace("`", ""), f"{flag}: {default[1]}"
