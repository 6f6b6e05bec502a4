"""Values of the command line, read by `argparse`: a reader takes a word, and says what is wrong with it."""

import argparse
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from junqi_referee.time_control import REAL

T = TypeVar("T")
Reader = Callable[[str], Any]
Wrong = argparse.ArgumentTypeError


def whole(minimum: int, maximum: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", text) or not minimum <= int(text) <= maximum:
            raise Wrong(f"{text[:40]!r} is not a whole number from {minimum} to {maximum}")
        return int(text)

    return read


def real(text: str) -> float:
    """A finite number."""
    if not REAL.fullmatch(text) or math.isinf(float(text)):
        raise Wrong(f"{text[:40]!r} is not a number")
    return float(text)


def text(given: str) -> str:
    """A word that is not empty."""
    if not given:
        raise Wrong("it is empty")
    return given


def one_of(choices: Iterable[T]) -> Callable[[str], T]:
    """Reads one of some words; for an enum, its member."""
    members = {str(choice): choice for choice in choices}

    def read(given: str) -> T:
        if given not in members:
            raise Wrong(f"{given[:40]!r} is not one of {', '.join(members)}")
        return members[given]

    return read


def words_as(cls: Callable[..., T], readers: Mapping[str, Reader], required: Collection[str] = ()) -> Any:
    """Reads words `KEY=VALUE` into a class whose arguments are the keys of `readers`."""

    def read(words: Sequence[str]) -> T:
        values = {}
        for key, value in read_words(words, readers).items():
            try:
                values[key] = readers[key](value)
            except Wrong as error:
                raise Wrong(f"{key}: {error}") from None
        if missing := [key for key in required if key not in values]:
            raise Wrong(f"{missing[0]} is missing")
        return cls(**values)

    return read


def read_words(words: Sequence[str], known: Collection[str], prefix: str = "=") -> dict[str, str]:
    """Words `KEY=VALUE` by key; a key is one of `known`, or begins with `prefix`."""
    table: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise Wrong(f"{word[:40]!r} must have the form KEY=VALUE")
        if key not in known and not key.startswith(prefix):
            raise Wrong(f"unknown key {key[:40]!r}; known keys: {', '.join(sorted(known))}")
        if key in table:
            raise Wrong(f"{key} is given twice")
        table[key] = value
    return table


class Words(argparse.Action):
    """A flag that is followed by words `KEY=VALUE`, of which `read` makes its value."""

    def __init__(self, option_strings: Sequence[str], dest: str, read: Callable[[list[str]], Any], **more: Any) -> None:
        super().__init__(option_strings, dest, nargs="+", **more)
        self._read = read

    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option_string: object = None
    ) -> None:
        try:
            setattr(namespace, self.dest, self._read(values))
        except (Wrong, ValueError) as error:
            raise argparse.ArgumentError(self, str(error)) from None
