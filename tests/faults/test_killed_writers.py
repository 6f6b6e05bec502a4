"""Writers that are killed at random moments: what they had written stays, what they were writing is whole or missing.

Whole programs are killed in test_killed_and_short.py and test_board_saving.py. `--budget N` kills N times as often.
"""

import json
import os
import pickle
import random
import signal
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from junqi_engine import kernel_cache
from junqi_engine.files import write_whole
from junqi_referee.records.game_record import GameRecord, RecordFile, parse_record
from tests.helpers.marking import seeds
from tests.helpers.proof.fuzz_samples import records

Write = Callable[[int], None]
"""Writes the version of a number from 1 on."""
Look = Callable[[int], None]
"""Finds everything up to this version on the disk, and perhaps the next one, and can go on."""


def replacing(folder: Path) -> tuple[Write, Look]:
    path = folder / "file"

    def look(last: int) -> None:
        assert path.read_text() in (str(last) * 500, str(last + 1) * 500)
        write_whole(path, b"next", replaces=True)
        assert [path.read_bytes() for path in folder.iterdir()] == [b"next"]

    return lambda number: write_whole(path, str(number).encode() * 500, replaces=number > 1), look


def recording(folder: Path) -> tuple[Write, Look]:
    (first, *_), _ = parse_record(records()[2], "samples")
    table = json.loads(first.as_line())

    def game(number: int) -> GameRecord:
        return GameRecord.from_line(json.dumps(table | {"game": number}))

    def write(number: int) -> None:
        with RecordFile(str(folder / "r"), resume=number > 1) as file:
            file.append(game(number))

    def look(last: int) -> None:
        with RecordFile(str(folder / "r"), resume=True) as file:
            file.append(game(last + 2))
        numbers = [each.game for each in parse_record((folder / "r").read_bytes(), "r")[0]]
        expected = list(range(1, last + 1))
        assert numbers in ([*expected, last + 2], [*expected, last + 1, last + 2])

    return write, look


def caching(folder: Path) -> tuple[Write, Look]:
    kernel_cache._folders["kernels"] = folder

    def save(data: str) -> None:
        kernel_cache.save_kernel("kernels", "name", pickle.dumps(data))

    def look(last: int) -> None:
        assert kernel_cache.load_kernel("kernels", "name") in (f"{last}" * 9999, f"{last + 1}" * 9999)
        save("next")
        assert kernel_cache.load_kernel("kernels", "name") == "next"

    return lambda number: save(f"{number}" * 9999), look


WRITERS = {"file": replacing, "record": recording, "kernel cache": caching}


def kill(write: Write, rng: random.Random) -> int:
    """Write one version after the other in a fork, and kill it; the last version that it said to be written."""
    output, said = os.pipe()
    began_s = time.monotonic()
    process = os.fork()
    if not process:
        try:
            for number in count(1):
                write(number)
                os.write(said, b".")
        finally:
            os._exit(1)
    os.close(said)
    try:
        written = len(os.read(output, 1))
        time.sleep(rng.uniform(0, 2 * (time.monotonic() - began_s)))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
        while more := os.read(output, 1 << 16):
            written += len(more)
    finally:
        os.close(output)
    return written


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_writer_leaves_whole_files(name: str, tmp_path: Path) -> None:
    written = 0
    for seed in seeds(8):
        folder = tmp_path / f"{name} {seed}"
        folder.mkdir()
        write, look = WRITERS[name](folder)
        last = kill(write, random.Random(seed))
        look(last)
        written += last
    print(f"{name}: {len(seeds(8))} kills after {written} files in all")
