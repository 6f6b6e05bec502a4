"""What the board does when something cannot be done, when it is small, when one points at a sentence, after help."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.board_pages import my_turn, until

OpenPage = Callable[..., Any]


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


def test_a_running_game_is_continued_from_the_first_view(played: Any) -> None:
    played.click("#tab-home")
    assert played.inner_text("#home-play") == "Continue your game"
    assert played.locator("#home button.main").count() == 1
    played.click("#home-play")
    until(played, "!document.getElementById('play').hidden && document.querySelector('#play-board .movable')")
