"""Repetitions of tests: some only in CI, and all as often as a run can afford."""

from collections.abc import Iterable
from typing import Any

import pytest

_budget = 1


def set_budget(budget: int) -> None:
    """Set the factor of the numbers of `seeds`, before the tests are collected."""
    global _budget
    _budget = budget


def seeds(count: int) -> range:
    """The seeds of a test that is repeated: `count`, times the option `--budget` of the run."""
    return range(count * _budget)


def times(count: int) -> int:
    """The number of cases that a test compares: `count` times the option `--budget` of the run."""
    return count * _budget


def long_after(count: int, values: Iterable[Any]) -> list[Any]:
    """The values of a parameter, or tuples of several: the first ones as they are, the others marked `long`."""
    return _marked_after(count, values, pytest.mark.long)


def release_after(count: int, values: Iterable[Any]) -> list[Any]:
    """The values of a parameter, or tuples of several: the first as they are, the others `long` and `release`."""
    return _marked_after(count, values, pytest.mark.long, pytest.mark.release)


def _marked_after(count: int, values: Iterable[Any], *marks: pytest.MarkDecorator) -> list[Any]:
    values = list(values)
    rest = [value if isinstance(value, tuple) else (value,) for value in values[count:]]
    return [*values[:count], *(pytest.param(*value, marks=marks) for value in rest)]
