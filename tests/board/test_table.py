"""The table of a game as people see it: space, moves that travel, battles, the list of moves, the past, the end.

One page serves most tests of this file: a page takes seconds to open, and these tests only look at it.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.board import DEADLINE_S, Server
from tests.helpers.board_pages import (
    AT_THE_TABLE,
    centres,
    click_a_move,
    listed,
    my_turn,
    new_game,
    open_record,
    start,
    until,
)
from tests.helpers.marking import long_after
from tests.helpers.record import random_game

WIDTHS = (360, 390, 414, 600, 768, 1024, 1280, 1366, 1600, 1920, 2560)
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


HELD = """() => import('/main.js').then(({modules}) => {
  const {helpPane} = modules['help_pane.js'], {play} = modules['play_view.js'], {arrivals, messages, state} = play;
  const moves = [...state.moves, ''], [point] = state.pieces.find(([, , , letter]) => letter === '?');
  Object.assign(arrivals, {timer: 1, game: state.game});
  messages.game({...state, moves});
  messages.belief({ply: moves.length, points: {[point]: {a: 1}}});
  const before = helpPane.guess(point);
  arrivals.goOn();
  return [before, helpPane.guess(point)];
})"""
"""What is believed of a piece while an own battle is shown and the next move has come, and when that is shown."""


@pytest.fixture(scope="module")
def table(browser: Any, board: Server) -> Iterator[Any]:
    """A page with a game of four seats and clocks, after some moves and battles."""
    context = browser.new_context(viewport={"width": 1600, "height": 900}, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(1000 * DEADLINE_S)
    context.add_init_script(AT_THE_TABLE)
    page = context.new_page()
    page.goto(f"{board.base}#{board.token}")
    page.wait_for_selector("#new:not([hidden])")
    page.evaluate("document.getElementById('setup-clock').innerHTML = '<option value=\"1800+10\"></option>'")
    new_game(page, dict.fromkeys("EW", "junqi-engine 1.0"))
    start(page)
    rng = random.Random(6)
    moves = 0
    while moves < 8 or not page.locator("#moves li.battle").count():
        my_turn(page)
        click_a_move(page, rng)
        moves += 1
    my_turn(page)
    yield page
    context.close()


@pytest.fixture(scope="module")
def replay(browser: Any, board: Server) -> Iterator[Any]:
    """A page that shows a recorded game, with animations."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, locale="en-GB")
    context.set_default_timeout(1000 * DEADLINE_S)
    context.add_init_script(AT_THE_TABLE)
    page = context.new_page()
    page.goto(f"{board.base}#{board.token}")
    open_record(page, random_game())
    yield page
    context.close()


def at(page: Any, ply: int) -> None:
    place = f"Move {ply} of" if ply else "Before the first move"
    until(page, f"document.getElementById('replay-status').textContent.startsWith('{place}')")


@pytest.mark.long
@pytest.mark.parametrize("language", long_after(1, ["en", "zh"]))
def test_nothing_is_cut_off_at_any_width(table: Any, language: str) -> None:
    if table.evaluate("document.documentElement.lang")[:2] != language:
        table.click("#language")
    assert table.locator("#seats .clock:not(:empty)").count() == 4
    for width in WIDTHS:
        table.set_viewport_size({"width": width, "height": 800})
        assert table.evaluate(CUT_OFF) == [], width
        assert table.evaluate("document.documentElement.scrollWidth") <= width
    table.set_viewport_size({"width": 1600, "height": 900})
    if language != "en":
        table.click("#language")


def test_trays_show_the_captured_pieces(table: Any) -> None:
    for seat in "SENW":
        enemies = "EW" if seat in "SN" else "SN"
        chips = [text.split("\n") for text in table.locator(f"#seats .lost.seat-{seat}").all_inner_texts()]
        removed = sum(int(count[0].removeprefix("×")) if count else 1 for _, *count in chips)
        assert f"{25 - removed} pieces" in table.inner_text(f"#seats [data-seat={seat}] .who")
        in_trays = [table.locator(f"#seats [data-seat={enemy}] .lost.seat-{seat}").count() for enemy in enemies]
        assert sum(in_trays) == len(chips), "a piece is in the tray of the enemy who captured it"
        assert all(name for name, *_ in chips)
        assert seat in "EW" or not any(name == "?" for name, *_ in chips), "own pieces are shown by name"


def test_the_list_shows_rounds_and_the_past_and_follows_the_game(table: Any) -> None:
    moves = table.locator("#moves li")
    count = moves.count()
    assert table.locator("#moves li[data-round]").count() >= count // 4
    assert table.locator("#moves li.battle s").count() > 0, "removed pieces are struck out"
    last = "document.querySelector('#moves li:last-child')"
    below = "document.getElementById('moves').scrollTop + document.getElementById('moves').clientHeight"
    assert table.evaluate(f"{last}.offsetTop + 5 < {below}"), "the list follows the game"
    moves.first.click()
    table.wait_for_selector("#past-note:not([hidden])")
    assert table.inner_text("#past-note span") == f"Past: move 1 of {count}."
    assert not centres(table, ".movable") and table.locator("#moves [aria-selected=true]").count() == 1
    table.focus("#moves")
    table.keyboard.press("ArrowRight")
    until(table, "document.querySelector('#past-note span').textContent.includes('move 2')")
    table.click("#past-end")
    assert table.is_hidden("#past-note") and my_turn(table)


def test_the_end_of_a_game_is_shown_with_all_pieces(table: Any) -> None:
    assert table.locator("#play-board .hidden").count() > 20
    table.click("#resign")
    table.click("#confirm button.main")
    table.wait_for_selector("#end-card:not([hidden])")
    assert (
        table.inner_text("#end-card h2") == "You have lost" and table.inner_text("#end-card .cause") == "You resigned."
    )
    assert table.locator("#play-board .hidden").count() == 0
    assert table.locator("#play-board .shapes .piece").count() > 40, "pieces stay where they stood"
    until(table, listed("You resigned"))
    assert "resign:" not in table.inner_text("#moves")
    assert table.evaluate(CUT_OFF) == []
    with table.expect_download() as saved:
        table.click("#save-game")
    assert saved.value.suggested_filename.endswith(".jsonl")
    table.click("#rematch")
    table.wait_for_selector("#arrange:not([hidden])")
    assert table.is_hidden("#end-card") and table.is_hidden("#past-note")


def test_advice_is_a_sentence_and_arrows_and_belief_is_bars(table: Any) -> None:
    new_game(table, {"E": "script", "W": "script"})
    start(table)
    my_turn(table)
    table.click("#side [data-side=help]")
    table.check("#belief")
    table.wait_for_selector("#play-board .chances", state="attached")
    assert table.locator("#play-board .chances").first.locator("rect").count() == 12
    table.click("#advice")
    until(table, "document.getElementById('advice-text').textContent")
    text = table.inner_text("#advice-text")
    assert text.startswith(("Move your ", "Attack the ")) and "Chance to win: about " in text
    assert table.locator("#play-board .hint-way").count() >= 2
    chances = table.locator("#play-board .hint-chance").all_text_contents()
    assert chances and len(chances) == len(set(chances)), "what is as good is not said twice"
    assert table.is_hidden("#info"), "the engine's lines are shown on request"
    assert table.evaluate(HELD) == [None, {"letter": "a", "chances": {"a": 1}}]
