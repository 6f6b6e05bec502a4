"""`Skill Level`: how strong the engine then plays."""

import json
import shlex
import sys

import pytest

from junqi_board.engines import LEVELS, SKILL
from junqi_engine.rules.board import BOARDS
from junqi_referee.cli import run
from junqi_referee.exit_codes import ExitCode
from tests.helpers.engine import Engine
from tests.helpers.marking import long_after
from tests.helpers.referee import PROTOCOL, ROOT


@pytest.mark.parametrize("variant", BOARDS)
def test_lower_level_searches_fewer_nodes(engine: Engine, variant: str) -> None:
    engine.ask(f"setoption name UCI_Variant value {variant}", "setoption name Seed value 5")
    nodes = []
    for level in (0, 2, 4, 20):
        lines = engine.ask(f"setoption name Skill Level value {level}", "go nodes 100000", until="bestmove")
        words = [line for line in lines if " nodes " in line][-1].split()
        nodes.append(int(words[words.index("nodes") + 1]))
    assert nodes == sorted(set(nodes))


@pytest.mark.parametrize("lines", [1, 3])
def test_limited_strength_plays_first_multipv_line(engine: Engine, lines: int) -> None:
    """Level 0 has so much noise that another move than the one with the best score is played now and then."""
    engine.ask("setoption name UCI_Variant value luzhanqi", "setoption name Skill Level value 0",
               f"setoption name MultiPV value {lines}")  # fmt: skip
    positions = ("position startpos viewer S", "position startpos viewer S moves a6a7 c10d10")
    is_best = set()
    for seed in range(8):
        found = engine.ask(f"setoption name Seed value {seed}", positions[seed % 2], "go depth 3", until="bestmove")
        words = [line.split() for line in found if " multipv " in line]
        assert [int(line[line.index("multipv") + 1]) for line in words] == list(range(1, lines + 1))
        moves = [line[line.index("pv") + 1] for line in words]
        assert found[-1] == f"bestmove {moves[0]}" and len(set(moves)) == lines
        scores = [int(line[line.index("cp") + 1]) for line in words]
        is_best.add(scores[0] == max(scores))
    assert lines == 1 or False in is_best


@pytest.mark.parametrize("variant", long_after(1, ["luzhanqi", "siguo"]))
def test_beginner_beats_first_level(capsys: pytest.CaptureFixture[str], variant: str) -> None:
    """docs/players.md has the share of wins, from more games."""
    newcomer = shlex.join([sys.executable, "-m", "tests.helpers.newcomer"])
    level = getattr(LEVELS["beginner"], variant)
    words = ["match", "--variant", variant, "--each", f"dir={ROOT}", "nodes=1000000", "--rounds", "5", "--seed", "1"]
    words += ["--engine", "name=newcomer", f"cmd={newcomer}"]
    words += ["--engine", "name=level", f"cmd={shlex.join(PROTOCOL)}", f"option.{SKILL}={level}"]
    assert run([*words, "--json"]) == ExitCode.DONE
    [found] = json.loads(capsys.readouterr().out)["pairings"]
    assert found["games"] == 10 and found["wins"] > found["losses"]
