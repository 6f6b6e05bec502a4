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


def played(engine: Engine, level: int, fen: str) -> set[str]:
    """The moves of a level in a position of luzhanqi, by ten seeds."""
    engine.ask("setoption name UCI_Variant value luzhanqi", f"setoption name Skill Level value {level}")
    engine.ask(f"position fen {fen}")
    found = [engine.ask(f"setoption name Seed value {seed}", "go", until="bestmove")[-1] for seed in range(10)]
    return {line.removeprefix("bestmove ") for line in found}


@pytest.mark.parametrize("level", [0, 10])
def test_every_level_takes_a_flag_that_it_sees(engine: Engine, level: int) -> None:
    beside_the_flag = "NjNlNjNhNi/1NgNjNgNb/5/5/5/5/5/Sf4/5/5/3Sj1/SeSh1SlNi N SN * 0 37"
    assert played(engine, level, beside_the_flag) == {"e1d1"}


@pytest.mark.parametrize("level", [0, 6])
def test_beginner_attacks_before_the_limit_on_moves_without_battle(engine: Engine, level: int) -> None:
    lieutenant_far_below_marshal = "NjNlNjNhNi/5/5/5/5/5/4Na/5/5/4Sh/3Sj1/SeSh1Sl1 S SN * {quiet} 60"
    assert played(engine, level, lieutenant_far_below_marshal.format(quiet=29)) == {"e3e6"}
    assert len(played(engine, level, lieutenant_far_below_marshal.format(quiet=5))) > 1


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
