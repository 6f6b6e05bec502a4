"""The guarantees of the protocol in real processes: timing, broken streams, whole games, any bytes; commands by pipe,
from a file, as arguments; output and exit codes.
"""

import random
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pexpect
import pytest

from junqi_engine.evaluation.weights_file import WEIGHTS_FOLDER
from junqi_engine.notation.moves import format_move, result_text
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.position import Result
from junqi_engine.version import __version__
from junqi_protocol.commands import COMMANDS
from tests.helpers.engine import COMMAND, DEADLINE_S, SLACK, Engine, bestmoves, errors
from tests.helpers.marking import long_after

MOVE = re.compile(r"[a-q]\d+[a-q]\d+")


@pytest.mark.long
def test_uciok_needs_no_heavy_import_and_a_warm_start_is_fast() -> None:
    with Engine() as engine:
        engine.send("uci")
        engine.lines_until("uciok")
        assert engine.processor_s() < 0.1 * SLACK
        engine.ask()
        assert engine.processor_s() < 1.0 * SLACK
        assert not any("compiling" in line for line in engine.lines)
        engine.send("quit")
        assert engine.exit_code() == 0


def test_game_is_played_through_a_terminal() -> None:
    """Two engines, one for each team, from line-ups to the end; a GameState is the referee."""
    board, rng = LUZHANQI, random.Random(12)
    lineups = {letter: lineup_choice.sensible(rng) for letter in board.seats}
    game = GameState.start(board, lineups)
    engines = [pexpect.spawn(COMMAND[0], list(COMMAND[1:]), encoding="utf-8", timeout=DEADLINE_S) for _ in range(2)]
    for engine in engines:
        engine.setecho(False)
        # A terminal cuts typed lines at 4 KiB; the list of moves of a game is longer.
        subprocess.run(["stty", "-icanon", "-echo"], stdin=engine.child_fd, check=True)
        engine.delaybeforesend = None
        engine.sendline("uci")
        engine.expect("uciok")
        engine.sendline(f"setoption name UCI_Variant value {board.variant}")
    record: list[str] = []
    while game.result == Result.ONGOING:
        team = game.turn & 1
        seats = board.teams[team]
        own = " ".join(f"{seat}:{lineups[seat]}" for seat in seats)
        engine = engines[team]
        engine.sendline(f"position startpos lineup {own} viewer {seats} moves {' '.join(record)}")
        engine.sendline("go nodes 50")
        index = engine.expect([r"bestmove (\S+)\r?\n", "info string error [^\n]*"])
        assert index == 0, engine.after
        move = engine.match[1]
        start, target = (board.point_named[name] for name in _squares(move))
        record.append(format_move(board, game.play(start << 8 | target)))
    for engine in engines:
        engine.sendline("quit")
        engine.expect(pexpect.EOF)
        engine.close()
        assert engine.exitstatus == 0
    assert len(record) > 10
    assert result_text(board, game.result) in (*board.teams, "draw")


def _squares(move: str) -> tuple[str, str]:
    cut = next(index for index in range(2, len(move)) if move[index].isalpha())
    return move[:cut], move[cut:]


@pytest.mark.parametrize("heard", ["", "uciok"])
def test_quit_works_at_any_moment_of_loading(heard: str) -> None:
    with Engine() as engine:
        engine.send("uci", "go", "go depth 5")
        if heard:
            engine.lines_until(heard)
        engine.send("quit")
        assert sum(line.startswith("bestmove") for line in engine.rest()) == 2
        assert engine.exit_code() == 0
        assert engine.process.stderr.read() == b""


