"""The address follows what the page shows, and leads there in a new tab; what leads nowhere says so in one line."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlparse

import pytest

from tests.helpers.board import Page, Server, fetch
from tests.helpers.board_pages import until

OpenPage = Callable[..., Any]
PATH = "location.pathname + location.hash"
NOTHING = "There is nothing at this address."


def tab(page: Any, server: Server, path: str) -> Any:
    """Another tab of the same browser, opened with an address."""
    other = page.context.new_page()
    other.goto(server.base + path)
    until(other, "document.querySelector('#seats li') && location.hash !== ''  || location.pathname !== '/'")
    return other


def host_page(open_page: OpenPage, **settings: Any) -> Any:
    page = open_page(at_home=True, **settings)
    until(page, "localStorage.getItem('junqi.token') && document.querySelector('#seats li')")
    return page


def test_a_lesson_and_a_puzzle_have_addresses(open_page: OpenPage, board: Server) -> None:
    page = host_page(open_page)
    assert page.evaluate(PATH) == f"/#{board.token}"
    page.click("#tab-learn")
    until(page, f"{PATH} === '/learn/1'")
    page.click("#learn-next")
    until(page, f"{PATH} === '/learn/2'")
    title = page.inner_text("#learn-title")
    other = tab(page, board, "learn/2")
    until(other, "!document.getElementById('learn').hidden && document.getElementById('learn-title').textContent")
    assert other.inner_text("#learn-title") == title
    # Back in this tab; the address is that of the view before, with the token.
    page.go_back()
    until(page, f"{PATH} === '/#{board.token}' && !document.getElementById('home').hidden")
    page.click("#tab-quiz")
    until(page, "location.pathname.startsWith('/puzzle/')")
    first = page.evaluate("location.pathname")
    page.click("#quiz-next")
    until(page, f"location.pathname !== '{first}'")
    other.goto(page.url)
    until(other, "!document.getElementById('quiz').hidden && document.querySelector('#quiz-board .piece')")
    until(other, f"{PATH} === '{urlparse(page.url).path}'")


@pytest.mark.long
def test_a_logic_puzzle_has_an_address(open_page: OpenPage, board: Server) -> None:
    page = host_page(open_page)
    page.click("#tab-puzzles")
    until(page, f"{PATH} === '/puzzle/klotski-1'")
    other = tab(page, board, "puzzle/klotski-3")
    until(other, f"!document.getElementById('puzzles').hidden && {PATH} === '/puzzle/klotski-3'")
    until(other, "document.getElementById('puzzle-known').selectedIndex === 2")


def test_a_move_of_a_saved_game_has_an_address(open_page: OpenPage, board: Server) -> None:
    page = host_page(open_page)
    with Page(board) as host:
        host.until("game")
        opened = host.new_game({"S": "me", "N": "script"}, variant="luzhanqi")
        assert opened["type"] == "opened"
        host.ready()
        for _ in range(2):
            host.move(host.my_turn())
        saved = host.state(lambda state: state.get("ply") == 4)["saved"]
        name = saved.rpartition("/")[2].removesuffix(".jsonl")
        # A game that is being played has no address: its record shows all pieces.
        early = tab(page, board, f"game/{name}#2")
        until(early, f"document.getElementById('banner').textContent.includes('{NOTHING}')")
        assert early.is_hidden("#replay") and early.evaluate(PATH) == f"/#{board.token}"
        host.say("resign")
        host.state(lambda state: state["phase"] == "over")
    other = tab(page, board, f"game/{name}#2")
    until(other, "document.getElementById('replay-status').textContent.startsWith('Move 2 of 5')")
    other.click("#replay-next")
    until(other, f"{PATH} === '/game/{name}#3'")
    other.reload()
    until(other, "document.getElementById('replay-status').textContent.startsWith('Move 3 of 5')")


@pytest.fixture(scope="module")
def lost(open_shared_page: OpenPage) -> Any:
    """A tab of the host for addresses of nothing."""
    return host_page(open_shared_page)


@pytest.mark.parametrize("path", ["learn/99", "learn/x", "puzzle/klotski-0", "puzzle/flag-000000", "game/none"])
def test_an_address_of_nothing_says_so(lost: Any, board: Server, path: str) -> None:
    lost.goto(board.base + path)
    until(lost, f"document.querySelector('#banner span').textContent === '{NOTHING}'")
    assert lost.is_visible("#home") and lost.evaluate(PATH) == f"/#{board.token}"


def test_addresses_are_for_the_host(open_page: OpenPage, board: Server) -> None:
    """A browser without the token is not let in, a guest keeps the address of its invitation."""
    assert fetch(board, "game/2026-01-01-000000")[2] == fetch(board)[2]
    assert fetch(board, "games/x")[0] == fetch(board, "learn/1/2")[0] == 404
    stranger = open_page("", at_home=True)
    stranger.goto(f"{board.base}learn/2")
    until(stranger, "document.querySelector('#banner span').textContent.includes('address is not valid')")
    with Page(board) as host:
        opened = host.new_game({"S": "me", "N": "guest"}, variant="luzhanqi")
        guest = open_page(opened["invitations"][0]["token"], at_home=True)
        until(guest, "document.querySelector('#seats li')")
        guest.click("#tab-learn")
        until(guest, "document.querySelector('#learn-board .piece')")
        assert guest.evaluate("location.pathname") == "/"
