"""Brain teasers on the page, in Chromium, also without a connection."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.board_pages import (
    centre,
    centres,
    click,
    drag,
    go_to,
    until,
)

OpenPage = Callable[..., Any]
PATH = "location.pathname + location.hash"
TEASER_STATUS = "(document.getElementById('teaser-status')?.textContent ?? '')"
TEASER_ANSWER = "(document.getElementById('teaser-answer')?.textContent ?? '')"


SHORT = {
    "klotski": (2, "klotski-2"), "cars": (1, "klotski-6"), "submarine": (1, "submarine-1"),
    "match3": (1, "match3-1"), "tour": (5, "knights-tour-5"),
}  # fmt: skip
"""By kind, which of its known teasers is solved in a few moves, and its address."""


def opened_teaser(page: Any, kind: str) -> None:
    """Open the short teaser of a kind from the wall."""
    number, address = SHORT[kind]
    go_to(page, "teaser")
    page.click(f"#teaser-wall [data-kind={kind}]")
    page.click(f"#teaser-wall [aria-label='Well known'] button:nth-child({number})")
    until(page, f"{PATH} === '/teaser/{address}'")
    until(page, "!document.getElementById('teaser-hint').disabled")


@pytest.mark.long
@pytest.mark.parametrize("kind", SHORT)
def test_each_teaser_is_played_by_hand_and_solved(open_page: OpenPage, kind: str) -> None:
    page = open_page()
    opened_teaser(page, kind)
    if not centres(page, ".shapes .taken", "teaser-board"):
        click(page, centres(page, ".shapes .movable", "teaser-board")[0])
    click(page, centres(page, ".target", "teaser-board")[0])
    until(page, f"{TEASER_STATUS}.startsWith('1 move')")
    page.click("#teaser-back")
    until(page, f"{TEASER_STATUS}.startsWith('0 moves')")
    page.click("#teaser-watch")
    until(page, f"{TEASER_STATUS}.includes('{'3 moves · 15 points' if kind == 'match3' else 'Solution shown'}')")
    page.click("#teaser-restart")
    until(page, f"{TEASER_STATUS}.startsWith('0 moves')")


LEVEL_OF = "document.getElementById('teaser-best')?.textContent ?? ''"
WARNED = "document.querySelector('#banner span').textContent"
DEPARTED = (
    "[...document.querySelectorAll('#teaser-board .departing')].map((one) => getComputedStyle(one).opacity).join()"
)


def test_submarine_leaves_with_its_tile(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "submarine")
    page.click("#teaser-watch:not([disabled])")
    until(page, f"{DEPARTED} === '0,0'")


def test_watched_teaser_gives_no_stars(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "submarine")
    solved = page.evaluate(SOLVED)
    page.click("#teaser-watch:not([disabled])")
    page.wait_for_selector("#teaser-done")
    played = page.evaluate("import('/state.js').then(({ state }) => state.teaser.position.moves)")
    page.click("#teaser-restart")
    until(page, f"{TEASER_STATUS}.startsWith('0 moves')")
    for count, move in enumerate(played, 1):
        page.evaluate("move => void import('/learn/teaser_play.js').then((it) => it.playTeaserMove(move))", move)
        until(page, f"{TEASER_STATUS}.startsWith('{count} move')")
    until(page, f"{TEASER_ANSWER}.startsWith('You have seen the solution')")
    assert page.inner_text("#teaser-stars") == "" and page.evaluate(SOLVED) == solved


SOLVED = "import('/shell/store.js').then(({ factsOf }) => Object.keys(factsOf('teaser')))"


def test_teasers_begin_easy_then_daily_then_by_level(open_page: OpenPage) -> None:
    page = open_page()
    page.click("#tab-teaser")
    until(page, f"({LEVEL_OF}).startsWith('Difficulty: easy')")
    solved = page.evaluate(SOLVED)
    for _ in range(2):
        page.click("#teaser-watch:not([disabled])")
        page.wait_for_selector("#teaser-done")
        assert page.inner_text("#teaser-stars") == "" and page.evaluate(SOLVED) == solved, "watched is not solved"
        page.click("#teaser-done button")
        until(page, "document.querySelectorAll('#teaser-today [aria-pressed=true]').length === 1")
        page.wait_for_selector("#teaser-watch:not([disabled])")
    page.click("#teaser-wall [data-kind=klotski]")
    page.click("#teaser-wall [aria-label=Hard] button:nth-child(2)")
    until(page, f"({LEVEL_OF}).startsWith('Difficulty: hard')")
    assert page.inner_text("#teaser-title") == "Klotski · Hard 2"


def test_solution_after_detours_is_not_called_the_best(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "klotski")
    for count in (1, 2):
        click(page, centres(page, ".shapes .movable", "teaser-board")[-count])
        click(page, centres(page, ".target", "teaser-board")[0])
        until(page, f"{TEASER_STATUS}.startsWith('{count} move')")
    page.click("#teaser-watch:not([disabled])")
    until(page, f"({TEASER_ANSWER}).startsWith('Shown from your position; the best is ')")


def test_refused_move_says_why(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "submarine")
    page.wait_for_selector("#teaser .example")
    assert len(centres(page, ".shapes .stalk", "teaser-board")) == 8, "from each tile to its parts"
    far, *_ = [one for one in centres(page, ".shapes .shape", "teaser-board") if one["name"].endswith("@0,0")]
    click(page, far)
    until(page, f"{WARNED}.startsWith('Only a tile beside')")
    opened_teaser(page, "match3")
    for other, why in (("3@0,0", "alike"), ("3@3,0", "Only neighbours")):
        drag(page, centre(page, "3@1,0", "teaser-board"), centre(page, other, "teaser-board"))
        until(page, f"{WARNED}.includes('{why}')")
    click(page, centre(page, "3@1,0", "teaser-board"))
    click(page, centres(page, ".target", "teaser-board")[0])
    until(page, f"/^[+]\\d+ points? for your match/.test({TEASER_ANSWER})")


def test_keys_read_a_board_from_its_first_piece(open_page: OpenPage) -> None:
    page = open_page()
    for kind, keys, said in (
        ("klotski", ["Enter", "ArrowUp"], "Row 4, column 4: Huang Zhong, can be reached"),
        ("submarine", ["Enter", "ArrowUp"], "Row 2, column 3: small mine, bottom right"),
        ("klotski", ["Enter", "ArrowUp", "Enter"], "Moved. Row 4, column 4: Huang Zhong"),
    ):
        opened_teaser(page, kind)
        page.focus("#teaser-board")
        for key in keys:
            page.keyboard.press(key)
        until(page, f"document.getElementById('live').textContent === '{said}'")
    page.click("#teaser-hint:not([disabled])")
    until(page, "/^Hint: Row [0-9], column [0-9]: .+, goes to row/.test(document.getElementById('live').textContent)")


def test_tour_answers_a_wrong_square_and_numbers_the_hint(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "tour")
    square, *_ = centres(page, ".floor > *", "teaser-board")
    targets = [(one["x"], one["y"]) for one in centres(page, ".target", "teaser-board")]
    assert all(abs(square["x"] - x) + abs(square["y"] - y) > 9 for x, y in targets)
    click(page, square)
    until(page, f"{WARNED}.startsWith('The knight goes')")
    hinted(page)
    count = page.text_content("#teaser-board .shapes .count")
    assert page.text_content("#teaser-board .shadow .count") == str(int(count) + 1)


def test_tour_with_an_end_says_where_and_why_it_fails(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "tour")
    page.click("#teaser-draw")
    page.fill("#teaser-text", "5x5 start a1 end d4")
    page.click("#teaser-play")
    until(page, "document.getElementById('teaser-goal').textContent.includes('end on the green square')")
    for count, square in enumerate(("a1b3", "b3d4"), 1):
        assert "green" not in page.inner_text("#teaser-status")
        click(page, next(one for one in centres(page, ".target", "teaser-board") if one["name"] == square))
        until(page, f"{TEASER_STATUS}.startsWith('{count} move')")
    assert page.inner_text("#teaser-status") == "2 moves · The green square must come last."
    page.click("#teaser-hint:not([disabled])")
    until(page, f"{TEASER_ANSWER} === 'The green square must come last. It cannot be solved from here.'")
    page.click("#teaser-restart")
    until(page, f"{TEASER_STATUS} === '0 moves'")


def hinted(page: Any) -> str:
    """The move of a hint, which tells no other."""
    page.click("#teaser-hint:not([disabled])")
    until(page, f"{TEASER_ANSWER}.startsWith('Follow')")
    page.wait_for_selector("#teaser-board .shadow", state="attached")
    answers = [one for one in map(json.loads, page.frames_received) if one["type"] == "teaser_solution"]
    return str(answers[-1]["moves"][0])


def play_in_blocks(page: Any, move: str, count: int) -> None:
    """Play a move of a block, which is the one with this number."""
    click(page, centre(page, move[0], "teaser-board"))
    click(page, next(one for one in centres(page, ".target", "teaser-board") if one["name"] == move))
    until(page, f"{TEASER_STATUS}.startsWith('{count} move')")


def test_solved_teaser_is_kept_over_a_reload(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "cars")
    page.wait_for_selector("#teaser-board .exit", state="attached")
    assert page.inner_text("#teaser-best").endswith(": 8 moves.")
    played = []
    for moves in range(1, 9):
        played.append(hinted(page))
        left = 9 - moves
        assert page.inner_text("#teaser-answer").endswith(f" {left} more move{'s' * (left > 1)} to the goal.")
        play_in_blocks(page, played[-1], moves)
    page.wait_for_selector("#teaser-done:not([hidden])")
    assert page.inner_text("#teaser-stars") == "", "it was solved with help"
    page.click("#teaser-restart")
    until(page, f"{TEASER_STATUS}.startsWith('0 moves')")
    for moves, move in enumerate(played[:-1], 1):
        play_in_blocks(page, move, moves)
        if moves == 1:
            before = {one["name"]: one for one in centres(page, ".shapes .shape", "teaser-board")}
            page.reload()
            until(page, f"{TEASER_STATUS}.startsWith('1 move')")
            assert {one["name"]: one for one in centres(page, ".shapes .shape", "teaser-board")} == before
    drag(page, centre(page, "A", "teaser-board"), centres(page, ".exit", "teaser-board")[0])
    page.wait_for_selector("#teaser-done:not([hidden])")
    assert page.inner_text("#teaser-stars") == "★★★"
    until(page, "document.querySelector('#teaser-board .departing') !== null")
    page.reload()
    until(page, "document.querySelector('#teaser-wall .tiles [aria-pressed=true]')?.textContent.endsWith('★★★')")
    assert "1/67" in page.inner_text("#teaser-wall [data-kind=cars]")


BOXES = """[...document.querySelectorAll('#teaser :is(.stage, .panel > *, #teaser-controls > *)')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
"""Where the place of the board, the parts of the panel and the buttons are."""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)])
def test_teaser_panel_stays_put_at_hints_ends_and_any_board(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]})
    # On a phone the goal comes before the teasers of the day.
    panels, fixed = [], 7 if size[0] < size[1] else 8
    for kind in SHORT:
        opened_teaser(page, kind)
        before = page.evaluate(BOXES)
        hinted(page)
        best, left = (
            re.search(r"(\d+) (?:more )?moves", page.inner_text(f"#teaser-{one}")) for one in ("best", "answer")
        )
        assert kind == "match3" or (best and left and best[1] == left[1])
        assert page.evaluate(BOXES) == before, (kind, "hint")
        page.click("#teaser-watch")
        until(page, "document.querySelector('#teaser-status').textContent.match(/shown|15 points/)")
        played = page.evaluate("import('/state.js').then(({ state }) => state.teaser.position.moves)")
        assert page.evaluate(BOXES) == before, (kind, "shown")
        page.click("#teaser-restart")
        until(page, f"{TEASER_STATUS}.startsWith('0 moves')")
        for count, move in enumerate(played, 1):
            page.evaluate("move => void import('/learn/teaser_play.js').then((it) => it.playTeaserMove(move))", move)
            until(page, f"{TEASER_STATUS}.startsWith('{count} move')")
        assert page.evaluate(BOXES) == before, (kind, "solved")
        panels.append(before[:fixed])
    page.click("#teaser-draw")
    for rows, columns in ((30, 3), (4, 30), (20, 20)):
        page.fill("#teaser-text", f"{rows}x{columns} start a1")
        page.click("#teaser-play")
        until(page, f"document.querySelectorAll('#teaser-board .floor > *').length === {rows * columns}")
        page.evaluate("scrollTo(0, 0)")
        panels.append(page.evaluate(BOXES)[:fixed])
        box = page.locator("#teaser-board").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
    assert panels == panels[:1] * len(panels), "the panel keeps its place"


