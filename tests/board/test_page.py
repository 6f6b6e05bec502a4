"""Games on the page, in Debian's Chromium: the first one, by clicks, drags, keys and fingers, on any screen, alone and
with friends, before and after a restart; an accessibility checker, axe-core, finds nothing serious in it.
"""

import json
import random
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from junqi_engine.api.game_record import GameRecord
from junqi_referee.endings import Ending
from junqi_referee.records.replay import verify
from tests.helpers.board import OWN_ENGINE, Page, Server, begin_with_no_game, broken, own_pieces, serving, two_persons
from tests.helpers.board_pages import (
    PLAYED,
    centre,
    centres,
    click,
    click_a_move,
    click_a_quiet_move,
    drag,
    go_to,
    my_turn,
    new_game,
    next_state,
    open_record,
    plies,
    start,
    states,
    until,
)
from tests.helpers.marking import long_after
from tests.helpers.record import random_game
from tests.helpers.review import record_of, short_game
from tests.helpers.screenshots import GAMES, saved_game

OURS, FAST = "Beginner", "script"
RULES = {"no_contact": 12, "max_plies": 20}
OpenPage = Callable[..., Any]
OVER = "document.getElementById('end-card')"


def give_up(page: Any) -> None:
    page.click("#resign")
    page.click("#confirm button.main")
    until(page, OVER)


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


