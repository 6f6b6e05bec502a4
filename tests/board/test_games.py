"""Games without a browser: what each page receives, failing engines, clocks, draws, taking back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.board import OWN_ENGINE, Page, Server, broken, own_pieces, serving
from tests.helpers.referee import ENGINES, processes_with, scripted

PATIENCE_S = 2.0
"""The board's `--patience`: short, but long enough for a script on a busy machine."""
AGAINST = {"S": "me", "N": "me", "E": "script", "W": "script"}
FAILING = ("exits_in_mid_game", "illegal_move", "answers_twice", "floods", "garbage")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    scripts = [broken("script"), *(broken(name) for name in ("bad_lineup", "dies_at_start", "dies_on_go"))]
    scripts += [(f"then {name}", scripted("sets_up_then", name)) for name in FAILING]
    with serving(tmp_path_factory.mktemp("games"), *scripts, OWN_ENGINE, patience_s=PATIENCE_S) as server:
        yield server


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board with our own engine, which may take its time."""
    with serving(tmp_path_factory.mktemp("own"), OWN_ENGINE, broken("script")) as server:
        yield server


def guest_of(server: Server, opened: dict[str, Any], seats: str) -> Page:
    token = next(one["token"] for one in opened["invitations"] if one["seats"] == seats)
    return Page(server, token=token)


def letters_of_all(page: Page) -> set[str]:
    """The seats of all pieces that any message about the last game has identified, revealed flags aside."""
    games = [message for message in map(json.loads, page.frames) if message["type"] == "game"]
    found: set[str] = set()
    for message in games:
        if message["game"] == games[-1]["game"]:
            found |= own_pieces(message) | set(message.get("drafts", {}))
    return found


def test_partners_see_each_other_and_engine_output_stays_in_its_team(server: Server) -> None:
    with Page(server) as mine:
        opened = mine.new_game({"S": "me", "N": "guest", "E": "script", "W": "script"})
        with guest_of(server, opened, "N") as other:
            for page in (mine, other):
                page.ready()
            mine.move(mine.my_turn())
            other.move(other.my_turn())
            mine.my_turn()
            assert letters_of_all(mine) == {"S", "N"} and letters_of_all(other) == {"S", "N"}
            assert not any(json.loads(frame)["type"] == "info" for frame in mine.frames + other.frames)


def test_a_spectator_of_engines_sees_all_pieces_and_their_output(server: Server) -> None:
    with Page(server) as page:
        page.new_game(dict.fromkeys("SENW", "script"), max_plies=8)
        assert page.until("info")["lines"]
        over = page.state(lambda state: state["phase"] == "over")
        assert (over["result"], over["ending"], len(over["moves"])) == ("draw", "max-plies", 8)
        assert own_pieces(over) == set("SENW") and not over["targets"]


def test_a_hanging_engine_is_noticed_and_replaced(tmp_path: Path) -> None:
    with (
        serving(
            tmp_path, broken("script"), ("hangs", scripted("sets_up_then", "hangs")), patience_s=PATIENCE_S
        ) as server,
        Page(server) as page,
    ):
        page.new_game({**AGAINST, "E": "hangs", "W": "hangs"}, move_ms=1)
        page.start()
        page.say("move", ply=0, move="i6i7")
        state = page.state(lambda state: state["fault"] is not None)
        assert state["fault"]["code"] == "stall" and state["moves"] == ["i6i7"]
        page.say("new_engine", seats="EW", program="script", player="")
        assert page.my_turn()["moves"][0] == "i6i7"
    # No engine outlives the board, not even the one that hangs and does not quit.
    assert not [line for line in processes_with(str(ENGINES)) if "hangs" in line]


@pytest.mark.parametrize(
    ("name", "code"), [("bad_lineup", "bad-lineup"), ("dies_at_start", "no-start"), ("dies_on_go", "disconnect")]
)
def test_an_engine_that_fails_before_the_game_is_replaced(server: Server, name: str, code: str) -> None:
    with Page(server) as page:
        page.new_game({**AGAINST, "E": name, "W": name})
        fault = page.state(lambda state: state["fault"] is not None)["fault"]
        assert fault["code"] == code
        assert name != "dies_at_start" or "its stderr ends with 'no such book: moves.bin'" in str(fault)
        page.say("new_engine", seats="EW", program="script", player="")
        page.state(lambda state: state["seats"]["E"]["ready"] and state["fault"] is None)
        drafts = page.ask("lineup_random")["lineup"]
        page.say("ready", lineups={"S": drafts, "N": drafts})
        assert page.my_turn()["turn"] == "S"


def test_two_tabs_with_one_seat_show_the_same_and_cannot_move_twice(server: Server) -> None:
    with Page(server) as one, Page(server) as two:
        one.new_game(AGAINST)
        one.start()
        assert two.my_turn()["ply"] == 0
        one.say("move", ply=0, move="i6i7")
        one.state(lambda state: state["ply"] == 2)
        two.say("move", ply=0, move="g6g7")
        assert two.until("error")["code"] in ("stale", "not-your-turn")
        one.say("move", ply=2, move="g12g11")
        states = [page.state(lambda state: state["ply"] >= 4 and bool(state["targets"])) for page in (one, two)]
        assert states[0] == states[1] and states[0]["moves"][0] == "i6i7"


def test_impossible_setups_are_refused(server: Server) -> None:
    with Page(server) as page:
        page.until("game")
        for seats, changes, code in [
            ({"S": "me", "N": "me"}, {}, "bad-setup"),
            ({**AGAINST, "E": "nobody"}, {}, "bad-setup"),
            (AGAINST, {"variant": "chess"}, "bad-setup"),
            (AGAINST, {"first": "X"}, "bad-setup"),
            (AGAINST, {"visibility": "dark"}, "one-side-only"),
            ({**AGAINST, "E": "me"}, {}, "one-side-only"),
            ({"S": "guest", "N": "guest", "E": "script", "W": "script"}, {}, "host-must-sit"),
        ]:
            assert page.new_game(seats, **changes)["code"] == code


def test_advice_and_belief_use_only_what_the_page_sees(own: Server) -> None:
    with Page(own) as page:
        page.new_game({"S": "me", "E": "script", "N": "script", "W": "junqi-engine:1.1"}, visibility="dark")
        state = page.start()
        assert state["seats"]["W"]["name"] == "junqi-engine 1.1"
        page.say("belief", on=True)
        belief = page.until("belief")
        points = belief["points"]
        assert belief["ply"] == len(state["moves"])
        hidden = {str(point) for point, _, seat, _ in state["pieces"] if seat != "S"}
        assert set(points) == hidden
        assert all(abs(sum(chances.values()) - 1) < 0.1 for chances in points.values())
        page.say("advice", ms=50)
        advice = page.until("advice")
        assert advice["ply"] == len(state["moves"])
        assert state["targets"][str(advice["from"])][str(advice["to"])] == advice["move"]
        assert letters_of_all(page) == {"S"}
        assert {message["name"] for message in map(json.loads, page.frames) if message["type"] == "info"} == {"adviser"}


def test_a_pause_stops_the_engines_and_the_last_game_is_saved_at_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        page.new_game(dict.fromkeys("SENW", "script"), pace_ms=100)
        page.state(lambda state: state.get("ply", 0) >= 2)
        page.say("pause", on=True)
        held = page.state(lambda state: state["paused"])
        page.say("pace", ms=0)
        assert page.state(lambda state: True)["moves"] == held["moves"]
        page.say("pause", on=False)
        page.state(lambda state: state["ply"] > held["ply"] + 4)
    assert verify(GameRecord.from_line(json.dumps(server.records()[-1]))) is None
    assert (tmp_path / "stderr.txt").read_text() == ""
