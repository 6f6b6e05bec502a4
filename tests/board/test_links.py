"""The address follows what the page shows, and leads there in a new tab; what leads nowhere says so in one line."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlparse

from tests.helpers.board import Page, Server, fetch
from tests.helpers.board_pages import until

OpenPage = Callable[..., Any]
PATH = "location.pathname + location.hash"


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
