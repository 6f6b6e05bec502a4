"""The types of options and their values. `uci` prints the declarations, `setoption` sets the values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from junqi_engine.errors import Refused, expect_one_of, quoted

Value = int | bool | str
MAX_DIGITS = 18


class Spin(NamedTuple):
    """A whole number from `least` to `most`."""

    name: str
    default: int
    least: int
    most: int

    def declaration(self) -> str:
        return f"option name {self.name} type spin default {self.default} min {self.least} max {self.most}"

    def parse(self, text: str) -> int:
        number = whole_number(text, f"option {self.name}")
        if not self.least <= number <= self.most:
            raise Refused("bad-value", f"option {self.name}: {number} is not between {self.least} and {self.most}")
        return number


class Check(NamedTuple):
    name: str
    default: bool

    def declaration(self) -> str:
        return f"option name {self.name} type check default {str(self.default).lower()}"

    def parse(self, text: str) -> bool:
        if text.lower() not in ("true", "false"):
            raise Refused("bad-value", f"option {self.name}: {quoted(text)} is not true or false")
        return text.lower() == "true"


class Combo(NamedTuple):
    name: str
    default: str
    choices: tuple[str, ...]

    def declaration(self) -> str:
        choices = " ".join(f"var {choice}" for choice in self.choices)
        return f"option name {self.name} type combo default {self.default} {choices}"

    def parse(self, text: str) -> str:
        value = next((choice for choice in self.choices if choice.lower() == text.lower()), text)
        expect_one_of(f"option {self.name}:", value, self.choices, "bad-value")
        return value


class String(NamedTuple):
    """A text that matches the regular expression `form`; `example` completes the sentence "X is not ..."."""

    name: str
    default: str = ""
    form: str = ".*"
    example: str = ""

    def declaration(self) -> str:
        return f"option name {self.name} type string default {self.default or '<empty>'}"

    def parse(self, text: str) -> str:
        value = "" if text == "<empty>" else text
        if not re.fullmatch(self.form, value):
            raise Refused("bad-value", f"option {self.name}: {quoted(value)} is not {self.example}")
        return value


Option = Spin | Check | Combo | String


class Options(dict[str, Value]):
    """The values of the declared options by name."""

    def __init__(self, declared: Iterable[Option]) -> None:
        self.declared = {option.name.lower(): option for option in declared}
        super().__init__((option.name, option.default) for option in self.declared.values())

    def find(self, name: str) -> Option:
        """The option of a case-insensitive name; `no-such-option` if there is none."""
        option = self.declared.get(name.lower())
        if option is None:
            raise Refused("no-such-option", quoted(name))
        return option


def setoption_words(text: str) -> list[str]:
    """The arguments of `setoption` as words. The value is one word and keeps its blanks, because it may be a path."""
    name, *value = re.split(r"(?i)(?<!\S)value(?!\S)", text, maxsplit=1)
    return name.split() + [word for end in value for word in ("value", end.strip())]


def split_setoption(words: list[str]) -> tuple[str, str | None]:
    """The X and Y of `name X [value Y]`, both of which may contain spaces; Y is None if there is no `value`."""
    if not words or words[0].lower() != "name":
        raise Refused("bad-argument", "setoption: the word 'name' is missing")
    lowered = [word.lower() for word in words]
    end = lowered.index("value") if "value" in lowered else len(words)
    name = " ".join(words[1:end])
    if not name:
        raise Refused("bad-argument", "setoption: the name of the option is missing")
    return name, " ".join(words[end + 1 :]) if end < len(words) else None


def whole_number(text: str, where: str) -> int:
    """The whole number that a text has in decimal digits; `where` begins the text of a refusal."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise Refused("bad-number", f"{where}: {quoted(text)} is not a whole number")
    if len(text) > MAX_DIGITS:
        raise Refused("bad-number", f"{where}: {quoted(text)} has more than {MAX_DIGITS} digits")
    return int(text)
