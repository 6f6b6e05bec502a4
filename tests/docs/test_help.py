"""Help texts come at once: a command reads its arguments before it imports numpy, numba or the kernels."""

import subprocess
import sys

import pytest

from junqi_engine.client.own_program import own_command
from junqi_engine.version import __version__
from tests.helpers.engine import DEADLINE_S
from tests.helpers.modules import COMMANDS, ROOT, module_name

TOOLS = "junqi_training."
HEAVY = {"numpy", "numba", "hypothesis", "distributed", "starlette", "uvicorn"}


def run(*words: str) -> tuple[str, set[str]]:
    """What a module of ours prints, and what it imports."""
    interpreter, *rest = own_command(*words)
    assert interpreter == sys.executable
    done = subprocess.run(
        [interpreter, "-X", "importtime", *rest], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    return done.stdout, {line.split("|")[-1].strip() for line in done.stderr.splitlines()}


def test_every_command_with_arguments_is_in_the_list() -> None:
    with_parser = [path for path in ROOT.glob("tools/**/*.py") if 'prog="python -m ' in path.read_text("utf-8")]
    modules = {module_name(path) for path in with_parser}
    modules = {name.removesuffix(".__main__").removesuffix(".run") for name in modules}
    assert modules <= {words[0] for words in COMMANDS} | {".".join(words) for words in COMMANDS}
    assert len(modules) > 8


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=pytest.mark.release if words[0].startswith(TOOLS) else ()) for words in COMMANDS],
    ids=" ".join,
)
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    """The training tools are for developers, and begin with numpy."""
    told, imported = run(*words, "--help")
    assert told[:6] == "usage:"
    assert "argparse" in imported or words == ("junqi_protocol",)
    assert words[0].startswith(TOOLS) or not imported & HEAVY


def test_the_training_tools_list_their_commands() -> None:
    told, imported = run("junqi_training")
    assert not imported & HEAVY
    folders = {words[0].rpartition(".")[2] for words in COMMANDS if words[0].startswith("junqi_training.")}
    assert folders <= set(told.split())
    for folder in folders - {"selfplay", "dataset", "elo", "openings", "quiz"}:
        listed, _ = run("junqi_training", folder)
        assert {words[1] for words in COMMANDS if words[0] == f"junqi_training.{folder}"} <= set(listed.split())


@pytest.mark.parametrize(
    ("program", "module"),
    [("junqi-engine", "junqi_protocol"), ("junqi-referee", "junqi_referee"), ("junqi-board", "junqi_board")],
)
def test_the_programs_tell_their_version(program: str, module: str) -> None:
    told, imported = run(module, "--version")
    assert told == f"{program} {__version__}\n"
    assert not imported & HEAVY