@pytest.mark.long
def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, {})
    page.wait_for_selector("#arrange-start:not([disabled])")
    page.focus("#play-board")
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    until(page, "document.getElementById('live').textContent.endsWith(' have changed places.')")
    page.focus("#arrange-start")
    page.keyboard.press("Enter")
    my_turn(page)
    page.focus("#play-board")
    # Enter puts the cursor on a piece that can move and selects it; arrows move it to a target.
    for _ in range(40):
        page.keyboard.press("Enter")
        if centres(page, ".target"):
            break
        page.keyboard.press("ArrowUp")
    assert centres(page, ".target")
    page.keyboard.press("Escape")
    assert not centres(page, ".target")
    page.keyboard.press("Enter")
    until(page, "/^Chosen: Your .*, \\d+ targets?,/.test(document.getElementById('live').textContent)")
    target = min(centres(page, ".target"), key=lambda one: one["y"])
    cursor = centre(page, centres(page, ".shapes .taken")[0]["name"])
    for _ in range(40):
        if abs(cursor["x"] - target["x"]) < 9 and abs(cursor["y"] - target["y"]) < 9:
            break
        far_x, far_y = target["x"] - cursor["x"], target["y"] - cursor["y"]
        sideways = "ArrowRight" if far_x > 0 else "ArrowLeft"
        page.keyboard.press(sideways if abs(far_x) > abs(far_y) else "ArrowDown" if far_y > 0 else "ArrowUp")
        cursor = centres(page, ".cursor rect")[0]
    until(page, "document.getElementById('live').textContent.includes(', can be ')")
    page.keyboard.press("Enter")
    until(page, f"{PLAYED} > 0")
    until(page, "/From [a-q]\\d+ to [a-q]\\d+/.test(document.getElementById('live').textContent)")
    my_turn(page)
    page.focus("#take-back")
    page.keyboard.press("Enter")
    until(page, f"{PLAYED} === 0")


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
  set({review: {...state.review, found}});
})"""
"""In the review, a battle of the person is bad luck."""


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
    page.click("#find-better")
    note = "document.querySelector('#better-note span')?.textContent"
    until(page, f"{note} === 'Find a better move.' && document.querySelector('#play-board .movable')")
    assert not page.locator("#play-board .arrow.rank-0").count()
    best = page.evaluate("import('/state.js').then(({state}) => state.shown.comparison.better)")
    for wanted, told in ((False, "There is a better one. Try again."), (True, "Yes, that is better.")):
        for shape in centres(page, ".shapes .movable"):
            click(page, shape)
            found = [target for target in centres(page, ".target") if (target["name"] == best) == wanted]
            if found:
                click(page, found[0])
                break
        until(page, f"{note} === '{told}'")
    assert page.locator("#play-board .arrow.rank-0").count() == page.locator("#play-board .arrow.played").count() == 1
    # The address of an earlier position leads there again, though the game on the board opens its own record too.
    page.click("#replay-first")
    until(page, "location.pathname.startsWith('/game/') && location.hash === '#0'")
    page.reload()
    until(page, "document.getElementById('record-close') && document.getElementById('replay-at').value === '0'")


CELL = """(board) => {
  const svg = document.getElementById(board);
  return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}"""


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


RELATIONS = {"E": "the enemy on your right", "N": "your partner", "W": "the enemy on your left"}


def test_four_friends_return_to_their_seats(open_page: OpenPage, tmp_path: Path) -> None:
    """Also in a new tab, and after the board was stopped and started again."""
    one_line_each = "import junqi_board.chat\njunqi_board.chat.MIN_PAUSE_S = 1e9"
    with serving(tmp_path, broken("script"), sabotage=one_line_each) as server:
        host = open_page(server.token, server)
        host.click("#tab-home")
        host.click("#home-friends")
        host.wait_for_selector("#invitations li >> nth=2")
        [*_, opened] = [one for one in map(json.loads, host.frames_received) if one["type"] == "opened"]
        tokens = {one["seats"]: one["token"] for one in opened["invitations"]}
        named = {host.inner_text(f"#invitations a[href$='#{tokens[seat]}']").lower(): seat for seat in tokens}
        assert named == {f"link for {relation}": seat for seat, relation in RELATIONS.items()}
        # The browser of the test has a clipboard that refuses everything.
        host.click("#invitations li button >> nth=0")
        assert host.inner_text("#invitations li button >> nth=0") == "Copied"
        link = f"{server.base}#{tokens['N']}"
        partner = open_page(tokens["N"], server)
        partner.fill("#name-own", "小明")
        partner.press("#name-own", "Enter")
        until(partner, "!document.getElementById('name-own')")
        until(host, "document.getElementById('invitations').textContent.includes('小明 is here')")
        with Page(server, token=tokens["E"]) as east, Page(server, token=tokens["W"]) as west:
            until(host, "document.querySelectorAll('#invitations .good').length === 3")
            for page in (host, partner):
                start(page)
            for page in (east, west):
                page.ready(opened["game"])
            until(host, "!document.getElementById('arrange')")
            partner.fill("#chat-words", "hello")
            partner.press("#chat-words", "Enter")
            until(host, "document.querySelector('#chat-lines b')?.textContent.trim() === '小明'")
            assert host.locator("#chat-lines .seat-N").count() == 1, "the mark of a seat is the same for everybody"
            assert not host.locator("#chat-lines .soft").count(), "it is for the partner alone"
            until(partner, "document.getElementById('chat-words').value === ''")
            partner.fill("#chat-words", "a line that is refused")
            partner.press("#chat-words", "Enter")
            until(partner, "document.getElementById('banner').textContent.includes('Please wait')")
            assert partner.input_value("#chat-words") == "a line that is refused"
            host.fill("#chat-name", "安娜")
            host.press("#chat-name", "Enter")
            until(partner, "[...document.querySelectorAll('#seats bdi')].some((name) => name.textContent === '安娜')")
            host.check("#chat-all")
            host.fill("#chat-words", "good luck")
            host.press("#chat-words", "Enter")
            until(partner, "document.querySelector('#chat-lines .soft')?.textContent === 'All'")
            until(host, "!document.getElementById('chat-all').checked")  # the choice holds for one line
            host.click("#draw")
            host.click("#confirm button.main")
            until(partner, "document.getElementById('offer')?.textContent.includes('安娜 offers a draw.')")
            assert "安娜" in partner.inner_text("#offer b"), "it is still said whose turn it is"
            partner.click("#offer button:text-is('Decline')")
            until(host, "document.getElementById('banner').textContent.startsWith('小明 declines the draw.')")
            # Both questions say what becomes of the others.
            for steps, others in ((["#new", "#setup-go"], "小明"), (["#resign"], "partner")):
                for step in steps:
                    host.click(step)
                assert others in host.inner_text("#confirm p")
                host.click("#confirm button[value=no]")
                if host.is_visible("#setup"):
                    host.click("#setup .end button >> nth=0")
        again = partner.context.new_page()
        place = host.locator("#resign").bounding_box()
        partner.close()
        until(host, "document.querySelector('#seats [data-seat=N]').textContent.includes('disconnected')")
        host.wait_for_selector("#invitations")
        assert host.locator("#resign").bounding_box() == place
        again.goto(link)
        until(again, "document.querySelector('#seats [data-role=you]')?.dataset.seat === 'N'")
        click_a_quiet_move(host)
        server.process.kill()
        server.process.wait()
    with serving(tmp_path, broken("script")) as server:
        until(host, "!document.body.classList.contains('offline')")
        host.click("#tab-home")
        assert host.locator("#home .main:visible").all_inner_texts() == ["Continue your game"]
        host.click("#home-play")
        until(again, "document.getElementById('status').textContent.startsWith('Waiting for the enemy on your left')")


def test_rematch_is_seen_on_a_folded_card_and_goes_with_the_game(open_page: OpenPage, board: Server) -> None:
    with Page(board) as host:
        host.until("game")
        [guest] = host.new_game({"S": "me", "N": "guest"}, variant="luzhanqi", visibility="dark")["invitations"]
        page = open_page(guest["token"], viewport={"width": 390, "height": 844})
        page.wait_for_selector("#name-card >> text=Your host has invited you to this game.")
        box = page.locator("#name-own").bounding_box()
        assert box["y"] + box["height"] < 780, "above the tabs, without scrolling"
        host.ready()
        start(page)
        until(page, "!document.getElementById('arrange')")
        host.say("resign")
        page.click("#end-card .fold")
        assert page.is_hidden("#rematch")
        host.say("rematch")
        until(page, "document.getElementById('rematch').textContent.includes('Accept the rematch')")
        assert page.is_visible("#rematch")
        assert page.is_visible("#move-list") and not page.locator("h2:text('Review')").count()
        assert page.text_content("#move-list li:last-child b") == "–", "a resignation is of no piece"
        host.ask("review_start", line=host.ask("record")["line"], nodes=1_000, number=1)
        until(page, "document.getElementById('end-summary') && document.getElementById('review-graph')")
        assert not page.locator("#review-start").count()
        host.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        until(page, "!document.getElementById('rematch')")


def test_chat_is_announced_after_the_oldest_lines_are_dropped(open_page: OpenPage, tmp_path: Path) -> None:
    short = "import junqi_board.chat as chat\nchat.MIN_PAUSE_S, chat.MAX_LINES = 0, 2"
    with serving(tmp_path, broken("script"), sabotage=short) as server, Page(server) as mine:
        _, other = two_persons(server, mine, {"S": "me", "N": "me", "E": "guest", "W": "guest"})
        with other:
            page = open_page(server.token, server)
            until(page, "document.getElementById('seats')")
            for words in ("one", "two", "three", "three"):
                page.evaluate("import('/state.js').then(({change}) => change('chat', {said: null}))")
                other.say("chat", words=words, to_all=True)
                until(page, f"document.getElementById('seats').textContent.includes('{words}')")


def test_tabs_keep_the_line_ups_of_each_other(open_page: OpenPage, tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server:
        tabs = [open_page(server.token, server) for _ in range(2)]
        for tab in tabs:
            tab.click("#arrange-more summary")
            tab.click("#arrange-random")
        for tab in tabs:
            tab.click("#slot-save")
        for tab in tabs:
            until(tab, "document.querySelectorAll('#slots li').length === 2")


def test_page_says_that_the_network_is_lost_and_returns(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_for_selector("#play-board .shape")
    page.context.set_offline(True)
    until(page, "document.getElementById('banner').textContent.includes('connection is lost')")
    page.context.set_offline(False)
    until(page, "!document.body.classList.contains('offline')")


def test_page_notices_a_dead_router_by_the_silence(open_page: OpenPage, tmp_path: Path) -> None:
    """It closes no connection, and the browser says nothing."""
    soon = "connection.PING_EVERY_S, connection.SILENT_S = 0.2, 3"
    is_dead: list[bool] = []

    def route(page_side: Any) -> None:
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(lambda frame: is_dead or page_side.send(frame))

    with serving(tmp_path, broken("script"), sabotage=soon) as server:
        page = open_page(server.token, server)
        page.route_web_socket("**/socket", route)
        page.reload()
        until(page, "import('/socket.js').then(({socket}) => socket.silentMs)")
        is_dead.append(True)
        page.wait_for_selector("#banner >> text=The connection is lost. Reconnecting…")
        is_dead.clear()
        until(page, "!document.body.classList.contains('offline')")


def test_open_page_sees_another_game_after_a_restart(open_page: OpenPage, tmp_path: Path) -> None:
    """Each start of the board counts its games from 1; a game that is resumed is the same as before."""
    with serving(tmp_path, broken("script")) as server:
        page = open_page(server.token, server)
        new_game(page, {}, variant="luzhanqi")
        start(page)
        assert my_turn(page)
        click_a_quiet_move(page)
        page.evaluate("import('/state.js').then(({change}) => change('marks', {letters: {9: 'a'}}))")
        server.process.kill()
        server.process.wait()
        until(page, "document.body.classList.contains('offline')")
        # Only now, when no answer to the move can come.
        before = states(page)
    with serving(tmp_path, broken("script")) as server:
        until(page, "!document.body.classList.contains('offline')")
        # The server welcomes the page before it has read the game.
        assert next_state(page, len(before))["game"] == before[-1]["game"]
        assert page.evaluate("import('/state.js').then(({state}) => state.marks.letters)") == {"9": "a"}
        give_up(page)
        until(page, "document.getElementById('replay-at')")
        server.process.kill()
        server.process.wait()
        until(page, "document.body.classList.contains('offline')")
    with serving(tmp_path, broken("script")) as server:
        until(page, "!document.body.classList.contains('offline')")
        page.wait_for_selector("#arrange")
        assert page.evaluate("import('/state.js').then(({state}) => state.shown.record)") is None


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


def test_tip_past_and_lines_of_the_engine_move_nothing(open_page: OpenPage, board: Server) -> None:
    (board.folder / f"{GAMES['luzhanqi']}.jsonl").write_text(saved_game("luzhanqi"))
    page = open_page()
    page.click("#tab-library")
    page.click(f"[data-name='{GAMES['luzhanqi']}.jsonl'] [data-do=resume]")
    if page.is_visible("#confirm"):
        page.click("#confirm button.main")
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


AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
SERIOUS = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  const grave = violations.filter(({impact}) => impact === "serious" || impact === "critical");
  const told = (node) => `${node.target} ${node.any[0]?.message ?? ""}`;
  return grave.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(told).join("; ")}`);
}"""
FADES = "(one) => one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity"
"""Colours are measured when no animation or transition is running that ends."""
LOOKS = [
    ("en-GB", "light", "no-preference"),
    ("zh-CN", "dark", "no-preference"),
    ("en-GB", "dark", "more"),
    ("zh-CN", "light", "more"),
]


