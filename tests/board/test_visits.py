"""Leaving a page and coming back: reloads, Back, two tabs, double clicks."""

from collections.abc import Callable
from typing import Any

import pytest

from junqi_engine.rules import lineup
from tests.helpers.board import Server
from tests.helpers.board_pages import centre, centres, click, my_turn, new_game, start, states, until
from tests.helpers.record import random_game

OpenPage = Callable[..., Any]
SMALL = ".BB./DBBF/DEEF/GHIJ/G..J goal ..../..../.BB./.BB./...."
PUZZLE = "document.getElementById('puzzle-status').textContent"
LETTERS = "document.getElementById('arrange-letters').value"


@pytest.mark.long
def test_a_reload_keeps_the_line_up_the_marks_and_the_view(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, {"S": "me", "E": "script", "N": "script", "W": "script"}, "dark")
    page.wait_for_selector("#arrange-start:not([disabled])")
    broken = lineup.DEFAULT.replace("b", "a")
    page.fill("#arrange-letters", broken)
    page.reload()
    until(page, f"{LETTERS} === '{broken}'")
    page.wait_for_selector("#arrange-faults [data-rule='count']")
    page.fill("#arrange-letters", lineup.DEFAULT)
    start(page)
    my_turn(page)
    click(page, centre(page, "40"), button="right")
    page.click("#marks [data-mark='k']")
    # A reload during a move: the piece is deselected, and the game goes on.
    click(page, centres(page, ".shapes .movable")[0])
    assert centres(page, ".target")
    page.reload()
    my_turn(page)
    assert not centres(page, ".target") and not page.locator("#moves li").count()
    assert page.text_content("#play-board [data-id='40'] .mark") == "Bomb"
    page.click("#tab-replay")
    page.reload()
    until(page, "!document.getElementById('replay').hidden && document.querySelector('#replay-board .station')")
    page.go_back()
    until(page, "!document.getElementById('play').hidden")
    assert my_turn(page)


@pytest.mark.long
def test_a_reload_keeps_a_puzzle_and_its_moves(open_page: OpenPage) -> None:
    page = open_page()
    page.click("#tab-puzzles")
    until(page, "document.querySelectorAll('#puzzle-board .shape').length === 10")
    page.click("#puzzle-edit summary")
    page.fill("#puzzle-position", SMALL)
    page.click("#puzzle-open")
    until(page, "document.querySelectorAll('#puzzle-board .shape').length === 8")
    page.wait_for_selector("#puzzle-board .movable", state="attached")
    click(page, centres(page, ".shapes .movable", "puzzle-board")[0])
    click(page, centres(page, ".target", "puzzle-board")[0])
    until(page, f"{PUZZLE}.startsWith('1 move')")
    before = {one["name"]: one for one in centres(page, ".shapes .shape", "puzzle-board")}
    page.reload()
    until(page, f"{PUZZLE}.startsWith('1 move')")
    assert {one["name"]: one for one in centres(page, ".shapes .shape", "puzzle-board")} == before
    assert page.input_value("#puzzle-position") == SMALL
    page.click("#puzzle-back")
    until(page, f"{PUZZLE}.startsWith('0 moves')")
    page.go_back()
    until(page, "!document.getElementById('play').hidden")
    page.go_forward()
    until(page, "!document.getElementById('puzzles').hidden")
    # The page itself refuses a message that is too large for the server.
    page.evaluate("document.getElementById('puzzle-edit').open = true")
    page.evaluate("document.getElementById('puzzle-position').value = 'x'.repeat(300_000)")
    page.click("#puzzle-open")
    until(page, "document.getElementById('puzzle-answer').textContent.includes('too large')")
    assert page.is_hidden("#banner") and page.locator("#puzzle-board .shape").count() == 8


@pytest.mark.long
def test_a_reload_keeps_the_place_in_a_replay(open_page: OpenPage) -> None:
    page = open_page()
    page.click("#tab-replay")
    line = random_game().as_line().encode()
    page.set_input_files("#replay-file", {"name": "one.jsonl", "mimeType": "text/plain", "buffer": line})
    until(page, "document.querySelectorAll('#replay-moves li').length === 60")
    page.select_option("#replay-eyes", "W")
    page.click("#replay-moves li:nth-child(7)")
    until(page, "document.getElementById('replay-status').textContent.startsWith('7 of 60')")
    assert page.locator("#replay-board .hidden").count() > 60
    page.reload()
    until(page, "document.getElementById('replay-status').textContent.startsWith('7 of 60')")
    assert page.input_value("#replay-eyes") == "W"


@pytest.mark.long
def test_an_invitation_works_in_the_address_of_an_open_page(open_page: OpenPage, board: Server) -> None:
    mine = open_page()
    new_game(mine, {"S": "me", "E": "a person on another page"}, "dark")
    address = mine.get_attribute("#invitations a", "href")
    other = open_page("wrong")
    until(other, "document.getElementById('banner').textContent.includes('not valid')")
    other.goto(address)
    other.wait_for_selector("#arrange-start:not([disabled])")
    assert set(states(other)[-1]["mine"]) == {"E"} and other.is_hidden("#tab-puzzles")
