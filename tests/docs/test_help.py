"""Help is printed immediately: a command parses its arguments before it imports numpy, numba or the kernels."""

import subprocess
import sys

import pytest

from junqi_engine.client.line_process import own_command
from tests.helpers.engine import DEADLINE_S
from tests.helpers.modules import COMMANDS, ROOT, module_name

HEAVY = {"numpy", "numba", "hypothesis", "distributed", "starlette", "uvicorn"}


def run(*words: str) -> tuple[str, set[str]]:
    """The output of one of our modules, and the modules that it imports."""
    interpreter, *rest = own_command(*words)
    assert interpreter == sys.executable
    done = subprocess.run(
        [interpreter, "-X", "importtime", *rest], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    return done.stdout, {line.split("|")[-1].strip() for line in done.stderr.splitlines()}


def test_list_has_every_command_with_arguments() -> None:
    with_parser = [path for path in ROOT.glob("tools/**/*.py") if 'prog="python -m ' in path.read_text("utf-8")]
    modules = {module_name(path) for path in with_parser}
    modules = {name.removesuffix(".__main__").removesuffix(".run") for name in modules}
    assert modules <= {words[0] for words in COMMANDS} | {".".join(words) for words in COMMANDS}
    assert len(modules) > 1


@pytest.mark.long
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    told, imported = run(*words, "--help")
    assert told[:6] == "usage:"
    assert "argparse" in imported or words == ("junqi_protocol",)
    assert not imported & HEAVY
