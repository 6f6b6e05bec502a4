"""What a page must not do: move the board under the finger, lock, lose the focus, or mix languages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.board import Page, Server, broken, serving
from tests.helpers.board import new_game as game_of
from tests.helpers.board_pages import (
    centres,
    click,
    click_a_quiet_move,
    my_turn,
    new_game,
    open_record,
    start,
    until,
)
from tests.helpers.marking import release_after
from tests.helpers.record import random_game

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


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board whose engine plays no battles."""
    with serving(tmp_path_factory.mktemp("scripts"), broken("script")) as server:
        yield server


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


def test_the_board_of_a_replay_stays_where_it_is(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    open_record(page, random_game())
    page.evaluate(WATCH.replace("play-board", "replay-board"))
    for ply in range(1, 31):
        page.keyboard.press("ArrowRight")
        until(page, f"document.getElementById('replay-status').textContent.startsWith('Move {ply} ')")
    assert len(page.evaluate("[...window.places]")) == 1


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


def test_words_to_others_are_kept_until_they_are_sent(open_page: OpenPage, scripts: Server) -> None:
    page = open_page(scripts.token, scripts)
    new_game(page, {"S": "me", "N": "a person on another page"}, variant="luzhanqi")
    page.wait_for_selector("#talk-card:not([hidden])")
    disconnect(page)
    page.fill("#talk-words", "good luck")
    page.keyboard.press("Enter")
    until(page, f"{BANNER}.includes('nothing was sent')")
    assert page.input_value("#talk-words") == "good luck"
    page.evaluate("reconnect()")
    until(page, IS_ONLINE)
    # The page is being drawn anew, which may take the focus away.
    page.evaluate("document.getElementById('talk-form').requestSubmit()")
    until(page, "document.getElementById('talk-lines').textContent.includes('good luck')")
    assert page.input_value("#talk-words") == ""


@pytest.mark.parametrize(
    ("variant", "limits", "counted", "end"),
    [
        ("luzhanqi", {"limit": "12"}, "6 of 12 moves without a battle; then ", "you lose"),
        ("luzhanqi", {"limit": "13"}, "7 of 13 moves without a battle; then ", "the enemy loses"),
        ("siguo", {"limit": "14"}, "7 of 14 moves without a battle; then ", "the game is a draw"),
        ("siguo", {"limit": "0", "plies": "12"}, "Move 6 of 12; then ", "the game is a draw"),
    ],
)
def test_the_moves_towards_a_limit_are_counted(
    scripts: Server, open_page: OpenPage, variant: str, limits: dict[str, str], counted: str, end: str
) -> None:
    """The engines step to and fro, and so does the person."""
    page = open_page(scripts.token, scripts)
    seats = dict.fromkeys("EW" if variant == "siguo" else "N", "script")
    new_game(page, seats, variant=variant, **limits)
    start(page)
    # The texts of the status, one for each state.
    page.evaluate(
        "(() => { window.said = []; new MutationObserver(() => window.said.push(document.getElementById('status')"
        ".textContent)).observe(document.getElementById('status'), {childList: true}); })()"
    )
    while my_turn(page):
        click_a_quiet_move(page)
    texts = page.evaluate("window.said")
    first = next(index for index, text in enumerate(texts) if " of " in text or " more move" in text)
    assert f"{counted}{end}." in texts[first]
    near = next(text for text in texts if " more move" in text)
    assert "5 more moves" in near and near.endswith(f", and {end}!")
    assert any("1 more move" in text for text in texts)
    result = {
        "you lose": "You have lost",
        "the enemy loses": "You have won",
        "the game is a draw": "The game is a draw",
    }
    assert page.inner_text("#status").startswith(result[end])
    page.click("#pieces")
    rule = page.inner_text("#pieces-quiet")
    assert "71" in rule and "31" in rule


def test_the_focus_goes_to_the_board_when_its_control_disappears(open_page: OpenPage, scripts: Server) -> None:
    page = open_page(scripts.token, scripts)
    new_game(page, {"N": "script"}, variant="luzhanqi")
    page.wait_for_selector("#arrange-start:not([disabled])")
    page.focus("#arrange-start")
    page.keyboard.press("Enter")
    my_turn(page)
    until(page, "document.activeElement.id === 'play-board'")
    # The board has the keys: Enter selects a piece.
    page.keyboard.press("Enter")
    assert centres(page, ".target") or centres(page, ".cursor rect")
    # The button that leads back from the past goes with it.
    click_a_quiet_move(page)
    my_turn(page)
    page.click("#moves li:first-child")
    until(page, "!document.getElementById('past-note').hidden")
    page.focus("#past-end")
    page.keyboard.press("Enter")
    until(page, "document.getElementById('past-note').hidden && document.activeElement.id === 'play-board'")


def test_all_that_is_shown_follows_the_language(open_page: OpenPage, scripts: Server) -> None:
    page = open_page(scripts.token, scripts)
    page.wait_for_selector("#new:not([hidden])")
    with Page(scripts) as other:
        other.ask("new_table", **game_of({"S": "me", "N": "script"}, variant="luzhanqi"))
        new_game(page, {"S": "me", "N": "a person on another page"}, variant="luzhanqi")
        page.wait_for_selector("#tables:not([hidden])")
    page.wait_for_selector("#invitations:not([hidden])")
    assert page.inner_text("#tables button") == "Turn to it"
    page.set_input_files("#arrange-file", {"name": "bad.jql", "mimeType": "text/plain", "buffer": b"nothing"})
    page.wait_for_selector("#banner:not([hidden])")
    assert page.inner_text("#banner span").isascii() and page.inner_text("#invitations a") == "Link for the enemy"
    page.click("#language")
    assert page.inner_text("#banner span") == "布阵不合规则。"
    assert page.inner_text("#tables button") == "切换"
    assert page.inner_text("#invitations a").startswith("对方")
    disconnect(page)
    assert page.inner_text("#banner span").startswith("连接已断开")
    page.click("#language")
    assert page.inner_text("#banner span").startswith("The connection is lost")
    page.evaluate("reconnect()")
    until(page, IS_ONLINE)
