"""Functions and texts of the page, without a browser."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from junqi_board.lessons import COURSE, PAGE
from tests.helpers.board import DEADLINE_S

FUNCTIONS = Path(__file__).with_name("page_functions.test.js")
SOURCES = {path.name: path.read_text("utf-8") for path in sorted(PAGE.rglob("*")) if path.is_file()}
PAGE_CODE = "".join(text for name, text in SOURCES.items() if name.endswith((".html", ".js")))
SERVER = [path.read_text("utf-8") for path in PAGE.parent.rglob("*.py")]
ENGINE_CODES = {"bad-file", "bad-lineup", "bad-position", "illegal-move", "impossible-position", "leak"}
"""Codes of the engine's library that the board passes on."""
TEXTS = json.loads(SOURCES["texts.json"])
"""By key, in English, if the page has it, and in Chinese."""
MACHINES = tuple("study.fen error.bad-file replay.load home.friends.about".split())
"""The beginnings of the names of texts that are about files or the protocol."""
FORBIDDEN = {
    "a coordinate": r"\b[a-q](?:1[0-7]|[1-9])\b",
    "the letter of a seat": r"\b[SENW]\b",
    "the name of an engine": r"junqi-|[Ee]lo\b|UCI|\bv?\d+\.\d+\b",
    "a word of the protocol": r"\bFEN\b|\bply\b|\bplies\b|bestmove|\.jql|\.jsonl|--\w|protocol|协议",
}


def test_functions_of_the_page(tmp_path: Path) -> None:
    """Run `page_functions.test.js` with node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: apt-get install nodejs")
    shutil.copytree(PAGE, tmp_path / "page")
    shutil.copy(FUNCTIONS, tmp_path)
    placed = {lesson.name: [word.split(":") for word in lesson.pieces.split()] for lesson in COURSE}
    kinds = {name: {point: piece[1] for piece, point in pieces} for name, pieces in placed.items()}
    for name, value in {"package.json": {"type": "module"}, "kinds.json": kinds}.items():
        (tmp_path / name).write_text(json.dumps(value), "utf-8")
    command = [node, "--test", FUNCTIONS.name]
    ended = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=DEADLINE_S, cwd=tmp_path, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_library_of_the_page_is_as_it_was_published() -> None:
    """`htm/preact/standalone.module.js` of htm 3.1.1, from the registry of npm."""
    found = hashlib.sha256((PAGE / "vendor" / "preact.js").read_bytes()).hexdigest()
    assert found == "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"


def test_texts_exist_in_both_languages() -> None:
    assert [*TEXTS] == sorted(TEXTS) and SOURCES["texts.json"].count("\n") == len(TEXTS) + 2, "one key a line"
    used = {*re.findall(r'\bt\("([\w.-]+)"', PAGE_CODE)}
    assert used and used <= {key for key, (english, _) in TEXTS.items() if english is not None}
    assert all(chinese is not None for _, chinese in TEXTS.values())


def test_refusals_have_texts_in_both_languages() -> None:
    call = r'(?:Refused\(|_refuse\([\w.]+, |send_notice\(|"code": )"([a-z-]+)"'
    raised = {code for source in SERVER for code in re.findall(call, source)}
    assert raised >= {"host-only", "not-saved", "internal", "adviser-failed"}
    assert [code for code in raised | ENGINE_CODES if None in TEXTS.get(f"error.{code}", [None])] == []


def test_texts_have_a_use() -> None:
    """A key is written in the code, or has the form of one that the code completes, such as `level.${name}`."""
    written = {*re.findall(r'["`]([\w.?=-]+)["`]', PAGE_CODE)}
    completed = re.findall(r'`(\w+\.(?:[\w.-]|\$\{[^{}`]*\})*)`|"(\w+\.)"', PAGE_CODE)
    forms = [re.sub(r"\$\{[^}]*\}", ".+", template) or f"{beginning}.+" for template, beginning in completed]
    is_completed = re.compile("|".join(forms)).fullmatch
    bases = {key: re.sub(r"(Near)?(\.you)?$", "", key) for key in TEXTS}
    assert [key for key, base in bases.items() if not {key, base} & written and not is_completed(key)] == []


def test_only_some_texts_have_words_of_machines() -> None:
    for key, pair in TEXTS.items():
        for text in filter(None, pair):
            said = "" if key.startswith(MACHINES) else re.sub(r"\{[^}]*\}", "", text)
            assert [what for what, pattern in FORBIDDEN.items() if re.search(pattern, said)] == [], (key, text)
