"""Command-line words `key=value` as the tables that a TOML file would hold."""

from collections.abc import Sequence
from typing import Any

from tools.referee.exits import RefereeError
from tools.referee.settings.engine import ENGINE_KEYS, OPTION_PREFIX
from tools.referee.settings.readers import check_keys


def read_words(words: Sequence[str], where: str) -> dict[str, str]:
    """The words by key."""
    table: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise RefereeError(f"{where}: {word!r} must have the form key=value")
        if key in table:
            raise RefereeError(f"{where}: {key} is given twice")
        table[key] = value
    return table


def read_engine_words(words: Sequence[str], where: str) -> dict[str, Any]:
    """The words after `--engine` as a table `[[engine]]`; `option.NAME` goes into its table `option`."""
    known = ENGINE_KEYS.keys() - {"option"} | {f"{OPTION_PREFIX}NAME"}
    table: dict[str, Any] = {}
    for key, value in read_words(words, where).items():
        if key.startswith(OPTION_PREFIX):
            table.setdefault("option", {})[key.removeprefix(OPTION_PREFIX)] = value
        else:
            check_keys([key], known, where)
            table[key] = value
    return table
