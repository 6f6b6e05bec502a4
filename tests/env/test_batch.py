"""`Batch`: its games are those of the rules, whatever is played; how they begin, stand and go on; what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.env import Batch, frame_of
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from tests.helpers.marking import long_after, seeds

GAMES, SEEDS = 40, seeds(1)
"""By variant and seed: games that are compared from beginning to end."""
EVERY_PLIES = 20
"""How often the masks are compared."""


@pytest.mark.bounds
@pytest.mark.parametrize("seed", long_after(1, SEEDS))
@pytest.mark.parametrize("variant", BOARDS)
def test_its_games_are_those_of_the_rules(variant: str, seed: int) -> None:
    board = BOARDS[variant]
    batch = Batch(32, variant, None, seed=seed)
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
def test_everything_depends_on_the_seed() -> None:
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


def test_states_are_taken_set_and_cloned() -> None:
    batch = Batch(4, "siguo", "dark", seed=1)
    for _ in range(60):
        batch.step(batch.random_actions())
    taken, before = batch.states([2]), batch.observe()
    for _ in range(60):
        batch.step(batch.random_actions())
    batch.set_states(taken)
    after = batch.observe()
    assert all((array == before[key][2]).all() for key, array in after.items())
    assert batch.lineups(0) == batch.lineups(3) and batch.plies.tolist() == [60] * 4
    action = batch.random_actions()[0]
    batch.step(np.full(4, action))
    again = batch.observe()
    assert all((array == array[0]).all() for array in again.values())
    for states, games, text in [
        (taken, [9], "index 9 is out of bounds"),
        (batch.states([0, 1]), [0, 1, 2], "2 states for 3 games"),
        (Batch(1, "siguo", "partner").states(), [0], r"states of \('siguo', 'partner'"),
    ]:
        with pytest.raises((junqi.JunqiError, IndexError), match=text):
            batch.set_states(states, games)


@pytest.mark.parametrize(
    ("array", "field", "value", "told"),
    [
        ("positions", "board", 255, "board"),
        ("positions", "where", 255, "where"),
        ("positions", "where", 0, "board"),
        ("positions", "kind", 255, "kind"),
        ("positions", "kind", 8, "kind of a seat"),
        ("positions", "turn", 200, "turn"),
        ("positions", "present", 1 << 31, "present"),
        ("positions", "movable", 1 << 31, "movable"),
        ("views", "masks", 1 << 15, "masks"),
        ("views", "relations", 255, "relations"),
        ("views", "relation_count", 101, "relation_count"),
        ("tracks", "moves", 0xFFFF, "moves"),
        ("tracks", "ends", 254, "ends"),
    ],
)
def test_states_that_no_game_has_are_refused(array: str, field: str, value: int, told: str) -> None:
    """Kernels would read and write beyond their arrays."""
    batch = Batch(2, "luzhanqi", "dark", seed=1)
    before, changed = batch.observe(), batch.states()
    getattr(changed, array)[field] = value
    with pytest.raises(junqi.JunqiError, match=f"^states: {told} has numbers that no game has$"):
        batch.set_states(changed)
    with pytest.raises(junqi.JunqiError, match=r"^states: tracks is not an array of this batch$"):
        batch.set_states(replace(batch.states(), tracks=np.zeros(2)))
    assert all((array == before[key]).all() for key, array in batch.observe().items())


def test_what_is_refused_changes_nothing() -> None:
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
        ({"illegal": "ignore"}, "illegal 'ignore' is not one of refuse, replace"),
        ({"history": 65}, "history 65 is not from 0 to 64"),
        ({"opponents": {"S": "2.0"}}, "opponent '2.0' is not one of 1.0, 1.1, 1.2"),
        ({"opponents": {"E": "1.0"}}, "seat of an opponent 'E' is not one of S, N"),
        ({"opponents": {"S": "1.0", "N": "1.0"}}, "opponents: no seat is left for the caller"),
        ({"opponents": [{}, {}]}, "opponents: 2 tables, expected 1"),
        ({"opponents": {"N": "1.0"}, "visibility": None}, "a batch whose visibility is None has no opponents"),
        (
            {"opponents": {"N": "1.0"}, "rules": junqi.Rules(no_contact=0)},
            "opponents need rules with a limit of plies",
        ),
    ]:
        with pytest.raises(junqi.JunqiError, match=text):
            Batch(**{"n": 1, "variant": "luzhanqi"} | given)
