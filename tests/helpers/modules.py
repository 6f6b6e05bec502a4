"""The modules of the project."""

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ("junqi_engine", "puzzles", "protocol")
PACKAGES = (*ENGINE, "tools")
"""Packages, or folders of packages."""

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("junqi_protocol",),
    ("junqi_referee",),
    *(("junqi_referee", word) for word in ("match", "tournament", "ci", "replay", "convert", "check")),
    ("junqi_board",),
    ("junqi_speed",),
    ("junqi_training",),
    *(("junqi_training", word) for word in ("selfplay", "fit", "network", "tune", "calibration", "styles", "policy",
                                            "openings", "problems")),
)  # fmt: skip
"""Every command that people run: a module, and a word for one of its own commands."""


def sources(place: str) -> list[Path]:
    """The files of a folder, or one file."""
    path = ROOT / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "junqi_engine" else parts[1:]).removesuffix(".__init__")


@cache
def all_modules() -> dict[str, Path]:
    return {module_name(path): path for package in PACKAGES for path in sources(package)}
