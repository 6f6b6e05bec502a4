"""The README is correct: its transcript, its GUI in fifteen lines, its commands, options and picture.

The Chinese README corresponds to it: headings, blocks of code, commands, tables and links.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from junqi_engine.engines.own_program import own_command
from junqi_engine.notation.start import start_view
from junqi_engine.notation.svg import draw_svg
from junqi_engine.rules.board import SIGUO
from protocol.catalogue import declared_options
from protocol.memory import memory_mb
from protocol.options import Combo
from tests.engine import DEADLINE_S
from tests.transcripts import check_transcript, transcripts

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")
LARGEST_DEFAULT_HASH_MB = 256


def test_the_transcript() -> None:
    (text,) = transcripts(ROOT / "README.md")
    check_transcript(text)


def test_the_gui_in_fifteen_lines() -> None:
    code = README.split("```python")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    code = code.replace('["junqi-engine"]', repr(own_command()))
    code += "\nengine.communicate('quit')\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    assert re.fullmatch(r"[a-q]\d+[a-q]\d+\n", done.stdout)


def test_the_two_commands_are_stated_once() -> None:
    assert README.count(".venv/bin/junqi-engine\n") == 1
    assert README.count(".venv/bin/python -m pytest\n") == 1


def test_the_picture_is_what_the_code_draws() -> None:
    assert (ROOT / "docs/board.svg").read_text(encoding="utf-8") == draw_svg(start_view(SIGUO, viewer="SN"))


# Options


def _option_rows(text: str) -> list[list[str]]:
    """The rows of the table of options: the one whose first column names `UCI_Variant`."""
    [table] = [table for table in _tables(text) if any("`UCI_Variant`" in row[0] for row in table)]
    return table[2:]


@pytest.mark.parametrize("text", [README, CHINESE], ids=["English", "Chinese"])
def test_the_options_are_those_of_the_catalogue(text: str) -> None:
    documented: dict[str, str] = {}
    for names, _, defaults in _option_rows(text):
        documented |= dict(zip(_code_in(names), defaults.split(", "), strict=True))
    declared = {option.name: option.default for option in declared_options()}
    # On a machine with less memory the default is less.
    assert declared["Hash"] == min(LARGEST_DEFAULT_HASH_MB, memory_mb())
    declared["Hash"] = LARGEST_DEFAULT_HASH_MB
    assert documented == {name: _shown(default, text) for name, default in declared.items()}


def _shown(default: int | bool | str, text: str) -> str:
    """A default as the table has it."""
    if default == "":
        return "empty" if text is README else "空"
    return str(default).lower() if isinstance(default, bool) else str(default)


@pytest.mark.parametrize("text", [README, CHINESE], ids=["English", "Chinese"])
def test_the_table_of_options_names_every_choice(text: str) -> None:
    """Of the options whose choices it lists."""
    listed = {_code_in(names)[0]: set(_code_in(meaning)) for names, meaning, _ in _option_rows(text)}
    declared = {option.name: set(option.choices) for option in declared_options() if isinstance(option, Combo)}
    for name in ("UCI_Variant", "Player", "NoContactResult"):
        assert listed[name] == declared[name]


# The two languages


def _without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def _headings(text: str) -> list[int]:
    """The levels of the headings."""
    return [len(marks) for marks in re.findall(r"^(#+) ", _without_blocks(text), flags=re.MULTILINE)]


def _sections(text: str) -> list[str]:
    return re.split(r"^#+ ", _without_blocks(text), flags=re.MULTILINE)


def _blocks(text: str) -> list[str]:
    """Fenced and indented blocks of code."""
    return re.findall(r"^```.*?^```|(?:^    [^\n]*\n)+", text, flags=re.MULTILINE | re.DOTALL)


def _tables(text: str) -> list[list[list[str]]]:
    """The cells of the tables, by row and column."""
    rows = r"(?:^\|.*\|\n)+"
    return [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
        for table in re.findall(rows, _without_blocks(text), flags=re.MULTILINE)
    ]


def _code_in(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def _links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)


def test_both_languages_have_the_same_headings() -> None:
    assert _headings(README) == _headings(CHINESE)


def test_both_languages_have_the_same_blocks_of_code() -> None:
    assert _blocks(README) and _blocks(README) == _blocks(CHINESE)


def test_both_languages_have_the_same_tables() -> None:
    english, chinese = _tables(README), _tables(CHINESE)
    assert english and len(english) == len(chinese)
    for table, translated in zip(english, chinese, strict=True):
        assert [len(row) for row in table] == [len(row) for row in translated]
        assert [_code_in(row[0]) for row in table] == [_code_in(row[0]) for row in translated]


UNITS = {"million": 10**6, "万": 10**4, "亿": 10**8}


def _numbers(text: str) -> list[float]:
    """The numbers in digits, sorted, times the unit that follows them: `40 million` equals `4000 万`."""
    found = re.findall(rf"(?<![-a-zA-Z\d])(\d+(?:,\d{{3}})*(?:\.\d+)?)(?: ({'|'.join(UNITS)}))?", text)
    return sorted(round(float(digits.replace(",", "")) * UNITS.get(unit, 1), 6) for digits, unit in found)


def test_both_languages_have_the_same_code_and_numbers_in_every_section() -> None:
    for english, chinese in zip(_sections(README), _sections(CHINESE), strict=True):
        assert sorted(_code_in(english)) == sorted(_code_in(chinese))
        assert _numbers(re.sub(r"`[^`]+`", "", english)) == _numbers(re.sub(r"`[^`]+`", "", chinese))


def test_both_languages_have_the_same_links() -> None:
    assert "README.zh-CN.md" in _links(README)[0] and "README.md" in _links(CHINESE)[0]
    assert _links(README)[1:] == _links(CHINESE)[1:]
