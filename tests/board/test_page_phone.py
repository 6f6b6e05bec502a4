"""The page on small screens, and with fingers; nothing moves while a game goes on."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import pytest

from junqi_board.problems import THEMES, problems
from tests.helpers.board import Server, begin_with_no_game
from tests.helpers.board_pages import (
    OVER,
    centres,
    click_a_quiet_move,
    give_up,
    go_to,
    my_turn,
    new_game,
    open_record,
    start,
    until,
)
from tests.helpers.record import random_game
from tests.helpers.screenshots import GAMES, saved_game

FAST = "script"
OpenPage = Callable[..., Any]
CELL = """(board) => {
  const svg = document.getElementById(board);
  return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}"""


OF_PROBLEM = """['board', 'title', 'text', 'answer'].map((one) => {
  const part = document.getElementById(`problem-${one}`);
  const { x, y, width, height } = (one === 'answer' ? part.nextElementSibling : part).getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
"""Where the board of a problem, its title, its task and its buttons are."""


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_problem_is_large_on_a_phone_and_stays_put(open_page: OpenPage, locale: str, board: Server) -> None:
    begin_with_no_game(board)
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, locale=locale)
    page.wait_for_selector("#tab-problem", state="attached")
    go_to(page, "problem")
    for theme, variant in ((theme, variant) for variant in ("luzhanqi", "siguo") for theme in THEMES):
        found = [one for one in problems().values() if (one.theme, one.variant) == (theme, variant)]
        # The one with the longest refutation, which is shown below the task.
        problem = max(found, key=lambda one: max((len(may) for _, may in one.refutations.values()), default=0))
        page.goto(urljoin(page.url, f"/problem/{problem.id}"))
        page.wait_for_selector("#problem-board .piece", state="attached")
        shown, title, task, buttons = before = page.evaluate(OF_PROBLEM)
        assert shown[2] >= 370 and shown[1] + shown[3] <= 800 and shown[1] >= buttons[1] + buttons[3]
        assert title[1] >= 44 and task[1] + task[3] <= buttons[1]
        assert (("Siguo" if locale == "en-GB" else "四国") in page.inner_text("#problem-title")) == (variant == "siguo")
        wrong = max(
            {*problem.choices} - {problem.answer}, key=lambda one: len(problem.refutations.get(one, ("", ""))[1])
        )
        page.evaluate("(one) => import('/learn/problems.js').then((it) => it.answerProblem(one))", wrong)
        until(page, "document.querySelector('#problem-answer').textContent")
        assert page.evaluate(OF_PROBLEM) == before, "nothing moves"
        page.click("#problem-show")
        until(page, "!document.getElementById('problem-show')")
        assert page.evaluate(OF_PROBLEM) == before


def test_on_a_small_page_and_with_two_fingers(open_page: OpenPage) -> None:
    page = open_page(has_touch=True)
    new_game(page, {"N": "script"}, variant="luzhanqi")
    start(page)
    my_turn(page)
    # A second finger does nothing during a drag: it left the piece in mid-air.
    first, second = centres(page, ".shapes .movable")[:2]
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, Any]) -> int:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return page.locator("#play-board .dragged").count()

    down, other = ({"id": number, "x": one["x"], "y": one["y"]} for number, one in enumerate((first, second)))
    beside = down | {"x": 2, "y": 2}
    touch("touchStart", down)
    assert touch("touchMove", beside) == 1
    assert touch("touchStart", beside, other) == touch("touchEnd", other) == 1
    assert touch("touchEnd") == 0
    assert next(one for one in centres(page, ".shapes .shape") if one["name"] == first["name"]) == first
    # At 200 percent a cell is as large as WCAG 2.2 asks of a target.
    page.set_viewport_size({"width": 640, "height": 400})
    until(page, "document.getElementById('play-board').viewBox.baseVal.width > 12")
    assert page.evaluate(CELL, "play-board") >= 24
    # At 400 percent, and on a small phone on its side, nothing is beside the window either.
    for width, height in ((640, 400), (568, 320), (320, 256)):
        page.set_viewport_size({"width": width, "height": height})
        for view in ("home", "play", "learn"):
            go_to(page, view)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, view)


