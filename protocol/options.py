"""Typed options: what `uci` declares and `setoption` sets."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from protocol.game import Rejection

Value = int | bool | str
LONGEST_NUMBER = 18


class Spin(NamedTuple):
    """A whole number from `least` to `most`; `available`, where given, says how many there are at the moment."""

    name: str
    default: int
    least: int
    most: int
    available: Callable[[], int] | None = None

    def declaration(self) -> str:
        return f"option name {self.name} type spin default {self.default} min {self.least} max {self.most}"

    def parse(self, text: str) -> int:
        number = whole_number(text, f"option {self.name}")
        if not self.least <= number <= self.most:
            raise Rejection("bad-value", f"option {self.name}: {number} is not from {self.least} to {self.most}")
        available = number if self.available is None else self.available()
        if number > available:
            raise Rejection("too-large", f"option {self.name}: {number}, of which {available} are to be had now")
        return number


class Check(NamedTuple):
    """True or false."""

    name: str
    default: bool

    def declaration(self) -> str:
        return f"option name {self.name} type check default {str(self.default).lower()}"

    def parse(self, text: str) -> bool:
        if text.lower() not in ("true", "false"):
            raise Rejection("bad-value", f"option {self.name}: {quoted(text)} is neither true nor false")
        return text.lower() == "true"


class Combo(NamedTuple):
    """One of `choices`."""

    name: str
    default: str
    choices: tuple[str, ...]

    def declaration(self) -> str:
        choices = " ".join(f"var {choice}" for choice in self.choices)
        return f"option name {self.name} type combo default {self.default} {choices}"

    def parse(self, text: str) -> str:
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise Rejection("bad-value", f"option {self.name}: {quoted(text)} is none of {', '.join(self.choices)}")


class String(NamedTuple):
    """Any text. With a `pattern`, only text that matches it whole, as `form` says in words."""

    name: str
    default: str = ""
    pattern: str = ".*"
    form: str = ""

    def declaration(self) -> str:
        return f"option name {self.name} type string default {self.default or '<empty>'}"

    def parse(self, text: str) -> str:
        if text == "<empty>":
            return ""
        if not re.fullmatch(self.pattern, text):
            raise Rejection("bad-value", f"option {self.name}: {quoted(text)} is not {self.form}")
        return text


Option = Spin | Check | Combo | String


class Options(Mapping[str, Value]):
    """The declared options and their values; names are found whatever their case."""

    def __init__(self, declared: Iterable[Option]) -> None:
        self.declared = {option.name.lower(): option for option in declared}
        self._values: dict[str, Value] = {name: option.default for name, option in self.declared.items()}

    def __getitem__(self, name: str) -> Value:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return (option.name for option in self.declared.values())

    def __len__(self) -> int:
        return len(self.declared)

    def find(self, name: str) -> Option:
        """The option of that name; a `Rejection` if there is none."""
        option = self.declared.get(name.lower())
        if option is None:
            raise Rejection("no-such-option", quoted(name))
        return option

    def set(self, option: Option, value: Value) -> None:
        self._values[option.name.lower()] = value


def split_setoption(words: list[str]) -> tuple[str, str | None]:
    """`name X [value Y]` into X and Y, both of which may hold spaces."""
    if not words or words[0].lower() != "name":
        raise Rejection("bad-argument", "setoption: 'name' is missing")
    lowered = [word.lower() for word in words]
    end = lowered.index("value") if "value" in lowered else len(words)
    name = " ".join(words[1:end])
    if not name:
        raise Rejection("bad-argument", "setoption: the name is missing")
    return name, " ".join(words[end + 1 :]) if end < len(words) else None


def whole_number(text: str, where: str) -> int:
    """A decimal whole number, or a `Rejection` that names `where` it stood."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise Rejection("bad-number", f"{where}: {quoted(text)} is no whole number")
    if len(text) > LONGEST_NUMBER:
        raise Rejection("bad-number", f"{where}: {quoted(text)} is too large")
    return int(text)


def quoted(text: str, longest: int = 60) -> str:
    """Text of unknown origin, made fit to stand in an answer: one line, printable, not too long."""
    shown = text if len(text) <= longest else f"{text[:longest]}..."
    return "'" + "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in shown) + "'"


def memory_mb() -> int:
    """The machine's memory in MB; 1 TB where the system does not say."""
    if sys.platform == "win32":
        import ctypes

        class MemoryStatus(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [
                (name, ctypes.c_ulonglong) for name in ("total", "free", "a", "b", "c", "d", "e")
            ]

        status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return int(status.total >> 20)
        return 1 << 20
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (ValueError, OSError):
        return 1 << 20


def free_memory_mb() -> int:
    """What this process may have of the machine's memory in MB, its own part counted; all where nobody says.

    More could be promised, but a process that uses it is killed.
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        with open("/proc/self/statm", encoding="ascii") as file:
            own_pages = int(file.read().split()[1])
        return (int(fields["MemAvailable"].split()[0]) >> 10) + (own_pages * os.sysconf("SC_PAGE_SIZE") >> 20)
    except (OSError, ValueError, KeyError, IndexError):
        return memory_mb()
