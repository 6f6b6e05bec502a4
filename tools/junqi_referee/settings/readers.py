"""Settings as text: TOML files and words of the command line as tables, laid over each other, and their values read.

A reader checks one value, or raises an error that names it. It is called with the value, with where its table is (for
the message), and with its key. On the command line every value is a string, so readers of numbers accept both.

An option is a dataclass field that is also a key of `[match]` and a flag of the command line. It is defined once, as a
field of `MatchSettings` that `option` makes. Key and flag are its name with `-` instead of `_`.
"""

import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from junqi_referee.exits import RefereeError, file_error
from junqi_referee.time_control import REAL

Reader = Callable[[Any, str, str], Any]


def read_text(value: Any, where: str, key: str) -> str:
    """A string that is not empty."""
    if not isinstance(value, str) or not value:
        raise RefereeError(f"{where}: {key}={value!r} must be a string that is not empty")
    return value


def whole(minimum: int, maximum: int) -> Reader:
    """Reads a whole number within bounds."""

    def read(value: Any, where: str, key: str) -> int:
        is_text = isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value)
        number = int(value) if is_text or type(value) is int else None
        if number is None or not minimum <= number <= maximum:
            raise RefereeError(f"{where}: {key}={value} must be a whole number from {minimum} to {maximum}")
        return number

    return read


def read_real(value: Any, where: str, key: str) -> float:
    """A finite number."""
    if type(value) not in (int, float, str) or not REAL.fullmatch(str(value)) or math.isinf(float(str(value))):
        raise RefereeError(f"{where}: {key}={value} is not a number")
    return float(value)


def read_switch(value: Any, where: str, key: str) -> bool:
    """`true` or `false`."""
    if value not in (True, False, "true", "false"):
        raise RefereeError(f"{where}: {key}={value} is not one of true, false")
    return value in (True, "true")


