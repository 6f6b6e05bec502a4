"""The page beside the game, in Chromium: learning, records, study, addresses, and clicks without a connection."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from junqi_board.lessons import COURSE
from junqi_board.problems import THEMES, problems
from junqi_board.store import FILE, MARK, PROBLEMS
from tests.helpers.board import Server, broken, serving
from tests.helpers.board_pages import (
    centre,
    centres,
    click,
    drag,
    go_to,
    my_turn,
    new_game,
    next_state,
    point,
    states,
    until,
)
from tests.helpers.marking import release_after
from tests.helpers.record import random_game, write_record
from tests.helpers.review import record_of, short_game

OpenPage = Callable[..., Any]
PATH = "location.pathname + location.hash"
REPLAY_STATUS = "document.getElementById('status')?.textContent"
TEASER_STATUS = "(document.getElementById('teaser-status')?.textContent ?? '')"
TEASER_ANSWER = "(document.getElementById('teaser-answer')?.textContent ?? '')"
LATE_SOCKET = """(() => {
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    set onopen(handler) { super.onopen = () => { window.openSocket = handler; }; }
  };
})()"""
"""Before the page's script: it says hello when `openSocket` is called."""
HIDDEN = "3N?1/5/5/5/4N?/5/2N?2/2Sd2/5/4Sf/5/SjSl3 S SN S 0 0 c6:cdf"
OPEN = "3Nl1/5/5/5/4Nf/5/2Nd2/2Sd2/5/4Sf/5/SjSl3 S SN * 0 0"


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


def number_solved(page: Any) -> int:
    return int(re.findall(r"Solved: (\d+) problem", page.inner_text("#problem-record"))[0])


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
        ("submarine", "T,T,.", "3 lines of 3 tiles, not 1 line"),
        ("tour", "8x8 end", "After end comes a square"),
        ("tour", "100x100 start a1", "at most 1000 squares"),
        ("klotski", "A.\n.B goal A./..", "solved already"),
        ("match3", "123\n231\n312", "No move"),
    ):
        page.click(f"#teaser-wall [data-kind={kind}]")
        page.fill("#teaser-text", text)
        page.click("#teaser-play")
        until(page, f"document.querySelector('#teaser-editor .faults')?.textContent.includes('{fault}')")
        assert page.inner_text("#teaser-title") == "Cars · Your own 1", "the former board stays"
        assert len(centres(page, ".shapes .shape", "teaser-board")) == 4
    page.reload()
    page.click("#teaser-wall [aria-label='Your own'] button")
    page.click("#teaser .card .quiet")
    until(page, "document.querySelector('#teaser-wall [aria-label=\"Your own\"]') === null")


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
    text = "Your turn: the far army. "
    text += "The right enemy's piece (Lieutenant or higher) removed your partner's Field Marshal."
    page.evaluate("text => document.getElementById('status').replaceChildren(text)", text)
    page.evaluate("() => document.getElementById('arrange').remove()")
    height, whole = page.locator("#status").evaluate("(text) => [text.clientHeight, text.scrollHeight]")
    assert height >= whole


def test_notice_ends_with_the_view_it_belongs_to(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_for_selector("#tab-learn")
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
    play("c5", "c6")
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


def test_engine_is_a_switch_that_follows_the_position(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game("luzhanqi", "S"))
    page.check("#study-engine")
    for _ in range(2):
        page.wait_for_selector("#study-lines li")
        page.wait_for_selector("#play-board .arrow.rank-0", state="attached")
        assert "%" in page.inner_text("#study-lines")
        page.keyboard.press("ArrowRight")
        until(page, "!document.querySelector('#study-lines li')")
    page.uncheck("#study-engine")
    until(page, "!document.querySelector('#play-board .arrow')")


def test_opened_record_is_kept_in_games_with_an_address(open_page: OpenPage) -> None:
    page = open_page()
    open_file(page, random_game("luzhanqi", "S"))
    until(page, f"{PATH}.startsWith('/game/')")
    page.reload()
    page.wait_for_selector("#move-list li")
    page.click("#tab-library")
    page.wait_for_selector("#library-list .saved.over")


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
