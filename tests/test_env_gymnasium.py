"""`GymEnv` and `GymVectorEnv`: Gymnasium's own checks, and what its wrappers see."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics

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


def test_many_games() -> None:
    envs = RecordEpisodeStatistics(GymVectorEnv(8, "luzhanqi", "dark", opponent="1.2", rules=SHORT))
    seen, _ = envs.reset(seed=1)
    rng, ended = np.random.default_rng(1), 0
    while ended < 20:
        assert envs.observation_space.contains(seen)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        seen, rewards, has_ended, is_cut, infos = envs.step(actions)
        assert not is_cut.any() and not rewards[~has_ended].any()
        if has_ended.any():
            assert (infos["_final_obs"] == has_ended).all()
            assert (infos["final_obs"]["counts"][has_ended, 7] * 1000 > 1).all()
            assert (infos["episode"]["r"][has_ended] == rewards[has_ended]).all()
        ended += has_ended.sum()


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (GymVectorEnv(4, "siguo", opponent="1.2", illegal="replace") for _ in range(2))
    for envs in (first, second):
        envs.reset(seed=3)
    for _ in range(40):
        found = [envs.step(np.full(4, -1)) for envs in (first, second)]
        assert all((found[0][0][key] == found[1][0][key]).all() for key in found[0][0])


def test_what_is_refused() -> None:
    with pytest.raises(junqi.JunqiError, match="seats 'SE' are not of one team"):
        GymEnv("siguo", seats="SE")
    env = GymEnv("luzhanqi")
    env.reset(seed=1)
    with pytest.raises(junqi.IllegalMove, match="action 0 is not legal"):
        env.step(np.int64(0))
    with pytest.raises(junqi.BadLineup, match="a line-up has 25 letters"):
        env.reset(options={"lineups": {"S": "abc"}})
