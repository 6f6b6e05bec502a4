"""The first view, addresses, lessons and problems on the page, in Chromium."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from junqi_board.lessons import COURSE
from junqi_board.problems import THEMES, problems
from junqi_board.store import FILE, MARK, PROBLEMS
from tests.helpers.board import Server, broken, serving
from tests.helpers.board_pages import (
    centres,
    click,
    my_turn,
    next_state,
    states,
    until,
)
from tests.helpers.marking import release_after
from tests.helpers.record import random_game

OpenPage = Callable[..., Any]
PATH = "location.pathname + location.hash"
REPLAY_STATUS = "document.getElementById('status')?.textContent"
LATE_SOCKET = """(() => {
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    set onopen(handler) { super.onopen = () => { window.openSocket = handler; }; }
  };
})()"""
"""Before the page's script: it says hello when `openSocket` is called."""


def host_page(open_page: OpenPage, **settings: Any) -> Any:
    page = open_page(at_home=True, **settings)
    until(page, "localStorage.getItem('junqi.token') && document.querySelector('#home-board .piece')")
    return page


def test_first_view_loads_35_files_and_a_game_the_rest(open_page: OpenPage) -> None:
    page = host_page(open_page)
    until(page, "document.querySelector('.rung')")
    files = "performance.getEntriesByType('resource').length"
    assert 20 < page.evaluate(files) <= 34, "beside the page itself"
    page.click("#home-play")
    page.wait_for_selector("#play-board .movable", state="attached")
    assert page.evaluate(files) > 40


def hold_the_game(page: Any) -> list[Any]:
    """Open the page anew in the view of the game, and hold back the module of that view."""
    page.click("#tab-play")
    page.wait_for_selector("#play-board .shape", state="attached")
    held: list[Any] = []
    page.route("**/game/game_view.js", lambda route: held.append(route))
    count = len(states(page))
    page.reload()
    next_state(page, count)
    while not held:
        page.wait_for_timeout(10)
    return held


def test_record_opened_before_the_game_view_stays(open_page: OpenPage) -> None:
    page = host_page(open_page)
    [held] = hold_the_game(page)
    opened = "import('/state.js').then(({state}) => state.shown.record?.moves.length ?? 0)"
    page.click("#tab-library")
    data = random_game().as_line().encode()
    page.set_input_files("#replay-file", {"name": "one.jsonl", "mimeType": "text/plain", "buffer": data})
    while not page.evaluate(opened):
        page.wait_for_timeout(10)
    held.continue_()
    page.wait_for_selector("#replay-play")
    page.focus("#replay-play")
    page.keyboard.press("End")
    until(page, f"{REPLAY_STATUS}.startsWith('Move 60 of 60.')")
    assert [json.loads(frame)["type"] for frame in page.frames_received].count("replay") == 1, "it is opened once"


def open_with_boards_last(page: Any, address: str, view: str) -> None:
    """Open an address in a tab that has the lessons first, then a connection, then the boards."""
    held: list[Any] = []
    page.route("**/board/boards.json", lambda route: held.append(route))
    page.goto(address)
    until(page, "window.openSocket && performance.getEntriesByName(`${location.origin}/learn/lessons.json`).length")
    page.evaluate("openSocket()")
    until(page, f"!document.getElementById('{view}').hidden && localStorage.getItem('junqi.token')")
    held[0].continue_()
    until(page, f"document.querySelector('#{view}-board .piece')")


def test_view_that_cannot_be_loaded_says_so(open_page: OpenPage) -> None:
    page = host_page(open_page, service_workers="block")
    page.evaluate("() => { window.reportError = (error) => { window.reported = error.message; }; }")
    broken = "throw Error('this module is broken');"
    page.route("**/learn/problems.js", lambda route: route.fulfill(body=broken, content_type="text/javascript"))
    page.click("#tab-problem")
    until(page, "window.reported === 'this module is broken'")
    assert "could not be loaded" in page.inner_text("#banner")
    page.unroute("**/learn/problems.js")
    page.click("#tab-home")
    page.click("#home-play")
    assert my_turn(page), "the rest of the page works"


