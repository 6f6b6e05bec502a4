"""`import junqi_engine`: what is refused, in our words, and changes nothing."""

import math
from collections.abc import Callable

import pytest

import junqi_engine as junqi
from junqi_engine.errors import BY_CODE
from tests.helpers.library import LINEUP, random_game, state_of

REFUSED: list[tuple[Callable[[junqi.Game], object], type[junqi.JunqiError], str, str]] = [
    (lambda game: game.push("banana"), junqi.IllegalMove, "bad-move", "'banana' is not a move"),
    (lambda game: game.push("h1h2"), junqi.IllegalMove, "illegal-move", "h1h2: h1 is a headquarters"),
    (lambda game: game.push("z9z8"), junqi.IllegalMove, "bad-move", "z9 is not a point"),
    (lambda game: game.push(game.legal_moves[0] + "#S"), junqi.IllegalMove, "impossible-outcome", "the outcome is"),
    (lambda game: game.push("pass:E"), junqi.IllegalMove, "illegal-move", "S is to move"),
    (lambda game: game.resign("X"), junqi.IllegalMove, "bad-move", "X is not a seat"),
    (lambda game: game.view("SE"), junqi.BadPosition, "bad-position", "viewer 'SE' is not one seat"),
    (lambda game: game.piece_at("a1"), junqi.JunqiError, "bad-argument", "'a1' is not a point"),
    (lambda game: game.view("S").belief("h13"), junqi.JunqiError, "bad-argument", "no piece stands on h13"),
    (lambda game: game.view("S").possible("h13"), junqi.JunqiError, "bad-argument", "no piece stands on h13"),
    (lambda game: game.view("EW").legal_moves, junqi.IllegalMove, "not-our-seat", "S is to move"),
    (lambda game: game.svg(last_move="g6z9"), junqi.IllegalMove, "bad-move", "z9 is not a point of the board"),
    (lambda game: game.svg(last_move="resign:S"), junqi.IllegalMove, "bad-move", "'resign:S' has no points to draw"),
    (lambda game: game.svg(arrows=["g6"]), junqi.IllegalMove, "bad-move", "'g6' is not a move"),
    (lambda game: game.svg(orientation="X"), junqi.JunqiError, "bad-argument", "'X' is not one of S, E, N, W"),
    (lambda game: game.view("S").sample(1, by="luck"), junqi.JunqiError, "bad-argument", "'luck' is not one of belief"),
    (lambda game: junqi.review(junqi.Game.from_fen(game.fen())), junqi.JunqiError, "not-supported",
     "a game from a FEN cannot be reviewed: what its players have seen"),
    (lambda game: junqi.review(game, visibility="half"), junqi.JunqiError, "bad-argument",
     "visibility 'half' is not one of partner, dark, open"),
    (lambda game: junqi.review(game, nodes=10), junqi.JunqiError, "bad-argument", "nodes: 10 is less than 1000"),
    (lambda game: junqi.Move("banana"), junqi.IllegalMove, "bad-move", "^'banana' is not a move$"),
    (lambda game: junqi.Game("siguo", {"S": "x" * 25}), junqi.BadLineup, "bad-lineup", "S's line-up: letter 1 is 'x'"),
    (lambda game: junqi.Game("siguo", {"X": LINEUP}), junqi.JunqiError, "bad-argument", "'X' is not one of S, E, N, W"),
    (lambda game: junqi.Game("luzhanqi", first="E"), junqi.JunqiError, "bad-argument", "'E' is not one of S, N"),
    (lambda game: junqi.View("siguo", "SN", {"E": LINEUP}), junqi.BadPosition, "leak", "E is not in the viewer"),
    (lambda game: junqi.Game.from_fen("banana"), junqi.BadPosition, "bad-position",
     r"field board: 1 ranks, expected 17 \(siguo\) or 12 \(luzhanqi\)"),
    (lambda game: junqi.Game.from_fen(game.view("SN").fen()), junqi.BadPosition, "needs-open", "the viewer must be"),
    (lambda game: junqi.env.JunqiEnv().action_of("S", "zz"), junqi.IllegalMove, "bad-move", "'zz' is not a move"),
]  # fmt: skip


@pytest.mark.parametrize(("work", "kind", "code", "text"), REFUSED)
def test_what_is_refused_changes_nothing(work: Callable, kind: type, code: str, text: str) -> None:
    game = random_game("siguo", 2, 8)
    before = state_of(game)
    with pytest.raises(kind, match=text) as error:
        work(game)
    assert (type(error.value), error.value.code) == (kind, code)
    assert state_of(game) == before


def test_a_refused_observation_leaves_the_view_unchanged() -> None:
    view = junqi.View("luzhanqi", "S", {"S": LINEUP})
    for move in ("a6b5", "a7a6"):
        view.push(move)
    before = state_of(view)
    for move, code in (("a5a6", "missing-outcome"), ("banana", "bad-move"), ("a5a6x!c12", "impossible-outcome")):
        with pytest.raises(junqi.IllegalMove) as error:
            view.push(move)
        assert error.value.code == code
        assert state_of(view) == before


def test_every_public_error_is_a_junqi_error_with_a_code() -> None:
    assert all(issubclass(kind, junqi.JunqiError) for kind in BY_CODE.values())


@pytest.mark.parametrize(
    ("door", "text"),
    [
        (lambda game: game.svg(size=10**400), "size is larger than 9223372036854775807"),
        (lambda game: game.svg(size=-(10**5000)), "size is not at least 1"),
        (lambda game: game.view("S").sample(10**30), "n is larger than 9223372036854775807"),
        (lambda game: game.view("S").sample(-1), "n -1 is not at least 0"),
        (lambda game: junqi.review(game, nodes=10**30), "nodes is larger than 9223372036854775807"),
        (lambda game: game.record(number=-1), "number -1 is not at least 0"),
        (lambda game: game.record(number=1 << 63), "number is larger than 9223372036854775807"),
        (lambda game: junqi.Patience(float("nan")), "uciok_s nan is not at least 0"),
        (lambda game: junqi.Patience(ready_s=-1), "ready_s -1 is not at least 0"),
        (lambda game: junqi.Limit(movetime_ms=0.5), "movetime_ms: 0.5 is not a whole number"),
        (lambda game: junqi.Limit(time_ms=math.inf), "time_ms: inf is not a whole number"),
        (lambda game: junqi.Limit(clocks_ms={"S": math.nan}), "clocks_ms: nan is not a whole number"),
    ],
)
def test_a_number_out_of_range_is_refused(door: Callable, text: str) -> None:
    with pytest.raises(junqi.JunqiError, match=f"^{text}$"):
        door(random_game("siguo", 2, 8))
