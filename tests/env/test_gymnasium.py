"""`GymEnv` and `GymVectorEnv`: Gymnasium's own checks, and what its wrappers see."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import junqi_engine as junqi
from junqi_engine.env import GymEnv, GymVectorEnv

SHORT = junqi.Rules(no_contact=20, max_plies=60)


@pytest.mark.filterwarnings("ignore:.*is not within the observation space.*|.*spec.*|.*render.*:UserWarning")
@pytest.mark.parametrize(("variant", "seats"), [("luzhanqi", "N"), ("siguo", "SN"), ("siguo", "W")])
def test_gymnasiums_own_check(variant: str, seats: str) -> None:
    check_env(GymEnv(variant, "dark", seats=seats, rules=SHORT, illegal="replace", render_mode="rgb_array"))


def test_a_game_from_its_beginning_to_its_end() -> None:
    """Only the last step has a reward; the agent's own seats are to move in all others."""
    env, won = GymEnv("siguo", seats="EW", opponent="1.1"), set()
    for seed in range(12):
        seen, _ = env.reset(seed=seed)
        has_ended, reward = False, 0.0
        while not has_ended:
            assert reward == 0 and env.batch.turns[0] in (1, 3) and seen["counts"][-1] == 1
            action = env.np_random.choice(np.flatnonzero(seen["action_mask"]))
            seen, reward, has_ended, is_cut, _ = env.step(action)
            assert not is_cut
        assert not seen["action_mask"].any() and env.observation_space.contains(seen)
        assert reward == {1: -1, 2: 1, 3: 0}[int(env.batch.results[0])]
        won.add(reward)
    assert len(won) > 1


@pytest.mark.parametrize("variant", ["luzhanqi", "siguo"])
def test_gymnasium_makes_them_by_name(variant: str) -> None:
    name = f"junqi_engine.env.gymnasium_env:junqi/{variant}-v1"
    env = gymnasium.make(name, visibility="dark", illegal="replace", max_episode_steps=2)
    env.reset(seed=1)
    assert [env.step(np.int64(0))[3] for _ in range(2)] == [False, True]
    assert env.unwrapped.spec.kwargs["variant"] == variant
    envs = gymnasium.make_vec(name, num_envs=3, illegal="replace", max_episode_steps=2)
    assert isinstance(envs.unwrapped, GymVectorEnv)
    envs.reset(seed=1)
    for step in range(1, 5):
        _, _, has_ended, is_cut, infos = envs.step(np.full(3, -1))
        assert not has_ended.any() and is_cut.all() == is_cut.any() == (step % 2 == 0)
        if is_cut.any():
            assert infos["_final_obs"].all() and (infos["final_obs"]["counts"][:, -1] == 1).all()
            assert infos["final_obs"]["action_mask"].any(axis=1).all() and not envs.unwrapped.batch.plies.any()


def test_what_is_refused() -> None:
    env, envs = GymEnv("luzhanqi"), GymVectorEnv(2, "luzhanqi")
    env.reset(seed=1)
    for make, text in [
        (lambda: GymEnv("luzhanqi", render_mode="gif"), "render_mode 'gif' is not one of None, rgb_array"),
        (lambda: GymEnv("siguo", seats="SE"), "seats 'SE' are not of one team"),
        (lambda: GymVectorEnv(2, "luzhanqi", max_episode_steps=0), "max_episode_steps 0 is not at least 1"),
        (lambda: env.step(np.int64(0)), "action 0 is not legal"),
    ]:
        with pytest.raises(junqi.JunqiError, match=text):
            make()
    some = np.ones(2, bool)
    for made, options, text in [
        (env, {"lineup": {}}, "option 'lineup' is not one of lineups"),
        (env, {"reset_mask": [True]}, "option 'reset_mask' is not one of lineups"),
        (env, {"lineups": {"S": "abc"}}, "a line-up has 25 letters"),
        (envs, {"mask": 1}, "option 'mask' is not one of lineups, reset_mask"),
        (envs, {"reset_mask": [1, 0]}, "options: reset_mask is not an array of 2 bool"),
        (envs, {"reset_mask": np.ones(3, bool)}, "reset_mask is not an array of 2 bool"),
        (envs, {"reset_mask": some, "lineups": {"S": "x"}}, "lineups are for all games, reset_mask is for some"),
    ]:
        with pytest.raises(junqi.JunqiError, match=text):
            made.reset(options=options)
