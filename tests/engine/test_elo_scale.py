"""`UCI_Elo`: the measured scale, the level for an Elo, and how strong the engine then plays."""

from itertools import pairwise

import pytest

from junqi_engine.players.versions import elo_range, level_of, scales
from junqi_engine.rules.board import BOARDS
from tests.helpers.engine import Engine


@pytest.mark.parametrize("variant", BOARDS)
def test_the_level_for_an_elo_lies_between_the_measured_ones(variant: str) -> None:
    rows = scales()[variant]
    for level, elo in rows:
        assert level_of(variant, elo) == level
    for (lower, from_elo), (upper, to_elo) in pairwise(rows):
        assert level_of(variant, (from_elo + to_elo) / 2) == pytest.approx((lower + upper) / 2)
    assert level_of(variant, -5000) == rows[0][0]
    assert level_of(variant, 9000) == rows[-1][0]


# How it plays


def nodes_and_move(engine: Engine, *options: str) -> tuple[int, str]:
    lines = engine.ask(*(f"setoption name {option}" for option in options), "go nodes 100000", until="bestmove")
    words = [line for line in lines if " nodes " in line][-1].split()
    return int(words[words.index("nodes") + 1]), lines[-1]


@pytest.mark.parametrize("variant", BOARDS)
def test_elo_decides_and_the_level_is_ignored(engine: Engine, variant: str) -> None:
    engine.ask(f"setoption name UCI_Variant value {variant}", "setoption name Seed value 5")
    for level, elo in scales()[variant][:2]:
        as_level = nodes_and_move(engine, "UCI_LimitStrength value false", f"Skill Level value {level}")
        as_elo = nodes_and_move(engine, "UCI_LimitStrength value true", f"UCI_Elo value {elo}", "Skill Level value 20")
        assert as_elo == as_level
    weak = nodes_and_move(engine, f"UCI_Elo value {elo_range()[0]}")[0]
    middle = nodes_and_move(engine, f"UCI_Elo value {(scales()[variant][0][1] + scales()[variant][1][1]) // 2}")[0]
    assert weak < middle < as_elo[0]
    free = nodes_and_move(engine, "UCI_LimitStrength value false", "Skill Level value 20")[0]
    assert free > as_elo[0]


@pytest.mark.parametrize("lines", [1, 3])
def test_limited_strength_prints_the_lines_that_are_asked_for_and_the_first_is_played(
    engine: Engine, lines: int
) -> None:
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
