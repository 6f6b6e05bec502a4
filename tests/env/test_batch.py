"""`Batch`: its games follow the rules; begin, step and reset; refusals."""

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.env import Batch, frame_of
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from tests.helpers.marking import long_after, seeds

GAMES, SEEDS = 40, seeds(1)
"""Games, by variant and seed, that are compared from beginning to end."""
EVERY_PLIES = 20
"""Number of steps after which the masks are compared."""


@pytest.mark.bounds
@pytest.mark.parametrize("seed", long_after(1, SEEDS))
@pytest.mark.parametrize("variant", BOARDS)
def test_batch_games_follow_the_rules(variant: str, seed: int) -> None:
    board = BOARDS[variant]
    batch = Batch(32, variant, "dark", seed=seed)
    games = [GameState.start(board, batch.lineups(number)) for number in range(32)]
    finished = 0
    while finished < GAMES:
        actions, masks = batch.random_actions(), batch.legal_mask()
        for number, game in enumerate(games):
            frame = frame_of(variant, game.turn)
            if game.ply % EVERY_PLIES == 0:
                legal = sorted(map(frame.action_of, game.legal_moves()))
                assert np.flatnonzero(masks[number]).tolist() == legal
            game.play(frame.move_of(int(actions[number])))
        results = batch.step(actions)
        assert results.tolist() == [game.result for game in games]
        for number, game in enumerate(games):
            if game.result:
                finished += 1
                games[number] = GameState.start(board, batch.lineups(number))
        assert batch.turns.tolist() == [game.turn for game in games]
        assert batch.plies.tolist() == [game.ply for game in games]


@pytest.mark.long
def test_games_depend_on_the_seed() -> None:
    def played(seed: int) -> list[list[int]]:
        batch = Batch(4, "luzhanqi", seed=seed)
        found = []
        for _ in range(50):
            found.append(batch.random_actions().tolist())
            batch.step(np.array(found[-1]))
        return found

    assert played(1) == played(1) != played(2)
    batch = Batch(4, "luzhanqi", seed=1)
    first = batch.random_actions().tolist()
    batch.step(np.array(first))
    batch.reset(1)
    assert batch.random_actions().tolist() == first


def test_refused_call_changes_nothing() -> None:
    batch = Batch(3, "luzhanqi", seed=1)
    good = batch.random_actions()
    before = batch.legal_mask()
    for wrong in (0, -1, 10**9):
        actions = good.copy()
        actions[1] = wrong
        with pytest.raises(junqi.IllegalMove, match=f"game 1: action {wrong} is not legal"):
            batch.step(actions)
    with pytest.raises(ValueError, match=r"actions: shape \(2,\), expected \(3,\)"):
        batch.step(good[:2])
    assert (batch.legal_mask() == before).all() and batch.plies.tolist() == [0, 0, 0]
    for given, text in [
        ({"n": 0}, "n 0 is not at least 1"),
        ({"variant": "go"}, "variant 'go'"),
        ({"visibility": "bright"}, "visibility 'bright' is not one of partner, dark, open"),
        ({"history": 65}, "history 65 is not from 0 to 64"),
    ]:
        with pytest.raises(junqi.Refused, match=text):
            Batch(**{"n": 1, "variant": "luzhanqi"} | given)
