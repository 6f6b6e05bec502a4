"""The programs of docs/library.md are right: they are run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import junqi_engine as junqi
from tests.helpers.engine import DEADLINE_S

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")


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
    ],
    ids=["example", "puzzles"],
)
def test_what_the_programs_print(words: list[str], told: str) -> None:
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=DEADLINE_S, check=True, cwd=ROOT
    )
    assert (done.stdout, done.stderr) == (told, "")
