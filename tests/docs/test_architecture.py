"""Layers, the direction of imports, no circles, what each folder may import, and what the top level contains."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from junqi_engine.errors import EngineFault
from junqi_referee.endings import Cause, Ending
from tests.helpers.modules import ENGINE, ROOT, all_modules, module_name, sources

JUNQI_LAYERS = (
    *("rules", "information", "notation", "evaluation", "search", "players"),
    *("api", "client", "game_review", "env"),
)
"""Each folder of junqi_engine imports only from those before it and from BASE."""
FACADE = "junqi_engine"
"""The public library: it imports a name when it is first used, is above all that it names, and nothing imports it."""
BASE = {module_name(path) for path in (ROOT / "junqi_engine").glob("*.py") if path.stem != "__init__"}
"""The files of junqi_engine itself."""

RULES_AND_ENGINES = {
    *(
        "junqi_engine.api.game_record",
        "junqi_engine.client",
        "junqi_engine.errors",
        "junqi_engine.files",
        "junqi_engine.foreign_json",
    ),
    *("junqi_engine.information.view", "junqi_engine.notation", "junqi_engine.players.lineup_choice"),
    *(
        "junqi_engine.processors",
        "junqi_engine.protocol_words",
        "junqi_engine.rules",
        "junqi_engine.user_folders",
        "junqi_engine.version",
        "junqi_referee",
    ),
}
"""The modules for a program that knows the rules and talks to engines."""
MAY_IMPORT = {
    "junqi_engine": {"numpy", "numba", "llvmlite", "platformdirs", "junqi_engine"},
    "junqi_engine/env": {"numpy", "numba", "gymnasium", "pettingzoo", "junqi_engine"},
    "puzzles": {"numpy", "numba", "junqi_puzzles", "junqi_engine.errors", "junqi_engine.kernels"},
    "protocol": {"numpy", "psutil", "junqi_engine", "junqi_puzzles", "junqi_protocol"},
    "tools/junqi_referee/revisions.py": {"junqi_engine.user_folders"},
    "tools/junqi_speed": {
        *("numpy", "numba"),
        *("junqi_engine", "junqi_puzzles", "junqi_protocol", "junqi_speed", "junqi_referee"),
    },
    "tools/junqi_referee": RULES_AND_ENGINES | {
        *("junqi_engine.api.game", "junqi_engine.game_review", "junqi_engine.information.snapshot"),
        "junqi_protocol.contest.notation",
        "distributed",
    },
    "tools/junqi_board": RULES_AND_ENGINES | {
        *("junqi_engine.information.deduction", "junqi_engine.kernel_cache"),
        *("junqi_puzzles.base", "junqi_puzzles.submarine.tiles"),
        *("junqi_board", "msgspec", "segno", "starlette", "uvicorn", "playwright"),
    },
}  # fmt: skip
"""The packages that a folder may import, besides the standard library. Referee and board know the rules and how to talk
to engines, but neither search nor belief nor solvers. The exceptions are reviews (referee), the names of squares and
the shapes of tiles (board).
"""
OPTIONAL = {"distributed", "msgspec", "segno", "starlette", "uvicorn", "playwright"}
"""Packages that only an extra installs."""
STARTS_WITHOUT_THEM = "tools/junqi_referee"
"""A folder whose commands work without the extras: it imports them inside functions."""


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, anywhere in it: inside functions and under TYPE_CHECKING too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{path}: relative import"
            submodules = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name for name in submodules if name in all_modules()]
            yield from found or [node.module]


@cache
def graph() -> dict[str, set[str]]:
    """The imports of each module among the modules of this project."""
    return {
        name: {other for other in imports(path) if other in all_modules() and other != name}
        for name, path in all_modules().items()
    }


def layer_of(module: str) -> int:
    """The layer of a module of junqi_engine; -1 for the base."""
    return -1 if module in BASE else JUNQI_LAYERS.index(module.split(".")[1])


def test_junqi_engine_has_only_the_listed_layers() -> None:
    folders = {path.name for path in (ROOT / "junqi_engine").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(JUNQI_LAYERS)


@pytest.mark.parametrize("module", sorted(name for name in all_modules() if name.startswith("junqi_engine.")))
def test_junqi_engine_imports_point_down(module: str) -> None:
    for other in graph()[module]:
        assert layer_of(other) <= layer_of(module), f"{module} imports {other}"


def test_evaluation_and_search_import_no_belief() -> None:
    for folder in ("junqi_engine/evaluation", "junqi_engine/search"):
        for path in sources(folder):
            assert not [name for name in imports(path) if name.startswith("junqi_engine.information.belief")], path


def test_no_import_circles() -> None:
    state: dict[str, str] = {}
    trail: list[str] = []

    def visit(module: str) -> None:
        state[module] = "open"
        trail.append(module)
        for other in sorted(graph()[module]):
            assert state.get(other) != "open", f"circle: {' -> '.join([*trail[trail.index(other) :], other])}"
            if other not in state:
                visit(other)
        trail.pop()
        state[module] = "done"

    for module in sorted(graph()):
        if module not in state:
            visit(module)


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_folders_import_only_allowed_packages(folder: str) -> None:
    for path in sources(folder):
        inner = {one for one in MAY_IMPORT if one.startswith(f"{folder}/") and path.is_relative_to(ROOT / one)}
        if module_name(path) == FACADE or inner:
            continue
        for name in imports(path):
            is_allowed = any(name == one or name.startswith(f"{one}.") for one in MAY_IMPORT[folder])
            assert name.partition(".")[0] in sys.stdlib_module_names or is_allowed, f"{path}: imports {name}"


@pytest.mark.parametrize("path", sources(STARTS_WITHOUT_THEM), ids=lambda path: path.stem)
def test_extras_are_imported_only_by_their_users(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not OPTIONAL & {name.partition(".")[0] for name in names}, f"{path.name} needs an extra to be imported"


@pytest.mark.long
def test_modules_without_extras_can_be_imported() -> None:
    """Packages of the extra `env` are loaded by what needs them, and not before."""
    blocked = ("gymnasium", "pettingzoo", "autograd")
    bridges = {
        name for name in all_modules() if any(one.split(".")[0] in blocked for one in imports(all_modules()[name]))
    }
    assert all(name.startswith("junqi_engine.env.") for name in bridges)
    bridges |= {name for name in graph() if graph()[name] & bridges}
    folders = tuple(ROOT / folder for folder in ENGINE)
    others = [name for name in graph() if set(folders) & set(all_modules()[name].parents) and name not in bridges]
    assert len(others) > 150
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked})); import junqi_engine as junqi; "
        f"from importlib import import_module; all(map(import_module, {others})); "
        "game = junqi.Game('luzhanqi', seed=1); view = game.view('S'); batch = junqi.env.Batch(1, 'luzhanqi'); "
        "batch.reset(); junqi.env.Observer('luzhanqi').observe(view); "
        "print(junqi.env.policy('1.0').move(view) in game.legal_moves)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "True\n"


def test_process_answers_before_heavy_imports() -> None:
    code = "import sys, junqi_protocol.__main__; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"numpy", "numba"} & set(loaded.split())


def test_every_engine_fault_is_an_ending() -> None:
    assert all(Ending.of_fault(fault).cause is Cause.ENGINE for fault in EngineFault)
    assert {ending for ending in Ending if not ending.breaks_off} == {
        Ending.FLAG, Ending.NO_MOVES, Ending.RESIGNED, Ending.NO_CONTACT, Ending.MAX_PLIES,
    }  # fmt: skip
