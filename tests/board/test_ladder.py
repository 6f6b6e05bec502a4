"""The host's rating: by Elo, counted once by the board, whatever the page does."""

import json
from pathlib import Path
from typing import Any

import pytest

from junqi_board.engines import LEVELS
from tests.helpers.board import OWN_ENGINE, Page, broken, serving
from tests.helpers.marking import long_after

LEVEL = "beginner"
ELO = LEVELS[LEVEL].elo
PROGRAM = OWN_ENGINE[0]
AGAINST_ONE = {"S": "me", "N": PROGRAM}
LEFT_AT_ONCE = "import junqi_board.table; junqi_board.table.LEFT_S = 0.0"


def begin(page: Page) -> dict[str, Any]:
    """A game against a level in which one move has been played; the state after it."""
    page.new_game(AGAINST_ONE, elos={PROGRAM: ELO}, variant="luzhanqi", visibility="dark")
    state = page.start()
    page.move(state if state["targets"] else page.my_turn())
    return page.state(lambda state: len(state["moves"]) > 0)


def resign(page: Page) -> dict[str, Any]:
    page.say("resign")
    return page.state(lambda state: state["phase"] == "over")


def test_a_lost_game_changes_the_rating_by_elo(tmp_path: Path) -> None:
    # Against the rating of the level: 32 * 0.5. Then, with 16 less: 32 / (1 + 10 ** (16 / 400)).
    expected = [(ELO - 16, -16), (ELO - 31, -15)]
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        for new, change in expected:
            begin(page)
            over = resign(page)
            assert over["gain"] == {"rating": new, "change": change} and not over["practice"]
        assert over["ladder"]["ratings"]["luzhanqi"]["history"] == [new for new, _ in expected]
        assert over["ladder"]["wins"] == {} and over["ladder"]["streak"] == 0
        # A look back at a game that is over changes nothing.
        page.say("belief", on=True)
        with Page(server) as other:
            assert other.until("welcome")["ladder"] == over["ladder"]


def test_a_win_counts_with_its_level(tmp_path: Path) -> None:
    """In these rules a move without a battle wins."""
    with serving(tmp_path, OWN_ENGINE, rules={"no_contact": 1}) as server, Page(server) as page:
        for streak in (1, 2):
            won = begin(page)
            assert won["phase"] == "over" and won["result"] == "S", won
            assert won["ladder"]["wins"] == {LEVEL: streak} and won["ladder"]["streak"] == streak
        assert won["gain"] == {"rating": ELO + 31, "change": 15} and won["ladder"]["bestStreak"] == 2


@pytest.mark.parametrize(
    ("help_", "fields"), long_after(1, [("take_back", {}), ("advice", {"ms": 10}), ("belief", {"on": True})])
)
def test_a_game_with_help_is_practice(tmp_path: Path, help_: str, fields: dict[str, Any]) -> None:
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        begin(page)
        page.state(lambda state: bool(state["may"]["take_back"]) and bool(state["targets"]))
        page.say(help_, **fields)
        page.until(lambda message: message["type"] == help_ or message.get("moves") == [])
        over = resign(page)
        assert over["practice"] and over["gain"] is None and not over["ladder"]["ratings"]


@pytest.mark.parametrize(
    "seats", [{"S": "me", "N": "me"}, {"S": "me", "N": "guest"}, {"S": "me", "N": "script"}], ids=" ".join
)
def test_a_game_without_a_level_is_not_rated(tmp_path: Path, seats: dict[str, str]) -> None:
    with serving(tmp_path, OWN_ENGINE, broken("script")) as server, Page(server) as page:
        page.new_game(seats, variant="luzhanqi", visibility="dark")
        page.say("resign")
        begin(page)
        assert resign(page)["ladder"]["ratings"]["luzhanqi"]["history"] == [ELO - 16]


def test_a_game_that_is_left_is_lost(tmp_path: Path) -> None:
    """By another game, and by closing the page; that it ends later changes nothing."""
    with serving(tmp_path, OWN_ENGINE, sabotage=LEFT_AT_ONCE) as server:
        with Page(server) as page:
            begin(page)
            assert begin(page)["ladder"]["ratings"]["luzhanqi"]["history"] == [ELO - 16]
        with Page(server) as page:
            page.state(lambda state: len(state["ladder"]["ratings"]["luzhanqi"]["history"]) == 2)
            assert resign(page)["ladder"]["ratings"]["luzhanqi"]["history"] == [ELO - 16, ELO - 31]


def test_a_game_that_is_resumed_still_counts(tmp_path: Path) -> None:
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        begin(page)
        server.process.kill()
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        page.state(lambda state: state["phase"] == "playing")
        over = resign(page)
        assert over["gain"] == {"rating": ELO - 16, "change": -16} and not over["practice"]


def test_what_older_boards_kept_goes_on(tmp_path: Path) -> None:
    older = {"ratings": {"luzhanqi": {"rating": 1400.5, "history": [1400]}}, "wins": {"expert": 2}, "streak": "many"}
    kept = {name: json.dumps(value) for name, value in older.items()}
    (tmp_path / "board.json").write_text(json.dumps({"junqi-board": kept}))
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        expected = {"ratings": older["ratings"], "wins": older["wins"], "streak": 0, "bestStreak": 0, "marshals": 0}
        assert page.until("welcome")["ladder"] == expected
