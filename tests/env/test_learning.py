"""The examples that learn, docs/policy_gradient.py and docs/ppo.py: their first steps, and their parts."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from junqi_engine import Rules

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return load("policy_gradient")


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    return load("ppo")


def load(name: str) -> ModuleType:
    """A program of docs/, which finds its neighbours as it does when it is run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        return importlib.import_module(name)


@pytest.mark.parametrize("name", ["policy_gradient", "ppo"])
def test_they_are_short(name: str) -> None:
    assert len((DOCS / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 150


@pytest.mark.long
def test_its_first_steps(example: ModuleType) -> None:
    """It plays, takes a step of the gradient, reports, and plays the match at the end."""
    told: list[str] = []
    before = example.new_weights(np.random.default_rng(1))
    after = example.learn(0.02, told.append, games=4, seed=1)
    assert told[0].split()[:2] == ["minutes", "games"]
    assert all(int(line.split()[1]) >= 4 and 0 <= float(line.split()[2]) <= 1 for line in told[1:])
    assert len(told) > 1
    assert all(np.isfinite(after[name]).all() and (after[name] != one).any() for name, one in before.items())
    assert example.match(after, 2) in (0, 0.25, 0.5, 0.75, 1)


def test_ppo_gives_each_move_what_followed_from_it(ppo: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """With values of 0 and all that followed counted, a move before the end gains its discounted result, with the sign
    of its mover.
    """
    monkeypatch.setattr(ppo, "LAMBDA", 1.0)
    rng = np.random.default_rng(1)
    weights = ppo.new_weights(rng)
    weights["value"][:] = 0
    batch = ppo.Batch(8, ppo.VARIANT, "dark", rules=Rules(no_contact=5), seed=1)
    *_, advantages, returns = ppo.play(weights, batch, 24, rng)
    assert advantages == pytest.approx(returns)
    steps = advantages.reshape(24, 8)
    for game in range(8):
        [end, *_] = np.flatnonzero(np.abs(steps[:, game]) == 1)
        wanted = [steps[end, game] * (-ppo.DISCOUNT) ** (end - step) for step in range(end + 1)]
        assert steps[: end + 1, game] == pytest.approx(wanted, abs=1e-5)


def test_ppo_chooses_among_all_legal_actions(ppo: ModuleType) -> None:
    """The network is asked about those of the mask, each once, and gives nothing to what fills the list."""
    rng = np.random.default_rng(1)
    batch = ppo.Batch(4, ppo.VARIANT, "dark", seed=1)
    arrays = batch.observe()
    seen = ppo.read(arrays)
    for mask, legal, is_legal in zip(arrays["action_mask"], *seen[2:], strict=True):
        assert legal[is_legal].tolist() == np.flatnonzero(mask).tolist()
    told, _ = ppo.judge(ppo.new_weights(rng), *seen)
    assert np.exp(told).sum(axis=1) == pytest.approx(1) and (np.exp(told)[~seen[3]] == 0).all()


def test_ppo_leaves_a_move_that_has_changed_enough(ppo: ModuleType) -> None:
    """Within the clip the gradient makes a good move likelier; beyond it, nothing pulls it on."""
    rng = np.random.default_rng(1)
    weights = ppo.new_weights(rng)
    seen = ppo.read(ppo.Batch(2, ppo.VARIANT, "dark", seed=1).observe())
    told, values = ppo.judge(weights, *seen)
    first = np.zeros(2, np.intp)
    chosen = told[:, 0]
    good, none = np.ones(2, np.float32), np.zeros(2, np.float32)

    def slope(before: np.ndarray, worth: np.ndarray) -> np.ndarray:
        return ppo.grad(ppo.loss)(weights, *seen, first, before, worth, values)["start"]

    still = slope(chosen, none)
    assert not np.allclose(slope(chosen, good), still)
    assert np.allclose(slope(chosen - 1, good), still, atol=1e-6)


@pytest.mark.long
def test_the_first_steps_of_ppo(ppo: ModuleType) -> None:
    told: list[str] = []
    after = ppo.learn(0.02, told.append, games=4, seed=1)
    assert told[0].split()[:2] == ["minutes", "plies"] and len(told) > 1
    assert all(0 <= float(line.split()[2]) <= 1 for line in told[1:])
    before = ppo.new_weights(np.random.default_rng(1))
    assert all(np.isfinite(after[name]).all() and (after[name] != one).any() for name, one in before.items())
