"""The environments for research: PettingZoo's own tests, the layout of observations, policies, and no leaks."""

import importlib
import random
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test

import junqi_engine as junqi
import junqi_engine.env
from junqi_engine.env import JunqiEnv, aec, frame_of, policy
from junqi_engine.notation.moves import format_code, format_move
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS, viewer_seats
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import from_point_of, to_point_of
from junqi_engine.rules.options import Rules
from tests.helpers.leaks import allowed, scripted_game
from tests.helpers.marking import long_after

GAMES = [(variant, visibility) for variant in BOARDS for visibility in ("partner", "dark", "open")]
PAGE = (Path(__file__).parents[2] / "docs/environments.md").read_text(encoding="utf-8")
SHORT = Rules(no_contact=20, max_plies=40)


@pytest.fixture(params=GAMES, ids="-".join)
def game(request: pytest.FixtureRequest) -> tuple[str, str]:
    return request.param


def play(env: Any, seed: int, plies: int = 10_000) -> list[str]:
    """Random legal actions; returns the agents in the order in which they acted."""
    rng, acted = random.Random(seed), []
    env.reset(seed=seed)
    for agent in env.agent_iter(plies):
        observation, _, has_ended, is_cut, _ = env.last()
        action = None if has_ended or is_cut else rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        acted.append(agent)
        env.step(action)
    return acted


# PettingZoo's own tests


