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
