"""Scripts: commands by pipe, from a file, as arguments; what the process prints, and its exit code."""

import re
import subprocess
import time

import pytest

from tests.helpers.engine import COMMAND, DEADLINE_S, SLACK, errors
from tests.helpers.session import bestmoves

MOVE = re.compile(r"[a-q]\d+[a-q]\d+")


def run(*arguments: str, script: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Give the engine a script, with carriage returns and all, and wait for its end."""
    done = subprocess.run([*COMMAND, *arguments], input=script, capture_output=True, timeout=DEADLINE_S)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_script_by_pipe_is_carried_out_to_its_end() -> None:
    """With the byte-order mark and the line ends of other systems."""
    done = run(script=b"\xef\xbb\xbfposition startpos viewer S\r\ngo movetime 200\r\nposition startpos viewer S moves "
                      b"g6g7 l7k7\r\ngo nodes 100\r\nposition startpos viewer S\r\ngo movetime 200\r\ngo infinite\r\n"
                      b"legal\r\nd")  # fmt: skip
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    moves = bestmoves(lines)
    assert len(moves) == 4 and moves[1] == "(none)" and all(MOVE.fullmatch(moves[at]) for at in (0, 2, 3))
    assert errors(lines) == ["not-our-seat"]
    assert lines[-1] == "info string S to move" and any(line.startswith("info string legal g6") for line in lines)
    times = [int(line.split()[line.split().index("time") + 1]) for line in lines if " time " in line]
    assert max(times) > 100  # the limit, not the end of input, ended the searches


@pytest.mark.parametrize("has_stderr", [True, False])
def test_an_engine_whose_gui_died_ends(has_stderr: bool) -> None:
    """Also if the GUI read its stderr."""
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b"setoption name UCI_Variant value luzhanqi\n" + b"go movetime 3600000\n" * 2)
    process.stdin.flush()
    assert process.stdout.readline()  # it is searching
    for stream in (process.stdout, *([] if has_stderr else [process.stderr]), process.stdin):
        stream.close()
    ended = time.monotonic()
    assert process.wait(DEADLINE_S) == 1
    assert time.monotonic() - ended < 1.0 * SLACK
    if has_stderr:
        assert process.stderr.read() == b"junqi-engine: stdout is closed\n"
        process.stderr.close()


@pytest.mark.parametrize(("arguments", "error"), [
    (["go", "depth", "1"], 'argument 2: \'depth\' is not a command; each command is one argument: '
                           'junqi-engine "go depth 1"'),
    (["position", "startpos", "d"], "argument 2: 'startpos' is not a command; each command is one argument: "
                                    'junqi-engine "position startpos" "d"'),
    (["depth"], "argument 1: 'depth' is not a command; each command is one argument: junqi-engine \"go depth 1\""),
    (["d", "-v"], "argument 2: there is no option '-v' here; usage: junqi-engine [LINE ...] | --contest [LINE ...] | "
                  "--compile | --version | --help"),
    (["--help", "d"], "argument 1: there is no option '--help' here; usage: junqi-engine [LINE ...] | "
                      "--contest [LINE ...] | --compile | --version | --help"),
])  # fmt: skip
def test_arguments_that_are_no_commands_show_the_right_form(arguments: list[str], error: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"junqi-engine: {error}\n")


def test_an_argument_that_is_rejected_ends_the_process() -> None:
    done = run("setoption name UCI_Variant value klotski", f"position fen {'o' * 35}", "go")
    assert done.returncode == 2
    assert [line[:18] for line in done.stdout.splitlines()] == ["info string error "]
    assert done.stderr == f"junqi-engine: argument 2 was rejected: 'position fen {'o' * 35}'\n"