@pytest.mark.long
@pytest.mark.release
@pytest.mark.parametrize(("locale", "scheme", "contrast"), LOOKS)
def test_page_has_no_serious_accessibility_violation(
    open_page: OpenPage, locale: str, scheme: str, contrast: str
) -> None:
    page = open_page(locale=locale, color_scheme=scheme, contrast=contrast)
    page.evaluate(AXE)

    def check(view: str) -> None:
        until(page, f"!document.getAnimations().some({FADES})")
        assert page.evaluate(SERIOUS) == [], view

    page.click("#tab-home")
    assert page.locator("h1:visible").inner_text() == ("Junqi" if locale == "en-GB" else "军棋")
    check("the first view")
    page.click("#tab-problem")
    page.wait_for_selector("#problem-board .piece")
    check("a problem")
    page.click("#tab-teaser")
    page.click("#teaser-draw")
    check("the brain teasers")
    page.click("#tab-play")
    new_game(page, {"E": "script", "W": "script"})
    check("the line-up")
    start(page)
    my_turn(page)
    page.click("#side [data-side=help]")
    check("the game")
    page.click("#resign")
    check("a question")
    page.click("#confirm button.main")
    until(page, OVER)
    check("the end")
    record = random_game()
    open_record(page, record)
    page.fill("#replay-at", str(next(ply for ply, move in enumerate(record.moves, 1) if move[-1] in "ox")))
    page.wait_for_selector("#play-board .battle .remains", state="attached")
    check("a battle of a record")
    page.set_viewport_size({"width": 390, "height": 844})
    check("a replay on a phone")
    go_to(page, "play")
    check("the end on a phone")


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
HIDDEN_BATTLES = """async (sides) => {
  const {board} = await import('/game/game_board.js');
  const piece = {piece: 1, letter: '?', may: 'bcd'};
  const last = {outcome: 'attacker-won', flags: [], attacker: {...piece, seat: 'S'}, defender: {...piece, seat: 'W'}};
  const isUnder = (sign, {left, right, top, bottom}) =>
    left < sign.right - 3 && sign.left + 3 < right && top < sign.bottom - 3 && sign.top + 3 < bottom;
  return sides.flatMap((side) => {
    board.lookAt(side);
    const controls = [...document.querySelectorAll('#play :is(#seats li, .board-map, .board-size)')];
    const boxes = controls.map((one) => one.getBoundingClientRect());
    const {left, right, top, bottom} = board.visible;
    const places = board.data.points.map((_, to) => ({...board.point(to), to}));
    return places.filter(({x, y, to}) => {
      if (x < left || right < x || y < top || bottom < y) return false;
      board.animation.end();
      board.showBattle({...last, to});
      const sign = board.svgBoard.layers.going.querySelector('.paper').getBoundingClientRect();
      return boxes.some((box) => isUnder(sign, box));
    }).map(({to}) => `${side} ${to}`);
  });
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
        page.evaluate("""import('/state.js').then(({state, change}) =>
            change('table', {game: {...state.table.game, removed: []}}))""")
        until(page, "!document.querySelector('#seats .lost')")
        assert page.evaluate(PLATES) == before
        page.evaluate("import('/state.js').then(({state, change}) => change('table', {game: state.table.kept}))")
