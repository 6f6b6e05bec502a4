"""The first five minutes: from the first page to the first own move, the hints, and what follows a game."""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.board import DEADLINE_S, OWN_ENGINE, broken, serving
from tests.helpers.board_pages import centres, click, click_a_move, my_turn, states, until

OpenPage = Callable[..., Any]
KEEP_WINS = """import('/main.js').then(({modules}) => {
  modules['storage.js'].keep('wins', { novice: 3 });
  modules['storage.js'].keep('streak', 2);
})"""
OWN = "#play-board .shapes .seat-S"
ALL_STAND = f"document.querySelectorAll('{OWN}').length === 25"


def first_view(open_page: OpenPage) -> Any:
    """The first view of a page, after any game that the test before has left."""
    page = open_page(at_home=True)
    until(page, "document.querySelector('#seats li')")
    if page.is_visible("#resign"):
        page.click("#resign")
        page.click("#confirm button.main")
    page.click("#tab-home")
    page.wait_for_selector("#home-play")
    return page


def play_now(page: Any) -> None:
    page.click("#home-play")
    assert my_turn(page)


def test_from_the_first_page_to_the_first_move_in_three_clicks(open_page: OpenPage) -> None:
    """It took twelve choices of a form, for a game of four seats that one person played with two armies."""
    page = open_page(at_home=True)
    began = time.monotonic()
    page.wait_for_selector("#home-play")
    assert page.is_hidden("#play") and page.locator("#home button.main").count() == 1
    clocks = page.locator("#home-clocks button").all_inner_texts()
    assert clocks == ["No clock", "1 min + 1 s", "5 min + 3 s", "10 min + 5 s"]
    play_now(page)
    state = states(page)[-1]
    assert state["variant"] == "luzhanqi" and state["mine"] == "S" and "Beginner" in page.inner_text("#seats")
    assert "tap a piece" in page.inner_text("#coach")
    click(page, centres(page, ".shapes .movable")[0])
    click(page, centres(page, ".target")[0])
    until(page, "document.querySelectorAll('#moves li').length > 0")
    seconds = time.monotonic() - began
    print(f"the first own move was made {seconds:.1f} s after the first page, with 3 clicks")
    assert seconds < 10 * 20


@pytest.mark.long
def test_only_what_a_newcomer_needs_is_shown_until_advanced_is_chosen(open_page: OpenPage) -> None:
    page = first_view(open_page)
    play_now(page)
    for part in ("#tab-analysis", "#moves-raw", "#info-pane", "#pace-row", "#saved"):
        assert page.is_hidden(part), part
    page.click("#new")
    assert page.is_hidden("#setup-visibility") and page.is_hidden("#setup-more") and page.is_visible("#setup-clock")
    page.click("#setup-cancel")
    # The names of the points come and go at once.
    assert page.locator("#play-board text.label").count() == 0
    page.click("#tab-home")
    page.check("#advanced")
    assert page.locator("#play-board text.label").count() > 0
    page.click("#home-more")
    assert page.is_visible("#setup-visibility") and page.is_visible("#tab-analysis")
    page.reload()
    page.wait_for_selector("#tab-analysis")


@pytest.mark.long
def test_the_board_takes_its_share_of_the_width(open_page: OpenPage) -> None:
    page = first_view(open_page)
    shares = {"luzhanqi": 0.4, "siguo": 0.58}
    for variant, begin in (("luzhanqi", "#home-play"), ("siguo", "#home-four")):
        page.click("#tab-home")
        page.click(begin)
        if page.is_visible("#confirm"):
            page.click("#confirm button.main")
        until(page, f"document.querySelector('#seats').dataset.seats === '{2 if variant == 'luzhanqi' else 4}'")
        # Siguo's board is as wide as it is high: on a wide screen the height bounds it.
        for width, height in ((1280, 800), (1600, 900))[: 2 if variant == "luzhanqi" else 1]:
            page.set_viewport_size({"width": width, "height": height})
            until(page, f"document.getElementById('play-board').clientWidth >= {shares[variant] * width}", 10)


@pytest.mark.long
def test_four_players_are_you_a_partner_and_two_enemies(open_page: OpenPage) -> None:
    page = first_view(open_page)
    page.click("#home-four")
    page.click("#arrange-start:not([disabled])")
    assert my_turn(page)
    assert states(page)[-1]["mine"] == "S"
    roles = [page.text_content(f"#seats [data-seat={seat}] b") for seat in "SENW"]
    assert roles == ["You", "Enemy on the right", "Partner", "Enemy on the left"]
    warm = {
        seat: page.evaluate(f"getComputedStyle(document.querySelector('#play-board .shapes .seat-{seat} .body')).fill")
        for seat in "SENW"
    }
    assert len(set(warm.values())) == 4


