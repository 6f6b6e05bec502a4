"""The card at the end of a game: what decided, in words, with its two buttons."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.board import Page, Server
from tests.helpers.board_pages import states, until
from tests.helpers.review import record_of, short_game

OpenPage = Callable[..., Any]
PLY = 15
"""A position of a game in which South has just made a mistake."""
PRACTICE = """import('/main.js').then(({modules}) =>
  modules['end_card.js'].endCard.isPractice(modules['play_view.js'].play.state))"""
STOPPED = """() => import('/main.js').then(async ({modules}) => {
  const {endCard} = modules['end_card.js'], {play} = modules['play_view.js'], {socket} = modules['socket.js'];
  const {request} = socket;
  socket.request = (type, fields) => {
    if (type !== 'review_start') return request.call(socket, type, fields);
    endCard.review = {variant: play.state.variant, steps: [{}, {}, {}], moments: [], players: []};
    return Promise.resolve({is_whole: false});
  };
  endCard.reviewed = 0;
  await endCard.startReview(play.state);
  socket.request = request;
  return document.getElementById('end-progress').textContent;
})"""
"""What the card says of a review that was stopped."""
OVER = "!document.getElementById('end-card').hidden"


@pytest.fixture(scope="module")
def lost(open_shared_page: OpenPage, board: Server) -> Any:
    """A page with the card of a game that South has played on from `PLY`, and given up."""
    page = open_shared_page()
    until(page, "document.querySelector('#seats li')")
    line = record_of(short_game("luzhanqi", 1, 16)).strip()
    with Page(board) as host:
        host.until("game")
        assert host.ask("play_from", line=line, ply=PLY, eyes="S")["type"] == "opened"
        until(page, f"document.querySelectorAll('#moves li').length === {PLY}")
        host.say("resign")
        until(page, OVER)
    until(page, "document.querySelector('#end-card ol [data-ply]')")
    return page


def test_what_decided_is_shown_and_can_be_played_again(lost: Any) -> None:
    page = lost
    page.set_viewport_size({"width": 1200, "height": 800})
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
    # The position before the move, with an arrow for what was played; not also the marks of the move before.
    until(page, "document.querySelector('#play-board .hint.played') && !document.querySelector('#play-board .went')")
    assert page.inner_text("#past-note span").startswith(f"Before move {ply + 1}. Dashed: played")
    assert page.is_visible("#end-card")
    page.click("#past-next")
    until(page, "document.querySelector('#play-board .went') && !document.querySelector('#play-board .hint')")
    assert page.inner_text("#past-note span") == f"Past: move {ply + 1} of {PLY + 1}."
    moments.last.get_by_text("Play from here").click()
    until(page, f"document.querySelectorAll('#moves li').length === {ply}")
    assert page.is_hidden("#end-card") and states(page)[-1]["mine"] == "S"
    assert page.inner_text("#status").startswith("Your turn."), "the game is not paused"
    # What was played before is known, so it is practice.
    assert page.evaluate(PRACTICE)
    page.click("#resign")
    page.click("#confirm button.main")
    until(page, OVER)


def test_a_review_that_was_stopped_says_nothing_of_the_whole_game(lost: Any) -> None:
    assert lost.evaluate(STOPPED) == "Stopped after 3 moves."