def test_own_boards_are_drawn_or_written_kept_and_deleted(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "cars")
    page.click("#teaser-draw")
    until(page, "document.querySelector('#teaser-editor .drawing').getBoundingClientRect().bottom <= innerHeight")
    page.click("#teaser-editor .tiles button:text-is('D')")
    assert page.get_by_label("Row 6, column 1: empty").count() == 1
    boxes = (page.locator(f"#teaser-editor [data-at='{at}']").bounding_box() for at in (35, 36))
    drag(page, *({"x": box["x"] + 9, "y": box["y"] + 9} for box in boxes))
    assert page.input_value("#teaser-text").splitlines()[-1] == "DD...."
    page.click("#teaser-play")
    until(page, "document.querySelectorAll('#teaser-board .shapes .shape').length === 4")
    assert page.inner_text("#teaser-title") == "Cars · Your own 1"
    for kind, text, fault in (
        ("cars", "AB", "36 letters"),
        ("klotski", "", "Draw or write a board"),
        ("submarine", "T,T,.", "3 lines of 3 tiles, not 1 line"),
        ("tour", "8x8 end", "After end comes a square"),
        ("tour", "100x100 start a1", "at most 1000 squares"),
        ("klotski", "A.\n.B goal A./..", "solved already"),
        ("klotski", "BAAC\nBAAC\nDEEF\nDGHF\nG..H", "The squares of G do not touch"),
        ("klotski", "BAAC\nBAAC\nBEEC\nDEEF\nD..F", "cannot be solved"),
        ("match3", "123\n231\n312", "No move"),
    ):
        page.click(f"#teaser-wall [data-kind={kind}]")
        page.fill("#teaser-text", text)
        page.click("#teaser-play")
        until(page, f"document.querySelector('#teaser-editor .faults')?.textContent.includes('{fault}')")
        assert page.inner_text("#teaser-title") == "Cars · Your own 1", "the former board stays"
        assert len(centres(page, ".shapes .shape", "teaser-board")) == 4
    page.click("#teaser-wall [role=group] [aria-pressed=false] >> nth=-1")
    until(page, "document.querySelector('#teaser-editor .faults') === null")
    page.reload()
    page.click("#teaser-wall [data-kind=cars]")
    page.click("#teaser-wall [aria-label='Your own'] button")
    page.click("#teaser .card .quiet")
    until(page, "document.querySelector('#teaser-wall [aria-label=\"Your own\"]') === null")


