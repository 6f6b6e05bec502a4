"""What the referee may import: the rules and the other end of the protocol, no player, no search."""

import ast
import sys
from pathlib import Path

import pytest

from tests.referee_help import ROOT

RULES = {
    "board",
    "errors",
    "lineup",
    "lineup_files",
    "notation",
    "pieces",
    "position",
    "render",
    "snapshot",
    "state",
    "view",
}
ALLOWED = {
    "tools.referee",
    "protocol.client",
    "protocol.contest_notation",
    *(f"junqi_engine.{module}" for module in RULES),
}
EXTRAS = {"progress.py": {"rich"}, "cluster.py": {"distributed"}}
"""What only an extra installs; each is imported where it is needed, and missed politely."""


@pytest.mark.parametrize("path", sorted((ROOT / "tools" / "referee").glob("*.py")), ids=lambda path: path.stem)
def test_imports(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_top = {node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
            if node.module == "junqi_engine":
                names = [f"junqi_engine.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            if top in EXTRAS.get(path.name, set()):
                assert node not in at_top, f"{name} is imported although it may be missing"
            elif top not in sys.stdlib_module_names:
                assert any(name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED), name
