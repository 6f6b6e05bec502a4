"""An accessibility checker, axe-core, finds nothing serious in the views of a game and a replay."""

from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from tests.helpers.board_pages import go_to, my_turn, new_game, open_record, start
from tests.helpers.marking import long_after
from tests.helpers.record import random_game

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
@pytest.mark.parametrize(("locale", "scheme", "colours", "contrast"), long_after(1, LOOKS))
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
