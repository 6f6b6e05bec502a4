"""The games for OpenSpiel: its own tests, one of its algorithms, and the observations of the environments."""

import pickle
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver
from open_spiel.python.policy import UniformRandomPolicy

import junqi_engine as junqi
import junqi_engine.openspiel
from junqi_engine.env import Batch, JunqiEnv, frame_of
from junqi_engine.env.observation import viewer_of
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT
from tests.helpers.leaks import allowed, scripted_game
from tests.helpers.marking import long_after

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


# OpenSpiel's own tests


SMALL = [("mini_luzhanqi", "dark"), ("mini_siguo", "dark")]


@pytest.mark.parametrize(("variant", "visibility"), long_after(4, [*SMALL, *GAMES]))
def test_random_simulations(variant: str, visibility: str) -> None:
    pyspiel.random_sim_test(load(variant, visibility, 40), num_sims=1, serialize=True, verbose=False)


# States


@pytest.mark.parametrize("is_dealt", [False, True])
def test_an_action_that_there_is_not_is_refused(is_dealt: bool) -> None:
    game = load("luzhanqi", "dark")
    state = played(game, 1, 3) if is_dealt else game.new_initial_state()
    before, wrong = str(state), (-3594, 3600, 10**6) if is_dealt else (-12, 12, LETTERS.index("k"))
    for action in wrong:
        with pytest.raises(junqi.IllegalMove):
            state.apply_action(action)
    assert str(state) == before


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


@pytest.mark.parametrize(("variant", "visibility"), long_after(3, GAMES))
def test_observations_are_those_of_the_environments(variant: str, visibility: str) -> None:
    """Byte for byte, those of `aec` and of `Batch`, of every seat before every ply of a game and at its end."""
    state = load(variant, visibility).new_initial_state()
    for letter in "".join(junqi.Game(variant, seed=3).lineups.values()):
        state.apply_action(LETTERS.index(letter))
    rules = junqi.Rules(max_plies=30)
    env = JunqiEnv(variant, visibility, rules=rules)
    env.reset(options={"lineups": state.true_game.lineups})
    batch = Batch(1, variant, visibility, rules=rules, seed=1, auto_reset=False)
    batch.reset(1, [state.true_game.lineups])
    observer, rng = state.get_game().make_py_observer(), random.Random(3)
    while True:
        for player, agent in enumerate(env.possible_agents):
            observer.set_from(state, player)
            assert observer.tensor.tolist() == state.observation_tensor(player)
            expected = env.observe(agent)
            many = batch.observe(seats=[player])
            assert all(many[name][0].tobytes() == array.tobytes() for name, array in expected.items())
            assert observer.dict["observation"].astype(np.uint8).tobytes() == expected["observation"].tobytes()
            assert observer.dict["counts"].tobytes() == expected["counts"].tobytes()
            is_mover = player == state.current_player()
            assert np.flatnonzero(expected["action_mask"]).tolist() == (state.legal_actions() if is_mover else [])
        if state.is_terminal():
            break
        action = rng.choice(state.legal_actions())
        batch.step(np.array([action]))
        env.step(action)
        state.apply_action(action)
    assert state.returns() == batch.rewards[0].tolist() == list(env.rewards.values())


def told(state: Any, player: int) -> tuple:
    """All that a player of OpenSpiel is told, and what is drawn for it from that."""
    tensors = np.array([*state.information_state_tensor(player), *state.observation_tensor(player)])
    ours = state.legal_actions() if state.current_player() == player else None
    drawn = None if state.is_chance_node() else state.resample_from_infostate(player, lambda: 0.5).history()
    return (
        state.information_state_string(player), state.observation_string(player), tensors.tobytes(),
        state.current_player(), state.is_terminal(), state.returns(), ours, drawn,
    )  # fmt: skip


HIDING = [place for place in GAMES if place[1] != "open"]


@pytest.mark.parametrize(("variant", "visibility"), long_after(1, HIDING))
def test_nothing_that_a_player_is_told_or_resamples_depends_on_what_is_hidden(variant: str, visibility: str) -> None:
    """In the deal and in the game, if the line-ups that it does not see are others that the record allows."""
    board = BOARDS[variant]
    played, _ = scripted_game(board, 8)
    game, own = load(variant, visibility, 0), {board.seats[seat]: lineup for seat, lineup in played.lineups.items()}

    def states(lineups: Mapping[str, str]) -> Iterator[Any]:
        """Before some of the pieces that are dealt, before some plies, and at the end of the record."""
        state = game.new_initial_state()
        for number, letter in enumerate("".join(lineups[seat] for seat in board.seats)):
            if number % 10 == 0:
                yield state
            state.apply_action(LETTERS.index(letter))
        for seen in played.record:
            if state.true_game.ply() % 5 == 0:
                yield state
            state.apply_action(frame_of(variant, state.current_player()).action_of(seen.move))
        yield state

    expected = [[told(state, player) for player in range(len(board.seats))] for state in states(own)]
    for player in range(len(board.seats)):
        viewer = viewer_of(board, visibility, player)
        shuffled = list(allowed(played, tuple(seat for seat in range(len(board.seats)) if viewer >> seat & 1), 9))[:3]
        assert len(shuffled) == 3 and all(lineups != own for lineups in shuffled)
        for lineups in shuffled:
            assert [told(state, player) for state in states(lineups)] == [each[player] for each in expected]


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


@pytest.mark.parametrize("name", ["siguo", "luzhanqi", "mini_siguo", "mini_luzhanqi"])
def test_games_are_pickled_with_policies_and_solvers(name: str) -> None:
    game = load(name, "dark")
    again, state = pickle.loads(pickle.dumps((game, played(game, 1, 3))))
    assert str(again) == str(game) and type(again) is type(game) and again.variant == game.variant
    assert again.new_initial_state().chance_outcomes() == game.new_initial_state().chance_outcomes()
    assert pickle.loads(pickle.dumps(game.get_type())) == game.get_type()
    uniform = pickle.loads(pickle.dumps(UniformRandomPolicy(game)))
    assert set(uniform.action_probabilities(state)) == set(state.legal_actions())
    if name == "mini_luzhanqi":
        solver = OutcomeSamplingSolver(game)
        solver.iteration()
        solver = pickle.loads(pickle.dumps(solver))
        solver.iteration()
        assert sum(pickle.loads(pickle.dumps(solver.average_policy())).action_probabilities(state).values()) > 0.99