@pytest.mark.long
def test_a_rung_of_the_ladder_begins_a_game_and_wins_are_counted(open_page: OpenPage) -> None:
    page = first_view(open_page)
    assert page.locator("#rungs button").count() == 7 and "0 wins" in page.inner_text("#rungs")
    page.click("#home-clocks [data-clock='300+3']")
    page.click("#rungs li:nth-child(2) button")
    assert my_turn(page)
    state = states(page)[-1]
    assert "Novice" in page.inner_text("#seats") and state["seats"]["S"]["remaining_ms"] > 200_000
    page.click("#tab-home")
    page.click("#home-clocks [data-clock='']")
    page.evaluate(KEEP_WINS)
    page.click("#tab-play")
    page.click("#tab-home")
    assert "3 wins" in page.inner_text("#rungs li:nth-child(2)") and "2 in a row" in page.inner_text("#you-facts")
    page.evaluate(KEEP_WINS.replace("3", "0").replace("2", "0"))


@pytest.mark.long
def test_a_battle_is_explained_once(open_page: OpenPage, tmp_path: Path) -> None:
    with serving(tmp_path, OWN_ENGINE) as server:
        page = open_page(server.token, server, at_home=True)
        play_now(page)
        rng = random.Random(5)
        while my_turn(page) and "ranks stay secret" not in page.inner_text("#coach"):
            click_a_move(page, rng)
        assert page.is_visible("#coach")
        page.click("#coach button")
        assert page.is_hidden("#coach")
        page.reload()
        assert my_turn(page) and "ranks stay secret" not in page.inner_text("#coach")


@pytest.mark.long
def test_the_end_says_the_cause_and_offers_the_same_line_up_again(open_page: OpenPage) -> None:
    page = first_view(open_page)
    play_now(page)
    until(page, ALL_STAND)
    mine = sorted(page.locator(OWN).all_text_contents())
    page.click("#resign")
    page.click("#confirm button.main")
    page.wait_for_selector("#end-card:not([hidden])")
    # After a loss there is no next level.
    assert page.is_hidden("#next-level") and page.inner_text("#end-card button.main") == "Try again"
    assert page.inner_text("#end-card .cause") == "You resigned."
    page.click("#rematch")
    page.click("#arrange-start:not([disabled])")
    assert my_turn(page)
    until(page, ALL_STAND)
    assert "Flag" in mine and sorted(page.locator(OWN).all_text_contents()) == mine


@pytest.mark.long
def test_the_same_address_works_after_a_killed_server(open_page: OpenPage, tmp_path: Path) -> None:
    """A new start had another port and another token: bookmarks and old tabs were dead."""
    with serving(tmp_path, broken("script")) as server:
        page = open_page(server.token, server)
        page.click("#arrange-start:not([disabled])")
        assert my_turn(page)
        server.process.kill()
        server.process.wait(DEADLINE_S)
    until(page, "document.body.classList.contains('offline')")
    with serving(tmp_path, broken("script")) as again:
        assert again.address == server.address
        until(page, "document.getElementById('status').textContent.includes('Paused')")


def test_what_is_chosen_before_the_server_has_answered_is_kept(open_page: OpenPage) -> None:
    page = first_view(open_page)
    page.click("#home-clocks button:nth-of-type(1)")
    until(page, "document.querySelector('#home-clocks button').getAttribute('aria-pressed') === 'true'")
    # A page whose socket does not open until a clock was chosen.
    page.add_init_script("""(() => {
      const Real = WebSocket;
      window.WebSocket = class extends Real {
        set onopen(handler) { super.onopen = () => { window.openSocket = handler; }; }
      };
    })()""")
    page.reload()
    until(page, "window.openSocket && !document.body.inert")
    # By the keyboard: what still loads may move the button under the pointer.
    page.press("#home-clocks button:nth-of-type(2)", "Enter")
    page.evaluate("window.openSocket()")
    until(page, "document.querySelector('#seats li')")
    chosen = (
        "[...document.querySelectorAll('#home-clocks button')].map((one) => one.getAttribute('aria-pressed')).join()"
    )
    assert page.evaluate(chosen).startswith("false,true")
