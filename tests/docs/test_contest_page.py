"""docs/contest.md is correct: the engine takes the examples of its table, and says its version as the page does."""

import re
import subprocess

from junqi_engine.client.line_process import own_command
from junqi_engine.version import __version__
from tests.helpers.pages import code_in, read, tables

PAGE = read("docs/contest.md")
ANSWERS = {"INFO": r"NAME junqi-engine \S+", "START": "ARRAY [a-l]{25}", "GO": "BESTMOVE [A-L][0-4][A-L][0-4]"}


def test_examples_of_the_table_are_answered_without_a_complaint() -> None:
    [table] = [table for table in tables(PAGE) if table[0][0] == "command"]
    words = [*own_command(), "--contest", "setoption name Player value 1.2"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as engine:
        assert engine.stdin and engine.stdout and engine.stderr
        for row in table[2:]:
            [command], [example] = code_in(row[0]), code_in(row[2])[:1]
            assert example.split()[0] == command
            print(example, file=engine.stdin)
            if command in ANSWERS:
                assert re.fullmatch(ANSWERS[command], engine.stdout.readline().strip())
        engine.stdin.close()
        assert (engine.stdout.read(), engine.stderr.read()) == ("", "")


def test_conversation_has_the_version() -> None:
    assert f"> INFO 1.0\nNAME junqi-engine {__version__}\n" in PAGE
