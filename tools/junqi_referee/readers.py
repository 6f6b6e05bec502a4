"""Readers of values: a reader takes the text of a value, and raises `Wrong` with what is wrong with it.

Command lines use them with `argparse`, files and time controls without.
"""

import argparse
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from junqi_engine.errors import quoted

T = TypeVar("T")
Reader: TypeAlias = Callable[[str], T]
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
"""A number. `float` would also read underscores and the digits of other scripts."""
MAX_WHOLE = 10**18
MAX_SECONDS = 10**6
MAX_CLOCK_HOURS = 1000
NO_CLOCK = "inf"
"""The text of a clock that never runs out, in a match in which another engine has one."""
_CLOCK = re.compile(r"(?:(\d{1,6})/)?(?:(\d+):)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", re.ASCII)


class Wrong(argparse.ArgumentTypeError, ValueError):
    """The text of a value is wrong; the message says why."""


def whole(minimum: int = 1, maximum: int = MAX_WHOLE) -> Reader[int]:
    """Return a reader of whole numbers within bounds."""

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", text) or not minimum <= int(text) <= maximum:
            bounds = f"of at least {minimum}" if maximum == MAX_WHOLE else f"from {minimum} to {maximum}"
            raise Wrong(f"{quoted(text)} is not a whole number {bounds}")
        return int(text)

    return read


def real(minimum: float = -math.inf, maximum: float = math.inf) -> Reader[float]:
    """Return a reader of finite numbers within bounds."""

    def read(text: str) -> float:
        value = float(text) if NUMBER.fullmatch(text) else math.nan
        if math.isinf(value) or not minimum <= value <= maximum:
            bounds = "" if minimum == -math.inf else f" from {minimum} to {maximum}"
            raise Wrong(f"{quoted(text)} is not a number{bounds}")
        return value

    return read


def seconds(minimum_ms: int = 1) -> Reader[int]:
    """Return a reader of seconds, whose values are in milliseconds."""

    def read(text: str) -> int:
        if not NUMBER.fullmatch(text) or not minimum_ms / 1000 <= float(text) <= MAX_SECONDS:
            raise Wrong(f"{quoted(text)} is not a number of seconds from {minimum_ms / 1000:g} to {MAX_SECONDS}")
        return round(1000 * float(text))

    return read


def clock(text: str) -> tuple[int | None, int | None, int]:
    """Read `moves/minutes:seconds+increment`: moves, base and increment, the times in milliseconds.

    Only the seconds are required. The base may be 0 with an increment, with which the clock then starts. For `inf`
    moves and base are None.
    """
    if text == NO_CLOCK:
        return None, None, 0
    found = _CLOCK.fullmatch(text)
    if not found:
        form = "moves/minutes:seconds+increment, such as 1:30+0.5, 10+0.1 or 40/60, or inf"
        raise Wrong(f"{quoted(text)} does not have the form {form}")
    moves, minutes, seconds, increment = found.groups(default="0")
    if max(float(minutes) / 60, float(seconds) / 3600, float(increment) / 3600) > MAX_CLOCK_HOURS:
        raise Wrong(f"{quoted(text)} is longer than {MAX_CLOCK_HOURS} hours")
    base_ms, increment_ms = round(1000 * (60 * int(minutes) + float(seconds))), round(1000 * float(increment))
    if (base_ms == 0 and float(seconds)) or (increment_ms == 0 and float(increment)):
        raise Wrong(f"{quoted(text)} has less than a millisecond")
    if base_ms == 0 and increment_ms == 0:
        raise Wrong(f"{quoted(text)} starts with an empty clock and has no increment")
    if found[1] is not None and int(moves) == 0:
        raise Wrong(f"{quoted(text)} has a period of 0 moves")
    return int(moves) or None, base_ms, increment_ms


def text(word: str) -> str:
    """Read a word that is not empty."""
    if not word:
        raise Wrong("it is empty")
    return word


def one_of(choices: Iterable[T]) -> Reader[T]:
    """Return a reader of one of some words; for an enum, the value is its member."""
    members = {str(choice): choice for choice in choices}

    def read(word: str) -> T:
        if word not in members:
            raise Wrong(f"{quoted(word)} is not one of {', '.join(members)}")
        return members[word]

    return read


def words_as(cls: Callable[..., T], readers: Mapping[str, Reader[Any]], required: Collection[str] = ()) -> Any:
    """Return a reader of words `KEY=VALUE`, which makes an object of a class whose arguments are the keys."""

    def read(words: Sequence[str]) -> T:
        values = read_values(read_words(words, readers), readers)
        if missing := [key for key in required if key not in values]:
            raise Wrong(f"{missing[0]} is missing")
        return cls(**values)

    return read


def read_values(table: Mapping[str, str], readers: Mapping[str, Reader[Any]]) -> dict[str, Any]:
    """Read the values of those keys of a table that have a reader; `Wrong` names the key."""
    values = {}
    for key, value in table.items():
        if key in readers:
            try:
                values[key] = readers[key](value)
            except Wrong as error:
                raise Wrong(f"{key}: {error}") from None
    return values


def read_words(words: Sequence[str], known: Collection[str], prefix: str = "=") -> dict[str, str]:
    """Read words `KEY=VALUE` into a table; a key is one of `known`, or begins with `prefix`."""
    table: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise Wrong(f"{quoted(word)} must have the form KEY=VALUE")
        if key not in known and not key.startswith(prefix):
            raise Wrong(f"unknown key {quoted(key)}; known keys: {', '.join(sorted(known))}")
        if key in table:
            raise Wrong(f"{key} is given twice")
        table[key] = value
    return table


class Words(argparse.Action):
    """A flag with words `KEY=VALUE`; its value is what `read` makes of them."""

    def __init__(self, option_strings: Sequence[str], dest: str, read: Callable[[list[str]], Any], **more: Any) -> None:
        super().__init__(option_strings, dest, nargs="+", **more)
        self._read = read

    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option_string: object = None
    ) -> None:
        try:
            setattr(namespace, self.dest, self._read(values))
        except ValueError as error:
            raise argparse.ArgumentError(self, str(error)) from None