def read_cores(value: Any, where: str, key: str) -> tuple[int, ...]:
    """Processors, as `all` or as numbers and ranges, `0-3,6`; each must be one that this process may use."""
    if not hasattr(os, "sched_getaffinity"):
        raise RefereeError(f"{where}: {key}: this system does not let a program choose its processors")
    usable = sorted(os.sched_getaffinity(0))
    if value == "all":
        return tuple(usable)
    parts = [re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", part) for part in str(value).split(",")]
    cores = [core for part in parts if part for core in range(int(part[1]), int(part[2] or part[1]) + 1)]
    if not all(parts) or not cores or not set(cores) <= set(usable):
        text = ",".join(map(str, usable))
        raise RefereeError(f"{where}: {key}={value} is not all or a list such as 0-3,6 of the processors {text}")
    return tuple(cores)


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
    required = [entry.name for entry in fields(cls) if entry.default is MISSING]

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


MATCH, TOURNAMENT, REGRESS, CI = "match", "tournament", "regress", "ci"
CI_MATCH: Mapping[str, Any] = {"rounds": 300, "sprt": {"elo0": -50, "elo1": 0}}
"""What `ci` plays if nothing else is said."""


@dataclass(frozen=True)
class Option:
    """What the command line and the reader of tables need to know about an option.

    `commands` are the subcommands that have the flag. `takes_words` marks flags followed by several `key=value` words,
    which become a table.
    """

    read: Reader
    help: str
    commands: tuple[str, ...]
    takes_words: bool
    default: Any

    def help_of(self, default: Any) -> str:
        """The help text; it ends with the default, if there is one."""
        return self.help if default is None else f"{self.help} (default: {default})"


def option(
    default: Any,
    read: Reader,
    help: str,
    *,
    commands: tuple[str, ...] = (MATCH, TOURNAMENT, REGRESS, CI),
    takes_words: bool = False,
) -> Any:
    """A dataclass field that is an option."""
    return field(default=default, metadata={"option": Option(read, help, commands, takes_words, default)})


def options_of(cls: type) -> dict[str, Option]:
    """The options of a dataclass by key."""
    found = {entry.name.replace("_", "-"): entry.metadata.get("option") for entry in fields(cls)}
    return {key: option for key, option in found.items() if option is not None}


def read_options(cls: type, table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The options of a dataclass that a table sets, checked, by field name."""
    options = options_of(cls)
    check_keys(table, options, where)
    return {key.replace("-", "_"): options[key].read(table[key], where, key) for key in options if key in table}


PACKAGED = (Path(__file__).parent.parent, Path(__file__).parent.parent / "strength")
"""The folders of the files that come with the referee."""
MAX_BYTES = 1 << 16
MAX_DOTS = 100
MAX_DEPTH = 20
"""Levels of tables and lists in a file; settings have three."""


def read_file(path: str) -> dict[str, Any]:
    """The tables of a TOML file. Keys may be written with `-` or `_`; they are returned with `-`.

    A relative `dir` of an engine is turned into one below the folder of the file.

    `path` may also be the name of a packaged file, with or without `.toml`, if there is no file of this name here.
    """
    given = Path(path)
    packaged = [folder / f"{path.removesuffix('.toml')}.toml" for folder in PACKAGED if given.name == path]
    found = next((file for file in (given, *packaged) if file.is_file()), given)
    try:
        with found.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise file_error(path, error) from error
    tables = read_tables(data, path)
    engines = tables.get("engine")
    for table in (tables.get("each"), *(engines if isinstance(engines, list) else ())):
        if isinstance(table, dict) and isinstance(table.get("dir"), str) and table["dir"]:
            table["dir"] = str(found.parent / table["dir"])
    return tables


def read_tables(data: bytes, name: str) -> dict[str, Any]:
    """The tables of the contents of a TOML file; `name` is for messages.

    What is large or deep is refused before it is parsed: that takes the square of the length of a dotted key.
    """
    if len(data) > MAX_BYTES:
        raise RefereeError(f"{name}: more than {MAX_BYTES} bytes")
    for number, line in enumerate(data.splitlines(), 1):
        if line.count(b".") > MAX_DOTS:
            raise RefereeError(f"{name}, line {number}: more than {MAX_DOTS} dots")
    try:
        tables = tomllib.loads(data.decode("utf-8-sig"))
        _check_values(tables)
    except ValueError as error:  # a number of thousands of digits does not raise TOMLDecodeError
        raise RefereeError(f"{name}: invalid TOML: {error}") from error
    except RecursionError:
        raise RefereeError(f"{name}: invalid TOML: nested too deeply") from None
    return {key: _with_dashes(value) for key, value in tables.items()}


def _check_values(tables: Mapping[str, Any]) -> None:
    """ValueError for what no message could show: deep tables, and integers of more than 64 bits."""
    level: list[Any] = [tables]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        ]
        if any(isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 for value in level):
            raise ValueError("an integer of more than 64 bits")
    if level:
        raise ValueError("nested too deeply")


def as_toml(tables: Mapping[str, Any]) -> str:
    """Tables, and lists of tables, as the text of a TOML file."""
    lines = []
    for name, value in tables.items():
        for table in value if isinstance(value, list) else [value]:
            heading = f"[[{name}]]" if isinstance(value, list) else f"[{name}]"
            lines += [heading, *(f"{key} = {_toml_value(entry)}" for key, entry in table.items()), ""]
    return "\n".join(lines)


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(key)} = {_toml_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}"
    return json.dumps(value, ensure_ascii=False)


def overlay(file: Mapping[str, Any], command_line: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a file, overridden key by key by the command line; a list of engines is replaced as a whole."""
    merged = dict(file)
    for name, table in command_line.items():
        if isinstance(table, Mapping) and isinstance(file.get(name), Mapping):
            merged[name] = {**file[name], **table}
        else:
            merged[name] = table
    return merged


def table_in(tables: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    """The table of that name, empty if missing."""
    table = tables.get(name, {})
    if not isinstance(table, Mapping):
        raise RefereeError(f"{where}: {name} must be a table")
    return table


def tables_in(tables: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    """The tables `[[name]]`, none if missing."""
    entries = tables.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise RefereeError(f"{where}: {name} must be a list of tables, [[{name}]]")
    return entries


def _with_dashes(table: Any) -> Any:
    if isinstance(table, list):
        return [_with_dashes(entry) for entry in table]
    return {key.replace("_", "-"): value for key, value in table.items()} if isinstance(table, dict) else table


def read_words(words: Sequence[str], where: str) -> dict[str, str]:
    """Words `key=value` by key."""
    table: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise RefereeError(f"{where}: {word!r} must have the form key=value")
        if key in table:
            raise RefereeError(f"{where}: {key} is given twice")
        table[key] = value
    return table
