"""The README is correct: its transcript, its GUI in fifteen lines, its commands."""

import re
import subprocess
import sys
from pathlib import Path

from tests.engine import DEADLINE_S, Engine

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def _without_times(line: str) -> str:
    return re.sub(r"\b(time|nps) \d+", r"\1 N", line)


def test_the_transcript() -> None:
    text = README.split("<!-- transcript", 1)[1].split("```")[1]
    turns = [turn.splitlines() for turn in re.split(r"^> ", text.strip("\n"), flags=re.MULTILINE)[1:]]
    with Engine() as engine:
        engine.ask()
        for said, *expected in turns:
            engine.send(said)
            if said == "quit":
                assert engine.exit_code() == 0
                continue
            got = engine.until("bestmove") if said.startswith("go") else []
            got = list(map(_without_times, got + engine.ask()[:-1]))
            _assert_matches(got, list(map(_without_times, expected)))


def _assert_matches(got: list[str], expected: list[str]) -> None:
    """Compare line by line; `...` matches any number of lines."""
    while expected:
        wanted = expected.pop(0)
        if wanted == "...":
            assert expected[0] in got
            got = got[got.index(expected[0]) :]
        else:
            assert got and got.pop(0) == wanted
    assert not got


def test_the_gui_in_fifteen_lines() -> None:
    code = README.split("```python")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    code = code.replace('["junqi-engine"]', f"[{sys.executable!r}, '-m', 'protocol']")
    code += "\nengine.communicate('quit')\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    assert re.fullmatch(r"[a-q]\d+[a-q]\d+\n", done.stdout)


def test_the_two_commands_are_stated_once() -> None:
    assert README.count(".venv/bin/junqi-engine\n") == 1
    assert README.count(".venv/bin/python -m pytest\n") == 1
