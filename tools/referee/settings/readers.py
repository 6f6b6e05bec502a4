"""Readers of single values from TOML or the command line: each checks one value, or raises an error that names it.

A reader is called with the value, with where its table is (for the message), and with its key. On the command line
every value is a string, so readers of numbers accept both.

An option is a dataclass field that is also a key of `[match]` and a flag of the command line. It is defined once, as a
field of `Settings` with the metadata that `option` returns. Key and flag are its name with `-` instead of `_`.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from tools.referee.exits import RefereeError

Reader = Callable[[Any, str, str], Any]


def read_text(value: Any, where: str, key: str) -> str:
    """A string that is not empty."""
    if not isinstance(value, str) or not value:
        raise RefereeError(f"{where}: {key}={value!r} must be a string that is not empty")
    return value


def whole(minimum: int, maximum: int) -> Reader:
    """Reads a whole number within bounds."""

    def read(value: Any, where: str, key: str) -> int:
        try:
            number = int(value) if not isinstance(value, bool | float) else None
        except (TypeError, ValueError):
            number = None
        if number is None or not minimum <= number <= maximum:
            raise RefereeError(f"{where}: {key}={value} must be a whole number from {minimum} to {maximum}")
        return number

    return read


def read_real(value: Any, where: str, key: str) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise RefereeError(f"{where}: {key}={value} is not a number")
    return number


def one_of(choices: Iterable[str]) -> Reader:
    """Reads one of some words; for an enum, its member."""
    members = {str(choice): choice for choice in choices}

    def read(value: Any, where: str, key: str) -> str:
        if not isinstance(value, str) or value not in members:
            raise RefereeError(f"{where}: {key}={value} is not one of {', '.join(members)}")
        return members[value]

    return read


def table_of(cls: type, readers: Mapping[str, Reader]) -> Reader:
    """Reads a table into a dataclass whose fields are the keys of `readers`; those with a default may be missing.

    An empty table without required keys is the same as no table: it is read as None.
    """
    required = [field.name for field in fields(cls) if field.default is MISSING]

    def read(value: Any, where: str, key: str) -> Any:
        if not isinstance(value, Mapping):
            raise RefereeError(f"{where}: {key} must be a table")
        if not value and not required:
            return None
        where = f"{where}, {key}"
        check_keys(value, readers, where)
        for name in required:
            if name not in value:
                raise RefereeError(f"{where}: {name} is missing")
        values = {name: readers[name](entry, where, name) for name, entry in value.items()}
        try:
            return cls(**values)
        except ValueError as error:
            raise RefereeError(f"{where}: {error}") from error

    return read


def check_keys(table: Iterable[str], known: Iterable[str], where: str) -> None:
    """Refuse a table with an unknown key."""
    for key in table:
        if key not in known:
            raise RefereeError(f"{where}: unknown key {key!r}; known keys: {', '.join(sorted(known))}")


MATCH, TOURNAMENT, REGRESS = "match", "tournament", "regress"


@dataclass(frozen=True)
class Option:
    """What the command line and the reader of tables need to know about an option.

    `commands` are the subcommands that have the flag. `takes_words` marks flags followed by several `key=value` words,
    which become a table.
    """

    key: str
    read: Reader
    help: str
    commands: tuple[str, ...]
    takes_words: bool


def option(
    read: Reader,
    help: str,
    *,
    commands: tuple[str, ...] = (MATCH, TOURNAMENT, REGRESS),
    takes_words: bool = False,
) -> dict[str, Any]:
    """The metadata of a dataclass field that is an option."""
    return {"read": read, "help": help, "commands": commands, "takes_words": takes_words}


def options_of(cls: type) -> dict[str, Option]:
    """The options of a dataclass by field name. Their help ends with the default, if there is one."""
    options = {}
    for entry in fields(cls):
        if entry.metadata:
            default = "" if entry.default is None else f" (default: {entry.default})"
            help = entry.metadata["help"] + default
            options[entry.name] = Option(entry.name.replace("_", "-"), **{**entry.metadata, "help": help})
    return options


def read_options(cls: type, table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The options of a dataclass that a table sets, checked, by field name."""
    options = options_of(cls)
    check_keys(table, [entry.key for entry in options.values()], where)
    return {
        name: entry.read(table[entry.key], where, entry.key) for name, entry in options.items() if entry.key in table
    }
