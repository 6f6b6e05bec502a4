"""Friends on the page: seats, names, chat and rematches; a connection that is lost, and a board that starts again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers.board import Page, Server, broken, serving, two_persons
from tests.helpers.board_pages import click_a_quiet_move, give_up, my_turn, new_game, next_state, start, states, until

OpenPage = Callable[..., Any]
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
            waiting = (
                "document.getElementById('offer').textContent.includes('Waiting for 小明 and the enemy on your left.')"
            )
            east.say("draw_answer", accept=True)
            until(host, waiting)
            partner.click("#offer button:text-is('Accept')")
            until(partner, "document.getElementById('offer').textContent.includes('You have accepted.')")
            west.say("draw_answer", accept=False)
            for page, side in ((host, "left"), (partner, "right")):
                declined = f"The enemy on your {side} declines the draw."
                until(page, f"document.getElementById('banner').textContent.startsWith('{declined}')")
            # The form begins with this game, and keeps the friends when another choice changes.
            host.click("#new")
            assert host.input_value("#setup-variant") == "siguo"
            host.select_option("#setup-visibility", "dark")
            assert host.input_value("#setup-seats [data-seat=N]") == "guest"
            host.click("#setup .end button >> nth=0")
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
        assert page.text_content("#rematch-by") == "Rematch: the enemy – yes. Waiting for you."
        assert page.is_visible("#move-list") and not page.locator("h2:text('Review')").count()
        assert page.text_content("#move-list li:last-child b") == "–", "a resignation is of no piece"
        host.ask("review_start", line=host.ask("record")["line"], nodes=1_000, number=1)
        until(page, "document.getElementById('end-summary') && document.getElementById('review-graph')")
        assert page.get_attribute("#review-graph .line", "d").endswith(" 10.0"), "the winner's chance rises to 100%"
        assert not page.locator("#review-start").count()
        host.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        until(page, "!document.getElementById('rematch')")


def test_line_up_says_who_is_ready_and_who_is_awaited(open_page: OpenPage, board: Server) -> None:
    with Page(board) as host:
        host.until("game")
        host.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        opened = host.new_game({"S": "me", "E": "guest", "N": "guest", "W": "guest"})
        [token] = [one["token"] for one in opened["invitations"] if one["seats"] == "N"]
        page = open_page(token, viewport={"width": 390, "height": 844})
        host.ready(opened["game"])
        page.wait_for_selector("#arrange-ready >> text=Ready: your partner.")
        start(page)
        awaited = "Waiting for the enemy on your left and the enemy on your right to set up…"
        for place in ("arrange-start", "status"):
            until(page, f"document.getElementById('{place}').innerText.trim() === '{awaited}'")
        # It lies over nothing.
        assert page.evaluate("getComputedStyle(document.getElementById('arrange-start')).position") == "static"


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
        if is_dead:
            page_side.close()
            return
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(lambda frame: is_dead or page_side.send(frame))

    with serving(tmp_path, broken("script"), sabotage=soon) as server:
        page = open_page(server.token, server)
        page.route_web_socket("**/socket", route)
        page.reload()
        while not page.evaluate("import('/socket.js').then(({socket}) => socket.silentMs)"):
            page.wait_for_timeout(10)
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
