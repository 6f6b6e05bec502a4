"""The programs of docs/library.md and docs/examples are run, and do what the pages and their first lines say."""

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import junqi_engine as junqi
from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_referee.check.runner import Subject, run_steps
from junqi_referee.check.steps import LEVELS
from junqi_referee.time_control import TimeControl
from tests.helpers.engine import DEADLINE_S
from tests.helpers.marking import long_after

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
PAGE = (DOCS / "library.md").read_text(encoding="utf-8")
OWN = shlex.join(own_command())
REFEREE = own_command("junqi_referee")
MINE = shlex.join([sys.executable, str(EXAMPLES / "own_engine.py")])
NEEDS_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: apt-get install nodejs")


def printed(folder: Path, *command: str | Path, says: str | None = None) -> list[str]:
    """The lines that a program prints when it runs in a folder."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, input=says, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def example(folder: Path, name: str, *arguments: str) -> list[str]:
    return printed(folder, sys.executable, EXAMPLES / name, *arguments)


def module(name: str) -> ModuleType:
    found = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert found is not None and found.loader is not None
    loaded = importlib.util.module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


# The page


@pytest.mark.parametrize(
    ("language", "number", "told"),
    [("python", 0, None), ("python", 2, "[(3, 90, True), (1, 6, True), (1, 2, True), (1, 63, True)]\n")],
    ids=["example", "puzzles"],
)
def test_programs_print_as_shown(tmp_path: Path, language: str, number: int, told: str | None) -> None:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    blocks = [text for written_in, text in found if written_in == language]
    expected = told or next(text for written_in, text in found if not written_in)
    assert printed(tmp_path, sys.executable, "-c", blocks[number]) == expected.splitlines()


def test_asyncio_example_plays(tmp_path: Path) -> None:
    code = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
    [move] = printed(tmp_path, sys.executable, "-c", code.replace('"junqi-engine"', repr(own_command())))
    assert re.fullmatch(r"[a-e]\d[a-e]\d", move)


def test_every_public_name_is_documented() -> None:
    [table] = [table for table in re.split(r"\n\n", PAGE) if table.startswith("| name | what it is |")]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(junqi.__all__)


# GUIs


def test_gui_loop_plays(tmp_path: Path) -> None:
    lines = example(tmp_path, "gui_loop.py", MINE)
    assert any(re.match(r"    info depth \d+ .* pv ", line) for line in lines)
    moves = [line.split(". ") for line in lines if re.match(r"\d+\. ", line)]
    assert [int(number) for number, _ in moves] == list(range(1, len(moves) + 1))
    assert re.fullmatch(r"([SN]|draw) by (flag|no-moves|no-contact)", lines[-1])


@pytest.mark.long
@NEEDS_NODE
@pytest.mark.parametrize(("variant", "engine"), [("siguo", OWN), ("luzhanqi", MINE)])
def test_javascript_gui_loop_plays(tmp_path: Path, variant: str, engine: str) -> None:
    """Its record is right: the referee accepts it, and so does the library, with the same outcomes and ending."""
    command = ["node", str(EXAMPLES / "gui_loop.js"), variant, engine, OWN]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    assert re.search(r"^    info depth \d+ .* pv ", done.stderr, re.MULTILINE)
    (tmp_path / "game.jsonl").write_text(done.stdout, encoding="utf-8")
    shown = printed(tmp_path, *REFEREE, "replay", "game.jsonl", "1")
    game, record = junqi.Game.from_record(done.stdout), json.loads(done.stdout)
    assert shown[-1] == f"{game.result} by {game.ending}"
    assert (record["moves"], record["result"], record["ending"]) == (game.move_stack, game.result, game.ending)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["chess", OWN], "error bad-value option UCI_Variant: 'chess'"),
        (["klotski", f"{sys.executable} -c 'input(); input()'"], " ended without readyok"),
    ],
)
def test_puzzle_program_ends_with_error(tmp_path: Path, arguments: list[str], text: str) -> None:
    command = [sys.executable, EXAMPLES / "puzzles.py", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == 1 and text in done.stderr


# An engine


def test_python_engine_plays_and_rejects_in_one_line(tmp_path: Path) -> None:
    """South's Major General takes what is lower than it; then the flag, which is open."""
    said = {
        "hello": ["info string error unknown-command 'hello'"],
        "setoption name UCI_Variant value chess": [
            "info string error bad-value UCI_Variant: 'chess' is not one of siguo, luzhanqi"
        ],
        "setoption name Unknown value 1": [],
        "position startpos viewer X": [
            "info string error bad-position viewer 'X' is not one seat, one team (SN or EW) or *"
        ],
        "position startpos lineup S:abc": [
            "info string error bad-lineup S's line-up: a line-up has 25 letters; this one has 3"
        ],
        "position startpos moves h1h2": [
            "info string error illegal-move h1h2: h1 is a headquarters, and no piece leaves one"
        ],
        "go depth many": ["info string error bad-number go depth: 'many' is not a whole number", "bestmove (none)"],
        "go setup X": ["info string error bad-argument go setup: 'X' is not one of S, E, N, W", "bestmove (none)"],
        "position startpos viewer S moves g6g7": [],
        "go": [
            "info string error not-our-seat E is to move, but its pieces are hidden from this viewer",
            "bestmove (none)",
        ],
        "position fen 1N?3/5/5/5/5/5/5/5/5/2N?2/2Sc2/1Sl3 S SN S 0 80 c3:defg": [],
        "go nodes 100": ["bestmove c2c3"],
        "go ponder": [],
        "go infinite": ["bestmove c2c3"],
        "isready": ["readyok"],
        "position fen 1Nl3/1Sc3/5/5/5/5/5/5/5/5/2N?2/1Sl3 S SN S 0 80 c2:abc": [],
        "go nodes 1": ["bestmove c2c3", "bestmove b11b12"],
        "quit": [],
        "never read": [],
    }
    lines = printed(tmp_path, sys.executable, EXAMPLES / "own_engine.py", says="".join(f"{line}\n" for line in said))
    told = [line for line in lines if not line.startswith("info depth")]
    assert told == [line for lines in said.values() for line in lines]


