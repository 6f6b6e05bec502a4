"""The engine programs that a player can choose."""

import shlex
from dataclasses import dataclass

from tools.revisions import build, find

REVISION = "rev="


@dataclass(frozen=True)
class Program:
    """An engine program: the name that the page shows, and its command line."""

    name: str
    command: tuple[str, ...]


def parse_program(text: str) -> Program:
    """Read `NAME=COMMAND` or `NAME=rev=REVISION`; the command is split as a shell splits it.

    A revision is unpacked; it compiles its kernels when it is chosen for the first time. ValueError for any other form,
    `RevisionError` for a revision that cannot be unpacked.
    """
    name, _, command = text.partition("=")
    words = shlex.split(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} does not have the form NAME=COMMAND")
    if len(words) == 1 and words[0].startswith(REVISION):
        return Program(name.strip(), build(find(words[0].removeprefix(REVISION))).command)
    return Program(name.strip(), tuple(words))
