"""The card at the end of a game: what decided, in words, with its two buttons."""

from collections.abc import Callable
from typing import Any

from tests.helpers.board import Page, Server
from tests.helpers.board_pages import states, until
from tests.helpers.review import record_of, short_game

OpenPage = Callable[..., Any]
PLY = 15
"""A position of a game in which South has just made a mistake."""
PRACTICE = """import('/main.js').then(({modules}) =>
  modules['end_card.js'].endCard.isPractice(modules['play_view.js'].play.state))"""
OVER = "!document.getElementById('end-card').hidden"


def lost_game(page: Any, board: Server) -> None:
    """A game that South plays on from `PLY`, and gives up."""
    line = record_of(short_game("luzhanqi", 1, 16)).strip()
    with Page(board) as host:
        host.until("game")
        assert host.ask("play_from", line=line, ply=PLY, eyes="S")["type"] == "opened"
        until(page, f"document.querySelectorAll('#moves li').length === {PLY}")
        host.say("resign")
        until(page, OVER)


def test_what_decided_is_shown_and_can_be_played_again(open_page: OpenPage, board: Server) -> None:
    page = open_page()
    until(page, "document.querySelector('#seats li')")
    lost_game(page, board)
    assert page.inner_text("#end-card h2") == "You have lost" and page.inner_text("#end-card .cause") == "You resigned."
    until(page, "document.getElementById('end-summary').textContent")
    moments = page.locator("#end-card ol li")
    assert 1 <= moments.count() <= 3
    for moment in moments.all():
        assert moment.locator("button").all_inner_texts() == ["Show", "Play from here"]
        assert moment.inner_text().startswith("Your ")
    # The page numbers the positions after the moves.
    ply = int(moments.last.locator("[data-ply]").get_attribute("data-ply"))
    moments.last.get_by_text("Show").click()
    until(page, "!document.getElementById('past-note').hidden && document.querySelector('#play-board .hint-way')")
    assert f"{ply + 1} of {PLY + 1}" in page.inner_text("#past-note")
    until(page, "document.querySelectorAll('#play-board .went').length === 1")
    assert page.is_visible("#end-card")
    moments.last.get_by_text("Play from here").click()
    until(page, f"document.querySelectorAll('#moves li').length === {ply}")
    assert page.is_hidden("#end-card") and states(page)[-1]["mine"] == "S"
    # What was played before is known, so it is practice.
    assert page.evaluate(PRACTICE)
