"""What the board does when something cannot be done, when it is small, when one points at a sentence, after help."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.board_pages import centres, click, go_to, my_turn, until

OpenPage = Callable[..., Any]

CELL = """(board) => {
  const svg = document.getElementById(board);
  return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}"""


@pytest.fixture(scope="module")
def page(open_shared_page: OpenPage) -> Any:
    page = open_shared_page(at_home=True)
    until(page, "document.querySelector('#seats li')")
    return page


@pytest.fixture
def played(page: Any) -> Any:
    """The page of this file at the first own turn of a new game of Luzhanqi."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1200, "height": 800})
    page.click("#tab-play")
    if page.is_visible("#resign"):
        page.click("#resign")
        page.click("#confirm button.main")
        page.wait_for_selector("#end-card:not([hidden])")
    page.click("#tab-home")
    page.click("#home-play")
    until(page, "document.getElementById('end-card').hidden && !document.querySelector('#moves li')")
    assert my_turn(page)
    return page


def test_a_page_at_200_percent_is_playable_after_the_first_click(played: Any) -> None:
    played.set_viewport_size({"width": 640, "height": 400})
    until(played, "document.getElementById('play-board').viewBox.baseVal.width > 12")
    assert my_turn(played)
    click(played, centres(played, ".shapes .movable")[0])
    assert played.evaluate(CELL, "play-board") >= 43.9
    boxes = [played.locator(part).bounding_box() for part in ("#play .table", "#play-board")]
    assert boxes[0]["width"] >= boxes[1]["width"] - 1, "the enlarged board stays within its place"
    assert played.evaluate("getComputedStyle(document.getElementById('play-board')).overflow") != "visible"
    go_to(played, "learn")
    until(played, "document.querySelector('#learn-board .movable')")
    click(played, centres(played, ".shapes .movable", "learn-board")[0])
    assert played.evaluate(CELL, "learn-board") >= 43.9
    # At 400 percent, and on a small phone on its side, nothing is beside the window either.
    for width, height in ((640, 400), (568, 320), (320, 256)):
        played.set_viewport_size({"width": width, "height": height})
        for view in ("home", "play", "learn"):
            go_to(played, view)
            assert played.evaluate("document.documentElement.scrollWidth") <= width, (width, view)


def test_a_second_finger_does_nothing_during_a_drag(open_page: OpenPage) -> None:
    """It left the piece in mid-air."""
    page = open_page(has_touch=True)
    until(page, "document.querySelector('#play-board .movable')")
    first, second = centres(page, ".shapes .movable")[:2]
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, Any]) -> int:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return page.locator("#play-board .dragged").count()

    start, other = ({"id": number, "x": one["x"], "y": one["y"]} for number, one in enumerate((first, second)))
    # Beside the board, where no piece can go.
    end = start | {"x": 2, "y": 2}
    touch("touchStart", start)
    assert touch("touchMove", end) == 1
    assert touch("touchStart", end, other) == touch("touchEnd", other) == 1
    assert touch("touchEnd") == 0
    assert next(one for one in centres(page, ".shapes .shape") if one["name"] == first["name"]) == first


def test_a_running_game_is_continued_from_the_first_view(played: Any) -> None:
    played.click("#tab-home")
    assert played.inner_text("#home-play") == "Continue your game"
    assert played.locator("#home button.main").count() == 1
    played.click("#home-play")
    until(played, "!document.getElementById('play').hidden && document.querySelector('#play-board .movable')")
