"""Before the first search: what is compiled, how, and what is said of it; `--compile` and `--help`; the warm-up."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from junqi_engine.client.line_process import own_command
from junqi_engine.kernel_cache import folder_of
from junqi_protocol.catalogue import CATALOGUE
from tests.helpers.engine import PROGRESS
from tests.helpers.marking import long_after
from tests.helpers.referee import ROOT
from tests.helpers.warm_up import packages


def run(*arguments: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({} if cache is None else {"JUNQI_ENGINE_CACHE": str(cache)})
    return subprocess.run(own_command("junqi_protocol", *arguments), capture_output=True, text=True, env=environment)


def test_compile_names_unwritable_folder(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = run("--compile", cache=blocked / "cache")
    assert done.returncode == 3
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    reason = f"[Errno 20] Not a directory: '{blocked / 'cache'}'"
    assert line == f"junqi-engine: the kernels of junqi_engine cannot be cached: {reason}"


def python(code: str, *arguments: str, cache: Path | None = None) -> str:
    """Run a program of a user of the library; its stderr."""
    environment = os.environ | ({} if cache is None else {"JUNQI_ENGINE_CACHE": str(cache)})
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stderr


BATCH = "from junqi_engine.env import Batch; Batch(1, 'luzhanqi', 'dark').observe()"


WITHOUT_EXTRAS = """
import sys
sys.modules.update(dict.fromkeys(("gymnasium", "pettingzoo", "starlette", "uvicorn")))
from junqi_protocol.__main__ import compile_everything
lines = []
assert compile_everything(lines.append) == 0
assert {f"{name}: already compiled" for name in sys.argv[1:]} == {*lines}, lines
"""


def test_compile_fills_the_caches_of_variants_and_environments() -> None:
    """Without any extra. It has compiled the kernels of these tests (tests/helpers/warm_up.py)."""
    assert python(WITHOUT_EXTRAS, *packages()) == ""
    assert python(BATCH) == ""


@pytest.mark.long
def test_first_batch_reports_compiling(tmp_path: Path) -> None:
    """As after a first start that was interrupted: the other kernels are in the folder already."""
    warm = folder_of("junqi_engine")
    shutil.copytree(warm, tmp_path / warm.name)
    missing = list(tmp_path.rglob("junqi_engine.env.stepping.*.nbc"))
    assert len(missing) > 5
    for path in missing:
        path.unlink()
    lines = python(BATCH, cache=tmp_path).splitlines()
    how_long = "(once per machine); usually under a minute"
    assert lines[0] == f"junqi-engine: compiling the kernels of the environments {how_long}"
    assert any(PROGRESS.fullmatch(line.replace("junqi-engine:", "info string")) for line in lines)
    assert python(BATCH, cache=tmp_path) == ""


WARM_UP = """
import random, sys
from junqi_engine.kernels import kernels_of
from junqi_protocol.catalogue import CATALOGUE
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control, GoRequest

variant, *settings = sys.argv[1:]
package = next(entry.package for entry in CATALOGUE if entry.variant == variant)
control = Control(lambda line: None)
dispatcher = Dispatcher()
dispatcher.set_option(["name", "UCI_Variant", "value", variant], control)

def loaded():
    return {kernel.name for kernel in kernels_of(package) if kernel.overloads}

for setting in ["", *settings]:
    if setting:
        dispatcher.set_option(["name", *setting.split()], control)
    dispatcher.load(control)
    game = dispatcher.game
    drawing, moves = game.describe(), []
    if package == "junqi_engine":
        from junqi_engine.notation.moves import format_move
        from junqi_engine.rules.game_state import GameState
        played, rng = GameState.start(game.board), random.Random(2)
        moves = [format_move(game.board, played.play(rng.choice(played.legal_moves()))) for _ in range(80)]
    before = loaded()
    game.set_position(["startpos"])
    assert game.describe() == drawing, "the warm-up changed the position"
    game.go(GoRequest(nodes=3000), control)
    for plies in (4, 8, 80) if moves else ():
        game.set_position(["startpos", "moves", *moves[:plies]])
        game.go(GoRequest(nodes=3000), control)
    assert loaded() == before, f"loaded by a go: {loaded() - before}"
"""


@pytest.mark.parametrize("variant", long_after(2, [entry.variant for entry in CATALOGUE]))
def test_first_go_loads_nothing(variant: str) -> None:
    assert python(WARM_UP, variant) == ""
