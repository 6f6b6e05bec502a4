"""Readers of the documents: headings, blocks, tables, links, code, commands."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCED = re.compile(r"^```.*?^```", flags=re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.*)$", flags=re.MULTILINE)
_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```|((?:^    [^\n]*\n)+)", flags=re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"(?:\.venv/bin/)?(?:junqi-(?:engine|referee|board)|python -m [\w.]+|pip|python)(?= |$)")
_OPERATOR = re.compile(r" (?:&&|[<>|]) ")


def read(page: str) -> str:
    """A page of the project, by its path from the root."""
    return (ROOT / page).read_text(encoding="utf-8")


def without_blocks(text: str) -> str:
    """The text without fenced blocks, in which `#` begins a comment and `|` is no table."""
    return _FENCED.sub("", text)


def anchors(text: str) -> set[str]:
    """The anchors of the headings: lower case, `-` for blanks, no other punctuation. The second heading of one name
    ends with `-1`, and so on.
    """
    found: list[str] = []
    for heading in _HEADING.findall(without_blocks(text)):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        found.append(re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-"))
    return {f"{name}-{count}" if (count := found[:place].count(name)) else name for place, name in enumerate(found)}


def blocks(text: str) -> list[str]:
    """Fenced and indented blocks of code, whole."""
    return [found.group() for found in _BLOCK.finditer(text)]


def tables(text: str) -> list[list[list[str]]]:
    """The cells of the tables, by row and column."""
    rows = r"(?:^\|.*\|\n)+"
    return [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
        for table in re.findall(rows, without_blocks(text), flags=re.MULTILINE)
    ]


def code_in(text: str) -> list[str]:
    """The texts in backticks, each on one line."""
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text)]


def links(text: str) -> list[str]:
    """The targets of links and pictures."""
    return re.findall(r"\]\(([^)]+)\)", without_blocks(text))


def commands(text: str) -> list[str]:
    """The commands of our programs, of Python and of pip, in blocks and marked as code, without redirections. A
    backslash at the end of a line joins it with the next one.
    """
    lines = [line for fenced, indented in _BLOCK.findall(text) for line in _lines_of(fenced or indented)]
    lines += [code for code in code_in(without_blocks(text)) if " " in code]
    parts = [part.strip() for line in lines for part in _OPERATOR.split(line)]
    return [part.removeprefix(".venv/bin/") for part in parts if _PROGRAM.match(part)]


def _lines_of(block: str) -> list[str]:
    return re.sub(r"\\\n\s*", "", block).splitlines()
