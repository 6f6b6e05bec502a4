"""Brain teasers without a browser: drawing, the list of each day, proofs.

The engine's descriptions of positions are not trusted.
"""

import random
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from junqi_board.answers.teasers import known_positions
from junqi_board.scenes.teasers import VARIANTS, draw
from junqi_board.teasers import VARIANTS as VARIANTS_OF_KINDS
from junqi_board.teasers import teasers_of, teasers_of_kind
from junqi_engine.errors import Refused
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control
from junqi_puzzles.base import Limits, Puzzle
from junqi_puzzles.difficulty import Level, difficulty
from junqi_puzzles.klotski import Klotski
from junqi_puzzles.knights_tour import KnightsTour
from junqi_puzzles.match3 import Match3
from junqi_puzzles.submarine import Submarine
from junqi_puzzles.submarine.tiles import ATTACHMENTS
from tests.helpers.board import OWN_ENGINE, Page, Server
from tests.helpers.proof import plans

ENGINES = (OWN_ENGINE,)


def legal_and_fen(variant: str, position: str) -> tuple[str, list[str]]:
    dispatcher = Dispatcher()
    control = Control(lambda line: None)
    dispatcher.set_option(["name", "UCI_Variant", "value", variant], control)
    dispatcher.load(control)
    dispatcher.game.set_position(["fen", *position.split()])
    fen = next(line[4:] for line in dispatcher.game.describe() if line.startswith("fen "))
    return fen, dispatcher.game.legal()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_known_position_can_be_drawn(variant: str) -> None:
    for known in known_positions()[variant]:
        fen, legal = legal_and_fen(variant, known.position)
        drawing = draw(variant, fen, legal)
        ids = [shape.id for shape in drawing.shapes]
        assert len(ids) == len(set(ids)), known
        assert {choice.move for choice in drawing.choices} == set(legal)
        assert {choice.id for choice in drawing.choices} <= set(ids)


def test_tiles_are_drawn_with_their_attachments() -> None:
    for tile, rectangles in ATTACHMENTS.items():
        other = "T" if tile != "T" else "m:n"
        drawing = draw("submarine", f"{tile},{other},./.,.,./.,.,.", [])
        [shape] = [shape for shape in drawing.shapes if shape.id.startswith(f"{tile}@")]
        parts = [[x + 2.5, y + 2.5, *size] for x, y, *size, kind in shape.rects if kind == "part"]
        assert sorted(parts) == sorted([x, y, width, height] for y, x, height, width in rectangles)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.sampled_from(VARIANTS))
def test_any_position_of_an_engine_is_drawn_or_refused(rng: random.Random, variant: str) -> None:
    samples = ("ABB./ABB./.... goal ..../..../.BB.", "T,b,m/s,T,b/T,T,.", "3343/3233", "5x5 start a1", "BBBKCC..HK.L")
    fen = plans.damaged(rng.choice(samples), rng)
    legal = [plans.line(rng) for _ in range(rng.randint(0, 3))] + ["Bd"]
    try:
        drawing = draw(variant, fen, " ".join(legal).split())
    except Refused as error:
        assert "\n" not in str(error)
    else:
        assert drawing.width > 0


def test_daily_teasers_are_equal_for_all_and_drawable() -> None:
    lengths = {kind: len(teasers_of_kind(kind)) for kind in VARIANTS_OF_KINDS}
    assert min(lengths.values()) >= 50
    first = date(2026, 1, 1)
    for kind, length in lengths.items():
        days = [
            next(one for one in teasers_of(first + timedelta(day)) if one.kind == kind) for day in range(length + 1)
        ]
        assert len(set(days)) == length and days[0] == days[-1], "each once, then from the beginning"
        for one in days:
            assert draw(one.variant, one.position).shapes
    assert {one.level for one in teasers_of_kind("tour")} == {level.value for level in Level}


def test_all_teasers_are_listed_by_kind(board: Server) -> None:
    with Page(board) as page:
        listed = page.ask("teaser_list")
    assert listed["all"].keys() == VARIANTS_OF_KINDS.keys()
    for kind, those in listed["all"].items():
        assert {one["goal"].split("-")[0] for one in those} == {kind}
        assert len([one for one in those if one["name"] == kind]) == len(teasers_of_kind(kind))
    known = {one.position for those in known_positions().values() for one in those}
    assert known <= {one["position"] for those in listed["all"].values() for one in those}
    for today in listed["today"]:
        assert today in listed["all"][today["name"]]


@pytest.mark.parametrize("kind", ["klotski", "cars", "submarine", "match3", "tour"])
@pytest.mark.parametrize(
    "part", [slice(0, 3), pytest.param(slice(3, None), marks=[pytest.mark.long, pytest.mark.release])]
)
def test_every_teaser_of_the_day_is_proven(kind: str, part: slice) -> None:
    puzzles: dict[str, Puzzle[Any]] = {
        "submarine": Submarine(), "match3": Match3(), "tour": KnightsTour()
    }  # fmt: skip
    puzzle = puzzles.get(kind, Klotski())
    for one in teasers_of_kind(kind)[part]:
        board, limits = puzzle.parse(one.position), Limits(depth=one.swaps or None)
        outcome = puzzle.solve(board, limits=limits)
        assert outcome.is_optimal
        reached = puzzle.play_all(board, outcome.solutions[0].moves)
        assert (reached.points if one.swaps else outcome.steps) == one.best
        assert kind == "tour" or one.level == difficulty(puzzle, board, limits=limits).level.value
