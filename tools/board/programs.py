"""The engine programs that a player can choose."""

import shlex
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """An engine program: the name that the page shows, and its command line."""

    name: str
    command: tuple[str, ...]


def parse_program(text: str) -> Program:
    """Read `NAME=COMMAND`; the command is split as a shell splits it. ValueError for any other form."""
    name, _, command = text.partition("=")
    words = shlex.split(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} does not have the form NAME=COMMAND")
    return Program(name.strip(), tuple(words))