def test_lesson_and_a_problem_have_addresses(open_page: OpenPage, board: Server) -> None:
    page = host_page(open_page, service_workers="block")
    assert page.evaluate(PATH) == f"/#{board.token}"
    page.click("#tab-learn")
    until(page, f"{PATH} === '/learn/1'")
    page.click("#learn-next")
    until(page, f"{PATH} === '/learn/2'")
    other = page.context.new_page()
    other.add_init_script(LATE_SOCKET)
    open_with_boards_last(other, page.url, "learn")
    assert other.inner_text("#learn-title") == page.inner_text("#learn-title")
    # Back in this tab; the address is that of the view before, with the token.
    page.go_back()
    until(page, f"{PATH} === '/#{board.token}' && !document.getElementById('home').hidden")
    page.click("#tab-problem")
    first = shown_problem(page)
    page.click("#problem-next")
    shown_problem(page, first)
    open_with_boards_last(other, page.url, "problem")
    assert other.evaluate(PATH) == page.evaluate(PATH)


def shown_problem(page: Any, before: str = "") -> str:
    """The name of the problem that is shown after another."""
    until(page, f"location.pathname.startsWith('/problem/') && !location.pathname.endsWith('/{before}')")
    return str(page.evaluate("location.pathname")).rpartition("/")[2]


def play_answer(page: Any, choice: str, view: str = "problem") -> None:
    """Answer by the pointer."""
    board = f"{view}-board"
    places = [one for one in centres(page, ".target", board) if one["name"] == choice]
    for shape in [] if places else centres(page, ".shapes .movable", board):
        click(page, shape)
        places = [one for one in centres(page, ".target", board) if one["name"] == choice]
        if places:
            break
    click(page, places[0])
    until(page, f"document.getElementById('{view}-answer').textContent !== ''")


def test_course_ends_where_a_problem_begins(open_page: OpenPage) -> None:
    page = host_page(open_page)
    page.click("#tab-learn")
    page.click("#learn-list li:last-child button")
    until(page, f"{PATH} === '/learn/{len(COURSE)}'")
    play_answer(page, COURSE[-1].good.split()[0], "learn")
    page.click("#learn .lesson button >> text=Tactics")
    shown_problem(page)


def test_arrows_on_the_tabs_keep_the_focus_there(open_page: OpenPage) -> None:
    page = host_page(open_page)
    page.focus("#tab-play")
    page.keyboard.press("ArrowRight")
    until(page, f"{PATH} === '/learn/1'")
    assert page.evaluate("document.activeElement.id") == "tab-learn"


def test_lesson_says_what_it_asks_and_its_end_fits(open_page: OpenPage) -> None:
    page = host_page(open_page)
    page.click("#tab-learn")
    for name in ("battles", "elimination"):
        number = [one.name for one in COURSE].index(name) + 1
        page.click(f"#learn-list li:nth-child({number}) button")
        until(page, f"{PATH} === '/learn/{number}'")
        if name == "battles":
            # The Captain may not move here; a Landmine never may.
            for piece, said in (("Cap", "Attack the marked piece"), ("Mine", "never move")):
                box = page.locator("#learn-board .shapes .seat-S", has_text=piece).first.bounding_box()
                page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                until(page, f"document.querySelector('#banner span').textContent.includes('{said}')")
    page.emulate_media(reduced_motion="no-preference")
    play_answer(page, "p8q8", "learn")
    page.wait_for_selector("#learn-board .event rect", state="attached")
    words, band = (page.locator(f"#learn-board .event {one}").bounding_box() for one in ("text", "rect"))
    assert words["width"] < band["width"]
    assert page.locator("#learn-board .battle + .event").count() == 1, "nothing lies over the words"


@pytest.mark.parametrize("theme", release_after(1, THEMES))
def test_person_answers_wrong_and_right_and_goes_on(open_page: OpenPage, theme: str) -> None:
    page = host_page(open_page)
    of_theme = [one for one in problems().values() if (one.theme, one.level) == (theme, "medium")]
    for is_right, problem in zip((False, True), of_theme, strict=False):
        page.goto(urljoin(page.url, f"/problem/{problem.id}"))
        page.wait_for_selector("#problem-board .piece.hidden", state="attached")
        solved = number_solved(page)
        wrong = next(one for one in problem.choices if one != problem.answer)
        play_answer(page, str(problem.answer) if is_right else wrong)
        said = page.inner_text("#problem-answer")
        assert said.startswith("Right!") == is_right and len(said) > 20
        if not is_right:
            # A second try; then the answer, whatever it is.
            assert "once more" in said and not page.locator("#problem-board .arrow-line").count()
            page.click("#problem-show")
            until(page, "document.getElementById('problem-show') === null")
        assert not page.locator("#problem-board .piece.hidden").count(), "they are turned over"
        page.wait_for_selector("#problem-board " + (".marked" if theme == "flag" else ".went"), state="attached")
        page.click("#problem-next")
        assert shown_problem(page, problem.id) not in [one.id for one in of_theme[:2]]
    assert number_solved(page) == solved + 1


