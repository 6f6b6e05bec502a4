"""The lines that an engine writes, read field by field.

Total: any bytes are read, passed over or reported. A line that is not one of the protocol, and an unknown word in an
`info` line, are passed over, as UCI demands. A known field with a wrong value is a `LineFault`.
"""

import re
from typing import NamedTuple

MAX_QUOTED = 80
"""Bytes of a line that a message quotes."""
MAX_TEXT = 200
"""Characters that are kept of a name."""

_WHOLE = re.compile(rb"\d{1,18}")
_SIGNED = re.compile(rb"-?\d{1,18}")
_COUNTS = frozenset(b"depth seldepth time nodes nps hashfull multipv currmovenumber".split())


class LineFault(ValueError):
    """A line of the protocol with a field that has a wrong value; the text quotes the line in part."""


class Spin(NamedTuple):
    """The bounds of an option of type spin."""

    least: int
    most: int


def quoted(line: bytes) -> str:
    """A line for a message: its beginning, in quotes."""
    cut = line[:MAX_QUOTED].decode("utf-8", "replace").strip()
    return repr(f"{cut}..." if len(line) > MAX_QUOTED else cut)


def best_score(line: bytes) -> str | None:
    """`cp N` or `mate N` from an `info` line about the best line; None from any other line. Raises `LineFault`."""
    words = line.split()
    if words[:1] != [b"info"] or words[1:2] in ([b"string"], [b"belief"]):
        return None
    score, rank = None, b"1"
    place = 1
    while place < len(words) and words[place] not in (b"pv", b"string"):
        name = words[place]
        value = words[place + 1] if place + 1 < len(words) else b""
        if name in _COUNTS:
            if not _WHOLE.fullmatch(value):
                raise LineFault(f"{quoted(line)}: {name.decode()} must be a whole number of at most 18 digits")
            rank = value if name == b"multipv" else rank
            place += 2
        elif name == b"score":
            number = words[place + 2] if place + 2 < len(words) else b""
            if value not in (b"cp", b"mate") or not _SIGNED.fullmatch(number):
                raise LineFault(f"{quoted(line)}: score must be cp or mate and a whole number of at most 18 digits")
            score = f"{value.decode()} {int(number)}"
            place += 3
        else:
            place += 1
    return score if int(rank) == 1 else None


def option_name(text: str) -> str:
    """The name that the text of an `option name ...` line declares."""
    return text.removeprefix("option name ").partition(" type ")[0]


def spin_bounds(text: str) -> Spin | None:
    """The bounds of a declaration `option name X type spin [default D] min A max B`.

    None if it is of another type. Raises `LineFault`.
    """
    rest = text.removeprefix("option name ").partition(" type ")[2].split()
    if rest[:1] != ["spin"]:
        return None
    values: dict[str, int] = {}
    for name, value in zip(rest[1::2], rest[2::2], strict=False):
        if name in ("default", "min", "max"):
            if not _SIGNED.fullmatch(value.encode("utf-8", "replace")):
                raise LineFault(f"{quoted(text.encode())}: {name} must be a whole number of at most 18 digits")
            values[name] = int(value)
    if not {"min", "max"} <= values.keys() or values["min"] > values["max"]:
        raise LineFault(f"{quoted(text.encode())}: a spin needs min and max, with min at most max")
    return Spin(values["min"], values["max"])
