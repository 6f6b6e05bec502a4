"""What a page must not do: move the board under the finger, lock, lose the focus, or mix languages."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.board_pages import (
    centres,
    click,
    click_a_quiet_move,
    my_turn,
    new_game,
    start,
    until,
)
from tests.helpers.marking import release_after

OpenPage = Callable[..., Any]
pytestmark = pytest.mark.long
FAST = "junqi-engine 1.0"
SMALL = ".BB./DBBF/DEEF/GHIJ/G..J goal ..../..../.BB./.BB./...."
WATCH = """() => {
  window.places = new Set();
  const look = () => {
    const box = document.getElementById('play-board').getBoundingClientRect();
    if (box.height) window.places.add([box.top + scrollY, box.height].join());
    requestAnimationFrame(look);
  };
  look();
  const status = document.getElementById('status');
  window.lengths = new Set();
  const note = () => window.lengths.add(status.textContent.length);
  new MutationObserver(note).observe(status, {subtree: true, childList: true, characterData: true});
}"""
DISCONNECT = """async () => {
  const { socket } = (await import('/main.js')).modules['socket.js'];
  const { open } = socket;
  for (let tries = 0; !socket.hasTried && tries < 1000; tries++) await new Promise((wake) => setTimeout(wake, 10));
  socket.open = () => {};
  window.reconnect = () => {
    socket.open = open;
    socket.open();
  };
  socket.connection.close();
}"""
BANNER = "document.querySelector('#banner span').textContent"
IS_ONLINE = "!document.body.classList.contains('offline')"


def disconnect(page: Any) -> None:
    """Once the server has welcomed the page, the connection is lost, and is not opened again before `reconnect`."""
    page.evaluate(DISCONNECT)
    until(page, "document.body.classList.contains('offline')")


@pytest.mark.parametrize(
    ("width", "variant", "locale"),
    release_after(
        2,
        [
            (390, "siguo", "en-GB"),
            (1600, "luzhanqi", "en-GB"),
            (390, "luzhanqi", "zh-CN"),
            (360, "siguo", "zh-CN"),
            (1600, "siguo", "en-GB"),
        ],
    ),
)
def test_the_board_stays_where_it_is_over_a_game(open_page: OpenPage, width: int, variant: str, locale: str) -> None:
    page = open_page(viewport={"width": width, "height": 844}, locale=locale)
    page.wait_for_selector("#new:not([hidden])")
    others = "EW" if variant == "siguo" else "N"
    new_game(page, dict.fromkeys(others, FAST), variant=variant, limit="20")
    page.wait_for_selector("#arrange-start:not([disabled])")
    page.evaluate(WATCH)
    start(page)
    for _ in range(8):
        if not my_turn(page):
            break
        click_a_quiet_move(page)
    assert page.evaluate("window.lengths.size") > 1, "texts of several lengths"
    my_turn(page)
    if page.is_visible("#resign"):
        page.click("#resign")
        page.click("#confirm button.main")
    page.wait_for_selector("#end-card:not([hidden])")
    places = page.evaluate("[...window.places]")
    assert len(places) == 1, places


def test_a_click_without_a_connection_is_refused_and_locks_nothing(open_page: OpenPage) -> None:
    page = open_page()
    page.click("#tab-puzzles")
    page.wait_for_selector("#puzzle-board .shape", state="attached")
    page.click("#puzzle-edit summary")
    page.fill("#puzzle-position", SMALL)
    page.click("#puzzle-open")
    until(page, "document.querySelector('#puzzle-board .movable') && !document.getElementById('puzzle-hint').disabled")
    disconnect(page)
    page.click("#banner button")
    for button in ("puzzle-hint", "puzzle-solve"):
        page.click(f"#{button}")
        until(page, f"{BANNER}.includes('nothing was sent') && !document.getElementById('{button}').disabled")
    # A lesson that is learned meanwhile is not forgotten.
    page.click("#tab-learn")
    page.click("#learn-list li:nth-child(1) button")
    click(page, centres(page, ".shapes .movable", "learn-board")[0])
    click(page, centres(page, ".target", "learn-board")[0])
    until(page, "document.querySelectorAll('#learn-list li.done').length > 0")
    # A view that is opened without a connection is there with it.
    page.click("#tab-analysis")
    page.evaluate("reconnect()")
    until(page, IS_ONLINE)
    page.wait_for_selector("#analysis-board .shape", state="attached")
    page.click("#tab-puzzles")
    until(page, "!document.getElementById('puzzle-hint').disabled")
    page.click("#puzzle-hint")
    until(page, "document.getElementById('puzzle-answer').textContent.startsWith('Follow')")
    page.click("#language")
    assert page.inner_text("#puzzle-answer").startswith("按棋盘上的标记走")
    page.click("#language")
    page.evaluate("localStorage.clear()")
    page.reload()
    page.click("#tab-learn")
    until(page, "document.querySelectorAll('#learn-list li.done').length > 0")
