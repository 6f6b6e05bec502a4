"""The page by the keyboard alone, and what an accessibility checker, axe-core, finds in it."""

from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from tests.helpers.board_pages import OVER, PLAYED, centre, centres, go_to, my_turn, new_game, open_record, start, until
from tests.helpers.record import random_game

OpenPage = Callable[..., Any]


@pytest.mark.long
def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, {})
    page.wait_for_selector("#arrange-start:not([disabled])")
    page.focus("#play-board")
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    until(page, "document.getElementById('live').textContent.endsWith(' have changed places.')")
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
    until(page, "/^Chosen: Your .*, \\d+ targets?,/.test(document.getElementById('live').textContent)")
    target = min(centres(page, ".target"), key=lambda one: one["y"])
    cursor = centre(page, centres(page, ".shapes .taken")[0]["name"])
    for _ in range(40):
        if abs(cursor["x"] - target["x"]) < 9 and abs(cursor["y"] - target["y"]) < 9:
            break
        far_x, far_y = target["x"] - cursor["x"], target["y"] - cursor["y"]
        sideways = "ArrowRight" if far_x > 0 else "ArrowLeft"
        page.keyboard.press(sideways if abs(far_x) > abs(far_y) else "ArrowDown" if far_y > 0 else "ArrowUp")
        cursor = centres(page, ".cursor rect")[0]
    until(page, "document.getElementById('live').textContent.includes(', can be ')")
    page.keyboard.press("Enter")
    until(page, f"{PLAYED} > 0")
    until(page, "/From [a-q]\\d+ to [a-q]\\d+/.test(document.getElementById('live').textContent)")
    my_turn(page)
    page.focus("#take-back")
    page.keyboard.press("Enter")
    until(page, f"{PLAYED} === 0")


AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
SERIOUS = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  const grave = violations.filter(({impact}) => impact === "serious" || impact === "critical");
  const told = (node) => `${node.target} ${node.any[0]?.message ?? ""}`;
  return grave.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(told).join("; ")}`);
}"""
FADES = "(one) => one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity"
"""Colours are measured when no animation or transition is running that ends."""
LOOKS = [
    ("en-GB", "light", "no-preference"),
    ("zh-CN", "dark", "no-preference"),
    ("en-GB", "dark", "more"),
    ("zh-CN", "light", "more"),
]


@pytest.mark.long
@pytest.mark.release
@pytest.mark.parametrize(("locale", "scheme", "contrast"), LOOKS)
def test_page_has_no_serious_accessibility_violation(
    open_page: OpenPage, locale: str, scheme: str, contrast: str
) -> None:
    page = open_page(locale=locale, color_scheme=scheme, contrast=contrast)
    page.evaluate(AXE)

    def check(view: str) -> None:
        until(page, f"!document.getAnimations().some({FADES})")
        assert page.evaluate(SERIOUS) == [], view

    page.click("#tab-home")
    assert page.locator("h1:visible").inner_text() == ("Junqi" if locale == "en-GB" else "军棋")
    check("the first view")
    page.click("#tab-problem")
    page.wait_for_selector("#problem-board .piece")
    check("a problem")
    page.click("#tab-teaser")
    page.click("#teaser-draw")
    check("the brain teasers")
    page.click("#tab-play")
    new_game(page, {"E": "script", "W": "script"})
    check("the line-up")
    start(page)
    my_turn(page)
    page.click("#side [data-side=help]")
    check("the game")
    page.click("#resign")
    check("a question")
    page.click("#confirm button.main")
    until(page, OVER)
    check("the end")
    record = random_game()
    open_record(page, record)
    page.fill("#replay-at", str(next(ply for ply, move in enumerate(record.moves, 1) if move[-1] in "ox")))
    page.wait_for_selector("#play-board .battle .remains", state="attached")
    check("a battle of a record")
    page.set_viewport_size({"width": 390, "height": 844})
    check("a replay on a phone")
    go_to(page, "play")
    check("the end on a phone")
