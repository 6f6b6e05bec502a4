"""`UCI_ShowWDL`: the chances behind a score, their fit to games, and what `info` lines print."""

import re

import pytest

from junqi_engine.evaluation.win_chances import PERMILLE, wdl_permille
from junqi_engine.rules.board import BOARDS
from tests.helpers.engine import Engine

SCORE = re.compile(r"info .* score (cp -?\d+|mate -?\d+) wdl (\d+) (\d+) (\d+) nodes \d+ .*")
WON = "position fen 17/17/17/17/17/17/16Eh/16El/16Ej/16Ej/6Sh10/6Sg10/17/17/17/17/7Sl9 S SE * 0 0"
"""South takes East's flag in two moves."""
LOST = "position fen 17/17/17/17/17/6Sg10/17/16El/17/17/17/17/17/17/17/7Ec9/7Sl9 S SE * 0 0"
"""A position in which South cannot keep East from taking its flag."""


@pytest.mark.parametrize("variant", BOARDS)
def test_chances_sum_to_one_and_rise_with_score(variant: str) -> None:
    for ply in (0, 40, 150, 1000, 100_000):
        before = (-1, 0, PERMILLE + 1)
        for score in range(-29_000, 29_001, 250):
            chances = wdl_permille(variant, score, ply)
            assert sum(chances) == PERMILLE and min(chances) >= 0
            assert chances[0] >= before[0] and chances[2] <= before[2]
            assert wdl_permille(variant, -score, ply) == pytest.approx(chances[::-1], abs=1)
            before = chances
        assert wdl_permille(variant, 0, ply)[0] == wdl_permille(variant, 0, ply)[2]
        win, _, loss = wdl_permille(variant, 29_000, ply)
        assert win > 1.5 * loss


# What is printed


@pytest.mark.parametrize("variant", BOARDS)
def test_show_wdl_adds_chances_to_each_line(engine: Engine, variant: str) -> None:
    setting = [f"setoption name UCI_Variant value {variant}", "setoption name Seed value 1"]
    plain = engine.ask(*setting, "go nodes 3000", until="bestmove")
    assert not any("wdl" in line for line in plain)
    lines = engine.ask("setoption name UCI_ShowWDL value true", "setoption name MultiPV value 3", "go nodes 3000",
                       until="bestmove")  # fmt: skip
    scores = [line for line in lines if " score " in line]
    assert len(scores) >= 3
    for line in scores:
        match = SCORE.fullmatch(line)
        assert match and sum(map(int, match.groups()[1:])) == PERMILLE
        assert match[1].startswith("cp") and tuple(map(int, match.groups()[1:])) == wdl_permille(
            variant, int(match[1].split()[1]), 0
        )


@pytest.mark.parametrize(
    ("position", "score"), [(WON, "mate 2 wdl 1000 0 0"), (LOST, "mate -1 wdl 0 0 1000")], ids=["won", "lost"]
)
def test_mate_is_certain(engine: Engine, position: str, score: str) -> None:
    lines = engine.ask("setoption name UCI_ShowWDL value true", position, "go depth 4", until="bestmove")
    assert any(f" score {score} nodes " in line for line in lines)
