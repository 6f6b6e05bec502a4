"""Records and their study on the page, in Chromium."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.board_pages import (
    centres,
    click,
    new_game,
    point,
    until,
)
from tests.helpers.record import random_game, write_record
from tests.helpers.review import record_of, short_game

OpenPage = Callable[..., Any]
PATH = "location.pathname + location.hash"
REPLAY_STATUS = "document.getElementById('status')?.textContent"
HIDDEN = "3N?1/5/5/5/4N?/5/2N?2/2Sd2/5/4Sf/5/SjSl3 S SN S 0 0 c6:cdf"
OPEN = "3Nl1/5/5/5/4Nf/5/2Nd2/2Sd2/5/4Sf/5/SjSl3 S SN * 0 0"


def test_stepping_through_a_record(open_page: OpenPage, tmp_path: Path) -> None:
    """Stepping, playing and jumping, with all pieces or as one seat saw them."""
    file = tmp_path / "games.jsonl"
    write_record(file, random_game("luzhanqi", "S"), replace(random_game(), game=9))
    page = open_page()
    page.click("#tab-library")
    page.set_input_files("#replay-file", file)

    def at(text: str) -> None:
        until(page, f"{REPLAY_STATUS}.startsWith('{text}')")

    at("Before the first move.")
    assert page.locator("#replay-game option").count() == 2
    page.select_option("#replay-game", index=1)
    until(page, "document.querySelectorAll('#play-board .shapes .shape').length === 100")
    assert page.locator("#play-board .hidden").count() == 0
    page.click("#replay-next")
    at("Move 1 of 60.")
    page.click("#replay-back")
    at("Before the first move.")
    page.select_option("#replay-viewer", "W")
    until(page, "document.querySelectorAll('#play-board .hidden').length === 75")
    seats = {one["name"]: one["y"] for one in centres(page, ".shapes .shape", "play-board")}
    assert seats["96"] > seats["32"], "the board turns to the viewer"
    page.click("#replay-last")
    at("Move 60 of 60.")
    assert "draw" in page.inner_text("#status")
    page.fill("#replay-at", "30")
    at("Move 30 of 60.")
    page.focus("#replay-play")
    page.keyboard.press("ArrowRight")
    at("Move 31 of 60.")
    page.click("#replay-play")
    at("Move 33 of 60.")
    page.click("#replay-play")
    page.set_input_files("#replay-file", {"name": "x.jsonl", "mimeType": "text/plain", "buffer": b'{"game":1}\n'})
    until(page, "document.getElementById('banner').textContent.includes('not a recorded game')")


def open_file(page: Any, *records: Any) -> None:
    """Open records as one file in Games, and wait for the first position, with the keyboard on the buttons to step."""
    page.click("#tab-library")
    data = "".join(record.as_line() + "\n" for record in records).encode()
    page.set_input_files("#replay-file", {"name": "games.jsonl", "mimeType": "text/plain", "buffer": data})
    page.wait_for_selector("#replay-play")
    page.focus("#replay-play")


def test_second_game_of_a_file_may_be_of_the_other_variant(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game(), replace(random_game("luzhanqi", "S"), game=2))
    page.keyboard.press("End")
    until(page, f"{REPLAY_STATUS}.startsWith('Move 60 of 60.')")
    page.select_option("#replay-game", index=1)
    until(page, "document.querySelectorAll('#play-board .shapes .shape').length === 50")
    until(page, f"{REPLAY_STATUS}.startsWith('Before the first move.')")


def test_equal_drawing_changes_nothing_on_the_board(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game("luzhanqi", "S"))
    until(page, "document.querySelectorAll('#play-board .shapes .shape').length === 50")
    page.evaluate("""async () => {
        window.changes = 0;
        const watcher = new MutationObserver((changes) => (window.changes += changes.length));
        for (const layer of document.querySelectorAll('#play-board > g'))
          watcher.observe(layer, {subtree: true, childList: true, attributes: true});
        (await import('/view.js')).redrawNow();
    }""")
    assert page.evaluate("new Promise((done) => setTimeout(() => done(window.changes)))") == 0
    page.click("#replay-next")
    until(page, "window.changes > 0")


def test_quick_arrow_keys_add_up(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="no-preference")
    open_file(page, random_game())
    for _ in range(24):
        page.keyboard.press("ArrowRight")
    until(page, f"{REPLAY_STATUS}.startsWith('Move 24 of 60.')")
    for key in ["ArrowLeft"] * 4 + ["ArrowRight"]:
        page.keyboard.press(key)
    until(page, f"{REPLAY_STATUS}.startsWith('Move 21 of 60.')")


def test_battle_is_shown_as_the_viewer_saw_it(open_page: OpenPage) -> None:
    """The sign of a battle has two pieces by name for everyone, and one for a seat that did not see the other."""
    page = open_page()
    record = random_game("luzhanqi", "S")
    open_file(page, record)
    battle = next(ply for ply, move in enumerate(record.moves, 1) if move[-1] in "ox")
    page.fill("#replay-at", str(battle))
    until(page, "document.querySelectorAll('#play-board .battle .piece').length === 2")
    assert page.locator("#play-board .battle .hidden").count() == 0
    page.select_option("#replay-viewer", "S")
    until(page, "document.querySelectorAll('#play-board .battle .hidden').length === 1")


def test_phone_shows_start_the_menu_and_outcomes_whole(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 664})
    new_game(page, {"N": "Friend (by link)", "W": "script", "E": "script"})
    page.wait_for_selector("#invitations")
    start, tabs, link = (page.locator(one).bounding_box() for one in ("#arrange-start", "#tab-play", "#invitations a"))
    assert link["y"] + link["height"] <= start["y"] and start["y"] + start["height"] <= tabs["y"]
    assert start["x"] >= 0 and start["x"] + start["width"] <= 390
    page.click("#menu")
    for tab in page.locator("nav button").all():
        assert tab.evaluate("tab => tab.scrollWidth <= tab.clientWidth"), tab.inner_text()
    page.keyboard.press("Escape")
    until(page, "document.getElementById('menu').ariaExpanded === 'false'")
    text = "Your turn: the far army. "
    text += "The right enemy's piece (Lieutenant or higher) removed your partner's Field Marshal."
    page.evaluate("text => document.getElementById('status').replaceChildren(text)", text)
    page.evaluate("() => document.getElementById('arrange').remove()")
    height, whole = page.locator("#status").evaluate("(text) => [text.clientHeight, text.scrollHeight]")
    assert height >= whole


def test_notice_ends_with_the_view_it_belongs_to(open_page: OpenPage) -> None:
    page = open_page()
    # Until the game is shown, the page changes its view by itself.
    page.wait_for_selector("#play-board .shape", state="attached")
    page.evaluate("() => import('/shell/notices.js').then(({warn}) => warn(() => 'The draw was declined.'))")
    until(page, "document.getElementById('banner').textContent.startsWith('The draw was declined.')")
    page.click("#tab-learn")
    page.wait_for_selector("#banner", state="hidden")


BLUNDER = """() => import('/state.js').then(({state, set}) => {
  const found = structuredClone(state.review.found);
  const [, step, , later] = found.steps;
  Object.assign(step, {best: later.text.match(/[a-q]\\d+/g).slice(0, 2).join(''), loss: 0.3});
  set({review: {...state.review, found: {...found, moments: [{step: 1, kind: 'blunder', size: 0.3, player: 'N'}]}}});
})"""
"""In the review that is shown, the second move is a blunder: the fourth one was better."""


@pytest.mark.long
def test_review_grows_under_replay_until_it_is_whole(open_page: OpenPage, tmp_path: Path) -> None:
    plies = 4
    (tmp_path / "games.jsonl").write_text(record_of(short_game("luzhanqi", 1, plies)))
    page = open_page()
    page.click("#tab-library")
    page.set_input_files("#replay-file", tmp_path / "games.jsonl")
    until(page, f"{REPLAY_STATUS}.startsWith('Before the first')")
    page.click("#review-start")
    until(page, "!document.getElementById('review-stop') && document.getElementById('review-found')")
    reviews = [one for one in map(json.loads, page.frames_received) if one["type"] == "review"]
    sizes = [len(message["review"]["steps"]) for message in reviews]
    assert sizes == sorted(sizes) and sizes[-1] == plies
    assert page.evaluate("import('/state.js').then(({state}) => state.review.isWhole)")
    assert {one["number"] for one in reviews} == {1}, "each says which review it belongs to"
    assert "lineups" not in reviews[-1]["review"]
    assert page.locator("#review-graph .line").count() == 1
    # A moment shows the position before it, with arrows for what was played and for what was better.
    page.evaluate(BLUNDER)
    page.locator("#review-moments button").click()
    until(page, f"{REPLAY_STATUS}.startsWith('Before move 2.')")
    assert page.locator("#play-board .arrow.rank-0").count() == page.locator("#play-board .arrow.played").count() == 1
    told = page.inner_text("#review-text")
    assert "Better:" in told and "best" not in told
    # While a better move is looked for, nothing beside the board tells it.
    page.evaluate("""() => import('/state.js').then(({state, change}) =>
        change('shown', {comparison: {...state.shown.comparison, targets: {}, tried: ''}}))""")
    until(page, "!document.getElementById('review-text')")
    page.evaluate("""() => import('/state.js').then(({state, change}) =>
        change('shown', {comparison: {...state.shown.comparison, tried: 'shown'}}))""")
    assert "Better:" in page.inner_text("#review-text")
    # The text of the answer moves the button below it: a click meanwhile may end beside it.
    page.click("#replay-next")
    until(page, f"{REPLAY_STATUS}.startsWith('Move 2 of')")
    page.click("#review-play")
    until(page, "!document.getElementById('play').hidden")


def set_up(page: Any, fen: str) -> None:
    """Set up a position in *Games*, and wait for its pieces."""
    page.click("#tab-library")
    page.click("#library #advanced summary")
    page.select_option("#library #study-variant", "luzhanqi")
    page.fill("#library #study-fen", fen)
    page.click("#library #study-set-up")
    until(page, "document.querySelectorAll('#play-board .shapes .shape').length === 7")


VARIATIONS = """[...document.querySelectorAll('#move-list .variation')]
  .map((one) => [...one.querySelectorAll(':scope > ol > li > .quiet:not([aria-label^=Remove])')]
    .map((move) => move.textContent.match(/[a-e]\\d+–[a-e]\\d+/)[0]).join(' ')).join()"""
"""The moves of each variation, without those of the variations in it."""
CURRENT = "document.querySelector('#move-list [aria-current]')?.textContent.match(/[a-e]\\d+–[a-e]\\d+/)[0]"


def test_variations_nest_and_are_left_and_kept_over_a_reload(open_page: OpenPage) -> None:
    """
    e3e4 e8e7   then back to e3e4: e8e9 is a variation of it
    c5c6        from the start: another variation; a battle that all pieces decide
    """
    page = open_page()
    set_up(page, OPEN)

    def play(start: str, end: str) -> None:
        for name in (start, end):
            click(page, point(page, name))
        # The list has the move before the board does.
        until(page, f"{CURRENT} === '{start}–{end}'")

    play("e3", "e4")
    until(page, f"{VARIATIONS} === 'e3–e4'")
    play("e8", "e7")
    until(page, f"{VARIATIONS} === 'e3–e4 e8–e7'")
    page.focus("#replay-play")
    page.keyboard.press("ArrowLeft")
    until(page, f"{CURRENT} === 'e3–e4'")
    play("e8", "e9")
    until(page, f"{VARIATIONS} === 'e3–e4 e8–e7,e8–e9'")
    page.reload()
    until(page, f"{VARIATIONS} === 'e3–e4 e8–e7,e8–e9' && {CURRENT} === 'e8–e9'")
    # By keys out of it and in again, then out of both.
    page.focus("#move-list [tabindex='0']")
    page.keyboard.press("Shift+ArrowLeft")
    until(page, f"{CURRENT} === 'e3–e4' && document.activeElement.textContent.includes('e3–e4')")
    page.keyboard.press("Shift+ArrowRight")
    until(page, f"{CURRENT} === 'e8–e9'")
    # A board that was reached by keys has a cursor, which reads it; on one that was clicked the keys step.
    page.focus("#play-board")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    until(page, f"document.getElementById('live').textContent && {CURRENT} === 'e8–e9'")
    page.click("#play-board", position={"x": 2, "y": 2})
    page.keyboard.press("ArrowLeft")
    until(page, f"{CURRENT} === 'e3–e4'")
    page.click("#variation-leave")
    until(page, "!document.getElementById('variation-leave')")
    assert not page.locator("#seats .losses").count()
    play("c5", "c6")
    page.wait_for_selector("#seats [data-seat='S'] .losses")
    until(page, f"{VARIATIONS} === 'e3–e4 e8–e7,e8–e9,c5–c6'")
    page.click("#move-list > .variation:first-child > [aria-label='Remove the variation']")
    until(page, f"{VARIATIONS} === 'c5–c6'")


def test_battle_with_a_hidden_piece_is_decided_by_the_person(open_page: OpenPage) -> None:
    page = open_page()
    set_up(page, HIDDEN)
    page.click("#play #advanced summary")
    page.fill("#study-move", "c5c6")
    page.press("#study-move", "Enter")
    page.wait_for_selector("#play .alert button")
    # The question is gone with the position that it is about.
    page.click("#replay-first")
    page.wait_for_selector("#play .alert", state="detached")
    page.fill("#study-move", "c5c6")
    page.press("#study-move", "Enter")
    page.click("#play .alert button >> nth=0")
    until(page, f"{VARIATIONS} === 'c5–c6'")
    # The reply is that of pieces which the engine does not see, and it says so.
    page.check("#study-engine")
    until(page, "document.getElementById('play').textContent.includes('the pieces of the side to move are hidden')")


def test_engine_is_a_switch_that_follows_the_position(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game("luzhanqi", "S"))
    page.check("#study-engine")
    for _ in range(2):
        page.wait_for_selector("#study-lines li")
        page.wait_for_selector("#play-board .arrow.rank-0", state="attached")
        assert re.search(r"[a-e]\d+–[a-e]\d+.*%", page.inner_text("#study-lines li >> nth=0"), re.DOTALL)
        page.keyboard.press("ArrowRight")
        until(page, "!document.querySelector('#study-lines li')")
    page.uncheck("#study-engine")
    until(page, "!document.querySelector('#play-board .arrow')")


def test_sign_of_a_battle_makes_way_for_the_lines_of_the_engine(open_page: OpenPage) -> None:
    page = open_page()
    record = random_game("luzhanqi", "S")
    open_file(page, record)
    battle = next(ply for ply, move in enumerate(record.moves, 1) if move[-1] in "ox")
    page.fill("#replay-at", str(battle))
    page.wait_for_selector("#play-board .battle", state="attached")
    page.check("#study-engine")
    page.wait_for_selector("#play-board .arrow.rank-0", state="attached")
    page.wait_for_selector("#play-board .battle", state="detached")
    page.uncheck("#study-engine")
    page.wait_for_selector("#play-board .battle", state="attached")


SIDES = """[...document.querySelectorAll('#move-list > [data-column] button')]
  .map((one) => [one.querySelector('b').className.match(/seat-./)[0], one.getBoundingClientRect().x].join(' '))"""
"""The seat and the place of each move of the record in the list."""
PLAY_ANY_MOVE = """async () => {
  const {targets} = (await import('/state.js')).state.shown.scene;
  (await import('/record/study.js')).playOn(Object.values(Object.values(targets)[0])[0]);
}"""


def test_sides_keep_their_columns_after_a_variation(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game("luzhanqi", "S"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until(page, f"{REPLAY_STATUS}.startsWith('Move 2 of 60.')")
    sides = set(page.evaluate(SIDES))
    page.evaluate(PLAY_ANY_MOVE)
    page.wait_for_selector("#move-list > .variation")
    assert len(sides) == 2
    assert set(page.evaluate(SIDES)) == sides


def test_opened_record_is_kept_in_games_with_an_address(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game("luzhanqi", "S"))
    until(page, f"{PATH}.startsWith('/game/')")
    page.reload()
    page.wait_for_selector("#move-list li")
    page.click("#tab-library")
    page.wait_for_selector("#library-list .saved.over")
