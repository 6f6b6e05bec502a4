"""TOML files and words of the command line as tables, and tables laid over each other."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.referee.exits import RefereeError

PACKAGED = (Path(__file__).parent.parent, Path(__file__).parent.parent / "strength")
"""The folders of the files that come with the referee."""
MAX_BYTES = 1 << 16
MAX_DOTS = 100


def read_file(path: str) -> dict[str, Any]:
    """The tables of a TOML file. Keys may be written with `-` or `_`; they are returned with `-`.

    `path` may also be the name of a packaged file, with or without `.toml`, if there is no file of this name here.
    """
    given = Path(path)
    packaged = [folder / f"{path.removesuffix('.toml')}.toml" for folder in PACKAGED if given.name == path]
    try:
        with next((file for file in (given, *packaged) if file.is_file()), given).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RefereeError(f"{path}: {error.strerror}") from error
    return read_tables(data, path)


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
        tables = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # a number of thousands of digits does not raise TOMLDecodeError
        raise RefereeError(f"{name}: invalid TOML: {error}") from error
    except RecursionError:
        raise RefereeError(f"{name}: invalid TOML: nested too deeply") from None
    return {key: _with_dashes(value) for key, value in tables.items()}


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