DISCONNECT = """async () => {
  const { socket } = await import('/socket.js');
  const { connect } = socket;
  socket.connect = () => {};
  window.reconnect = () => {
    socket.connect = connect;
    socket.connect();
  };
  socket.connection.close();
}"""
"""The connection is lost, and is not opened again before `reconnect`."""


@pytest.mark.long
def test_click_without_connection_is_refused_and_locks_nothing(open_page: OpenPage) -> None:
    page = open_page()
    opened_teaser(page, "klotski")
    page.evaluate(DISCONNECT)
    until(page, "document.body.classList.contains('offline')")
    page.click("#banner button")
    for button in ("teaser-hint", "teaser-watch"):
        page.click(f"#{button}")
        until(page, "document.querySelector('#banner span').textContent.includes('nothing was sent')")
        assert page.is_enabled(f"#{button}")
    # A lesson that is learned meanwhile is not forgotten.
    page.click("#tab-learn")
    page.click("#learn-list li:nth-child(1) button")
    click(page, centres(page, ".shapes .movable", "learn-board")[0])
    click(page, centres(page, ".target", "learn-board")[0])
    until(page, "document.querySelectorAll('#learn-list li.done').length > 0")
    page.evaluate("reconnect()")
    until(page, "!document.body.classList.contains('offline')")
    page.click("#tab-teaser")
    assert hinted(page)
    page.click("#tab-home")
    page.evaluate("localStorage.clear()")
    page.reload()
    page.click("#tab-learn")
    until(page, "document.querySelectorAll('#learn-list li.done').length > 0")
