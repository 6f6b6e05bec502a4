"""Help texts come at once: a command reads its arguments before it imports numpy, numba or the kernels."""

import subprocess
import sys

import pytest

from protocol.own_program import own_command
from tests.engine import DEADLINE_S
from tests.referee_help import ROOT
from tools.bench.start import COMMANDS


def test_every_command_with_arguments_is_in_the_list() -> None:
    with_parser = [path for path in ROOT.glob("tools/**/*.py") if 'prog="python -m ' in path.read_text("utf-8")]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__") for path in with_parser}
    assert modules - {"tools.bench.command"} <= {words[0] for words in COMMANDS}
    assert len(modules) > 15


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    interpreter, *rest = own_command(*words)
    assert interpreter == sys.executable
    done = subprocess.run(
        [interpreter, "-X", "importtime", *rest, "--help"], capture_output=True, text=True, timeout=DEADLINE_S
    )
    imported = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert (done.returncode, done.stdout[:6]) == (0, "usage:")
    assert "argparse" in imported or words == ("protocol",)
    assert not imported & {"numpy", "numba", "hypothesis", "distributed", "starlette"}
