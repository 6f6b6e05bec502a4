"""The house: imports run one way, the top level holds what it should, heavy imports come late."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = [
    *("kernels", "errors", "pieces", "board", "lineup", "lineup_files", "position", "movegen", "state", "deduction"),
    *("knowledge", "view", "snapshot", "notation", "render", "flag_path", "events", "worlds", "belief", "evaluate"),
    *("transposition", "search", "root"),
    *("players.v1_0", "players.v1_1", "players.v1_2", "players.v2_0", "players"),
]
"""Each module imports only what stands before it."""

ALLOWED = {
    "junqi_engine": {"numpy", "numba", "llvmlite", "junqi_engine"},
    "puzzles": {"numpy", "numba", "puzzles", "junqi_engine.kernels"},
    "protocol": {"numpy", "junqi_engine", "puzzles", "protocol"},
}


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def test_every_module_of_junqi_has_its_place() -> None:
    found = {
        ".".join(path.relative_to(ROOT / "junqi_engine").with_suffix("").parts) for path in sources("junqi_engine")
    }
    assert {name.removesuffix(".__init__") for name in found} - {"__init__"} == set(HOUSE)


@pytest.mark.parametrize("module", HOUSE)
def test_junqi_imports_run_one_way(module: str) -> None:
    path = ROOT / "junqi_engine" / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    before = HOUSE[: HOUSE.index(module)]
    for name in imports(file):
        inside = name.removeprefix("junqi_engine.")
        is_package_of_a_player = inside == "players" and "players" in module
        if name.startswith("junqi_engine.") and inside in HOUSE and not is_package_of_a_player:
            assert inside in before, f"{module} imports {inside}"


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_only_what_they_may(package: str) -> None:
    for path in sources(package):
        for name in imports(path):
            top = name.partition(".")[0]
            is_inside = any(name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED[package])
            is_parent = any(allowed.startswith(f"{name}.") for allowed in ALLOWED[package])
            assert top in sys.stdlib_module_names or is_inside or is_parent, f"{path.name} imports {name}"


def test_the_board_knows_the_rules_and_no_search_nor_solver() -> None:
    allowed = {"starlette", "uvicorn", "playwright", "protocol.client", "tools.board", "tools.referee", "junqi_engine"}
    allowed |= {"puzzles.submarine.tiles"}
    rules = {"board", "errors", "lineup", "lineup_files", "notation", "pieces", "position", "state", "view"}
    for path in sources("tools/board"):
        for name in imports(path):
            is_allowed = any(name == one or name.startswith(f"{one}.") or one.startswith(f"{name}.") for one in allowed)
            assert name.partition(".")[0] in sys.stdlib_module_names or is_allowed, f"{path.name} imports {name}"
            if name.startswith("junqi_engine."):
                assert name.split(".")[1] in rules, f"{path.name} imports {name}"


def test_the_process_speaks_before_any_heavy_import() -> None:
    code = "import sys, protocol.__main__; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"numpy", "numba"} & set(loaded.split())


def test_the_top_level_is_what_was_agreed() -> None:
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    top = {line.partition("/")[0] for line in tracked.splitlines()}
    agreed = {"pyproject.toml", "README.md", "LICENSE", "junqi_engine", "protocol", "puzzles", "tests", "tools", "docs"}
    assert {name for name in top if not name.startswith(".")} <= agreed
