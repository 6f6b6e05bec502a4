"""The example that learns, docs/policy_gradient.py: its first steps."""

import importlib
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_policy_gradient_takes_its_first_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays, takes a step of the gradient, reports, and plays the match at the end."""
    monkeypatch.syspath_prepend(DOCS)
    example, told = importlib.import_module("policy_gradient"), list[str]()
    before = example.new_weights(np.random.default_rng(1))
    after = example.learn(0.02, told.append, games=4, seed=1)
    assert told[0].split()[:2] == ["minutes", "games"]
    assert all(int(line.split()[1]) >= 4 and 0 <= float(line.split()[2]) <= 1 for line in told[1:])
    assert len(told) > 1
    assert all(np.isfinite(after[name]).all() and (after[name] != one).any() for name, one in before.items())
    assert example.match(after, 2) in (0, 0.25, 0.5, 0.75, 1)
