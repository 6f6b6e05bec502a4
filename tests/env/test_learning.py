"""The examples that learn, docs/policy_gradient.py and docs/ppo.py: their first steps, and their parts."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"


def load(name: str) -> ModuleType:
    """A program of docs/, which finds its neighbours as it does when it is run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        return importlib.import_module(name)


@pytest.mark.long
def test_the_first_steps_of_the_policy_gradient() -> None:
    """It plays, takes a step of the gradient, reports, and plays the match at the end."""
    example, told = load("policy_gradient"), list[str]()
    before = example.new_weights(np.random.default_rng(1))
    after = example.learn(0.02, told.append, games=4, seed=1)
    assert told[0].split()[:2] == ["minutes", "games"]
    assert all(int(line.split()[1]) >= 4 and 0 <= float(line.split()[2]) <= 1 for line in told[1:])
    assert len(told) > 1
    assert all(np.isfinite(after[name]).all() and (after[name] != one).any() for name, one in before.items())
    assert example.match(after, 2) in (0, 0.25, 0.5, 0.75, 1)
