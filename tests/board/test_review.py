"""The review of a record on the board: it grows under Replay, can be stopped, and its positions can be played on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.board import Page, Server
from tests.helpers.board_pages import until
from tests.helpers.review import record_of, short_game

BLUNDER = """() => import('/main.js').then(({modules}) => {
  const {review} = modules['replay_view.js'].replay, found = structuredClone(review.found);
  const [, step, , later] = found.steps;
  Object.assign(step, {best: later.text.match(/[a-q]\\d+/g).slice(0, 2).join(''), loss: 0.3});
  review.show({...found, moments: [{step: 1, kind: 'blunder', size: 0.3, player: 'N'}]}, true);
})"""
"""In the review that is shown, the second move is a blunder: the fourth one was better."""


def line_of(variant: str = "luzhanqi", seed: int = 1, plies: int = 8) -> str:
    return record_of(short_game(variant, seed, plies)).strip()


def test_a_position_is_played_on_with_what_the_seat_had_seen(board: Server) -> None:
    game = short_game("siguo", 3, 40)
    with Page(board) as page:
        assert page.ask("play_from", line=record_of(game).strip(), ply=99, eyes="E")["code"] == "bad-ply"
        # A record of a match says how deep each move was searched.
        record = json.loads(record_of(game)) | {"depths": [3] * 40, "nodes": [900] * 40, "comments": {"20": "!"}}
        opened = page.ask("play_from", line=json.dumps(record), ply=9, eyes="E")
        assert opened["type"] == "opened"
        state = page.state(lambda state: len(state["moves"]) == 9)
        assert state["moves"] == game.move_stack[:9]
        seen = {seat for _, _, seat, letter in state["pieces"] if letter not in "?l"}
        assert seen == {"E", "W"}


def test_a_game_of_the_person_is_played_on_against_the_same_players(board: Server) -> None:
    person = {"name": "Ada", "command": "", "options": {}, "limits": {"base_ms": 9}, "who": "me", "program": ""}
    with Page(board) as page:
        program = page.until("welcome")["engines"][0]["program"]
        engine = person | {"name": program, "options": {"UCI_Elo": "1000"}, "who": "engine", "program": program}
        engine |= {"limits": {"base_ms": 9, "margin_ms": 10}, "remaining_ms": 0}
        for seed, eyes, mine, is_same in ((7, "SN", "S", True), (8, "EW", "EW", False)):
            played = json.loads(record_of(short_game("siguo", seed, 40)))
            record = played | {"engines": {"S": person, "N": engine, "EW": engine}}
            answer = page.ask("play_from", line=json.dumps(record), ply=9, eyes=eyes)
            assert answer["type"] == "opened", answer
            # At the person's turn it is played at once; otherwise it waits until it has been looked at.
            state = page.state(
                lambda state, mine=mine: (
                    len(state["moves"]) == 9
                    and state["mine"] == mine
                    and state["paused"] is (state["turn"] not in mine)
                )
            )
            names = {about["name"] for seat, about in state["seats"].items() if seat not in mine}
            assert (names == {f"{program} (Elo 1000)"}) is is_same
            assert {about["remaining_ms"] for about in state["seats"].values()} == {None}


@pytest.mark.long
def test_a_review_grows_under_replay_until_it_is_whole(open_page: Callable[..., Any], tmp_path: Path) -> None:
    plies = 4
    (tmp_path / "games.jsonl").write_text(line_of(plies=plies) + "\n")
    page = open_page()
    page.click("#tab-library")
    page.set_input_files("#replay-file", tmp_path / "games.jsonl")
    until(page, "document.getElementById('replay-status').textContent.startsWith('Before the first')")
    page.click("#review-start")
    until(page, "document.getElementById('review-stop').hidden && !document.getElementById('review-found').hidden")
    reviews = [one for one in map(json.loads, page.frames_received) if one["type"] == "review"]
    sizes = [len(message["review"]["steps"]) for message in reviews]
    assert sizes == sorted(sizes) and sizes[-1] == plies
    assert [message["is_whole"] for message in reviews] == [False] * (len(reviews) - 1) + [True]
    assert "lineups" not in reviews[-1]["review"]
    assert page.locator("#review-graph .line").count() == 3
    assert page.locator("#review-sums li").count() == 2
    assert "Luck " in page.inner_text("#review-summary") and "%" not in page.inner_text("#review-summary")
    assert page.is_hidden("#review-sums") and "dashed" in page.inner_text("#review-legend")
    page.click("#replay-last")
    until(page, f"document.getElementById('replay-status').textContent.startsWith('Move {plies} of')")
    assert "Chance of Red South" in page.inner_text("#review-told")
    # A moment shows the position before it, with arrows for what was played and for what was better.
    page.evaluate(BLUNDER)
    page.locator("#review-moments button").click()
    until(page, "document.getElementById('replay-status').textContent.startsWith('Before move 2.')")
    assert page.locator("#replay-board .hint.rank-0").count() == page.locator("#replay-board .hint.played").count() == 1
    told = page.inner_text("#review-told")
    assert "It cost 30%." in told and "Better:" in told and "best" not in told
    page.click("#replay-last")
    until(page, f"document.getElementById('replay-status').textContent.startsWith('Move {plies} of')")
    page.click("#language")
    assert "胜率" in page.inner_text("#review-told")
    page.click("#replay-back")
    # What the answer says moves the button below it: a click meanwhile may end beside it.
    until(page, f"document.getElementById('replay-status').textContent.startsWith('第 {plies - 1} 步')")
    page.click("#review-play")
    until(page, "!document.getElementById('play').hidden")
