"""Conversations in the documents: blocks of code behind a comment `<!-- transcript ... -->`.

A line that begins with `> ` is sent; the lines after it are the complete answer, where `...` stands for any number of
lines and `N` for a time or a speed. Each block is a process of its own.
"""

import re
from pathlib import Path

from tests.engine import Engine

_BLOCK = re.compile(r"<!-- transcript\b[^>]*-->\n+```[a-z]*\n(.*?)```", flags=re.DOTALL)


def transcripts(page: Path) -> list[str]:
    """All conversations of a page, in order."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def check_transcript(text: str) -> None:
    """Hold a conversation with a new process; every answer is what the page says."""
    turns = [turn.splitlines() for turn in re.split(r"^> ?", text.strip("\n"), flags=re.MULTILINE)[1:]]
    with Engine() as engine:
        engine.ask()
        for said, *expected in turns:
            engine.send(said)
            if said == "quit":
                assert engine.exit_code() == 0
                continue
            got = engine.until("bestmove") if said.split()[:1] == ["go"] else []
            got += engine.ask()[:-1]
            _assert_matches(said, [_without_times(line) for line in got], [_without_times(line) for line in expected])


def _without_times(line: str) -> str:
    return re.sub(r"\b(time|nps) (\d+|N)\b", r"\1 N", line)


def _assert_matches(said: str, got: list[str], expected: list[str]) -> None:
    rest = list(got)
    while expected:
        wanted = expected.pop(0)
        if wanted == "...":
            if not expected:
                return
            assert expected[0] in rest, f"after '{said}': no line '{expected[0]}' in {got}"
            rest = rest[rest.index(expected[0]) :]
        else:
            assert rest and rest[0] == wanted, f"after '{said}': expected '{wanted}', got {got}"
            rest.pop(0)
    assert not rest, f"after '{said}': the page does not have {rest}"
