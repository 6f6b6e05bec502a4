"""The puzzle of the day of Junqi itself: its data, what a page may know before it answers, and the view."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from junqi_board.views.daily import MAX_DAYS_BACK, Puzzle, of_day, puzzles, shown
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.pieces import BATTLES, LETTERS, Outcome, letters_of
from tests.helpers.board import Page, Server, broken
from tests.helpers.board_pages import centres, click, until

OpenPage = Callable[..., Any]
ENGINES = (broken("script"),)
LEAST = 30


def view_of(puzzle: Puzzle) -> SeatView:
    return parse_fen(BOARDS[puzzle["variant"]], puzzle["fen"])


def test_there_are_puzzles_of_every_kind_for_a_month() -> None:
    assert len(puzzles()) >= LEAST and {puzzle["kind"] for puzzle in puzzles()} == {"flag", "win", "safe"}
    assert len({puzzle["fen"] for puzzle in puzzles()}) == len(puzzles())
    assert {of_day(back)[1]["fen"] for back in range(len(puzzles()))} == {puzzle["fen"] for puzzle in puzzles()}


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: f"{puzzle['kind']} {puzzle['answers'][0]}")
def test_a_puzzle_has_right_answers_and_tells_nothing_before_them(puzzle: Puzzle) -> None:
    view, told = view_of(puzzle), shown(puzzle)
    seats = view.board.seats
    known = {seats[number] for number in range(len(seats)) if view.sees(number)}
    assert told["mine"] in known and known != set(seats), "it is a position of one team"
    hidden = [letter for _, _, seat, letter in told["pieces"] if seat not in known]
    assert hidden and set(hidden) <= {"?", "l"}
    assert told.keys() == {"kind", "variant", "mine", "targets", "asked", "pieces", "proven", "may", "alive", "counts"}
    moves = {move for targets in told["targets"].values() for move in targets.values()}
    if puzzle["kind"] == "flag":
        chances = puzzle["told"]["chances"]
        assert puzzle["answers"] == [max(chances, key=lambda point: chances[point])] and len(told["asked"]) >= 3
    else:
        assert puzzle["answers"] and set(puzzle["answers"]) <= moves
    if puzzle["kind"] == "win":
        for answer in puzzle["answers"]:
            start, target = (view.board.point_named[name] for name in _ends(view, answer))
            kind = int(view.position["kind"][view.piece_at(start)])
            may = letters_of(view.mask_at(target))
            assert all(BATTLES[kind][LETTERS.index(one)].outcome == Outcome.ATTACKER_WON for one in may)
    if puzzle["kind"] == "safe":
        assert puzzle["told"]["win"] > puzzle["told"]["next"] and puzzle["told"]["other"] in moves


def _ends(view: SeatView, move: str) -> tuple[str, str]:
    """The names of the two points of a move."""
    names = view.board.point_named
    return next((move[:cut], move[cut:]) for cut in (2, 3) if move[:cut] in names and move[cut:] in names)


def test_the_answer_follows_the_first_try_and_guests_have_none(board: Server) -> None:
    with Page(board) as page:
        asked = page.ask("daily", back=0)
        puzzle = of_day(0)[1]
        assert "answers" not in asked and "chances" not in json.dumps(asked)
        assert page.ask("daily_try", back=0, answer="a1a1")["code"] == "illegal-move"
        told = page.ask("daily_try", back=0, answer=puzzle["answers"][0])
        assert told["is_right"] and told["answers"] == puzzle["answers"]
        page.say("daily", back=MAX_DAYS_BACK + 1)
        assert page.until("error")["code"] == "bad-message"
        opened = page.new_game({"S": "me", "N": "guest"}, variant="luzhanqi")
        with Page(board, token=opened["invitations"][0]["token"]) as guest:
            assert (
                guest.ask("daily", back=0)["code"] == guest.ask("daily_try", back=0, answer="x")["code"] == "host-only"
            )


@pytest.mark.long
def test_a_person_solves_it_and_the_first_view_says_so(open_page: OpenPage) -> None:
    page = open_page()
    page.click("#tab-home")
    page.click("#home-daily")
    page.wait_for_selector("#daily-board .piece")
    puzzle = of_day(0)[1]
    if puzzle["kind"] == "flag":
        place = next(one for one in centres(page, ".target", "daily-board") if one["name"] == puzzle["answers"][0])
    else:
        for shape in centres(page, ".shapes .movable", "daily-board"):
            click(page, shape)
            found = [one for one in centres(page, ".target", "daily-board") if one["name"] == puzzle["answers"][0]]
            if found:
                break
        place = found[0]
    click(page, place)
    until(page, "document.getElementById('daily-answer').textContent.startsWith('Right!')")
    assert len(page.inner_text("#daily-answer")) > len("Right!")
    page.click("#daily-before")
    until(page, "document.getElementById('daily-answer').textContent === ''")
    page.click("#tab-home")
    assert "first try today" in page.inner_text("#home-daily-done")