def test_greeting_is_for_terminals_only() -> None:
    engine = pexpect.spawn(COMMAND[0], list(COMMAND[1:]), encoding="utf-8", timeout=DEADLINE_S)
    engine.expect_exact(f"junqi-engine: version {__version__}; type help for the commands, quit to end\r\n")
    engine.sendline("quit")
    engine.expect(pexpect.EOF)
    piped = subprocess.run(COMMAND, input="quit\n", capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    assert piped.stdout == piped.stderr == ""


def test_closed_stdin_is_end_of_input() -> None:
    script = f"exec {shlex.join(COMMAND)} <&-"
    assert subprocess.run(["sh", "-c", script], timeout=DEADLINE_S, capture_output=True).returncode == 0


def run(*arguments: str, script: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Give the engine a script, with carriage returns and all, and wait for its end."""
    done = subprocess.run([*COMMAND, *arguments], input=script, capture_output=True, timeout=DEADLINE_S)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_piped_script_runs_to_its_end() -> None:
    """With the byte-order mark and the line ends of other systems."""
    done = run(script=b"\xef\xbb\xbfposition startpos viewer S\r\ngo movetime 200\r\nposition startpos viewer S moves "
                      b"g6g7 l7k7\r\ngo nodes 100\r\nposition startpos viewer S\r\ngo movetime 200\r\ngo infinite\r\n"
                      b"legal\r\nd")  # fmt: skip
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (2, "")
    moves = bestmoves(lines)
    assert len(moves) == 4 and moves[1] == "(none)" and all(MOVE.fullmatch(moves[at]) for at in (0, 2, 3))
    assert errors(lines) == ["not-our-seat"]
    assert lines[-1] == "info string S to move" and any(line.startswith("info string legal g6") for line in lines)
    times = [int(line.split()[line.split().index("time") + 1]) for line in lines if " time " in line]
    assert 100 < max(times) < 200 * SLACK  # the limit, not the end of input, ended the searches


def test_search_time_excludes_other_searches() -> None:
    """It includes neither the search before nor the loading, although all lines were read together."""
    done = run(script=b"go movetime 500\nsetoption name UCI_Variant value submarine\ngo\n")
    line = next(line for line in done.stdout.splitlines() if " mate 6 " in line)
    assert int(line.split()[line.split().index("time") + 1]) < 500


@pytest.mark.parametrize(
    ("arguments", "lines", "answer", "closed"),
    long_after(
        3,
        [
            ([], ["isready"], "readyok", ("stdout",)),
            (["--contest"], ["INFO"], "NAME", ("stdout",)),
            ([], ["go movetime 3600000", "go movetime 3600000"], "info", ("stdout", "stderr", "stdin")),
            ([], ["setoption name Player value 1.2", "go ponder"], "info depth 1", ("stdout",)),
        ],
    ),
)
def test_engine_without_reader_ends_soon(
    arguments: list[str], lines: list[str], answer: str, closed: tuple[str, ...]
) -> None:
    """Though its input is open, or when the GUI has died with all streams."""
    with Engine(arguments, reads=False) as engine:
        engine.send(*lines)
        assert any(line.startswith(answer.encode()) for line in engine.process.stdout)
        for name in closed:
            getattr(engine.process, name).close()
        assert engine.exit_code(1.0 * SLACK) == 1
        if "stderr" not in closed:
            said = engine.process.stderr.read()
            assert re.fullmatch(rb"junqi-engine: stdout is closed(: Broken pipe)?\n", said)


def test_command_line_arguments_are_lines() -> None:
    done = run("setoption name Player value 1.0", "position startpos viewer *", "go perft 1", "go", "d", "go infinite")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    # The input ends at once. On a busy machine the search has no move by the time at which the process must end.
    assert len(bestmoves(lines)) == 3 and lines[-1].startswith("bestmove ")
    assert "info string S to move" in lines


@pytest.mark.parametrize("rejected", [f"position fen {'o' * 35}", "--joho", "go sideways"])
def test_rejected_argument_ends_the_process(rejected: str) -> None:
    done = run("setoption name UCI_Variant value klotski", rejected, "go")
    assert (done.returncode, done.stderr) == (2, "")
    lines = done.stdout.splitlines()
    assert len(errors(lines)) == 1 and lines[1:] == ["bestmove (none)"] * rejected.startswith("go")


SCRIPTS = [
    (["version", "go infinite"], 0),
    (["joho", "version"], 2),
    (["go sideways"], 2),
    (["go infinite", "joho"], 2),
    (["go ponder", "setoption name Nothing value 1"], 2),
    (["go movetime 1", "position nowhere", "go infinite"], 2),
    (["go infinite", "joho", "quit"], 0),
]
"""Lines, and the exit code after them."""


@pytest.mark.parametrize(("lines", "code"), SCRIPTS)
def test_exit_code_at_end_of_input_is_2_after_a_rejected_line(lines: list[str], code: int) -> None:
    assert run(script="\n".join(lines).encode()).returncode == code
    assert run(*lines).returncode == code


def test_path_keeps_its_blanks(tmp_path: Path) -> None:
    network, name = tmp_path / "net  work\tvalue  x", "a  solution"
    shutil.copy(WEIGHTS_FOLDER / "luzhanqi_network.npz", network)
    option = f"setoption  name  EvalFile  value  {network}"
    lines = ["setoption name  UCI_Variant  value submarine", option, "go", f"export  {tmp_path / name} \t"]
    assert run(script="\r\n".join(lines).encode()).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {network.name, name}
    assert run("--contest", option).stderr == ""


def test_engine_ends_although_client_does_not_read() -> None:
    """A client that reads late gets every line; the engine does not wait for one that sent `quit` and never reads."""
    for line in ("", "quit"):
        with Engine(reads=False) as engine:
            engine.send(*["help"] * 2_000, *[line] * bool(line))
            if line:
                assert engine.exit_code(1.0 * SLACK) == 0
            else:
                engine.end_input()
                assert len(engine.process.stdout.read().splitlines()) == 2_000 * len(COMMANDS)
                assert engine.exit_code() == 0


LONG = {
    "position startpos viewer *": ("go perft 9", "bestmove (none)"),
    "ucinewgame": ("bench", "info string bench stopped"),
    "setoption name UCI_Variant value klotski": ("eval", "info string eval stopped"),
    "setoption name UCI_Variant value match3": ("go depth 100", "bestmove "),
    "setoption name MultiPV value 500\nsetoption name UCI_Variant value submarine": ("go generate", "bestmove (none)"),
}
"""Lines, a command that takes long after them, and the beginning of its answer when it is stopped."""


@pytest.mark.parametrize("before", long_after(3, LONG))
def test_every_long_command_is_a_search(engine: Engine, before: str) -> None:
    """During it `isready` is answered immediately, and `stop` ends it."""
    line, answer = LONG[before]
    fifteen = "position fen ABCD/EFGH/IJKL/MNO. goal ONML/KJIH/GFED/CAB."
    engine.ask("setoption name Hash value 512", *before.split("\n"), fifteen if line == "eval" else "")
    engine.send(line)
    for _ in range(3):
        asked = time.monotonic()
        engine.ask()
        assert engine.times[-1] - asked < 0.1 * SLACK
    assert not any(said.startswith(answer) for said in engine.lines)
    stopped = time.monotonic()
    engine.ask("stop", until=answer)
    assert engine.times[-1] - stopped < 0.1 * SLACK


@pytest.mark.long
def test_signal_just_before_the_wait_for_input_is_noticed() -> None:
    for number in range(40):
        with Engine() as engine:
            engine.ask("uci", until="uciok")
            engine.send("x")
            time.sleep(number / 200_000)
            engine.signal(signal.SIGTERM)
            assert engine.exit_code(1.0 * SLACK) == 0
