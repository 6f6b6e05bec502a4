"""The host's rating: by Elo, counted once by the board, whatever the page does."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from junqi_board.engines import LEVELS
from tests.helpers.board import Page, broken, serving
from tests.helpers.marking import long_after
from tests.helpers.referee import scripted

LEVEL = "beginner"
ELO = LEVELS[LEVEL].elo
PROGRAM = "steady"
ENGINE = (PROGRAM, scripted("levels"))
AGAINST_ONE = {"S": "me", "N": PROGRAM}
STEPS = {"luzhanqi": ("a6b5", "b5a6"), "siguo": ("g6h5", "h5g6")}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with serving(tmp_path, ENGINE) as server, Page(server) as page:
        yield page


def begin(page: Page, *, is_rated: bool = True) -> dict[str, Any]:
    """A game against a level at the person's second turn, so that it counts; otherwise at the first."""
    page.new_game(AGAINST_ONE, elos={PROGRAM: ELO}, variant="luzhanqi", visibility="dark")
    state = page.start()
    if is_rated:
        page.move(state, STEPS["luzhanqi"][0])
        state = page.state(lambda state: len(state["moves"]) == 2)
    return state


def resign(page: Page) -> dict[str, Any]:
    page.say("resign")
    return page.state(lambda state: state["phase"] == "over")


def left_game(page: Page) -> dict[str, Any]:
    [left] = [game for game in page.ask("library")["games"] if game["state"] == "unfinished"]
    return left


def test_lost_game_changes_the_rating_by_elo(tmp_path: Path) -> None:
    # Against the rating of the level: 32 * 0.5. Then, with 16 less: 32 / (1 + 10 ** (16 / 400)).
    expected = [(ELO - 16, -16), (ELO - 31, -15)]
    with serving(tmp_path, ENGINE) as server, Page(server) as page:
        for new, change in expected:
            begin(page)
            over = resign(page)
            assert over["rating_change"] == {"rating": new, "change": change} and not over["practice"]
        assert over["ladder"]["ratings"]["luzhanqi"]["history"] == [new for new, _ in expected]
        assert over["ladder"]["wins"] == {} and over["ladder"]["streak"] == 0
        # A look back at a game that is over changes nothing.
        page.say("belief", on=True)
        with Page(server) as other:
            assert other.until("welcome")["ladder"] == over["ladder"]


def test_win_counts_with_its_level(tmp_path: Path) -> None:
    """In these rules the third move without a battle wins."""
    with serving(tmp_path, ENGINE, rules={"no_contact": 3}) as server, Page(server) as page:
        for streak in (1, 2):
            page.move(begin(page), STEPS["luzhanqi"][1])
            won = page.state(lambda state: state["phase"] == "over")
            assert won["phase"] == "over" and won["result"] == "S", won
            assert won["ladder"]["wins"] == {LEVEL: streak} and won["ladder"]["streak"] == streak
        assert won["rating_change"] == {"rating": ELO + 31, "change": 15} and won["ladder"]["bestStreak"] == 2


@pytest.mark.parametrize(
    ("help_", "fields"), long_after(1, [("take_back", {}), ("advice", {"ms": 10}), ("belief", {"on": True})])
)
def test_game_with_help_is_practice(tmp_path: Path, help_: str, fields: dict[str, Any]) -> None:
    with serving(tmp_path, ENGINE) as server, Page(server) as page:
        begin(page)
        page.say(help_, **fields)
        page.until(lambda message: message["type"] == help_ or message.get("moves") == [])
        over = resign(page)
        assert over["practice"] and over["rating_change"] is None and not over["ladder"]["ratings"]


def test_refused_help_leaves_the_game_rated(page: Page) -> None:
    page.new_game(AGAINST_ONE, elos={PROGRAM: ELO}, variant="luzhanqi", visibility="dark")
    drafts = next(json.loads(frame)["drafts"] for frame in reversed(page.frames) if '"drafts":{"' in frame)
    assert page.ask("advice", ms=1)["code"] == "too-early"
    page.say("belief", on=False)
    page.say("ready", lineups=drafts)
    page.move(page.my_turn(), STEPS["luzhanqi"][0])
    state = page.state(lambda state: len(state["moves"]) == 2)
    assert not state["practice"]
    # Advice names its game.
    page.say("advice", ms=1)
    assert page.until("advice")["game"] == state["game"]


