"""The first five minutes: from the first page to the first own move, the hints, and what follows a game."""

import time
from collections.abc import Callable
from typing import Any

from tests.helpers.board_pages import centres, click, my_turn, states, until

OpenPage = Callable[..., Any]


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
