"""docs/protocol.md is correct: its conversations are held with the engine, its tables are those of the code, and its
grammar has every line of the conversations.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache

import pytest

from junqi_engine.api.game_record import GameRecord
from junqi_protocol import commands
from junqi_protocol.catalogue import CATALOGUE, COMMON, JUNQI_VARIANTS, OPTIONS
from junqi_protocol.commands import COMMANDS, Command
from junqi_protocol.free_memory import memory_mb
from junqi_protocol.options import Check, Combo, Option, Spin
from junqi_referee.endings import Ending
from tests.helpers.engine import Engine, errors
from tests.helpers.pages import ROOT, code_in, tables
from tests.helpers.transcripts import check_transcript, transcripts

PATH = ROOT / "docs/protocol.md"
PAGE = PATH.read_text(encoding="utf-8")
CONVERSATIONS = transcripts(PATH)
MAX_DEFAULT_HASH_MB = 256
NO_EXAMPLE = {"line-too-long", "internal"}
"""The error codes of a line that is too long for a page, and of faults of the program."""


def rows(*heading: str) -> list[list[str]]:
    """The rows of the table whose heading begins with these words."""
    [table] = [table for table in tables(PAGE) if tuple(table[0][: len(heading)]) == heading]
    return table[2:]


def words_of(table: list[list[str]]) -> list[str]:
    """The words in the first column of a table."""
    return [word for row in table for word in code_in(row[0])]


# The tables


def test_command_table_matches_code() -> None:
    documented = {code_in(row[0])[0]: row for row in rows("command")}
    assert list(documented) == list(COMMANDS)
    for name, (_, arguments, _, during) in documented.items():
        assert bool(arguments) == bool(COMMANDS[name].arguments)
        assert during == _during_a_search(COMMANDS[name])


def _during_a_search(command: Command) -> str:
    if command.stops_unlimited:
        return "waits or stops it"
    return "immediately" if command.handler is None else "waits"


def test_option_table_matches_catalogue() -> None:
    documented = {code_in(row[0])[0]: row[1:5] for row in rows("option")}
    [memory] = [option for option in OPTIONS if option.name == "Hash"]
    assert memory.default == min(MAX_DEFAULT_HASH_MB, memory_mb())
    assert documented == {option.name: _described(option) for option in OPTIONS}


def _described(option: Option) -> list[str]:
    """The variants, type, default and range of an option, as the page has them."""
    kind = type(option).__name__.lower()
    if isinstance(option, Spin):
        most = {"Threads": "the processors", "Hash": "the memory"}.get(option.name, option.most)
        default = MAX_DEFAULT_HASH_MB if option.name == "Hash" else option.default
        return [_variants(option), kind, str(default), f"{option.least} to {most}"]
    if isinstance(option, Check):
        return [_variants(option), kind, str(option.default).lower(), ""]
    if isinstance(option, Combo):
        return [_variants(option), kind, f"`{option.default}`", " ".join(f"`{choice}`" for choice in option.choices)]
    form = {"Scoring": "three numbers of up to 4 digits"}.get(option.name, "")
    return [_variants(option), kind, f"`{option.default}`" if option.default else "empty", form]


def _variants(option: Option) -> str:
    having = tuple(entry.variant for entry in CATALOGUE if option in entry.options)
    if option in COMMON or not having:
        return "all"
    puzzles = tuple(entry.variant for entry in CATALOGUE if entry.variant not in JUNQI_VARIANTS)
    return {JUNQI_VARIANTS: "Junqi", puzzles: "puzzles"}.get(having, ", ".join(f"`{variant}`" for variant in having))


def test_words_of_go_match_code() -> None:
    documented = {word: row[1] for row in rows("word", "value") for word in code_in(row[0])}
    assert documented.keys() == commands._MAX_VALUES.keys() - {"mate"}
    for word, largest in commands._MAX_NUMBERS.items():
        if largest != commands.MAX_TIME_MS or word == "movetime":
            assert documented[word].removesuffix(" ms") == f"0 to {_power(largest)}"
    assert (commands.MAX_TIME_MS, commands.MAX_GO_BYTES) == (10**12, 64 << 10)
    assert "Clocks and increments are from 0 to 10^12; clocks may be negative" in PAGE


def _power(number: int) -> str:
    return {10**18 - 1: "10^18 - 1", 10**12: "10^12"}.get(number, str(number))


def test_error_code_table_matches_code() -> None:
    assert len(words_of(rows("code"))) == len(set(words_of(rows("code"))))
    assert set(words_of(rows("code"))) == codes_in_the_code()


def codes_in_the_code() -> set[str]:
    """The error codes that the engine's source raises or prints."""
    raised = re.compile(
        r'(?:Refused|IllegalMove|BadLineup|BadPosition)\(\s*"([a-z-]+)"'
        r'|\bcode(?:, text)? = "([a-z-]+)"(?:.* else "([a-z-]+)")?'
    )
    folders = ("protocol", "puzzles", "junqi_engine/rules", "junqi_engine/notation", "junqi_engine/information")
    sources = (path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {code for source in sources for found in raised.findall(source) for code in found if code}


def test_error_examples_are_rejected_and_change_nothing(engine: Engine) -> None:
    """The last line of each. What cannot be shown on a page has no example."""
    for code, _, example in rows("code"):
        lines = code_in(example)
        assert bool(lines) == (code.strip("`") not in NO_EXAMPLE), code
        for line in lines[-1:]:
            before = engine.ask("setoption name UCI_Variant value luzhanqi", *lines[:-1], "d")
            engine.send(line)
            answer = engine.lines_until("bestmove") if line.startswith("go") else []
            answer += engine.ask()[:-1]
            assert errors(answer) == [code.strip("`")]
            assert answer[1:] == (["bestmove (none)"] if line.startswith("go") else [])
            assert all(re.fullmatch(pattern("output"), each) for each in answer)
            assert engine.ask("d") == before


def test_record_keys_and_endings_match_code() -> None:
    documented = {key: code_in(row[1]) for row in rows("key") for key in code_in(row[0])}
    assert list(documented) == [entry.name for entry in fields(GameRecord)]
    assert documented["ending"] == [ending.value for ending in Ending]


# The grammar

SPECIAL = {"word": r"\S+", "text": ".*"}
"""The rules whose text is in words, as regular expressions."""
_TOKEN = re.compile(r'"([^"]*)"(?:\.\."([^"])")?|(?:(\d+) \* )?([a-z]\w*)|([][{}()|])|(\s+)')


@cache
def grammar() -> Mapping[str, str]:
    """The right side of each rule by name."""
    [block] = re.findall(r"^```ebnf\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"(\w+) += (.*?) ;\s", block, flags=re.DOTALL)
    assert block.count(" ;") == len(found) == len({name for name, _ in found})
    return dict(found)


@cache
def pattern(name: str) -> str:
    """A rule as a regular expression; possible because no rule uses itself."""
    if name in SPECIAL:
        return SPECIAL[name]
    text, result, place = grammar()[name], "", 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        assert token, f"{name}: {text[place:]}"
        place = token.end()
        literal, last, times, rule, sign, _ = token.groups()
        if literal is not None:
            result += f"[{literal}-{last}]" if last else re.escape(literal)
        elif rule:
            result += pattern(rule) + (f"{{{times}}}" if times else "")
        elif sign:
            result += {"[": "(?:", "{": "(?:", "(": "(?:", "]": ")?", "}": ")*"}.get(sign, sign)
    return f"(?:{result})"


# The conversations


@pytest.mark.parametrize("text", CONVERSATIONS, ids=re.findall(r"<!-- transcript: (.*?) -->", PAGE))
def test_conversation_is_as_shown(text: str, engine: Engine) -> None:
    """The engine answers as the page says, and every line has a form of the grammar."""
    for said, answer in check_transcript(text, engine):
        for line in answer:
            assert re.fullmatch(pattern("output"), line), line
        is_rejected = any(line.startswith("info string error ") for line in answer)
        command = next((said.split()[at:] for at, word in enumerate(said.split()) if word in COMMANDS), None)
        if command is not None and not said.startswith("#") and not is_rejected:
            assert re.fullmatch(pattern("input"), " ".join(command)), said
