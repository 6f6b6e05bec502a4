"""The public functions of the puzzles check the types of their arguments by their annotations.

An annotation of `Any`, a type variable or a protocol allows everything. The elements of sequences, and of tuples of
fixed length, are checked, those of other collections are not.
"""

import re
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import formatannotation, isfunction
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

D = TypeVar("D", bound=Callable[..., Any])
Test = Callable[[Any], bool]
ALSO: dict[type, tuple[type, ...]] = {
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
    bool: (bool, np.bool_),
}
"""What is taken for a number of Python."""


def checked(door: D) -> D:
    """The function, or the class with its constructor and public methods, with arguments that are checked.

    A wrong one is a TypeError that names it, before anything is done.
    """
    if isinstance(door, type):
        for name, each in list(vars(door).items()):
            if isfunction(each) and (name == "__init__" or not name.startswith("_")):
                setattr(door, name, checked(each))
        return door
    names = door.__code__.co_varnames[: door.__code__.co_argcount]
    tests: dict[str, tuple[Test, Any]] = {}

    @wraps(door)
    def call(*given: Any, **named: Any) -> Any:
        if not tests:  # at the first call all names of the module are known
            tests.update((name, (_test(hint), hint)) for name, hint in get_type_hints(door).items())
        for name, value in (*zip(names, given, strict=False), *named.items()):
            if name in tests and not tests[name][0](value):
                kind = re.sub(r"(?<!\w)\w+\.", "", formatannotation(tests[name][1])).replace(" | ", " or ")
                raise TypeError(f"{name}: {' '.join(repr(value).split()):.60} is not of type {kind}")
        return door(*given, **named)

    return call  # type: ignore[return-value]


def _test(hint: Any) -> Test:
    """Whether a value is of an annotated type."""
    origin: Any = get_origin(hint) or hint
    tests = [_test(each) for each in get_args(hint) if each is not ...]
    if origin in (Union, UnionType):
        return lambda value: any(test(value) for test in tests)
    if origin is Any or not isinstance(origin, type) or getattr(origin, "_is_protocol", False):
        return lambda value: True
    kinds: Any = ALSO.get(origin, (origin,))
    if origin is Sequence:
        return lambda value: isinstance(value, kinds) and all(tests[0](each) for each in value)
    if origin is tuple and ... not in get_args(hint):
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(tests)
            and all(test(each) for test, each in zip(tests, value, strict=True))
        )
    return lambda value: isinstance(value, kinds)
