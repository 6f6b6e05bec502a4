"""The example that learns, docs/policy_gradient.py: its first steps, and its parts."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

PROGRAM = Path(__file__).parent.parent / "docs/policy_gradient.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    found = importlib.util.spec_from_file_location("policy_gradient", PROGRAM)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_it_is_short() -> None:
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) < 150


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


def test_a_step_makes_moves_of_worth_likelier(example: ModuleType) -> None:
    rng, moments = np.random.default_rng(1), {}
    weights = example.new_weights(rng)
    lessons = example.Lessons(4, 1)
    arrays = lessons.batch.observe()
    seen, masks = arrays["observation"].astype(np.float32), arrays["action_mask"].astype(bool)
    actions = example.choose(weights, seen, masks, rng)
    worth = np.array([1, 1, -1, -1], np.float32)

    def chances() -> np.ndarray:
        return np.exp(example.scores(weights, seen, masks))

    before = chances()
    assert before.sum(axis=1) == pytest.approx(1, abs=1e-4) and not before[~masks].any()
    for number in range(1, 6):
        example.improve(weights, moments, example.grad(example.loss)(weights, seen, masks, actions, worth), number)
    games = np.arange(4)
    assert (((chances() - before)[games, actions] * worth) > 0).all()


def test_only_legal_actions_are_drawn(example: ModuleType) -> None:
    rng = np.random.default_rng(1)
    chances = np.array([[0.0, 1.0, 0.0, 3.0]] * 4000)
    drawn = np.bincount(example.draw(chances, rng), minlength=4)
    assert drawn[[0, 2]].tolist() == [0, 0] and drawn[1] == pytest.approx(1000, abs=120)
    masks = example.Lessons(8, 1).batch.legal_mask().astype(bool)
    assert masks[np.arange(8), example.random_piece(masks, rng)].all()
