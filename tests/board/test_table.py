"""The table of a game as people see it: space, moves that travel, battles, the list of moves, the past, the end.

One page serves most tests of this file: a page takes seconds to open, and these tests only look at it.
"""

import random
from collections.abc import Iterator
from itertools import product
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


ARRIVALS = """async () => {
  const { Arrivals } = (await import('/main.js')).modules['motion.js'];
  const shown = [];
  const arrivals = new Arrivals((state) => shown.push(state.n), (state) => Boolean(state.battle));
  const steps = [];
  const states = [{ n: 1, battle: true }, { n: 2 }, { n: 3, battle: true }, { n: 4 }];
  for (const state of states) arrivals.come({ game: 1, ...state });
  steps.push(shown.join(''));
  arrivals.goOn();
  steps.push(shown.join(''));
  arrivals.come({ game: 2, n: 5 });
  steps.push(shown.join(''));
  return steps;
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


@pytest.mark.parametrize(("width", "height", "size"), [(1280, 760, "28px"), (1024, 768, "28px"), (390, 844, "18px")])
def test_clocks_are_large_and_no_chip_of_a_tray_breaks(table: Any, width: int, height: int, size: str) -> None:
    table.set_viewport_size({"width": width, "height": height})
    for language in ("zh", "en"):
        table.click("#language")
        assert table.evaluate("document.documentElement.lang")[:2] == language
        clocks = "[...document.querySelectorAll('#seats .clock')].map((one) => getComputedStyle(one).fontSize)"
        assert set(table.evaluate(clocks)) == {size}
        broken = (
            "[...document.querySelectorAll('#seats .lost')].filter((one) => one.getBoundingClientRect().height > 22)"
        )
        assert table.evaluate(f"{broken}.length") == 0


def test_pieces_are_as_large_as_a_phone_allows(table: Any) -> None:
    table.set_viewport_size({"width": 390, "height": 844})
    bodies = "[...document.querySelectorAll('#play-board .shapes .body')]"
    widths = table.evaluate(f"{bodies}.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) >= 22
    # Two lines of text are below the board, and then what the thumb needs.
    parts = ("header", "#play-board", "#status", "#controls")
    header, board, status, controls = (table.locator(part).bounding_box() for part in parts)
    assert header["height"] <= 48 and board["x"] == 0 and board["width"] >= 389
    assert 0 <= status["y"] - (board["y"] + board["height"]) < 20 and status["height"] < 56
    assert 0 <= controls["y"] - (status["y"] + status["height"]) < 20 and controls["y"] + controls["height"] < 844
    table.set_viewport_size({"width": 1600, "height": 900})


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


def test_the_log_has_the_battles_as_sentences_and_plays_them_again(table: Any) -> None:
    assert table.locator("#log li button").count() > 0 and table.locator("#log .named").count() > 0
    assert "removed" in table.inner_text("#log")
    table.click("#log li:last-child button")
    table.wait_for_selector("#past-note:not([hidden])")
    table.wait_for_selector("#play-board .battle", state="attached")
    assert table.locator("#play-board .battle .why").count() > 0
    table.click("#past-end")
    assert my_turn(table)


def test_a_battle_is_seen_before_the_next_move_is_shown(table: Any) -> None:
    """The moves of three engines went by while a piece was still being removed."""
    table.emulate_media(reduced_motion="no-preference")
    assert table.evaluate(ARRIVALS) == ["1", "123", "1235"]
    table.emulate_media(reduced_motion="reduce")


def test_the_text_of_the_protocol_is_one_switch_away(table: Any) -> None:
    words = table.text_content("#moves li:nth-child(1) .from-to")
    table.click("#moves-raw")
    raw = table.locator("#moves li").all_text_contents()
    table.click("#moves-raw")
    assert raw[0].startswith(words.replace("–", "")) and any(text[-1] in "xo=" for text in raw)
    assert table.text_content("#moves li:nth-child(1) .from-to") == words


@pytest.mark.long
def test_the_look_is_chosen_and_kept(table: Any) -> None:
    labels = {}
    for theme in ("characters", "names"):
        table.click("#look")
        table.select_option("#looks-pieces", theme)
        table.click("#looks-close")
        labels[theme] = table.locator("#play-board .seat-S .name").all_text_contents()
    assert "军旗" in labels["characters"] and "Flag" in labels["names"]
    table.click("#look")
    table.select_option("#looks-board", "slate")
    table.check("#looks-contrast")
    table.click("#looks-close")
    table.reload()
    my_turn(table)
    assert (
        table.evaluate("['contrast', 'board'].map((name) => document.documentElement.dataset[name]).join()")
        == "high,slate"
    )
    assert "Flag" in table.locator("#play-board .seat-S .name").all_text_contents()
    table.click("#look")
    table.uncheck("#looks-contrast")
    table.select_option("#looks-board", "wood")
    table.select_option("#looks-pieces", "names")
    table.click("#looks-close")
    south = max(one["y"] for one in centres(table, ".shapes .seat-S"))
    table.click("#turn-board")
    assert max(one["y"] for one in centres(table, ".shapes .seat-S")) < south
    assert table.evaluate(CUT_OFF) == []
    for _ in range(3):
        table.click("#turn-board")


CONTRASTS = """() => {
  const light = (text) => {
    const most = text.startsWith("color") ? 1 : 255;
    const parts = text.match(/[\\d.]+/g).map(Number).slice(0, 3).map((one) => one / most);
    const [r, g, b] = parts.map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const fill = (one) => light(getComputedStyle(one).fill);
  const pieces = [...document.querySelectorAll("#play-board .shapes .piece")].flatMap((piece) => {
    const body = fill(piece.querySelector(".body"));
    return [...piece.querySelectorAll("text, .seat-mark")].map((text) => ratio(fill(text), body));
  });
  const ground = fill(document.querySelector("#play-board .ground"));
  const names = [...document.querySelectorAll("#play-board .label")].map((text) => ratio(fill(text), ground));
  return Math.min(...pieces, ...names);
}"""


def test_texts_on_the_board_have_enough_contrast(table: Any) -> None:
    for scheme, colours, contrast in product(("dark", "light"), ("slate", "wood"), ("high", "normal")):
        table.emulate_media(color_scheme=scheme)
        look = f"{{board: '{colours}', contrast: '{contrast}'}}"
        table.evaluate(f"Object.assign(document.documentElement.dataset, {look})")
        assert table.evaluate(CONTRASTS) >= 4.5, (scheme, look)


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


def test_a_line_up_shows_only_the_exchanges_that_the_rules_allow(table: Any) -> None:
    """Selecting a piece drew red rings on 24 others, also on those with which it cannot change places."""
    if table.is_visible("#resign"):
        table.click("#resign")
        table.click("#confirm button.main")
        table.click("#rematch")
        table.wait_for_selector("#arrange:not([hidden])")
    flag = next(
        one
        for one in centres(table, ".shapes .seat-S")
        if table.text_content(f"#play-board [data-id='{one['name']}']") == "Flag"
    )
    # The board takes another size when the note about the past goes: Playwright waits until the piece stands still.
    table.locator(f"#play-board [data-id='{flag['name']}']").click()
    # The flag may only go to the other headquarters.
    until(table, "document.querySelector('#play-board .target.swap')")
    assert table.locator("#play-board .target").count() == table.locator("#play-board .target.swap").count() == 1
    table.keyboard.press("Escape")


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


@pytest.mark.long
def test_a_move_travels_along_its_way_and_its_marks_go(replay: Any) -> None:
    replay.click("#replay-moves li:nth-child(3)")
    at(replay, 3)
    assert replay.locator("#replay-board .battle").count() == 0
    replay.click("#replay-next")
    at(replay, 4)  # k6f9=: through the corners of the railway, both pieces are removed
    places = replay.get_attribute("#replay-board .way", "d").removeprefix("M").split("L")
    columns, rows = ({place.split()[axis] for place in places} for axis in (0, 1))
    assert len(places) == 6 and len(columns) > 2 and len(rows) > 2, "the way has corners"
    replay.wait_for_selector("#replay-board .battle.both-removed.even", state="attached")
    assert replay.locator("#replay-board .battle .removed").count() == 2
    assert "removed each other" in replay.inner_text("#replay-status")
    replay.click("#replay-next")
    at(replay, 5)
    assert replay.locator("#replay-board .battle").count() == 0, "the marks of the move before disappear"


def test_a_travelling_piece_is_animated_unless_less_motion_is_wanted(replay: Any) -> None:
    running = "document.getAnimations().filter((one) => one.effect.getKeyframes().length > 4).length"
    replay.click("#replay-moves li:nth-child(13)")
    at(replay, 13)
    replay.evaluate("document.getElementById('replay-next').click()")
    until(replay, running)  # k13k6
    replay.emulate_media(reduced_motion="reduce")
    replay.click("#replay-moves li:nth-child(13)")
    at(replay, 13)
    replay.evaluate("document.getElementById('replay-next').click()")
    at(replay, 14)
    assert replay.evaluate(running) == 0
    replay.emulate_media(reduced_motion="no-preference")


def test_the_list_of_a_replay_follows_and_its_pace_is_adjustable(replay: Any) -> None:
    """The list never followed: the place of an item was taken from the page instead of the list."""
    replay.focus("#replay-moves")
    replay.keyboard.press("End")
    at(replay, 60)
    item = "document.querySelector('#replay-moves [aria-selected=true]').getBoundingClientRect()"
    box = "document.getElementById('replay-moves').getBoundingClientRect()"
    assert replay.evaluate(f"{item}.top >= {box}.top - 1 && {item}.bottom <= {box}.bottom + 1")
    replay.keyboard.press("Home")
    at(replay, 0)
    replay.select_option("#replay-pace", "0.3")
    replay.click("#replay-play")
    at(replay, 3)
    replay.click("#replay-play")