WATCH = """() => {
  window.places = new Set();
  const look = () => {
    const box = document.getElementById('play-board').getBoundingClientRect();
    if (box.height) window.places.add([box.top + scrollY, box.height].join());
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.long
def test_board_stays_where_it_is_over_a_game(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.wait_for_selector("#new:not([hidden])")
    new_game(page, dict.fromkeys("EW", FAST))
    page.wait_for_selector("#arrange-start:not([disabled])")
    page.evaluate(WATCH)
    start(page)
    for _ in range(8):
        if not my_turn(page):
            break
        click_a_quiet_move(page)
    if my_turn(page):
        give_up(page)
    until(page, OVER)
    places = page.evaluate("[...window.places]")
    assert len(places) == 1, places


BOXES = """JSON.stringify([...document.querySelectorAll('#play-board, #controls, .side button, #move-list')]
  .map((one) => [one.getBoundingClientRect().y + scrollY, one.id]))"""
WITH_GAME = """(changes) => import('/state.js').then(({state, change}) =>
  change('table', {game: {...state.table.game, ...changes}}))"""


RESIGNATION = {"seat": "N", "resigned": "N", "out": "N", "outcome": "no-battle", "from": -1, "to": -1, "flags": []}


def test_tip_past_and_lines_of_the_engine_move_nothing(open_page: OpenPage, board: Server) -> None:
    (board.folder / f"{GAMES['luzhanqi']}.jsonl").write_text(saved_game("luzhanqi"))
    begin_with_no_game(board)
    page = open_page()
    page.click("#tab-library")
    page.click(f"[data-name='{GAMES['luzhanqi']}.jsonl'] [data-do=resume]")
    page.wait_for_selector("#play-board .movable", state="attached")
    for width in (390, 1200):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate("""import('/state.js').then(({change}) => {
            change('store', {facts: {}});
            change('help', {tipClosedAt: -1});
        })""")
        page.wait_for_selector("#tip")
        assert page.inner_text("#tip" if width == 390 else "#status").startswith("Your turn.")
        before = page.evaluate(BOXES)
        page.evaluate(WITH_GAME, {"last": RESIGNATION})
        page.wait_for_selector("#tip", state="detached")
        assert width > 390 or "resigned" in page.inner_text("#status .last")
        page.evaluate(WITH_GAME, {"last": None})
        page.wait_for_selector("#tip")
        page.evaluate(WITH_GAME, {"alive": "N", "targets": {}})
        page.wait_for_selector("#tip", state="detached")
        page.evaluate(WITH_GAME, {"alive": "SN", "targets": {"0": {"1": "a1a2"}}})
        page.click("#tip button")
        page.wait_for_selector("#tip", state="detached")
        assert page.evaluate(BOXES) == before
        page.click("#log li:nth-child(2) button")
        page.wait_for_selector("#past-note")
        assert page.evaluate(BOXES) == before
        page.click("#past-end")
    open_record(page, random_game("luzhanqi", "S"))
    page.check("#study-engine")
    before = page.evaluate(BOXES)
    page.wait_for_selector("#study-lines li")
    assert page.evaluate(BOXES) == before


LETTERS_PX = """(() => {
  const svg = document.getElementById('play-board');
  const unit = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const sizes = [...svg.querySelectorAll('.piece.seat-S text')].map((one) => one.getAttribute('font-size'));
  return unit * Math.min(...sizes);
})()"""
SHOWN = "document.getElementById('play-board').getAttribute('viewBox')"
PLATES = "JSON.stringify([...document.querySelectorAll('#seats li')].map((plate) => plate.getBoundingClientRect()))"
WATCH_PART = f"""(() => {{
  window.parts = new Set();
  new MutationObserver(() => window.parts.add({SHOWN})).observe(document.getElementById('play-board'), {{
    attributeFilter: ['viewBox'],
  }});
}})()"""
"""Collects each part of the board that is shown after the present one."""
POINT_AT_PARTNER = """import('/state.js').then(({state, change}) => {
  const [[point], [from]] = ['N', 'S'].map((seat) => state.table.game.pieces.find((piece) => piece[2] === seat));
  change('help', {advice: {from, to: point, win: null, others: []}});
  change('chat', {ping: {seats: 'N', point}});
})"""
PHONES = [(390, 844), (360, 640), (320, 640), (844, 390)]


@pytest.mark.parametrize(("width", "height"), PHONES[:2])
def test_siguo_on_a_phone_can_be_read_and_stays_put(open_page: OpenPage, width: int, height: int) -> None:
    """The line-up takes the full width; in play the own army keeps its place, whoever moves and whatever is tapped."""
    page = open_page(viewport={"width": width, "height": height}, has_touch=True)
    new_game(page, {"N": "script", "E": "script", "W": "script"})
    page.wait_for_selector("#arrange-start:not([disabled])")
    assert float(page.evaluate(SHOWN).split()[2]) == 5
    page.tap("#arrange-start")
    my_turn(page)
    until(page, f"{SHOWN}.split(' ')[2] === '11' && {LETTERS_PX} >= 11")
    before = page.evaluate(SHOWN)
    shape = next(one for one in centres(page, ".shapes .movable") if one["y"] < 434)
    page.touchscreen.tap(shape["x"], shape["y"])
    page.wait_for_selector("#play-board .target", state="attached")
    assert page.evaluate(SHOWN) == before
    # The map shows all targets, and a side of it what is there, until the person has moved; the piece stays chosen.
    assert page.locator("#play .board-map .target").count() == page.locator("#play-board .target").count()
    box, places = page.locator("#play .board-map").bounding_box(), page.evaluate(PLATES)
    page.touchscreen.tap(box["x"] + box["width"] - 9, box["y"] + box["height"] / 2)
    until(page, f"{SHOWN} !== '{before}'")
    assert page.locator("#play-board .target").count() and page.evaluate(PLATES) == places
    page.evaluate(WATCH_PART)
    for _ in range(2):
        click_a_quiet_move(page)
        my_turn(page)
    assert page.evaluate("[...window.parts]") == [before] and page.evaluate(PLATES) == places
    assert page.locator("#play .board-map").bounding_box() == box
    # What the partner points at, and an arrow, may lie beside the part: they are on the map.
    page.evaluate(POINT_AT_PARTNER)
    until(page, "document.querySelectorAll('#play .board-map :is(.pinged, .arrow-line)').length === 2")
    assert "partner" in page.inner_text("#status .last") and page.locator("#tip").count() == 0
    page.tap("#play .board-size")
    until(page, f"{SHOWN}.split(' ')[2] === '17'")
    page.reload()
    until(page, f"document.getElementById('play-board') && {SHOWN}.split(' ')[2] === '17'")
    new_game(page, {"N": "script", "E": "script", "W": "script"})
    start(page)
    until(page, f"{SHOWN}.split(' ')[2] === '17'")


PLATE_PX = """Math.min(...[...document.querySelectorAll('#seats :is(b, .note, .lost, .clock)')]
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
COVERED = """[...document.querySelectorAll('#play :is(#seats li, .board-map, .board-size)')].some((one) => {
  const box = one.getBoundingClientRect();
  return [...document.querySelectorAll('#play-board .piece.seat-S')].some((piece) => {
    const {x, y, width, height} = piece.getBoundingClientRect();
    const [at, to] = [x + width / 2, y + height / 2];
    return box.left < at && at < box.right && box.top < to && to < box.bottom;
  });
})"""
TOO_HIGH = "[...document.querySelectorAll('#seats li')].filter((one) => one.scrollHeight > one.clientHeight).length"
REMOVED = """(removed) => import('/state.js').then(({state, change}) =>
  change('table', {game: {...state.table.game, removed}}))"""
TRAYS = """[...document.querySelectorAll('#seats li:has(.losses)')].map((plate) => {
  const chips = [...plate.querySelectorAll('.lost:not([hidden])')];
  const isWhole = (chip) => [plate, plate.querySelector('.losses')].every((box) =>
    chip.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + 0.5);
  const rest = plate.querySelector('.rest');
  const others = rest.hidden || rest.textContent === '×' ? 0 : Number(rest.textContent);
  return [chips.reduce((sum, {dataset}) => sum + Number(dataset.count), others), chips.every(isWhole)];
})"""
"""For each plate the number of pieces on its chips and in its remainder, and whether each chip is whole."""
HIDDEN_BATTLES = """async (sides) => {
  const {board} = await import('/game/game_board.js');
  const piece = {piece: 1, letter: '?', may: 'bcd'};
  const last = {outcome: 'attacker-won', flags: [], attacker: {...piece, seat: 'S'}, defender: {...piece, seat: 'W'}};
  const isUnder = (sign, {left, right, top, bottom}) =>
    left < sign.right - 3 && sign.left + 3 < right && top < sign.bottom - 3 && sign.top + 3 < bottom;
  const found = [];
  for (const side of sides) {
    board.lookAt(side);
    // The trays follow the size of their plates.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    const controls = [...document.querySelectorAll('#play :is(#seats li, .board-map, .board-size)')];
    const boxes = controls.map((one) => one.getBoundingClientRect());
    const {left, right, top, bottom} = board.visible;
    const places = board.data.points.map((_, to) => ({...board.point(to), to}));
    found.push(...places.filter(({x, y, to}) => {
      if (x < left || right < x || y < top || bottom < y) return false;
      board.animation.end();
      board.showBattle({...last, to});
      const sign = board.svgBoard.layers.going.querySelector('.paper').getBoundingClientRect();
      return boxes.some((box) => isUnder(sign, box));
    }).map(({to}) => `${side} ${to}`));
  }
  return found;
}"""
"""The places in parts of the board at which a plate, the map or its button would lie over the picture of a battle."""
SHOWS_GUESSES = """async (sides) => {
  const {board} = await import('/game/game_board.js');
  const hidden = board.drawing.scene.pieces.filter(([,,, letter]) => letter === '?');
  const guesses = Object.fromEntries(hidden.map(([point]) => [point, {letter: 'b', chances: {b: 1}}]));
  const {set, state} = await import('/state.js');
  set({side: 'help', help: {...state.help, isOn: true}});
  (await import('/view.js')).redrawNow();
  board.show({...board.drawing, guesses});
  return sides.map((side) => {
    board.lookAt(side);
    const isExplained = document.querySelector('.of-whole').checkVisibility();
    return [board.svgBoard.svg.querySelector('.guess') !== null, isExplained];
  });
}"""


def test_small_phone_shows_the_labels_of_all_buttons(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True)
    new_game(page, {"N": FAST}, variant="luzhanqi")
    start(page)
    my_turn(page)
    page.evaluate("scrollTo(0, 0)")
    buttons, tabs = (page.locator(one).bounding_box() for one in ("#controls", "nav"))
    assert buttons["y"] + buttons["height"] <= tabs["y"]


def test_siguo_on_a_phone_has_trays_that_move_nothing(open_page: OpenPage, board: Server) -> None:
    (board.folder / f"{GAMES['siguo']}.jsonl").write_text(saved_game("siguo"))
    begin_with_no_game(board)
    page = open_page(viewport=dict(zip(("width", "height"), PHONES[0], strict=True)))
    go_to(page, "library")
    page.click(f"[data-name='{GAMES['siguo']}.jsonl'] [data-do=resume]")
    page.wait_for_selector("#play-board .movable", state="attached")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"{LETTERS_PX} >= 11 && {PLATE_PX} >= 11 && document.querySelectorAll('#seats .lost').length > 9")
        assert not page.evaluate(COVERED) and page.evaluate(TOO_HIGH) == 0
        assert page.evaluate(HIDDEN_BATTLES, ["r", "t", "l", "", "b"]) == []
        assert page.evaluate(SHOWS_GUESSES, ["", "b"]) == [[False, True], [True, False]]
        before = page.evaluate(PLATES)
        page.evaluate("import('/state.js').then(({state, change}) => change('table', {kept: state.table.game}))")
        page.evaluate(REMOVED, [{"seat": "EW"[i % 2], "by": "S", "may": "abcdefghijk"[i % 11]} for i in range(40)])
        until(page, f"JSON.stringify({TRAYS}) === '[[40,true]]' && document.querySelector('.rest:not([hidden])')")
        # A tap on the plate shows all.
        page.click("#seats [data-role=you] b", force=True)
        until(page, "document.querySelectorAll('#seats .lost:not([hidden])').length === 22")
        assert page.evaluate(TOO_HIGH) == 0 and page.evaluate(f"{TRAYS}[0][1]")
        page.click("#seats .rest")
        page.evaluate(REMOVED, [])
        until(page, "!document.querySelector('#seats .lost')")
        assert page.evaluate(PLATES) == before
        page.evaluate("import('/state.js').then(({state, change}) => change('table', {game: state.table.kept}))")
