"""Copies and pickles of the library's objects behave like the originals and are independent of them."""

import copy
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import junqi_engine as junqi
from tests.helpers.engine import DEADLINE_S
from tests.helpers.library import random_game, state_of


def by_pickle(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


every_way = pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, by_pickle], ids=lambda way: way.__name__)
before_and_after_it_was_asked = pytest.mark.parametrize(
    ("variant", "was_asked"), [("siguo", False), ("luzhanqi", True)]
)


def knowledge_of(view: junqi.View) -> list[object]:
    """The knowledge and the belief of a view, and its legal moves."""
    known = [(view.possible(point), view.belief(point)) for point in view.piece_map()]
    return [state_of(view), known, view.position_line(), view.rules, view.legal_moves]


def go_on(game: junqi.Game) -> list[object]:
    """The states of a game and its views after more moves, some of which are taken back."""
    rng = random.Random(1)
    for _ in range(12):
        game.push(rng.choice(game.legal_moves))
    for _ in range(20):
        game.pop()
    for _ in range(5):
        game.push(rng.choice(game.legal_moves))
    return [game.record(), state_of(game), *(knowledge_of(game.view(viewer)) for viewer in ("*", game.turn))]


@every_way
@before_and_after_it_was_asked
def test_game_can_be_copied_and_pickled(variant: str, was_asked: bool, way: Callable) -> None:
    game = random_game(variant, 4, 30)
    if was_asked:
        knowledge_of(game.view(game.turn))
    copied, before = way(game), [state_of(game), game.record(), game.legal_moves]
    assert [state_of(copied), copied.record(), copied.legal_moves] == before
    assert knowledge_of(copied.view(copied.turn)) == knowledge_of(game.view(game.turn))
    went = go_on(copied)
    assert [state_of(game), game.record(), game.legal_moves] == before
    assert went == go_on(game)


@every_way
@before_and_after_it_was_asked
def test_view_can_be_copied_and_pickled(variant: str, was_asked: bool, way: Callable) -> None:
    game = random_game(variant, 4, 50)
    rest = [game.pop() for _ in range(20)][::-1]
    view = game.view(game.turn)
    if was_asked:
        knowledge_of(view)
    copied, before = way(view), state_of(view)
    assert knowledge_of(copied) == knowledge_of(view)
    for move in rest:
        copied.push(move)
    assert state_of(view) == before != state_of(copied)
    for move in rest:
        view.push(move)
    while view.turn not in view.viewer:
        for each in (view, copied):
            each.push(f"pass:{view.turn}")
    assert knowledge_of(copied) == knowledge_of(view)


def test_views_and_errors_reach_another_process() -> None:
    view = random_game("luzhanqi", 4, 10).view("S")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(junqi.View.fen, view).result(DEADLINE_S) == view.fen()
        with pytest.raises(junqi.IllegalMove) as error:
            pool.submit(junqi.View.push, view, "c7").result(DEADLINE_S)
    assert error.value.code == "bad-move"
