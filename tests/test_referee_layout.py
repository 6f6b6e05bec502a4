"""The folders of tools/referee: what may import what, and that changes have one place."""

import re

import pytest

from junqi_engine.engines.client import EngineFault
from tests.referee_help import ROOT
from tests.test_architecture import graph
from tools.referee.endings import Cause, Ending
from tools.referee.playing.match import KINDS
from tools.referee.settings.engine import ENGINE_KEYS
from tools.referee.time_control import KEYS

FOLDERS = ("settings", "records", "playing", "check", "stats", "review")
"""Each folder imports only from those before it and from the files of tools/referee itself."""
BASE = ("exits", "endings", "time_control", "truth", "sprt")
PREFIX = "tools.referee."


def place_of(module: str) -> int:
    """The position of a module of the referee in the order of imports."""
    name = module.removeprefix(PREFIX).split(".")[0]
    if name in BASE:
        return -1
    return FOLDERS.index(name) if name in FOLDERS else len(FOLDERS)


@pytest.mark.parametrize("module", sorted(name for name in graph() if name.startswith(PREFIX)))
def test_imports_point_to_folders_before(module: str) -> None:
    for other in graph()[module]:
        if other.startswith(PREFIX):
            assert place_of(other) <= place_of(module), f"{module} imports {other}"


def test_the_docstring_lists_the_folders_in_their_order() -> None:
    text = (ROOT / "tools" / "referee" / "__init__.py").read_text()
    assert tuple(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == FOLDERS
    assert {path.parent.name for path in (ROOT / "tools" / "referee").glob("*/*.py")} == set(FOLDERS)
    assert all(f"`{name}`" in text for name in BASE)


def test_the_page_describes_every_ending_bound_and_engine_key() -> None:
    page = (ROOT / "docs" / "referee.md").read_text()
    first_cells = "\n".join(line.split("|")[1] for line in page.splitlines() if line.startswith("|"))
    for ending in Ending:
        assert f"`{ending}`" in first_cells
    for key in KINDS:
        assert f"`{key.replace('-', '_')}`" in first_cells
    for key in (*ENGINE_KEYS, *KEYS):
        assert re.search(rf"`{key}[`=.]", first_cells), key


def test_every_fault_of_an_engine_process_is_an_ending() -> None:
    assert all(Ending.of(fault).cause is Cause.ENGINE for fault in EngineFault)
    assert {ending for ending in Ending if not ending.breaks_off} == {
        Ending.FLAG, Ending.NO_MOVES, Ending.RESIGNED, Ending.NO_CONTACT, Ending.MAX_PLIES,
    }  # fmt: skip