PLACED = """(id) => [...document.querySelectorAll(`#${id} .shapes .shape`)].map((shape) => {
  const box = shape.getBoundingClientRect(), board = document.getElementById(id).getBoundingClientRect();
  return [shape.dataset.id, ...[box.x - board.x, box.y - board.y].map((far) => Math.round(9 * far / board.width))];
}).sort().join(" ")"""
"""The pieces of a board with their places, whatever its size."""


@pytest.mark.parametrize("variant", ["luzhanqi", "siguo"])
def test_study_of_a_problem_keeps_the_side_and_leads_back(open_page: OpenPage, variant: str) -> None:
    page = host_page(open_page)
    is_asked = lambda one: (one.theme, one.variant) == ("flag", variant) and one.view.turn  # noqa: E731
    problem = next(one for one in problems().values() if is_asked(one) and (variant != "siguo" or len(one.choices) > 3))
    page.goto(urljoin(page.url, f"/problem/{problem.id}"))
    page.wait_for_selector("#problem-board .target", state="attached")
    assert ("two enemies" in page.inner_text("#problem-text")) == (variant == "siguo")
    play_answer(page, str(problem.answer))
    placed, said = page.evaluate(PLACED, "problem-board"), page.inner_text("#problem-answer")
    page.click("#problem-study")
    for again in (False, True):
        if again:
            page.reload()
        until(page, f"({PLACED})('play-board') === {json.dumps(placed)}")
        assert page.inner_text("#status") == "Before the first move."
        assert not page.locator("#record-close").count()
        page.click("#record-problem")
        assert shown_problem(page) == problem.id
        assert page.inner_text("#problem-answer") == ("" if again else said)
        page.go_back()
        page.wait_for_selector("#record-problem")


def number_solved(page: Any) -> int:
    return int(re.findall(r"first try: (\d+) problem", page.inner_text("#problem-record"))[0])


@pytest.fixture
def practised(tmp_path: Path) -> Iterator[Server]:
    """A board on which four problems were answered: the fifth shows the rating."""
    problems_before = json.dumps({"rating": 1300, "tried": 4})
    stored = {"settings": {PROBLEMS: problems_before}, "facts": {}}
    (tmp_path / FILE).write_text(json.dumps({MARK: stored}))
    with serving(tmp_path, broken("script")) as server:
        yield server


def test_touch_selects_first_and_first_answer_is_rated(open_page: OpenPage, practised: Server) -> None:
    problem = next(one for one in problems().values() if (one.theme, one.level) == ("flag", "medium"))
    page = host_page(open_page, server=practised, token=practised.token, has_touch=True)
    page.goto(urljoin(page.url, f"/problem/{problem.id}"))
    page.wait_for_selector("#problem-board .marked", state="attached")
    wrong = next(choice for choice in problem.choices if choice != problem.answer)
    for choice, said in ((wrong, "Try once more"), (str(problem.answer), "Right!")):
        for shown in ("#problem-board .looked", f"#problem-answer >> text={said}"):
            assert not page.locator(shown).count()
            [target] = [one for one in centres(page, ".target", "problem-board") if one["name"] == choice]
            page.touchscreen.tap(target["x"], target["y"])
            page.wait_for_selector(shown, state="attached")
    until(page, "document.getElementById('problem-record').textContent.includes('Your rating: 1284.')")
    record = page.inner_text("#problem-record")
    assert record.startswith("Solved at the first try: 0 problems.") and "At the second try: 1." in record
    assert page.inner_text("#problem-history") == "Find the Flag, second try"


def test_two_tabs_solve_different_problems_and_both_are_kept(open_page: OpenPage, practised: Server) -> None:
    tabs = [host_page(open_page, server=practised, token=practised.token) for _ in range(2)]
    chosen = [one for one in problems().values() if one.theme == "win"][:2]
    for tab, problem in zip(tabs, chosen, strict=True):
        tab.goto(urljoin(tab.url, f"/problem/{problem.id}"))
        tab.wait_for_selector("#problem-board .piece.hidden", state="attached")
    for tab, problem in zip(tabs, chosen, strict=True):
        play_answer(tab, str(problem.answer))
    for tab in (*tabs, host_page(open_page, server=practised, token=practised.token)):
        until(tab, "import('/shell/store.js').then(({factsOf}) => Object.keys(factsOf('problem')).length === 2)")
