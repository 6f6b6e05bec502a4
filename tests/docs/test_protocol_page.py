"""docs/protocol.md is correct: its conversations are held with the engine, its tables are those of the code, and its
grammar has every line of the conversations.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from junqi_engine.client import engine_lines
from junqi_engine.rules.board import BOARDS, LINEUP_INDICES
from junqi_engine.rules.lineup import DEFAULT
from junqi_engine.rules.pieces import COUNTS, LETTERS, NAMES
from junqi_protocol import commands
from junqi_protocol.catalogue import CATALOGUE, COMMON, JUNQI_VARIANTS, declared_options
from junqi_protocol.commands import COMMANDS, PROTOCOL_VERSION, Command
from junqi_protocol.free_memory import memory_mb
from junqi_protocol.options import Check, Combo, Option, Spin
from junqi_referee.check.steps import LEVELS, run_steps
from junqi_referee.check.subject import Subject
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from junqi_referee.time_control import TimeControl
from tests.helpers.engine import Engine, errors
from tests.helpers.pages import ROOT, code_in, tables
from tests.helpers.referee import PROTOCOL, play, scripted, settings
from tests.helpers.transcripts import check_transcript, transcripts

PATH = ROOT / "docs/protocol.md"
PAGE = PATH.read_text(encoding="utf-8")
CONVERSATIONS = transcripts(PATH)
LARGEST_DEFAULT_HASH_MB = 256
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


def test_the_commands_are_those_of_the_table() -> None:
    documented = {code_in(row[0])[0]: row for row in rows("command")}
    assert list(documented) == list(COMMANDS)
    for name, (_, arguments, _, during) in documented.items():
        assert bool(arguments) == bool(COMMANDS[name].arguments)
        assert during == _during_a_search(COMMANDS[name])


def _during_a_search(command: Command) -> str:
    if command.stops_unlimited:
        return "waits or stops it"
    return "at once" if command.handler is None else "waits"


def test_the_options_are_those_of_the_catalogue() -> None:
    documented = {code_in(row[0])[0]: row[1:5] for row in rows("option")}
    [memory] = [option for option in declared_options() if option.name == "Hash"]
    assert memory.default == min(LARGEST_DEFAULT_HASH_MB, memory_mb())
    assert documented == {option.name: _described(option) for option in declared_options()}


def _described(option: Option) -> list[str]:
    """The variants, type, default and range of an option, as the page has them."""
    kind = type(option).__name__.lower()
    if isinstance(option, Spin):
        most = {"Threads": "the processors", "Hash": "the memory"}.get(option.name, option.most)
        default = LARGEST_DEFAULT_HASH_MB if option.name == "Hash" else option.default
        return [_variants(option), kind, str(default), f"{option.least} to {most}"]
    if isinstance(option, Check):
        return [_variants(option), kind, str(option.default).lower(), ""]
    if isinstance(option, Combo):
        return [_variants(option), kind, f"`{option.default}`", " ".join(f"`{choice}`" for choice in option.choices)]
    form = {"Scoring": "three numbers of up to 4 digits", "UCI_Opponent": "title, Elo, kind, name"}.get(option.name, "")
    return [_variants(option), kind, f"`{option.default}`" if option.default else "empty", form]


def _variants(option: Option) -> str:
    having = tuple(entry.variant for entry in CATALOGUE if option in entry.options)
    if option in COMMON or not having:
        return "all"
    puzzles = tuple(entry.variant for entry in CATALOGUE if entry.variant not in JUNQI_VARIANTS)
    return {JUNQI_VARIANTS: "Junqi", puzzles: "puzzles"}.get(having, ", ".join(f"`{variant}`" for variant in having))


def test_the_words_of_go_are_those_of_the_code() -> None:
    documented = {word: row[1] for row in rows("word", "value") for word in code_in(row[0])}
    assert documented.keys() == commands._KEYWORDS
    for word, largest in commands._LARGEST.items():
        if largest != commands.MAX_TIME_MS or word == "movetime":
            assert documented[word].removesuffix(" ms") == f"0 to {_power(largest)}"
    assert (commands.MAX_TIME_MS, commands.MAX_GO_BYTES) == (10**12, 64 << 10)
    assert "Clocks and increments are from 0 to 10^12; clocks may be negative" in PAGE


def _power(number: int) -> str:
    return {10**18 - 1: "10^18 - 1", 10**12: "10^12"}.get(number, str(number))


def test_the_words_of_info_are_those_that_clients_read() -> None:
    documented = words_of(rows("word", "contents"))
    counts = {name.decode() for name in engine_lines._COUNTS}
    assert len(documented) == len(set(documented))
    assert set(documented) == counts | {"score", "wdl", "pv", "belief", "string"}


def test_the_error_codes_are_those_of_the_code() -> None:
    assert len(words_of(rows("code"))) == len(set(words_of(rows("code"))))
    assert set(words_of(rows("code"))) == codes_in_the_code()


def codes_in_the_code() -> set[str]:
    """The error codes that the engine's source raises or prints."""
    raised = re.compile(r'(?:Rejection|ParseError|JunqiError|PuzzleError|MalformedCommand|error_line)\(\s*"([a-z-]+)"')
    folders = ("protocol", "puzzles", "junqi_engine/rules", "junqi_engine/notation", "junqi_engine/information")
    sources = (path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {code for source in sources for code in raised.findall(source)}


def test_each_example_of_an_error_is_rejected_and_changes_nothing(engine: Engine) -> None:
    """The last line of each. What cannot be shown on a page has no example."""
    for code, _, example in rows("code"):
        lines = code_in(example)
        assert bool(lines) == (code.strip("`") not in NO_EXAMPLE), code
        for line in lines[-1:]:
            before = engine.ask("setoption name UCI_Variant value luzhanqi", *lines[:-1], "d")
            engine.send(line)
            answer = engine.until("bestmove") if line.startswith("go") else []
            answer += engine.ask()[:-1]
            assert errors(answer) == [code.strip("`")]
            assert answer[1:] == (["bestmove (none)"] if line.startswith("go") else [])
            assert all(re.fullmatch(pattern("output"), each) for each in answer)
            assert engine.ask("d") == before


def test_the_pieces_and_line_ups() -> None:
    letters, _, kinds, counts = next(table for table in tables(PAGE) if table[0][0] == "`a`")
    assert "".join(letters).replace("`", "") == LETTERS
    assert kinds == [name.rpartition(" ")[0] for name in NAMES]
    assert counts == [str(count) for count in COUNTS]
    lines = re.findall(r"^(siguo|luzhanqi) ([SENW]) +(.*)$", PAGE, flags=re.MULTILINE)
    assert lines == [
        (variant, letter, " ".join(board.names[board.block(seat)[index]] for index in LINEUP_INDICES))
        for variant, board in BOARDS.items()
        for seat, letter in enumerate(board.seats)
    ]
    assert f"`{DEFAULT}`" in PAGE


def test_the_keys_of_a_record_and_its_endings() -> None:
    documented = {key: code_in(row[1]) for row in rows("key") for key in code_in(row[0])}
    assert list(documented) == [entry.name for entry in fields(GameRecord)]
    assert documented["ending"] == [ending.value for ending in Ending]


def test_the_steps_of_each_level() -> None:
    plays, analyses, rest = (re.findall(r"\*([^*]+)\*", row[2]) for row in rows("level"))
    assert not rest
    assert [*LEVELS["plays"]] == plays
    assert [*LEVELS["analyses"]] == [*plays, *analyses]


VARIABLE = {
    "S:<25 letters>": r"[SENW]:[a-l]{25}(?: [SENW]:[a-l]{25})*", "S": r"(?:[SENW]{1,2}|\*)",
    "<FEN>": r"\S+ [SENW] \S+ \S+ \d+ \d+(?: \S+)?", "MS": r"\d+", "N": r"\d+", "X": ".+", "Y": ".*", "...": ".+",
}  # fmt: skip
"""What stands for something else in the table of the lines of a match, as regular expressions."""


def match_line() -> str:
    """A line that the table allows."""
    cells = [code_in(row[0]) for row in rows("the referee sends")]
    [limits] = [cell for cell in cells if "go nodes N" in cell]
    [results] = [cell for cell in cells if "gameover win" in cell]
    others = [form for cell in cells if cell not in (limits, results) for form in cell]
    several = "|".join(_form(form.removeprefix("go ")) for form in limits)
    result = "|".join(form.removeprefix("gameover ") for form in results if form != "isready")
    return "|".join([*map(_form, others), f"go(?: (?:{several}))+", f"gameover (?:{result})"])


def _form(text: str) -> str:
    start, has_moves, _ = text.partition(" [moves ...]")
    names = "|".join(map(re.escape, VARIABLE))
    parts = re.split(rf"(?<!\S)({names})(?!\S)", start)
    found = "".join(VARIABLE.get(part, re.escape(part)) for part in parts)
    return f"{found}(?: moves .+)?" if has_moves else found


@pytest.mark.parametrize("variant", BOARDS)
def test_the_lines_of_a_match(variant: str, tmp_path: Path) -> None:
    """A match sends those of the table, and so does the check of an engine that plays."""
    sent: list[bytes] = []
    table = {"cmd": PROTOCOL, "option": {"Player": "1.0"}}
    subject = Subject(table, variant, False, TimeControl.parse({}), lambda way, line: sent.append(way.encode() + line))
    assert {result.name for result in run_steps(subject, LEVELS["plays"]) if result.fault} <= {"uciok in time"}
    lines = {line[1:].decode() for line in sent if line[:1] == b">"}
    assert {line.split()[0] for line in lines} >= {"uci", "position", "go", "gameover", "quit"}
    assert not [line for line in lines if not re.fullmatch(match_line(), line)]

    engines = [{"name": name, "cmd": scripted("script")} for name in ("one", "other")]
    match = {"variant": variant, "rounds": 2, "no_contact": 4, "lineups": "engine", "transcript": str(tmp_path)}
    play(settings(*engines, each={"tc": "1+1"}, **match))
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    lines = {line for text in texts for line in re.findall(r"^\S+ > (.*)$", text, re.MULTILINE)}
    assert {line.split()[1] for line in lines if line.startswith("position")} == {"startpos", "fen"}
    assert not [line for line in lines if not re.fullmatch(match_line(), line)]


def test_the_version() -> None:
    assert f"version {PROTOCOL_VERSION}," in PAGE and f"`info string protocol-version {PROTOCOL_VERSION}`" in PAGE


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


def names_in(text: str) -> set[str]:
    """The names of the rules that the right side of a rule uses."""
    return set() if text.startswith("?") else set(re.findall(r"[a-z]\w*", re.sub(r'"[^"]*"', "", text)))


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


def test_each_rule_of_the_grammar_is_used_and_defined() -> None:
    rules = grammar()
    assert {name for name, text in rules.items() if text.startswith("?")} == SPECIAL.keys()
    assert set[str]().union(*map(names_in, rules.values())) | {"input", "output"} == rules.keys()


def test_the_grammar_has_the_words_of_the_tables() -> None:
    quoted = {name: {word for text in re.findall(r'"([^"]*)"', text) for word in text.split()}
              for name, text in grammar().items()}  # fmt: skip
    assert quoted["input"] >= COMMANDS.keys()
    assert quoted["measure"] | quoted["limit"] | {"perft", "setup"} == commands._KEYWORDS
    assert {name.decode() for name in engine_lines._COUNTS} | {"score", "wdl", "cp", "mate"} == quoted["field"]


# The conversations


@pytest.mark.parametrize("text", CONVERSATIONS, ids=re.findall(r"<!-- transcript: (.*?) -->", PAGE))
def test_a_conversation(text: str, engine: Engine) -> None:
    """The engine answers as the page says, and every line has a form of the grammar."""
    for said, answer in check_transcript(text, engine):
        for line in answer:
            assert re.fullmatch(pattern("output"), line), line
        is_rejected = any(line.startswith("info string error ") for line in answer)
        command = next((said.split()[at:] for at, word in enumerate(said.split()) if word in COMMANDS), None)
        if command is not None and not said.startswith("#") and not is_rejected:
            assert re.fullmatch(pattern("input"), " ".join(command)), said
