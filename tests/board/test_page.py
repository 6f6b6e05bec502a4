"""Games on the page, in Debian's Chromium: by clicks, drags and keys, with engines and persons, on any screen, before
and after a reload; an accessibility checker, axe-core, finds nothing serious in it.
"""

import json
import random
import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.board import Server, own_pieces
from tests.helpers.board_pages import (
    centre,
    centres,
    click,
    click_a_move,
    drag,
    go_to,
    my_turn,
    new_game,
    open_record,
    start,
    states,
    until,
)
from tests.helpers.marking import long_after, release_after
from tests.helpers.record import random_game

OURS = "junqi-engine 1.2"
OpenPage = Callable[..., Any]


@pytest.mark.parametrize(
    ("variant", "visibility", "mine", "others"),
    long_after(1, [("siguo", "partner", "SN", "EW"), ("siguo", "dark", "S", "ENW"), ("luzhanqi", "dark", "S", "N")]),
)
def test_a_whole_game_by_clicks(
    open_page: OpenPage, board: Server, variant: str, visibility: str, mine: str, others: str
) -> None:
    page = open_page()
    new_game(page, dict.fromkeys(others, OURS), visibility, variant, limit="12", plies="12")
    start(page)
    rng = random.Random(3)
    while my_turn(page):
        click_a_move(page, rng)
    record = GameRecord.from_line(json.dumps(board.records()[-1]))
    assert not record.ending.breaks_off and verify(record) is None
    assert record.variant == variant and set().union(*map(own_pieces, states(page))) == set(mine)
    outcome = "draw" if record.result == "draw" else "won" if "S" in record.result else "lost"
    assert outcome in page.inner_text("#status")
    page.click("#review")
    until(page, "document.getElementById('replay-status').textContent.startsWith('Before the first')")


@pytest.mark.long
def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, {})
    page.wait_for_selector("#arrange-start:not([disabled])")
    page.focus("#arrange-start")
    page.keyboard.press("Enter")
    my_turn(page)
    page.focus("#play-board")
    # Enter puts the cursor on a piece that can move and selects it; arrows move it to a target.
    for _ in range(40):
        page.keyboard.press("Enter")
        if centres(page, ".target"):
            break
        page.keyboard.press("ArrowUp")
    assert centres(page, ".target")
    page.keyboard.press("Escape")
    assert not centres(page, ".target")
    page.keyboard.press("Enter")
    width = "(kind) => getComputedStyle(document.querySelector(`#play-board .shapes ${kind} .body`)).strokeWidth"
    assert page.evaluate(width, ".movable.taken") != page.evaluate(width, ".movable:not(.taken)")
    target = min(centres(page, ".target"), key=lambda one: one["y"])
    cursor = centre(page, centres(page, ".shapes .taken")[0]["name"])
    for _ in range(40):
        if abs(cursor["x"] - target["x"]) < 9 and abs(cursor["y"] - target["y"]) < 9:
            break
        far_x, far_y = target["x"] - cursor["x"], target["y"] - cursor["y"]
        sideways = "ArrowRight" if far_x > 0 else "ArrowLeft"
        page.keyboard.press(sideways if abs(far_x) > abs(far_y) else "ArrowDown" if far_y > 0 else "ArrowUp")
        cursor = centres(page, ".cursor rect")[0]
    until(page, "document.getElementById('live').textContent.includes(', ')")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#moves li').length > 0")
    my_turn(page)
    page.focus("#take-back")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#moves li').length === 0")


@pytest.mark.parametrize(("variant", "others"), release_after(1, [("siguo", "EW"), ("luzhanqi", "N")]))
def test_a_move_by_dragging_a_mark_by_right_click_and_the_engines_help(
    open_page: OpenPage, variant: str, others: str
) -> None:
    page = open_page()
    new_game(page, dict.fromkeys(others, OURS), variant=variant)
    start(page)
    my_turn(page)
    shape = centres(page, ".shapes .movable")[0]
    click(page, shape)
    target = centres(page, ".target")[0]
    click(page, shape)
    assert not centres(page, ".target")
    drag(page, shape, target)
    until(page, "document.querySelectorAll('#moves li').length > 0")
    my_turn(page)
    hidden = next(one for one in centres(page, ".shapes .hidden") if one["name"] == "40")
    click(page, hidden, button="right")
    page.click("#marks [data-mark='k']")
    assert page.text_content("#play-board [data-id='40'] .mark") == "Bomb"
    page.click("#side [data-side=help]")
    page.check("#belief")
    page.wait_for_selector("#play-board .guess")
    other = next(one for one in centres(page, ".shapes .hidden") if one["name"] == "50")
    page.mouse.move(other["x"], other["y"])
    page.wait_for_selector("#belief-bars meter")
    page.click("#advice")
    page.wait_for_selector("#play-board .hint-way", state="attached")
    assert "info" in page.text_content("#info") and "advises" in page.text_content("#info")
    page.click("#look")
    page.select_option("#looks-pieces", "characters")
    page.click("#looks-close")
    assert page.text_content("#play-board [data-id='40'] .mark") == "炸弹"


