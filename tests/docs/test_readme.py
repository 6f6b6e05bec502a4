"""The README is correct: its transcript, its GUI in fifteen lines, its picture. It is short, and so is the Chinese one,
which corresponds to it.
"""

import re
import shlex
import subprocess
import sys

from junqi_engine.client.line_process import own_command
from tests.helpers.engine import DEADLINE_S
from tests.helpers.pages import ROOT, read
from tests.helpers.transcripts import check_transcript, transcripts

README = read("README.md")
FORMS = {"...": r"(?:info .*\n)+"}
"""Patterns for words that stand for other lines of output."""


def test_transcript_is_as_shown() -> None:
    (text,) = transcripts(ROOT / "README.md")
    check_transcript(text)


def test_script_runs_as_shown() -> None:
    """With another path of the program. No search is limited by time, so its move is the same for all."""
    (text,) = re.findall(r"<!-- script: .*?-->\n```\n(.*?)```", README, re.DOTALL)
    for turn in text.split("$ ")[1:]:
        command, *expected = turn.splitlines()
        command = command.replace(".venv/bin/junqi-engine", shlex.join(own_command()))
        done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S)
        assert (done.returncode, done.stderr) == (0, "")
        form = "".join(FORMS.get(line) or re.escape(line) + "\n" for line in expected)
        assert re.fullmatch(re.sub(r"(time|nps)\\ \d+", r"\1 \\d+", form), done.stdout), done.stdout


def test_gui_in_fifteen_lines_runs() -> None:
    code = README.split("```python")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    code = code.replace('["junqi-engine"]', repr(own_command()))
    code += "\nengine.communicate('quit')\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    assert re.fullmatch(r"[a-q]\d+[a-q]\d+\n", done.stdout)


def test_library_in_six_lines_runs() -> None:
    """The game is played to its end, by quick players, and ends soon."""
    code = README.split("```python")[2].split("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 6
    code = code.replace('"junqi-engine"', f"{own_command()!r}, options={{'Player': '1.2'}}")
    code = code.replace('Game("siguo")', 'Game("siguo", rules=junqi.Rules(max_plies=60))')
    code += "\nassert game.is_game_over()\n"
    subprocess.run([sys.executable, "-c", code], timeout=DEADLINE_S, check=True)
