"""Conversations in the documents: blocks of code behind a comment `<!-- transcript ... -->`.

A line that begins with `> ` is sent; the lines after it are the complete answer, where `...` stands for any number of
lines and `N` for any number. What a search reports before its end is left out, if only a later line ends it. Each block
is run with a process in the state of a new one.
"""

import re
from contextlib import nullcontext
from pathlib import Path

from tests.helpers.engine import Engine

_BLOCK = re.compile(r"<!-- transcript\b[^>]*-->\n+```[a-z]*\n(.*?)```", flags=re.DOTALL)
_ENDS_A_SEARCH = {"stop", "position", "ucinewgame", "go"}


def transcripts(page: Path) -> list[str]:
    """All conversations of a page, in order."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def check_transcript(text: str, shared: Engine | None = None) -> list[tuple[str, list[str]]]:
    """Hold a conversation, in which the engine answers what the page says. Returns the lines and their answers.

    It is held with a new process if there is no shared one, or if it ends the process.
    """
    turns = [turn.splitlines() for turn in re.split(r"^> ?", text.strip("\n"), flags=re.MULTILINE)[1:]]
    held: list[tuple[str, list[str]]] = []
    with Engine() if shared is None or ["quit"] in turns else nullcontext(shared) as engine:
        engine.be_as_new()
        ends: set[str] = set()  # the commands that end a search, after which its `bestmove` comes
        for said, *expected in turns:
            engine.send(said)
            if said == "quit":
                assert engine.exit_code() == 0
                continue
            words = said.split()
            got: list[str] = []
            is_reporting = bool(ends)
            if ends.intersection(words[:1]):
                got += engine.lines_until("bestmove")
                ends = set()
            if words[:1] == ["go"]:
                ends = _ends_of(words)
                got += [] if ends else engine.lines_until("bestmove")
            got += engine.lines_until("readyok") if words == ["isready"] else []
            got += engine.ask()[:-1]
            if is_reporting or ends:
                got = [line for line in got if not line.startswith("info depth ")]
            _assert_matches(said, [_without_times(line) for line in got], [_without_times(line) for line in expected])
            held.append((said, got))
    return held


def _ends_of(go: list[str]) -> set[str]:
    """The commands that end a search; none if it ends by itself."""
    if "infinite" in go:
        return _ENDS_A_SEARCH
    return _ENDS_A_SEARCH | {"ponderhit"} if "ponder" in go else set()


def _without_times(line: str) -> str:
    return re.sub(r"\b(time|nps) (\d+|N)\b", r"\1 N", line)


def _agrees(wanted: str, line: str) -> bool:
    """True if a line is the wanted one, in which a word `N` is any number, or the letter itself."""
    words = (r"(?:N|-?[\d.]+)" if word == "N" else re.escape(word) for word in wanted.split(" "))
    return re.fullmatch(" ".join(words), line) is not None


def _assert_matches(said: str, got: list[str], expected: list[str]) -> None:
    rest = list(got)
    while expected:
        wanted = expected.pop(0)
        if wanted == "...":
            if not expected:
                return
            found = [place for place, line in enumerate(rest) if _agrees(expected[0], line)]
            assert found, f"after '{said}': no line '{expected[0]}' in {got}"
            rest = rest[found[0] :]
        else:
            assert rest and _agrees(wanted, rest[0]), f"after '{said}': expected '{wanted}', got {got}"
            rest.pop(0)
    assert not rest, f"after '{said}': the page does not have {rest}"
