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
COVERED = """(() => {
  const note = document.getElementById('past-note').getBoundingClientRect();
  const parts = [document.getElementById('play-board'), ...document.querySelectorAll('#seats li')];
  return parts.map((one) => one.getBoundingClientRect()).filter(({left, right, top, bottom}) =>
    left < note.right && right > note.left && top < note.bottom && bottom > note.top).length;
})()"""
"""How many of the board and its plates the note of the past covers."""
MOMENTS = """(result) => import('/main.js').then(({modules}) => {
  const {endCard} = modules['end_card.js'], piece = (seat) => ({seat});
  const entry = (seat, other) => ({attacker: piece(seat), defender: other ? piece(other) : null});
  const moves = ['S', 'E', 'N', 'W', 'S', 'ES', 'NE', 'WN', 'S'];
  const steps = moves.map(([seat]) => ({seat, best: 'x'}));
  const moments = [
    ['mistake', 0, 'S'], ['mistake', 2, 'N'], ['mistake', 3, 'W'], ['mistake', 5, 'E'], ['luck', 5, 'E'],
    ['luck', 6, 'E'], ['luck', 7, 'W'], ['brilliant', 4, 'S'], ['brilliant', 7, 'W'],
  ].map(([kind, step, player], index) => ({kind, step, player, size: 0.9 - 0.01 * index}));
  const before = {...endCard};
  Object.assign(endCard, {game: {story: moves.map(([one, other]) => entry(one, other))}, review: {steps, moments}});
  const found = endCard.moments({mine: 'S', result, seats: {S: {}, E: {}, N: {}, W: {}}});
  Object.assign(endCard, before);
  return found.map(({kind, step}) => `${kind} ${step}`);
})"""
"""The moments of a game of four seats that are told to South."""
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


def test_result_and_main_button_are_seen_at_once_and_nothing_covers_the_board(lost: Any) -> None:
    """On a phone the moments were below the fold, and the note of the past lay over the bottom row."""
    page = lost

    def edges(selector: str) -> tuple[float, float]:
        box = page.locator(selector).first.bounding_box()
        return box["y"], box["y"] + box["height"]

    for width, height in ((390, 844), (844, 390), (1280, 760)):
        page.set_viewport_size({"width": width, "height": height})
        for part in ("#end-card h2", "#end-card .cause", "#rematch"):
            assert edges(part)[0] >= 0 and edges(part)[1] <= height, (width, part)
        if width == 390:
            assert edges("#end-card")[1] == height and edges("#play-board .shapes .seat-N")[1] < edges("#end-card")[0]
        page.click("#end-card ol [data-ply]")
        until(page, "!document.getElementById('past-note').hidden")
        assert edges("#past-note")[1] <= height and page.evaluate(COVERED) == 0
        page.click("#past-end")
        assert page.is_visible("#end-card")


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


def test_the_moments_of_four_seats_are_of_the_persons_own(open_page: OpenPage) -> None:
    """They were of the partner, after the person was out."""
    page = open_page()
    until(page, "document.querySelector('#seats li')")
    assert page.evaluate(MOMENTS, "EW") == ["mistake 0", "brilliant 4", "luck 5"]
    assert page.evaluate(MOMENTS, "SN") == ["brilliant 4", "mistake 5"]