@pytest.mark.parametrize(
    "seats", [{"S": "me", "N": "me"}, {"S": "me", "N": "guest"}, {"S": "me", "N": "script"}], ids=" ".join
)
def test_game_without_a_level_is_not_rated(tmp_path: Path, seats: dict[str, str]) -> None:
    with serving(tmp_path, ENGINE, broken("script")) as server, Page(server) as page:
        page.new_game(seats, variant="luzhanqi", visibility="dark")
        page.say("resign")
        begin(page)
        assert resign(page)["ladder"]["ratings"]["luzhanqi"]["history"] == [ELO - 16]


def test_left_game_counts_when_it_ends(page: Page) -> None:
    begin(page)
    state = begin(page, is_rated=False)
    assert state["ladder"]["ratings"] == {}, "a game that was left for another is not lost"
    left = left_game(page)
    assert left["rated"]
    page.say("resume", name=left["name"])
    page.state(lambda state: state["phase"] == "playing" and len(state["moves"]) == 2)
    over = resign(page)
    assert over["rating_change"] == {"rating": ELO - 16, "change": -16} and not over["practice"]
    [counted] = over["ladder"]["games"]
    assert (counted["variant"], counted["score"], counted["change"]) == ("luzhanqi", 0, -16)


def test_deleted_rated_game_is_a_loss(page: Page) -> None:
    begin(page)
    begin(page, is_rated=False)
    assert page.ask("library_delete", name=left_game(page)["name"])["games"][0]["state"] == "running"
    assert resign(page)["ladder"]["ratings"]["luzhanqi"]["history"] == [ELO - 16]


@pytest.mark.parametrize("end", ["resign", "delete"])
def test_nothing_counts_before_all_have_moved(page: Page, end: str) -> None:
    begin(page, is_rated=False)
    if end == "delete":
        begin(page)
        assert not left_game(page)["rated"]
        page.ask("library_delete", name=left_game(page)["name"])
    else:
        assert resign(page)["short"]
        begin(page)
    assert resign(page)["ladder"]["ratings"]["luzhanqi"]["history"] == [ELO - 16]


def test_surrender_is_no_win_though_partner_wins(tmp_path: Path) -> None:
    engines = (ENGINE, ("quits", scripted("levels", "5")))
    with serving(tmp_path, *engines) as server, Page(server) as page:
        seats = {"S": "me", "N": PROGRAM, "E": "quits", "W": "quits"}
        page.new_game(seats, elos={PROGRAM: ELO, "quits": ELO})
        page.move(page.start(), STEPS["siguo"][0])
        page.state(lambda state: len(state["moves"]) == 4)
        over = resign(page)
        assert over["result"] == "SN" and over["surrendered"]
        assert over["ladder"]["wins"] == {} and over["rating_change"] == {"rating": ELO - 16, "change": -16}
        [saved] = page.ask("library")["games"]
        assert saved["surrendered"]


def test_game_that_is_resumed_still_counts(tmp_path: Path) -> None:
    with serving(tmp_path, ENGINE) as server, Page(server) as page:
        begin(page)
        server.process.kill()
    with serving(tmp_path, ENGINE) as server, Page(server) as page:
        page.state(lambda state: state["phase"] == "playing")
        over = resign(page)
        assert over["rating_change"] == {"rating": ELO - 16, "change": -16} and not over["practice"]


def test_files_of_older_boards_are_continued(tmp_path: Path) -> None:
    older = {"ratings": {"luzhanqi": {"rating": 1400.5, "history": [1400]}}, "wins": {"expert": 2}, "streak": "many"}
    kept = {name: json.dumps(value) for name, value in older.items()}
    (tmp_path / "board.json").write_text(json.dumps({"junqi-board": kept}))
    with serving(tmp_path, ENGINE) as server, Page(server) as page:
        expected = {
            "ratings": older["ratings"],
            "wins": older["wins"],
            "streak": 0,
            "bestStreak": 0,
            "marshals": 0,
            "games": [],
        }
        assert page.until("welcome")["ladder"] == expected
