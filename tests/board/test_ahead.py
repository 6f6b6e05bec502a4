"""Moves that are chosen before they are played: while others think, or to be confirmed; and the pages of spectators."""

from collections.abc import Callable
from typing import Any

import pytest

from junqi_engine.rules.board import BOARDS
from tests.helpers.board import Page, Server, broken, own_pieces
from tests.helpers.board_pages import centres, click, click_a_quiet_move, my_turn, new_game, start, until

OpenPage = Callable[..., Any]
ENGINES = (broken("script"),)
TWO = {"S": "me", "N": "guest"}
COUNT = "document.getElementById('moves').children.length"


def two_pages(open_page: OpenPage) -> tuple[Any, Any]:
    """The pages of a host and its guest, at the first move of the host."""
    host = open_page(at_home=True)
    host.click("#tab-home")
    host.click("#home-friend")
    # A game that the test before has left stops only if that is confirmed.
    host.wait_for_selector("#confirm[open], #invitations:not([hidden]) a")
    if host.is_visible("#confirm"):
        host.click("#confirm button.main")
        host.wait_for_selector("#invitations:not([hidden]) a")
    guest = open_page(host.get_attribute("#invitations a", "href").partition("#")[2])
    for page in (host, guest):
        start(page)
    assert my_turn(host)
    return host, guest


def plan(page: Any, selector: str, hits: bool = False) -> str:
    """Choose a move without playing it, to an empty point or to one with an enemy; the move."""
    for shape in centres(page, f".shapes {selector}"):
        click(page, shape)
        targets = [target for target in centres(page, ".target") if target["hit"] == hits]
        if targets:
            click(page, targets[0])
            page.wait_for_selector("#plan:not([hidden])")
            return str(targets[0]["name"])
    raise AssertionError("no piece has such a target")


@pytest.mark.long
def test_a_move_that_is_chosen_while_others_think_is_played_at_ones_turn(open_page: OpenPage, board: Server) -> None:
    host, guest = two_pages(open_page)
    guest.wait_for_selector("#play-board .later")
    plan(guest, ".later")
    guest.click("#plan-cancel")
    assert guest.is_hidden("#plan")
    plan(guest, ".later")
    assert not any("premove" in frame and '"plan' in frame for frame in host.frames_received)
    assert guest.evaluate(COUNT) == 0, "nothing is sent before the turn"
    click_a_quiet_move(host)
    until(guest, f"{COUNT} === 2")
    assert guest.is_hidden("#plan")


@pytest.mark.long
def test_a_planned_move_is_given_up_when_its_target_changes(open_page: OpenPage, board: Server) -> None:
    with Page(board) as host:
        opened = host.new_game(TWO, variant="luzhanqi", visibility="dark")
        guest = open_page(opened["invitations"][0]["token"])
        start(guest)
        state = host.start()
        guest.wait_for_selector("#play-board .later")
        attacked = BOARDS["luzhanqi"].point_named[plan(guest, ".later", hits=True)[2:]]
        host.move(state, next(iter(state["targets"][str(attacked)].values())))
        until(guest, f"{COUNT} === 1")
        until(guest, "document.getElementById('plan').hidden")
        assert my_turn(guest) and guest.evaluate(COUNT) == 1, "the person chooses anew"


@pytest.mark.long
def test_a_move_is_confirmed_if_the_person_wants_that(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, {"N": "script"}, variant="luzhanqi")
    start(page)
    assert my_turn(page)
    page.click("#look")
    page.check("#looks-confirms")
    page.click("#looks-close")
    plan(page, ".movable")
    assert page.evaluate(COUNT) == 0 and page.is_visible("#plan-go")
    page.click("#plan-cancel")
    plan(page, ".movable")
    page.click("#plan-go")
    until(page, f"{COUNT} > 0")


def test_moves_ahead_follow_from_what_the_seat_sees(board: Server) -> None:
    with Page(board) as host:
        opened = host.new_game(TWO, variant="luzhanqi", visibility="dark")
        with Page(board, token=opened["invitations"][0]["token"]) as guest:
            guest.ready()
            state = host.start()
            assert state["targets"] and not state["premoves"]
            waiting = guest.state(lambda state: state["phase"] == "playing")
            assert not waiting["targets"] and own_pieces(waiting) == {"N"}
            own = {str(point) for point, _, seat, _ in waiting["pieces"] if seat == "N"}
            assert waiting["premoves"] and set(waiting["premoves"]) <= own
            # A guess that is sent too early is refused and kept nowhere.
            move = next(iter(next(iter(waiting["premoves"].values())).values()))
            assert guest.ask("move", ply=0, move=move)["code"] == "not-your-turn"
            host.move(state)
            assert guest.my_turn()["moves"] == [next(iter(next(iter(state["targets"].values())).values()))]
