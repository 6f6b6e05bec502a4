"""The end of a game on the page: what decided it, tried again, and one's own mistakes put right."""

import re
from collections.abc import Callable
from typing import Any

from tests.helpers.board import Page, Server
from tests.helpers.board_pages import OVER, PLAYED, centres, click, give_up, states, until
from tests.helpers.review import record_of, short_game

OpenPage = Callable[..., Any]
PLY = 23
"""A position of a game in which South has just made a mistake."""


def reviewed_page(open_page: OpenPage, board: Server) -> Any:
    """A page with the review of a game that South has played on from `PLY`, and given up."""
    page = open_page()
    until(page, "document.querySelector('#seats li')")
    with Page(board) as host:
        host.until("game")
        line = record_of(short_game("luzhanqi", 12, 24)).strip()
        assert host.ask("play_from", line=line, ply=PLY, viewer="S", moves="", elo=None)["type"] == "opened"
        until(page, f"{PLAYED} === {PLY}")
        host.say("resign")
    until(page, "document.getElementById('end-summary')?.textContent")
    return page


HOLD_RECORD = """import('/socket.js').then(({socket}) => {
  const request = socket.request;
  socket.request = async (type, fields) => {
    const answer = await request.call(socket, type, fields);
    if (type === 'replay_open') await new Promise((goOn) => (window.goOn = goOn));
    return answer;
  };
})"""
"""The server's answer with the record of the game waits for `goOn`."""


def test_battle_chosen_before_the_record_opens_stays(open_page: OpenPage, board: Server) -> None:
    page = open_page()
    with Page(board) as host:
        host.until("game")
        host.ask(
            "play_from", line=record_of(short_game("luzhanqi", 12, 24)).strip(), ply=PLY, viewer="S", moves="", elo=None
        )
        until(page, f"{PLAYED} === {PLY}")
        page.evaluate(HOLD_RECORD)
        host.say("resign")
        until(page, f"{OVER} && window.goOn")
    first = page.locator("#log li").last
    start = f"Viewing move {first.get_attribute('data-ply')} of"
    note = f"document.querySelector('#past-note span')?.textContent.startsWith('{start}')"
    first.locator("button").click()
    until(page, note)
    page.evaluate("goOn()")
    until(page, "document.getElementById('replay-at')")
    assert page.evaluate(note)


BAD_LUCK = """() => import('/state.js').then(({state, set}) => {
  const found = structuredClone(state.review.found);
  found.steps[20].luck = {S: -0.3, N: 0.3};
  found.moments = [{step: 20, kind: 'luck', size: 0.3, player: 'N'}];
  found.steps.forEach((one, at) => (one.fair.S = at > 20 ? 0.3 : 0.6));
  set({review: {...state.review, found}});
})"""
"""In the review, a battle of the person is bad luck, which is never made up for."""


def test_decisive_moments_are_shown_and_can_be_retried(open_page: OpenPage, board: Server) -> None:
    page = reviewed_page(open_page, board)
    page.evaluate(BAD_LUCK)
    moments = page.locator("#end-card ol li")
    assert moments.count() == 1
    for moment in moments.all():
        assert moment.locator("button").all_inner_texts() == ["Show", "Play from here"]
        assert moment.inner_text().startswith("Your ")
    # The page numbers the positions after the moves.
    ply = int(moments.last.locator("[data-ply]").get_attribute("data-ply"))
    moments.last.get_by_text("Show").click()
    # The position before the move, with an arrow for what was played; not also the marks of the move before.
    until(page, "document.querySelector('#play-board .arrow.played') && !document.querySelector('#play-board .went')")
    assert page.inner_text("#past-note span").startswith(f"Before move {ply + 1}. Red: played")
    assert page.is_visible("#end-card")
    page.click("#past-next")
    until(page, "document.querySelector('#play-board .went') && !document.querySelector('#play-board .soft')")
    assert page.inner_text("#past-note span") == f"Viewing move {ply + 1} of {PLY + 1}."
    moments.last.get_by_text("Play from here").click()
    until(page, f"{PLAYED} === {ply}")
    assert page.is_hidden("#end-card") and states(page)[-1]["mine"] == "S"
    until(page, "document.getElementById('status').textContent.startsWith('Your turn.')")
    # The moves before are known, so the game is practice.
    assert states(page)[-1]["practice"]
    give_up(page)


MISTAKE = """() => import('/state.js').then(({state, set}) => {
  const found = structuredClone(state.review.found);
  const step = found.steps.findLastIndex(({seat, text, best}) => seat === 'S' && best && !text.startsWith(best));
  found.steps[step].loss = 0.3;
  found.moments = [{step, kind: 'mistake', size: 0.3, player: 'S'}];
  set({review: {...state.review, found}});
})"""
"""In the review, a move of the person is a mistake for which it knows a better one."""


def test_retry_own_mistake(open_page: OpenPage, board: Server) -> None:
    """Another move is not enough; the better one is shown by an arrow."""
    page = reviewed_page(open_page, board)
    page.evaluate(MISTAKE)
    wide = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("#find-better")
    # On a phone the button is far below: the whole board and the question come into sight.
    until(page, "scrollY === 0 && document.getElementById('better-note')?.getBoundingClientRect().bottom < innerHeight")
    page.set_viewport_size(wide)
    note = "document.querySelector('#better-note span')?.textContent"
    until(page, f"{note} === 'Find a better move.' && document.querySelector('#play-board .movable')")
    assert not page.locator("#play-board .arrow.rank-0").count()
    best = page.evaluate("import('/state.js').then(({state}) => state.shown.comparison.better)")
    for wanted, told in ((False, "There is a better one. Try again."), (True, "Yes, that is better: ")):
        for shape in centres(page, ".shapes .movable"):
            click(page, shape)
            found = [target for target in centres(page, ".target") if (target["name"] == best) == wanted]
            if found:
                click(page, found[0])
                break
        until(page, f"{note}?.startsWith('{told}')")
    assert re.fullmatch(r"Yes, that is better: \d+% instead of \d+%\.", page.evaluate(note))
    assert page.locator("#play-board .arrow.rank-0").count() == page.locator("#play-board .arrow.played").count() == 1
    # What is tried instead is a variation, of which the review knows nothing.
    page.evaluate(f"import('/record/study.js').then(({{playOn}}) => playOn('{best}'))")
    until(page, "document.querySelector('#past-note span')?.textContent.startsWith('Variation, move')")
    assert not page.locator("#review-text").count()
    page.click("#variation-leave")
    until(page, "!document.getElementById('variation-leave')")
    # The address of an earlier position leads there again, though the game on the board opens its own record too.
    page.click("#replay-first")
    until(page, "location.pathname.startsWith('/game/') && location.hash === '#0'")
    page.reload()
    until(page, "document.getElementById('record-close') && document.getElementById('replay-at').value === '0'")