def reaches(engine: str, level: str, variant: str) -> None:
    subject = Subject({"cmd": engine}, variant, False, TimeControl.parse({}))
    faults = {result.name for result in run_steps(subject, LEVELS[level]) if result.fault}
    # Many workers share the processors, and how soon a new process answers is its runtime's affair.
    assert faults <= {"uciok in time"}


@pytest.fixture(scope="module")
def engine_in_c(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The engine as its first lines say, with all warnings, and with checks of memory and arithmetic."""
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler: apt-get install gcc")
    path = tmp_path_factory.mktemp("c") / "engine"
    checks = ["-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    subprocess.run(["cc", *checks, "-o", path, EXAMPLES / "engine.c"], check=True)
    return str(path)


@pytest.mark.parametrize("variant", long_after(1, ["luzhanqi", "siguo"]))
def test_engine_in_c_plays(tmp_path: Path, engine_in_c: str, variant: str) -> None:
    reaches(engine_in_c, "plays", variant)
    told = printed(tmp_path, engine_in_c, says="position\nposition fen 5/5\nposition startpos moves h1h2\n")
    assert all(line.startswith("info string error ") for line in told) and len(told) == 3


# A bot, a tournament, records


def test_tree_search_takes_the_flag() -> None:
    view = junqi.View.from_fen("1Nl3/1Sc3/5/5/5/5/5/5/5/5/2N?2/1Sl3 S SN S 0 80 c2:abc")
    assert module("ismcts").choose(view, 100) == "b11b12"


@pytest.mark.long
def test_records_are_read_and_written(tmp_path: Path) -> None:
    example(tmp_path, "records.py", "play", "games.jsonl", "--games", "4", "--seed", "1")
    lines = (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()
    games = [junqi.Game.from_record(line) for line in lines]
    plies = sorted(game.ply() for game in games)

    [counts, results, *_] = example(tmp_path, "records.py", "stats", "games.jsonl")
    assert counts.startswith(f"4 games; plies: {plies[0]} to {plies[3]}, ")
    told = Counter(str(game.result) for game in games)
    assert sorted(results.removeprefix("result: ").split(", ")) == sorted(f"{team} {told[team]}" for team in told)

    game = games[1].copy()
    while game.ply() > 10:
        game.pop()
    shown = example(tmp_path, "records.py", "show", "games.jsonl", "2", "--ply", "10", "--viewer", "S")
    assert shown == [*str(game.view("S")).splitlines(), f"after 10 plies, the last one {game.peek()}"]

    assert example(tmp_path, "records.py", "select", "games.jsonl", "short.jsonl", "--longest", str(plies[1])) == [
        "2 games in short.jsonl"
    ]
    short = (tmp_path / "short.jsonl").read_text(encoding="utf-8").splitlines()
    assert short == [line for line, game in zip(lines, games, strict=True) if game.ply() <= plies[1]]
    assert [GameRecord.from_line(line).engines["S"]["name"] for line in short] == ["random"] * 2
