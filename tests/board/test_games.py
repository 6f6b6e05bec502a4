"""Games without a browser: what each page receives, engines, clocks, moves ahead, help, the past, games played on."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.board import OWN_ENGINE, Page, Server, broken, own_pieces, serving
from tests.helpers.review import record_of, short_game

AGAINST = {"S": "me", "N": "me", "E": "script", "W": "script"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("games")
    with serving(folder, OWN_ENGINE, broken("script"), broken("dies_at_start", str(folder / "moves.bin"))) as server:
        yield server


def test_spectator_of_engines_sees_all_pieces(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script"), rules={"max_plies": 8}) as server, Page(server) as page:
        page.new_game(dict.fromkeys("SENW", "script"))
        over = page.state(lambda state: state["phase"] == "over")
        assert (over["result"], over["ending"], len(over["moves"])) == ("draw", "max-plies", 8)
        assert own_pieces(over) == set("SENW") and not over["targets"]


def test_engine_that_fails_before_the_game_is_started_again(server: Server) -> None:
    with Page(server) as page:
        page.new_game({**AGAINST, "E": "dies_at_start", "W": "dies_at_start"})
        fault = page.state(lambda state: state["fault"] is not None)["fault"]
        assert fault["code"] == "no-start" and "its stderr ends with 'no such book: moves.bin'" in fault["text"]
        (server.folder / "moves.bin").touch()
        page.say("restart_engine", seats="EW")
        page.state(lambda state: state["seats"]["E"]["ready"] and state["fault"] is None)
        drafts = page.ask("lineup_random")["lineup"]
        page.say("ready", lineups={"S": drafts, "N": drafts})
        assert page.my_turn()["turn"] == "S"
        assert page.ask("restart_engine", seats="EW")["code"] == "bad-setup", "it has not failed"


def test_two_tabs_of_a_seat_agree_and_move_once(server: Server) -> None:
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
            (AGAINST, {"visibility": "dark"}, "one-side-only"),
            ({**AGAINST, "E": "me"}, {}, "one-side-only"),
            ({"S": "guest", "N": "guest", "E": "script", "W": "script"}, {}, "host-must-sit"),
        ]:
            assert page.new_game(seats, **changes)["code"] == code


def test_advice_and_belief_use_visible_facts_only(server: Server) -> None:
    with Page(server) as page:
        page.new_game({"S": "me", "E": "script", "N": "script", "W": "junqi-engine"}, visibility="dark")
        state = page.start()
        assert state["seats"]["W"]["name"] == "junqi-engine"
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
        assert own_pieces(state) == {"S"}


def test_premoves_follow_from_visible_facts(server: Server) -> None:
    with Page(server) as host:
        opened = host.new_game({"S": "me", "N": "guest"}, variant="luzhanqi", visibility="dark")
        with Page(server, token=opened["invitations"][0]["token"]) as guest:
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


def test_engine_help_needs_a_person_alone(server: Server) -> None:
    seats = {"S": "me", "E": "guest", "N": "script", "W": "script"}
    with Page(server) as host:
        opened = host.new_game(seats, visibility="dark")
        with Page(server, opened["invitations"][0]["token"]) as guest:
            host.ready()
            for page, state in ((guest, guest.start()), (host, host.my_turn())):
                assert not state["may"]["be_helped"]
                assert page.ask("advice", ms=10)["code"] == "help-refused"
                assert page.ask("belief", on=True)["code"] == "help-refused"


def test_page_sees_earlier_positions_as_its_seats_saw_them(server: Server) -> None:
    with Page(server) as page:
        page.new_game({"S": "me", "E": "script", "N": "me", "W": "script"})
        first = page.start()
        page.move(page.my_turn() if not first["targets"] else first)
        page.state(lambda state: len(state["moves"]) == 1)
        then = page.ask("scene", ply=0, viewer="")
        assert then["pieces"] == first["pieces"] and then["last"] is None
        entries = page.ask("story", viewer="")["entries"]
        assert entries[0]["seat"] == "S" and page.ask("scene", ply=1, viewer="")["last"] == entries[0]
        assert page.ask("scene", ply=10**6, viewer="")["code"] == "bad-ply"
        assert page.ask("rematch")["code"] == page.ask("past_targets", ply=0)["code"] == "too-early"
        page.say("resign")
        over = page.state(lambda state: state["phase"] == "over")
        if first["targets"]:
            assert page.ask("past_targets", ply=0)["targets"] == first["targets"]
        assert page.ask("past_targets", ply=10**6)["code"] == "bad-ply"
        assert len(over["pieces"]) == 50, "those who have resigned have left the board"
        assert len(over["face_up"]["pieces"]) == 100, "but the last look shows where they stood"
        assert not any(letter == "?" for *_, letter in over["face_up"]["pieces"])
        number = page.ask("rematch")["game"]
        again = page.state(lambda state: state["game"] == number)
        assert again["phase"] == "arranging" and again["mine"] == "SN"


FROM = {"viewer": "E", "moves": "", "elo": 700}


def test_played_on_position_keeps_the_seats_knowledge(server: Server) -> None:
    game = short_game("siguo", 3, 40)
    with Page(server) as page:
        assert page.ask("play_from", line=record_of(game).strip(), ply=99, **FROM)["code"] == "bad-ply"
        # A record of a match says how deep each move was searched.
        record = json.loads(record_of(game)) | {"depths": [3] * 40, "nodes": [900] * 40, "comments": {"20": "!"}}
        opened = page.ask("play_from", line=json.dumps(record), ply=9, **FROM)
        assert opened["type"] == "opened"
        state = page.state(lambda state: len(state["moves"]) == 9)
        assert state["moves"] == game.move_stack[:9]
        seen = {seat for _, _, seat, letter in state["pieces"] if letter not in "?l"}
        assert seen == {"E", "W"}


def test_variation_is_played_on_from_its_last_move(server: Server) -> None:
    game = short_game("luzhanqi", 3, 20)
    with Page(server) as page:
        line = record_of(game).strip()
        assert page.ask("replay_open", line=line)["type"] == "replay"
        scene = page.ask("scene", ply=4, viewer="*")
        legal = [move for targets in scene["targets"].values() for move in targets.values()]
        other = next(move for move in legal if not game.move_stack[4].startswith(move))
        [played] = page.ask("study_show", variant="luzhanqi", fen=scene["fen"], moves=other)["moves"]
        fields = {"line": line, "ply": 4, **FROM, "viewer": "S", "moves": played}
        assert page.ask("play_from", **fields | {"moves": "a1a1"})["code"] == "bad-record"
        assert page.ask("play_from", **fields)["type"] == "opened"
        assert page.state(lambda state: len(state["moves"]) == 5)["moves"] == [*game.move_stack[:4], played]


def test_opened_record_is_saved_once(server: Server) -> None:
    line = record_of(short_game("luzhanqi", 5, 20)).strip()
    with Page(server) as page:
        name = page.ask("library_add", line=line)["name"]
        assert name and page.ask("library_add", line=line)["name"] == name
        assert page.ask("library_open", name=name)["line"].strip() == line
        [saved] = [game for game in page.ask("library")["games"] if game["name"] == name]
        assert saved["state"] == "over" and saved["mine"] == ""


def test_own_game_is_played_on_against_the_same_players(server: Server) -> None:
    person = {"name": "Ada", "command": "", "options": {}, "limits": {"base_ms": 9}, "who": "me", "program": ""}
    with Page(server) as page:
        program = page.until("welcome")["engines"][0]["program"]
        engine = person | {"name": program, "options": {"UCI_Elo": "1000"}, "who": "engine", "program": program}
        engine |= {"limits": {"base_ms": 9, "margin_ms": 10}, "remaining_ms": 0}
        for seed, viewer, mine in ((7, "SN", "S"), (8, "EW", "EW")):
            played = json.loads(record_of(short_game("siguo", seed, 40)))
            record = played | {"engines": {"S": person, "N": engine, "EW": engine}}
            answer = page.ask("play_from", line=json.dumps(record), ply=9, **FROM | {"viewer": viewer})
            assert answer["type"] == "opened", answer
            state = page.state(lambda state, mine=mine: len(state["moves"]) == 9 and state["mine"] == mine)
            names = {about["name"] for seat, about in state["seats"].items() if seat not in mine}
            assert names == {f"{program} (Elo 700)"}, "the level is chosen"
            assert {about["remaining_ms"] for about in state["seats"].values()} == {None}
