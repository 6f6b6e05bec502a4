"""Marks repetitions as long, so that only CI runs them."""

from collections.abc import Iterable
from typing import Any

import pytest


def long_after(count: int, values: Iterable[Any]) -> list[Any]:
    """The values of a parameter, or tuples of several: the first ones as they are, the others marked `long`."""
    values = list(values)
    rest = [value if isinstance(value, tuple) else (value,) for value in values[count:]]
    return [*values[:count], *(pytest.param(*value, marks=pytest.mark.long) for value in rest)]
