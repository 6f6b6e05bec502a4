"""Makes the n-th call of the operating system fail, for every n, while a part of the program runs in this process."""

import _pyio
import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "replace", "rename", "link", "mkdir")
CODES = (errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENOMEM)

Scenario = Callable[[], Iterator[None]]
"""A scenario in three parts: preparation, after the first `yield` calls with faults, after the second tests."""


class Faults:
    """Let call number `first` fail, and every later one if it `lasts`; `were_met` is True if that call was made."""

    def __init__(self, first: int, code: int, lasts: bool) -> None:
        self._first = first
        self._code = code
        self._lasts = lasts
        self._count = 0

    @property
    def were_met(self) -> bool:
        return self._count >= self._first

    def install(self, patch: pytest.MonkeyPatch) -> None:
        # These open and write by the functions of `os`, where Python's own would call the system directly.
        patch.setattr(builtins, "open", _pyio.open)
        patch.setattr(io, "open", _pyio.open)
        for name in CALLS:
            patch.setattr(os, name, self._failing(getattr(os, name)))

    def _failing(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def attempt(*arguments: Any, **named: Any) -> Any:
            self._count += 1
            if self._count == self._first or (self._lasts and self._count > self._first):
                raise OSError(self._code, os.strerror(self._code))
            return call(*arguments, **named)

        return attempt


def sweep(scenario: Scenario, code: int, lasts: bool) -> int:
    """Run a scenario with a fault at each call in turn, until none is met; returns the number of calls that failed."""
    for first in count(1):
        steps = scenario()
        next(steps)
        faults = Faults(first, code, lasts)
        with pytest.MonkeyPatch.context() as patch:
            faults.install(patch)
            next(steps)
        try:
            next(steps, None)
        except BaseException as error:
            error.add_note(f"call {first} failed with {errno.errorcode[code]}, {'and all later' if lasts else 'once'}")
            raise
        if not faults.were_met:
            return first - 1
    raise AssertionError
