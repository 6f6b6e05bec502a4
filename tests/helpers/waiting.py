"""Waiting for another thread or process."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 60.0
POLL_S = 0.01


def until(condition: Callable[[], T], deadline_s: float = DEADLINE_S) -> T:
    """Return the first true value of `condition`; an AssertionError after `deadline_s`."""
    end = time.monotonic() + deadline_s
    while not (value := condition()):
        assert time.monotonic() < end, f"nothing after {deadline_s:g} s"
        time.sleep(POLL_S)
    return value
