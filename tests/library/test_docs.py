"""docs/library.md, the notebook and the typed program are right: they are run, and name every public name."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import junqi_engine as junqi
from tests.helpers.engine import DEADLINE_S
from tests.helpers.notebook import code_cells, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
NOTEBOOK = ROOT / "docs/library.ipynb"
PROGRAM = ROOT / "tests/helpers/library_program.py"
TOLD = """\
50 ["variant 'go' is not one of siguo, luzhanqi, mini-luzhanqi, mini-siguo", 'bad-lineup', 'bad-position', 'bad-move']
True
2
no-start no-such-option
True True
"""


def blocks(language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [text for written_in, text in found if written_in == language]


def test_every_public_name_is_documented() -> None:
    [table] = [table for table in re.split(r"\n\n", PAGE) if table.startswith("| name | what it is |")]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(junqi.__all__)


PUZZLES = "[(3, 90, True), (1, 6, True), (1, 2, True), (1, 63, True)]\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-c", blocks("python")[0]], blocks("")[0]),
        (["-c", blocks("python")[1]], PUZZLES),
        (["-m", "tests.helpers.library_program"], TOLD),
    ],
    ids=["example", "puzzles", "program"],
)
def test_what_the_programs_print(words: list[str], told: str) -> None:
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=DEADLINE_S, check=True, cwd=ROOT
    )
    assert (done.stdout, done.stderr) == (told, "")


def test_the_notebook_gives_what_it_shows() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    assert run(notebook) == [cell["outputs"] for cell in code_cells(notebook)]


@pytest.mark.parametrize("name", junqi.__all__)
def test_the_program_uses_every_public_name(name: str) -> None:
    assert len(re.findall(rf"\b{name}\b", PROGRAM.read_text(encoding="utf-8"))) >= 2
