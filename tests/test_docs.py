"""The pages name only what exists: paths in backticks, modules in commands, and files in links."""

import re
import subprocess
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parent.parent
ALL_PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
PAGES = [page for page in ALL_PAGES if page != "CHANGELOG.md"]
"""The changelog also names files that are gone."""
HOMES = {"docs/web-board.md": "tools/board"}
"""By page: the folder whose files it may name without the folder; `junqi_engine` for all others."""
PLACEHOLDER = "NAME"
FILE_SUFFIXES = (".py", ".js", ".html", ".json", ".toml", ".md", ".sh", ".svg", ".png")
MADE_BY_USERS = {"games.jsonl", "contest-record.txt", "manifest.json"}
TRACKED = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
FOLDERS = {folder.as_posix() for name in TRACKED for folder in PurePosixPath(name).parents}
PACKAGES = ("junqi_engine", "protocol", "puzzles", "tools", "tests")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def is_path(word: str) -> bool:
    """Whether a word is the path of a file or of a folder (`rules/`)."""
    if PLACEHOLDER in word or not re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", word):
        return False
    first, slash, _ = word.partition("/")
    return (
        bool(slash and (first in (*PACKAGES, ".ci") or word.endswith("/")))
        or PurePosixPath(word).suffix in FILE_SUFFIXES
    )


def exists(path: PurePosixPath) -> bool:
    return path.as_posix() in FOLDERS or path.as_posix() in TRACKED


def missing_paths(text: str, home: str = "junqi_engine") -> list[str]:
    """The paths in backticks that exist neither at the root, nor in `home`, nor in the folder named last."""
    missing = []
    here = PurePosixPath()
    for quoted in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)):
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


def test_paths_are_found() -> None:
    text = "`protocol/games/` has `junqi.py`, see `rules/no.py`, `python tests/test_docs.py`, `no/`, `@kernel(x)`"
    assert missing_paths(text) == ["rules/no.py", "no/"]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_counts_the_tests(page: str) -> None:
    """Such numbers are wrong from the next test on."""
    for line in read(page).splitlines():
        assert not ("test" in line and re.search(r"\babout [\d,]*\d{2}\b", line)), line


@pytest.mark.parametrize("page", ALL_PAGES)
def test_modules_of_commands_exist(page: str) -> None:
    for module in re.findall(rf"python -m ((?:{'|'.join(PACKAGES)})[\w.]*)", read(page)):
        path = module.replace(".", "/")
        assert {f"{path}.py", f"{path}/__main__.py"} & set(TRACKED), f"{page}: python -m {module}"


@pytest.mark.parametrize("page", ALL_PAGES)
def test_links_lead_to_files(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", read(page)):
        path = (ROOT / page).parent / target
        assert path.resolve().relative_to(ROOT).as_posix() in TRACKED, f"{page}: {target}"