def test_environment_passes_api_test(game: tuple[str, str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it also warns of what is right, such as an empty action mask
        api_test(aec(*game, rules=SHORT), num_cycles=60)


@pytest.mark.parametrize("game", GAMES[::4], ids="-".join)
def test_render_draws_the_position(game: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda render_mode: aec(*game, render_mode=render_mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg ")},
    )
    assert "Sa" in capsys.readouterr().out


# Frames


@pytest.mark.parametrize("variant", BOARDS)
def test_seats_see_themselves_in_the_south(variant: str) -> None:
    board = BOARDS[variant]
    for seat in range(len(board.seats)):
        frame = frame_of(variant, seat)
        for relative, owner in enumerate(frame.seats()):
            assert frame.absolute[list(board.block(relative))].tolist() == list(board.block(owner))
        assert frame.absolute[frame.relative].tolist() == list(board.points)
        roads = {frozenset(frame.relative[list(edge)].tolist()) for edge in board.roads | board.rails}
        assert roads == board.roads | board.rails
    assert frame_of(variant, 0).absolute.tolist() == list(board.points)


# Observations


@pytest.mark.parametrize("variant", BOARDS)
def test_legal_actions_match_legal_moves(variant: str) -> None:
    """The planes are compared with plain Python in test_observe.py."""
    env = JunqiEnv(variant, "partner")
    play(env, 4, 90)
    for number, agent in enumerate(env.agents):
        seen, frame = env.observe(agent), frame_of(variant, number)
        assert all(env.observation_space(agent)[key].contains(array) for key, array in seen.items())
        is_mover = agent == env.agent_selection
        assert seen["counts"][-1] == is_mover
        legal = [env.action_of(agent, move) for move in env.game.legal_moves]
        assert np.flatnonzero(seen["action_mask"]).tolist() == (sorted(legal) if is_mover else [])
        for move in env.game.state.legal_moves():
            assert frame.move_of(frame.action_of(move)) == move
            assert (
                frame.action_of(move)
                == frame.relative[from_point_of(move)] * len(frame.relative) + frame.relative[to_point_of(move)]
            )


def view_of(played: GameState, viewer: str) -> junqi.View:
    game = junqi.Game(played.board.variant, {played.board.seats[seat]: text for seat, text in played.lineups.items()})
    for seen in played.record:
        game.push(format_move(played.board, seen))
    return game.view(viewer)


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("visibility", ["partner", "dark"])
def test_observations_do_not_depend_on_hidden_pieces(variant: str, visibility: str) -> None:
    """The line-ups that a seat does not see are shuffled in ways that the record allows."""
    board = BOARDS[variant]
    played, _ = scripted_game(board, 8)
    env = JunqiEnv(variant, visibility)
    for number, agent in enumerate(board.seats):
        viewer = tuple(seat for seat in range(len(board.seats)) if viewer_seats(board, visibility, number) >> seat & 1)
        expected = env.observer.observe(view_of(played, "".join(board.seats[seat] for seat in viewer)), agent)
        compared = 0
        for lineups in list(allowed(played, viewer, 9))[:3]:
            env.reset(options={"lineups": dict(lineups)})
            for seen in played.record:
                env.step(env.action_of(env.agent_selection, format_code(board, seen.move)))
            found = env.observe(agent)
            assert found.keys() == expected.keys()
            assert all(found[key].tobytes() == expected[key].tobytes() for key in expected)
            compared += 1
        assert compared == 3


# Games


@pytest.mark.parametrize("variant", BOARDS)
def test_games_follow_the_rules_and_reward_teams(variant: str) -> None:
    results = set()
    for seed in range(12):
        env = JunqiEnv(variant, "dark")
        rewards: dict[str, float] = {}
        env.reset(seed=seed)
        rng = random.Random(seed)
        state = GameState.start(env.board, env.game.lineups)
        for agent in env.agent_iter():
            rewards.setdefault(agent, 0.0)
            _, reward, has_ended, _, _ = env.last(observe=False)
            rewards[agent] += reward
            if has_ended:
                env.step(None)
                continue
            assert agent == env.board.seats[state.turn]
            move = rng.choice(state.legal_moves())
            state.play(move)
            env.step(env.action_of(agent, format_code(env.board, move)))
        winners = {1.0: env.board.teams[0], -1.0: env.board.teams[1]}.get(rewards["S"], "")
        assert rewards == {seat: 0.0 if not winners else 1.0 if seat in winners else -1.0 for seat in env.board.seats}
        results.add(rewards["S"])
        assert state.result.name == {1.0: "TEAM_0", -1.0: "TEAM_1", 0.0: "DRAW"}[rewards["S"]]
    assert {1.0, -1.0} <= results


def test_wrong_arguments_are_refused() -> None:
    env = JunqiEnv("luzhanqi")
    for call, text in [
        (lambda: aec("go"), "variant 'go'"),
        (lambda: aec("siguo", "bright"), "visibility 'bright' is not one of partner, dark, open"),
        (lambda: aec(render_mode="gif"), "render_mode 'gif'"),
        (lambda: aec(max_cycles=0), "max_cycles 0 is not at least 1"),
        (lambda: policy("9"), "player '9' is not one of"),
        (lambda: policy("5.0", nodes=0), "nodes 0 is not at least 1"),
        (lambda: frame_of("luzhanqi", 2), "seat 2 is not from 0 to 1"),
        (lambda: env.view("E"), "agent 'E' is not one of S, N"),
        (lambda: env.reset(options={"lineup": {}}), "option 'lineup' is not one of lineups"),
    ]:
        with pytest.raises(junqi.Refused, match=text):
            call()
    env.reset(seed=1)
    before = env.observe("S")
    for action in (None, 0, -3594, -1, 3600, 10**30):
        with pytest.raises(junqi.Refused) as error:
            env.step(action)
        assert error.value.code == "illegal-move"
    for action in (float("nan"), float("inf"), "x"):
        with pytest.raises(TypeError):
            env.step(action)  # type: ignore[arg-type]
    after = env.observe("S")
    assert all(after[key].tobytes() == before[key].tobytes() for key in before)


@pytest.mark.parametrize(
    ("missing", "module", "name", "extra"),
    [
        ("pettingzoo", "junqi_engine.env.pettingzoo_env", "junqi_engine.env.aec", "env"),
    ],
)
def test_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, missing: str, module: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    parent, _, last = name.rpartition(".")
    monkeypatch.delitem(vars(importlib.import_module(parent)), last, raising=False)
    with pytest.raises(ModuleNotFoundError, match=f"^{name} needs {missing}: install junqi-engine .* extra `{extra}`$"):
        getattr(importlib.import_module(parent), last)


# Policies


def test_examples_of_the_page_run() -> None:
    first, second = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(first, names)
    assert names["env"].agents == []
    exec(second, names)
    assert names["results"].shape == (256,) and names["seen"]["counts"].shape == (256, 9)


@pytest.mark.parametrize("version", long_after(1, reversed(VERSIONS)))
@pytest.mark.parametrize("variant", BOARDS)
def test_policy_plays_the_moves_of_its_player(version: str, variant: str) -> None:
    env = JunqiEnv(variant, "partner", rules=Rules(max_plies=12, no_contact=0))
    env.reset(seed=3)
    chosen = policy(version, seed=5, nodes=200)
    game = env.game.copy()
    with junqi.Engine(options={"Player": version, "Seed": 5, "Hash": 16}) as engine:
        for agent in env.agent_iter(12):
            view = env.view(agent)
            team = next(team for team in game.teams if agent in team)
            move = chosen.move(view)
            assert engine.play(game.view(team), nodes=200).move == game.push(move).bare == move
            env.step(env.action_of(agent, move))
