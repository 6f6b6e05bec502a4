"""The output of an engine is untrusted: each line is parsed, ignored or reported, and no engine blocks its caller."""

import sys
import time
from contextlib import closing

import pytest

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.engine_lines import LineFault, read_info, spaced
from junqi_engine.errors import EngineError, EngineFault
from tests.helpers.engine import SLACK
from tests.helpers.referee import SHORT

SPEAK = "import sys; sys.stdout.buffer.write(eval(sys.argv[1])); sys.stdout.flush(); sys.stdin.read()"


def saying(data: bytes | str) -> list[str]:
    """The command of a process that writes some bytes, given as a Python expression if they are many."""
    return [sys.executable, "-S", "-c", SPEAK, data if isinstance(data, str) else repr(data)]


@pytest.mark.parametrize(
    ("line", "score"),
    [
        (b"info depth 3 score cp 31 nodes 5", "cp 31"),
        (b"info score mate -4 multipv 1", "mate -4"),
        (b"info score cp +31", "cp 31"),
        (b"info multipv 2 score cp 5", "cp 5"),
        (b"info score cp 5 lowerbound pv a1 score", "cp 5"),
        (b"info string score cp --5", None),
        (b"info", None),
        (b"info novelty 5 score cp 1", "cp 1"),
        (b"score cp --5", None),
    ],
)
def test_scores_are_parsed(line: bytes, score: str | None) -> None:
    info = read_info(line)
    assert (None if info is None or info.score is None else str(info.score)) == score


@pytest.mark.parametrize(
    "line",
    [
        b"info score cp --5",
        b"info score cp " + b"9" * 5000,
        b"info score cp",
        b"info score 5",
        b"info depth many score cp 1",
        b"info multipv -1 score cp 1",
        b"info nodes " + b"9" * 19,
    ],
)
def test_malformed_field_is_reported_with_cut_line(line: bytes) -> None:
    with pytest.raises(LineFault) as fault:
        read_info(line)
    assert str(fault.value).startswith(f"malformed line '{line[:20].decode()}")
    assert len(str(fault.value)) < 200


def test_malformed_line_is_protocol_fault() -> None:
    with closing(EngineClient(saying(b"uciok\ninfo score cp --5\nreadyok\n"), patience=SHORT)) as client:
        client.start()
        with pytest.raises(LineFault, match="malformed line 'info score cp --5': score must be cp or mate") as error:
            client.ready()
        assert error.value.fault == EngineFault.PROTOCOL


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (b"bestmove g6h5", b"bestmove g6h5"),
        (b" \tbestmove\t g6h5 \r", b"bestmove g6h5"),
        (b"option  name Move\tOverhead  type spin", b"option name Move Overhead type spin"),
        (b"\tinfo\tstring  8 .. Nh ..\r", b"info string  8 .. Nh .."),
        (b"info  stringent  x", b"info stringent x"),
        (b"info string", b"info string "),
        (b"\xff \t", b"\xff"),
        (b"", b""),
    ],
)
def test_blanks_are_normalised_outside_free_text(line: bytes, read: bytes) -> None:
    assert spaced(line) == read


def test_slow_reader_does_not_delay_the_time_of_an_answer() -> None:
    """The engine writes more than a pipe holds, and its answer, before the reader has dealt with the first lines."""
    data = "b'info string ' + b'x' * 1000 + b'\\n'"
    command = saying(f"(({data}) * 300 + b'bestmove a6b5\\n')")
    with closing(EngineClient(command, patience=SHORT)) as client:
        reply = client.ask(("go",), allowed_ms=1000, on_info=lambda info: time.sleep(0.005))
    assert (reply.move, reply.time_ms < 1000) == ("a6b5", True)


@pytest.mark.parametrize("pause_s", [0.0, 0.02])
def test_engine_that_never_falls_silent_times_out(pause_s: float) -> None:
    drip = f"import time\nwhile True: print('info string x', flush=True); time.sleep({pause_s})"
    with closing(EngineClient([sys.executable, "-S", "-c", drip], patience=SHORT)) as client:
        began = time.monotonic()
        with pytest.raises(EngineError, match="no bestmove within 300 ms"):
            client.ask(("go",), patience_s=0.3)
        assert time.monotonic() - began < 0.3 * SLACK
