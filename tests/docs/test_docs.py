"""The pages name only what exists: paths in backticks, modules and options in commands, files and headings in links."""

import contextlib
import io
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import PurePosixPath

import pytest

from junqi_protocol.catalogue import OPTIONS
from junqi_protocol.commands import COMMANDS
from tests.helpers.engine import DEADLINE_S
from tests.helpers.modules import COMMANDS as PROGRAMS
from tests.helpers.modules import all_modules
from tests.helpers.pages import ROOT, anchors, code_in, commands, links, read, without_blocks

ALL_PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/examples/*.md")]
)
PAGES = [page for page in ALL_PAGES if page != "CHANGELOG.md"]
"""The changelog also names files that are gone."""
HOMES = {"docs/web-board.md": "tools/junqi_board", "docs/examples/README.md": "docs/examples"}
"""The folder whose files a page may name without the folder; `junqi_engine` for other pages."""
PLACEHOLDER = "NAME"
FILE_SUFFIXES = (".py", ".js", ".html", ".json", ".toml", ".md", ".sh", ".svg", ".png")
MADE_BY_USERS = {"games.jsonl", "manifest.json", "report.json", "report.html", "positions.md"}
LISTED = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
TRACKED = subprocess.run(LISTED, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
"""The tracked files, and those that would be added."""
FOLDERS = {folder.as_posix() for name in TRACKED for folder in PurePosixPath(name).parents}
PACKAGES = ("junqi_engine", "protocol", "puzzles", "tools", "tests")


def is_path(word: str) -> bool:
    """True if a word is the path of a file or of a folder (`rules/`)."""
    if PLACEHOLDER in word or not re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", word):
        return False
    first, slash, _ = word.partition("/")
    is_in_package = bool(slash and (first in (*PACKAGES, ".ci") or word.endswith("/")))
    return is_in_package or PurePosixPath(word).suffix in FILE_SUFFIXES


def exists(path: PurePosixPath) -> bool:
    return path.as_posix() in FOLDERS or path.as_posix() in TRACKED


def missing_paths(text: str, home: str = "junqi_engine") -> list[str]:
    """The paths in backticks that exist neither at the root, nor in `home`, nor in the folder named last."""
    missing = []
    here = PurePosixPath()
    for quoted in code_in(without_blocks(text)):
        for word in filter(is_path, quoted.split()):
            if word in MADE_BY_USERS:
                continue
            candidates = [base / word for base in (PurePosixPath(), here, *here.parents, PurePosixPath(home))]
            found = next(filter(exists, candidates), None)
            if found is None:
                missing.append(word)
            else:
                here = found if found.as_posix() in FOLDERS else found.parent
    return missing


@pytest.mark.parametrize("page", PAGES)
def test_paths_exist(page: str) -> None:
    assert not missing_paths(read(page), HOMES.get(page, "junqi_engine"))


@pytest.mark.parametrize("page", ALL_PAGES)
def test_modules_of_commands_exist(page: str) -> None:
    for module in re.findall(r"python -m (junqi_[\w.]*)", read(page)):
        assert {module, f"{module}.__main__"} & set(all_modules()), f"{page}: python -m {module}"


@pytest.mark.parametrize("page", ALL_PAGES)
def test_links_lead_to_files_and_headings(page: str) -> None:
    for target in links(read(page)):
        if target.startswith(("https:", "http:")):
            continue
        path, _, anchor = target.partition("#")
        linked = ((ROOT / page).parent / path).resolve().relative_to(ROOT).as_posix() if path else page
        assert linked in TRACKED, f"{page}: {target}"
        assert not anchor or anchor in anchors(read(linked)), f"{page}: {target}"


# Commands

EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])
ENGINE_OPTIONS = {"--compile", "--contest", "--version", "--help"}
MODULES = {"junqi-referee": "junqi_referee", "junqi-board": "junqi_board"}
WITH_PARSER = {module for module, *_ in PROGRAMS} - {"junqi_protocol"}
NAMES = {"junqi-engine Player=1.2"}
"""Names of engines in reports, which look like commands."""


def told(module: str, words: list[str]) -> tuple[object, str]:
    """Exit code and output of `python -m MODULE WORDS --help`: the words before `--help` are parsed too."""
    output = io.StringIO()
    sys.argv[1:] = [*words, "--help"]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as end:
            return end.code or 0, output.getvalue()
    return 0, output.getvalue()


@pytest.fixture(scope="module")
def parser() -> Iterator[ProcessPoolExecutor]:
    """A process in which all programs parse their arguments, so that imports happen once."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


def faults(command: str, folder: str, parser: ProcessPoolExecutor) -> list[str]:
    """The faults of a command of a page in a folder."""
    program, *words = shlex.split(command.replace(" SECTION ...", ""), comments=True)
    if program == "pip":
        return [word for word in words if not set(re.findall(r"\[(\w+)\]", word)) <= EXTRAS]
    if program == "junqi-engine":
        return [word for word in words if word not in ENGINE_OPTIONS and word.split()[0] not in COMMANDS]
    if program == "python":
        if "-m" not in words:
            return [word for word in words[:1] if word != "-c" and not is_there(word, folder)]
        del words[: words.index("-m") + 1]
        program = words.pop(0)
        if program == "pytest":
            return [word for word in words if word.startswith("tests/") and not is_there(word, "")]
    module = MODULES.get(program, program)
    if module not in WITH_PARSER:
        return [word for word in words if word.startswith("--")]
    given = [word for word in words if not (word.startswith("[") or word.endswith("]"))]
    code, text = parser.submit(told, module, given).result(DEADLINE_S)
    if code != 0 or not text.startswith("usage:"):
        return [text]
    found = [word for word in re.findall(r"(?<!\S)\[?(--[\w-]+)", " ".join(words)) if not has_word(text, word)]
    if module == "junqi_referee":
        found += [word for word in words if word.startswith("@") and not is_there(word[1:], folder)]
        found += [fault for word in words for fault in faults_of_key(word, text)]
    return found


def is_there(path: str, folder: str) -> bool:
    """True if a file of a command exists."""
    return exists(PurePosixPath(folder) / path)


def has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def faults_of_key(word: str, text: str) -> list[str]:
    """The faults of a word `KEY=VALUE` of the referee, such as an option or a command of an engine."""
    key, sign, _ = word.partition("=")
    if not sign or key == "cmd" or " " in key:  # a command has words of its own
        return []
    if key.startswith("option."):
        return [] if key.removeprefix("option.") in {option.name for option in OPTIONS} else [word]
    return [] if f"{key}=" in text else [word]


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_valid(page: str, parser: ProcessPoolExecutor) -> None:
    """Programs, subcommands, options and values exist."""
    folder = PurePosixPath(page).parent.as_posix() if page.startswith("docs/examples/") else ""
    for command in commands(read(page)):
        if command not in NAMES:
            assert faults(command, folder, parser) == [], f"{page}: {command}"
