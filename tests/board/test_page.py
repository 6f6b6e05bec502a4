"""Games on the page, in Debian's Chromium: a first one, a whole one, clicks and drags, marks, help, and the table."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from junqi_engine.api.game_record import GameRecord
from junqi_referee.endings import Ending
from junqi_referee.records.replay import verify
from tests.helpers.board import OWN_ENGINE, Server, begin_with_no_game, own_pieces, serving
from tests.helpers.board_pages import (
    PLAYED,
    centres,
    click,
    click_a_move,
    click_a_quiet_move,
    drag,
    give_up,
    my_turn,
    new_game,
    plies,
    start,
    states,
    until,
)
from tests.helpers.marking import long_after
from tests.helpers.screenshots import GAMES, saved_game

OURS = "Beginner"
RULES = {"no_contact": 12, "max_plies": 20}
OpenPage = Callable[..., Any]


def test_first_game_takes_three_clicks_and_is_rated_without_help(open_page: OpenPage, tmp_path: Path) -> None:
    with serving(tmp_path, OWN_ENGINE) as server:
        page = open_page(server.token, server, at_home=True)
        page.wait_for_selector("#home-play")
        assert page.is_hidden("#play") and page.is_hidden("#you-card")
        assert page.locator("#home button.main").count() == 1
        page.click("#home-play")
        assert my_turn(page) and page.is_visible("#tip")
        state = states(page)[-1]
        assert state["variant"] == "luzhanqi" and state["mine"] == "S"
        plate = page.locator("#seats [data-seat=N]")
        assert plate.locator("b").inner_text() == "Zhou Cang" and plate.locator(".portrait").is_visible()
        assert plate.locator(".note").all_inner_texts() == ["Enemy", "Beginner", "25 pieces"]
        click_a_quiet_move(page)
        page.click("#tab-home")
        assert page.locator("#home button.main").all_inner_texts() == ["Continue your game"]
        page.click("#home-play")
        assert my_turn(page)
        give_up(page)
        rating = states(page)[-1]["ladder"]["ratings"]["luzhanqi"]
        assert page.inner_text("#ladder") == "Luzhanqi: rating after 5 games, 1 so far"
        # Help in a game, and it counts no more.
        page.click("#rematch")
        start(page)
        assert my_turn(page)
        click_a_quiet_move(page)
        assert my_turn(page)
        page.click("#take-back:not([disabled])")
        until(page, f"{PLAYED} === 0")
        give_up(page)
        assert states(page)[-1]["ladder"]["ratings"] == {"luzhanqi": rating}
        assert "Practice" in page.inner_text("#ladder")
        page.click("#language")
        page.click("#tab-home")
        assert "二人军棋：满 5 局有等级分，已下 1 局" in page.inner_text("#you-card")
        # The server keeps it.
        other = open_page(server.token, server, at_home=True)
        until(other, "document.getElementById('you-ratings')?.textContent.includes('rating after 5 games, 1 so far')")


@pytest.mark.parametrize(
    ("variant", "visibility", "mine", "others"),
    long_after(1, [("siguo", "partner", "SN", "EW"), ("siguo", "dark", "S", "ENW"), ("luzhanqi", "dark", "S", "N")]),
)
def test_whole_game_by_clicks(
    open_page: OpenPage, board: Server, variant: str, visibility: str, mine: str, others: str
) -> None:
    page = open_page()
    new_game(page, dict.fromkeys(others, OURS), visibility, variant)
    start(page)
    rng = random.Random(3)
    while my_turn(page):
        click_a_move(page, rng)
    record = GameRecord.from_line(json.dumps(board.records()[-1]))
    assert not Ending.of(record).breaks_off and verify(record) is None
    assert record.variant == variant and set().union(*map(own_pieces, states(page))) == set(mine)
    outcome = "draw" if record.result == "draw" else "won" if "S" in record.result else "lost"
    assert outcome in page.inner_text("#status")
    page.click("#replay-first")
    until(page, "document.querySelector('#past-note span')?.textContent.startsWith('Viewing move 0 of')")


def test_drag_mark_and_engine_help(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, dict.fromkeys("EW", OURS))
    start(page)
    my_turn(page)
    shape = centres(page, ".shapes .movable")[0]
    click(page, shape)
    target = centres(page, ".target")[0]
    click(page, shape)
    assert not centres(page, ".target")
    drag(page, shape, target)
    until(page, f"{PLAYED} > 0")
    my_turn(page)
    hidden = next(one for one in centres(page, ".shapes .hidden") if one["name"] == "40")
    click(page, hidden, button="right")
    page.click("#marks-menu [data-mark='k']")
    assert page.text_content("#play-board [data-id='40'] .mark") == "Bomb"
    # Until *Done* a click marks, and nothing else: neither an empty point nor an own piece ends that.
    page.click("#marks-toggle")
    assert not centres(page, ".shapes .movable")
    for place in (target, shape, hidden):
        click(page, place)
    page.click("#marks-menu [data-mark='j']")
    assert page.inner_text("#marks-note").startswith("Your turn") and page.is_hidden("#banner")
    page.click("#marks-done")
    assert page.text_content("#play-board [data-id='40'] .mark") == "Mine" and centres(page, ".shapes .movable")
    page.click("#side [data-side=help]")
    page.check("#belief")
    page.wait_for_selector("#play-board .guess")
    assert page.locator("#play-board .chances").first.locator("rect").count() == 12
    other = next(one for one in centres(page, ".shapes .hidden") if one["name"] == "50")
    page.mouse.move(other["x"], other["y"])
    page.wait_for_selector("#belief-bars meter")
    assert "enemy" in page.inner_text("#belief-bars p")
    assert page.locator("#play-board .signs .pointed").count() == 1, "the board marks the piece"
    page.click("#advice")
    page.wait_for_selector("#play-board .arrow-line", state="attached")
    assert "%" in page.inner_text("#advice-text")
    chances = page.locator("#play-board .arrow-chance").all_text_contents()
    assert chances and len(chances) == len(set(chances)), "what is as good is not said twice"
    page.click("#look")
    assert page.text_content("#play-board [data-id='40'] .mark") == "地雷"
    # What has moved is no Landmine.
    page.evaluate(MARK_ALL_MINES)
    click_a_quiet_move(page)
    assert my_turn(page)
    moved = str(states(page)[-1]["last"]["attacker"]["piece"])
    assert moved not in page.evaluate("import('/state.js').then(({state}) => state.marks.letters)")
    assert page.is_visible("#banner")


MARK_ALL_MINES = """import('/state.js').then(({state, change}) => change('marks', {
  letters: Object.fromEntries(state.table.game.pieces.filter((piece) => piece[3] === '?').map(([, id]) => [id, 'j'])),
}))"""
CUT_OFF = """() => {
  const shown = (one) => one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 0;
  const names = "#seats .who, #seats .clock, #seats .lost, header button, .view:not([hidden]) button"
    + ", #status";
  const bad = [...document.querySelectorAll(names)].filter(shown).filter((one) => {
    const box = one.getBoundingClientRect();
    const wide = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline";
    return wide || box.left < -0.5 || box.right > innerWidth + 0.5;
  });
  const seats = [...document.querySelectorAll("#seats li")].map((one) => [one, one.getBoundingClientRect()]);
  const spill = (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  const spills = seats.filter(([one]) => spill(one));
  const bodies = [...document.querySelectorAll("#play-board .shapes .body")];
  const pieces = bodies.map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const covered = seats.filter(([, box]) => pieces.some((piece) => meet(box, piece)));
  const found = [...bad, ...spills.map(([one]) => one), ...covered.map(([one]) => one)];
  return found.map((one) => one.id || one.textContent);
}"""
"""The controls, seats and texts that are cut off, beside the window, or cover a piece."""


def test_table_of_a_game_and_its_end(open_page: OpenPage, tmp_path: Path) -> None:
    """Trays, the log of battles, the past, widths; then all pieces. By this file's rules the game might end before."""
    with serving(tmp_path, OWN_ENGINE) as server:
        page = open_page(server.token, server)
        new_game(page, dict.fromkeys("EW", OURS), clock="1800+10")
        start(page)
        rng = random.Random(6)
        log = page.locator("#log li")
        while my_turn(page) and (plies(page) < 8 or log.count() < 2):
            click_a_move(page, rng)
        assert page.is_hidden("#end-card"), "the game goes on"
        for seat in "SENW":
            enemies = "EW" if seat in "SN" else "SN"
            chips = [text.split("\n") for text in page.locator(f"#seats .lost.seat-{seat}").all_inner_texts()]
            removed = sum(int(count[0].removeprefix("×")) if count else 1 for _, *count in chips)
            assert f"{25 - removed} pieces" in page.inner_text(f"#seats [data-seat={seat}] .who")
            in_trays = [page.locator(f"#seats [data-seat={enemy}] .lost.seat-{seat}").count() for enemy in enemies]
            assert sum(in_trays) == len(chips), "a piece is in the tray of the enemy who captured it"
            assert all(name for name, *_ in chips)
            assert seat in "EW" or not any(name == "?" for name, *_ in chips), "own pieces are shown by name"
        # The oldest battle is played again, which ends in the position after it.
        count, first = plies(page), int(log.last.get_attribute("data-ply"))
        log.last.locator("button").click()
        note = "document.querySelector('#past-note:not([hidden]) span')?.textContent"
        until(page, f"{note} === 'Viewing move {first} of {count}.'")
        assert not centres(page, ".movable")
        page.click("#past-back")
        until(page, f"{note}?.includes('move {first - 1} ')")
        page.click("#past-end")
        assert page.is_hidden("#past-note") and my_turn(page)
        assert page.locator("#seats .clock:not(:empty)").count() == 4
        for _ in ("English", "Chinese"):
            page.click("#language")
            for width in (360, 768, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate(CUT_OFF) == [], width
                assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#play-board .hidden").count() > 20
        give_up(page)
        assert (
            page.inner_text("#end-card h2") == "You have lost"
            and page.inner_text("#end-card .cause") == "You resigned."
        )
        assert page.locator("#play-board .hidden").count() == 0
        assert page.locator("#play-board .shapes .piece").count() > 40, "pieces stay where they stood"
        until(page, "document.querySelector('#log li').textContent.includes('You resigned')")
        assert page.evaluate(CUT_OFF) == []
        page.click("#rematch")
        page.wait_for_selector("#arrange:not([hidden])")
        assert page.is_hidden("#end-card") and page.is_hidden("#past-note")


@pytest.mark.long
def test_advice_of_a_game_is_gone_when_another_is_resumed(open_page: OpenPage, board: Server) -> None:
    """Both have as many moves; the points of the first are not on the board of the other."""
    for variant, name in GAMES.items():
        (board.folder / f"{name}.jsonl").write_text(saved_game(variant))
    begin_with_no_game(board)
    page = open_page()

    def resume(variant: str) -> None:
        page.click("#tab-library")
        page.click(f"[data-name='{GAMES[variant]}.jsonl'] [data-do=resume]")
        if variant == "luzhanqi":
            page.click("#confirm button.main")
        page.wait_for_selector("#play-board .movable")

    resume("siguo")
    page.click("#side [data-side=help]")
    page.click("#advice")
    page.wait_for_selector("#play-board .arrow-line", state="attached")
    resume("luzhanqi")
    assert page.locator("#play-board .arrow-line").count() == 0
