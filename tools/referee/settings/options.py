"""Options: dataclass fields that are also keys of `[match]` and flags of the command line.

An option is defined once, as a field of `Settings` with the metadata that `option` returns. Its key and its flag are
the field's name with `-` instead of `_`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tools.referee.settings.readers import Reader, check_keys

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