def test_every_text_exists_in_both_languages(board: Server) -> None:
    page = Path(__file__).parents[2] / "tools" / "junqi_board" / "page"
    texts: dict[str, dict[str, str]] = {"en": {}, "zh": {}}
    for file in page.glob("texts*.json"):
        for language, more in json.loads(file.read_text("utf-8")).items():
            assert not set(more) & set(texts[language]), f"{file.name}: defined twice"
            texts[language] |= more
    source = "".join(file.read_text("utf-8") for file in [page / "index.html", *sorted(page.glob("*.js"))])
    used = set(re.findall(r'data-(?:text|label|hint)="([\w.]+)"', source)) | set(
        re.findall(r'\bt\("([\w.-]+)"', source)
    )
    missing = {key for key in used for language in texts.values() if key not in language}
    assert used and not missing
    assert {key for key in texts["en"] if not key.startswith("error.")} <= set(texts["zh"])


AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
SERIOUS = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  const grave = violations.filter(({impact}) => impact === "serious" || impact === "critical");
  const told = (node) => `${node.target} ${node.any[0]?.message ?? ""}`;
  return grave.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(told).join("; ")}`);
}"""
LOOKS = [
    ("en-GB", "light", "wood", False),
    ("zh-CN", "dark", "slate", False),
    ("en-GB", "dark", "wood", True),
    ("zh-CN", "light", "slate", True),
]


@pytest.mark.long
@pytest.mark.release
@pytest.mark.parametrize(("locale", "scheme", "colours", "contrast"), LOOKS)
def test_nothing_serious_is_found(
    open_page: Callable[..., Any], locale: str, scheme: str, colours: str, contrast: bool
) -> None:
    page = open_page(locale=locale, color_scheme=scheme)
    page.evaluate(AXE)

    def check(view: str) -> None:
        page.wait_for_timeout(50)
        assert page.evaluate(SERIOUS) == [], view

    page.click("#tab-home")
    check("the first view")
    page.click("#tab-quiz")
    page.wait_for_selector("#quiz-board .piece")
    check("a puzzle")
    page.click("#tab-play")
    new_game(page, {"E": "script", "W": "script"})
    check("the line-up")
    page.click("#look")
    page.select_option("#looks-board", colours)
    page.set_checked("#looks-contrast", contrast)
    check("the look")
    page.click("#looks-close")
    start(page)
    my_turn(page)
    page.click("#side [data-side=help]")
    check("the game")
    page.click("#resign")
    check("a question")
    page.click("#confirm button.main")
    page.wait_for_selector("#end-card:not([hidden])")
    check("the end")
    open_record(page, random_game())
    page.click("#replay-moves li:nth-child(17)")
    check("a replay")
    page.set_viewport_size({"width": 390, "height": 844})
    check("a replay on a phone")
    go_to(page, "play")
    check("the end on a phone")


SMALL = ".BB./DBBF/DEEF/GHIJ/G..J goal ..../..../.BB./.BB./...."
PUZZLE = "document.getElementById('puzzle-status').textContent"


@pytest.mark.long
def test_a_reload_keeps_a_puzzle_and_its_moves(open_page: OpenPage) -> None:
    page = open_page()
    page.click("#tab-puzzles")
    until(page, "document.querySelectorAll('#puzzle-board .shape').length === 10")
    page.click("#puzzle-edit summary")
    page.fill("#puzzle-position", SMALL)
    page.click("#puzzle-open")
    until(page, "document.querySelectorAll('#puzzle-board .shape').length === 8")
    page.wait_for_selector("#puzzle-board .movable", state="attached")
    click(page, centres(page, ".shapes .movable", "puzzle-board")[0])
    click(page, centres(page, ".target", "puzzle-board")[0])
    until(page, f"{PUZZLE}.startsWith('1 move')")
    before = {one["name"]: one for one in centres(page, ".shapes .shape", "puzzle-board")}
    page.reload()
    until(page, f"{PUZZLE}.startsWith('1 move')")
    assert {one["name"]: one for one in centres(page, ".shapes .shape", "puzzle-board")} == before
    assert page.input_value("#puzzle-position") == SMALL
    page.click("#puzzle-back")
    until(page, f"{PUZZLE}.startsWith('0 moves')")
    page.go_back()
    until(page, "!document.getElementById('play').hidden")
    page.go_forward()
    until(page, "!document.getElementById('puzzles').hidden")
    # The page itself refuses a message that is too large for the server.
    page.evaluate("document.getElementById('puzzle-edit').open = true")
    page.evaluate("document.getElementById('puzzle-position').value = 'x'.repeat(300_000)")
    page.click("#puzzle-open")
    until(page, "document.getElementById('puzzle-answer').textContent.includes('too large')")
    assert page.is_hidden("#banner") and page.locator("#puzzle-board .shape").count() == 8
