"""The games for OpenSpiel: its own tests, one of its algorithms, and the observations of the environments."""

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import junqi_engine as junqi
import junqi_engine.openspiel
from junqi_engine.env import Observer
from junqi_engine.errors import JunqiError
from junqi_engine.openspiel.dealing import completions, deal_chances
from junqi_engine.rules import lineup
from junqi_engine.rules.board import FULL_ARMY
from junqi_engine.rules.pieces import COUNTS, LETTERS, PIECES_PER_SEAT
from tests.marking import long_after

GAMES = [("luzhanqi", "dark"), ("siguo", "partner"), ("siguo", "dark"), ("luzhanqi", "open"), ("siguo", "open")]


def load(variant: str, visibility: str, max_plies: int = 30) -> Any:
    return pyspiel.load_game(f"junqi_{variant}(visibility={visibility},max_plies={max_plies})")


def played(game: Any, seed: int, plies: int) -> Any:
    """A state after random deals and moves."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and (state.is_chance_node() or state.true_game.ply() < plies):
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


# Line-ups


def test_every_legal_lineup_is_equally_likely() -> None:
    """The chances of its letters multiply to one over the number of line-ups, whatever the line-up is."""
    rng = random.Random(1)
    for _ in range(20):
        dealt, chance = "", 1.0
        while len(dealt) < PIECES_PER_SEAT:
            kinds, chances = zip(*deal_chances(FULL_ARMY, dealt), strict=True)
            assert sum(chances) == pytest.approx(1)
            kind = rng.choices(kinds, chances)[0]
            chance *= chances[kinds.index(kind)]
            dealt += LETTERS[kind]
        lineup.check(dealt)
        assert chance == pytest.approx(1 / completions(FULL_ARMY, ""))


def test_the_number_of_lineups_is_that_of_a_count_by_hand() -> None:
    """The flag has 2 places, landmines 9 that remain of the last rows, bombs 16 behind the front row that remain."""
    rest = np.prod([float(n) for n in range(1, 20)]) / np.prod([np.prod(range(1, count + 1)) for count in COUNTS[:9]])
    assert completions(FULL_ARMY, "") == pytest.approx(2 * (9 * 8 * 7 / 6) * (16 * 15 / 2) * rest)
    assert completions(FULL_ARMY, "l") == completions(FULL_ARMY, "aa") == 0


# OpenSpiel's own tests


@pytest.mark.parametrize(("variant", "visibility"), long_after(2, GAMES))
def test_random_simulations(variant: str, visibility: str) -> None:
    pyspiel.random_sim_test(load(variant, visibility, 40), num_sims=1, serialize=True, verbose=False)


def test_an_algorithm_of_openspiel_plays() -> None:
    """Information-set Monte Carlo tree search resamples the hidden pieces in every simulation."""
    state = played(load("luzhanqi", "dark", 6), 1, 2)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), evaluator=evaluator, uct_c=1.0, max_simulations=6, random_state=np.random.RandomState(1)
    )
    assert bot.step(state) in state.legal_actions()


# States


@pytest.mark.parametrize(("variant", "visibility"), GAMES)
def test_a_state_is_the_game_of_the_library(variant: str, visibility: str) -> None:
    state = played(load(variant, visibility), 2, 30)
    game = state.true_game
    again = junqi.Game(variant, game.lineups, rules=junqi.Rules(max_plies=30))
    for move in game.move_stack:
        again.push(move)
    assert again == game and state.is_terminal() == game.is_game_over()
    assert state.returns() == list(game.returns().values())
    assert len(state.history()) == game.ply() + len(game.seats) * PIECES_PER_SEAT


@pytest.mark.parametrize(("variant", "visibility"), GAMES)
def test_observations_are_those_of_the_environments(variant: str, visibility: str) -> None:
    """Byte for byte: the arrays of `Observer`, which are those of `aec` and of `Batch`."""
    state = played(load(variant, visibility), 3, 20)
    observer = state.get_game().make_py_observer()
    for player, seat in enumerate(state.true_game.seats):
        observer.set_from(state, player)
        expected = Observer(variant).observe(state.view(player), seat)
        assert observer.dict["observation"].astype(np.uint8).tobytes() == expected["observation"].tobytes()
        assert observer.dict["counts"].tobytes() == expected["counts"].tobytes()
        if player == state.current_player():
            assert state.legal_actions() == np.flatnonzero(expected["action_mask"]).tolist()
        assert observer.tensor.tolist() == state.observation_tensor(player)


@pytest.mark.parametrize(("variant", "visibility"), GAMES)
def test_a_resampled_state_cannot_be_told_apart(variant: str, visibility: str) -> None:
    state = played(load(variant, visibility), 4, 25)
    numbers = random.Random(5)
    for player in range(state.num_players()):
        drawn = state.resample_from_infostate(player, numbers.random)
        assert drawn.information_state_string(player) == state.information_state_string(player)
        assert drawn.information_state_tensor(player) == state.information_state_tensor(player)
        assert drawn.observation_string(player) == state.observation_string(player)
        assert drawn.observation_tensor(player) == state.observation_tensor(player)
        assert (drawn.true_game.lineups != state.true_game.lineups) == (visibility != "open")


def test_an_information_state_is_perfect_recall() -> None:
    """Two orders of the same moves lead to the same position, and to different information states."""
    texts, tensors, fens = set(), set(), set()
    for order in ((0, 1, 2, 3), (2, 3, 0, 1)):
        state = load("luzhanqi", "dark").new_initial_state()
        for letter in "cbfahdehgegidcfkjkijgjhli" * 2:
            state.apply_action(LETTERS.index(letter))
        for number in order:
            player = state.current_player()
            wanted = ("a6b5", "a7b8", "e6d5", "e7d8")[number]
            [action] = [it for it in state.legal_actions() if state.action_to_string(player, it) == wanted]
            state.apply_action(action)
        texts.add(state.information_state_string(0))
        tensors.add(tuple(state.information_state_tensor(0)))
        fens.add(state.true_game.fen())
    assert (len(texts), len(tensors), len(fens)) == (2, 2, 1)


def test_a_copy_goes_its_own_way() -> None:
    state = played(load("siguo", "partner"), 6, 10)
    before = str(state)
    copied = state.clone()
    copied.apply_action(copied.legal_actions()[0])
    assert str(state) == before != str(copied)
    game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(again) == before and str(game) == str(state.get_game())
    assert str(pickle.loads(pickle.dumps(state))) == before


def test_dealing_is_hidden_as_well() -> None:
    states = [load("luzhanqi", "dark").new_initial_state() for _ in range(2)]
    for state, letters in zip(states, ("cbfahdehgegidcfkjkijgjhlia", "cbfahdehgegidcfkjkijgjhlib"), strict=True):
        for letter in letters:
            state.apply_action(LETTERS.index(letter))
    assert states[0].information_state_string(0) == states[1].information_state_string(0)
    assert states[0].information_state_tensor(0) == states[1].information_state_tensor(0)
    assert states[0].information_state_string(1) != states[1].information_state_string(1)
    with pytest.raises(ValueError, match="the line-ups are not dealt yet"):
        states[0].view(0)


def test_parameters() -> None:
    game = pyspiel.load_game("junqi_siguo")
    assert (game.num_players(), game.max_chance_outcomes(), game.get_parameters()["visibility"]) == (4, 12, "partner")
    assert game.max_game_length() == 101 * 71
    with pytest.raises(JunqiError, match="visibility 'bright' is not one of partner, dark, open"):
        load("siguo", "bright")
    with pytest.raises(JunqiError, match="max_plies: -1"):
        load("luzhanqi", "dark", -1)
