"""Persons beside the board: names, words, rematches, the library, what is kept, what is confirmed."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.helpers.board import Page, Server, broken, serving, two_persons
from tests.helpers.record import random_game
from tests.helpers.referee import scripted
from tests.helpers.review import record_of, short_game

ARMIES = {"S": "me", "N": "me", "E": "guest", "W": "guest"}
AGAINST = {"S": "me", "N": "script"}
ENGINES = (broken("script"),)
RULES = {"max_plies": 4}


def test_names_and_chat_are_broadcast(board: Server) -> None:
    with Page(board) as mine:
        _, other = two_persons(board, mine, ARMIES)
        with other:
            seats = other.state(lambda state: state["phase"] == "playing")["seats"]
            assert (seats["S"]["who"], seats["S"]["name"], seats["S"]["is_named"]) == ("me", "person", False)
            mine.say("name", name="安娜 <b>")
            named = other.state(lambda state: state["seats"]["S"]["is_named"])
            assert named["seats"]["S"]["name"] == "安娜 <b>"
            mine.say("chat", words="  hello  ", to_all=True)
            told = other.until(lambda message: message["type"] == "chat_lines" and bool(message["lines"]))
            assert told["lines"] == [{"seats": "SN", "name": "安娜 <b>", "words": "hello", "to_all": True}]
            assert mine.ask("chat", words="again", to_all=True)["code"] == "too-fast"
            assert mine.ask("chat", words=" ", to_all=True)["code"] == "bad-words"
            mine.say("name", name="")
            other.state(lambda state: not state["seats"]["S"]["is_named"])
            # A page that comes later hears what was said.
            with Page(board) as late:
                assert late.until("chat_lines")["lines"][0]["words"] == "hello"


def test_review_of_the_finished_game_reaches_its_guests(board: Server) -> None:
    with Page(board) as mine:
        _, other = two_persons(board, mine, ARMIES)
        with other:
            mine.move(mine.my_turn())
            mine.say("resign")
            own = mine.ask("record")["line"]
            for line in (random_game("luzhanqi", "S").as_line(), own):
                assert mine.ask("review_start", line=line, nodes=1_000, number=1)["is_whole"]
            shared = other.until("review")
            assert (shared["number"], shared["review"]["variant"]) == (0, "siguo"), "that of another record is not sent"
            assert [step["text"] for step in shared["review"]["steps"]][-1] == "resign:N"


def test_review_that_was_made_is_kept(board: Server) -> None:
    """A page that is loaded again has the same numbers at once; one that wants a closer look has a new review."""
    line = record_of(short_game("luzhanqi", 1, 6)).strip()
    with Page(board) as page:
        found = []
        for number, nodes in enumerate((2_000, 1_000, 3_000), 1):
            assert page.ask("review_start", line=line, nodes=nodes, number=number)["is_whole"]
            sent = [json.loads(frame) for frame in page.frames if '"type":"review"' in frame]
            found.append([one["review"] for one in sent if one["number"] == number])
    assert found[1] == found[0][-1:] != found[2][-1:]


def test_every_request_is_answered(board: Server) -> None:
    with Page(board) as page:
        page.new_game(AGAINST, variant="luzhanqi")
        assert page.ask("level", elo=None)["type"] == "opened"
        drafts = next(json.loads(frame)["drafts"] for frame in reversed(page.frames) if '"drafts":{"' in frame)
        requests = [
            ("ready", {"lineups": drafts}), ("name", {"name": "Ann"}), ("chat", {"words": "hello", "to_all": True}),
            ("belief", {"on": False}), ("advice_stop", {}), ("study_stop", {}), ("teaser_stop", {}),
            ("review_stop", {}), ("setting", {"name": "clock", "value": '""'}), ("resign", {}),
        ]  # fmt: skip
        assert [page.ask(kind, **fields)["type"] for kind, fields in requests] == ["done"] * len(requests)


@pytest.mark.parametrize("char", "\u202e\u200f\u2028\u2066\u061c\x85\n")
def test_names_cannot_turn_or_break_lines(board: Server, char: str) -> None:
    with Page(board) as page:
        page.new_game(AGAINST, variant="luzhanqi")
        refused = page.ask("name", name=f"A{char}nn")
        assert refused["code"] == "bad-name" and repr(char) in refused["text"]
        page.say("name", name="👩‍👧 Ann")
        assert page.state(lambda state: state["seats"]["S"]["is_named"])["seats"]["S"]["name"] == "👩‍👧 Ann"


def test_library_says_how_many_games_there_are(tmp_path: Path) -> None:
    line = random_game().as_line()
    for number in range(205):
        (tmp_path / f"2026-01-01-{number:06}.jsonl").write_text(line)
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        found = page.ask("library")
        assert (len(found["games"]), found["all"]) == (200, 205)


def test_words_for_the_partner_reach_no_enemy(board: Server) -> None:
    with Page(board) as south, ExitStack() as others:
        opened = south.new_game({"S": "me", "E": "guest", "N": "guest", "W": "guest"})
        guests = {one["seats"]: others.enter_context(Page(board, one["token"])) for one in opened["invitations"]}
        tokens = {seat: page.until("welcome")["token"] for seat, page in guests.items()}
        south.say("chat", words="I hold the left", to_all=False)
        said = guests["N"].until(lambda message: message["type"] == "chat_lines" and bool(message["lines"]))
        assert [line["to_all"] for line in said["lines"]] == [False]
        guests["N"].say("chat", words="good luck", to_all=True)
        late = {seat: others.enter_context(Page(board, tokens[seat])) for seat in tokens}
        for pages in (guests, late):
            for seat in "EW":
                heard = pages[seat].until(lambda message: message["type"] == "chat_lines" and bool(message["lines"]))
                assert [line["words"] for line in heard["lines"]] == ["good luck"]
                assert not any("the left" in frame for frame in pages[seat].frames)
        assert [line["words"] for line in late["N"].until("chat_lines")["lines"]] == ["I hold the left", "good luck"]


def test_ping_reaches_the_partner_alone(board: Server) -> None:
    with Page(board) as south, ExitStack() as others:
        opened = south.new_game({"S": "me", "E": "guest", "N": "guest", "W": "guest"})
        guests = {one["seats"]: others.enter_context(Page(board, one["token"])) for one in opened["invitations"]}
        south.say("ping", point=7)
        for page in (south, guests["N"]):
            found = page.until("ping")
            assert (found["seats"], found["point"]) == ("S", 7)
        assert south.ask("ping", point=129)["code"] == "bad-message"
        guests["N"].say("chat", words="later", to_all=True)
        for seat in "EW":
            guests[seat].until(lambda message: message["type"] == "chat_lines" and bool(message["lines"]))
            assert not any('"ping"' in frame for frame in guests[seat].frames)


def test_friends_hear_of_a_draw_offer_that_a_computer_refuses(board: Server) -> None:
    with Page(board) as mine:
        _, other = two_persons(board, mine, ARMIES | {"W": "script"})
        with other:
            mine.my_turn()
            assert mine.ask("draw")["code"] == "draw-declined"
            told = other.until("notice")
            assert (told["code"], told["seats"]) == ("draw-refused", "SN")


def test_rematch_needs_all_persons_and_keeps_seats(board: Server) -> None:
    with Page(board) as mine:
        opened, other = two_persons(board, mine, ARMIES)
        with other:
            assert mine.ask("rematch")["code"] == "too-early"
            mine.say("name", name="Ann")
            other.say("resign")
            for page in (mine, other):
                page.state(lambda state: state["phase"] == "over")
            other.say("chat", words="well played", to_all=True)
            mine.until(lambda message: message["type"] == "chat_lines" and bool(message["lines"]))
            other.say("rematch")
            assert mine.state(lambda state: state["rematch"] != "")["rematch"] == "EW"
            mine.say("rematch")
            for page, seats in ((mine, "SN"), (other, "EW")):
                again = page.state(lambda state: state["game"] != opened["game"] and state["seats"]["S"]["is_named"])
                assert (again["mine"], again["seats"]["S"]["name"]) == (seats, "Ann")
                assert again["score"] == {"SN": 1, "EW": 0}
                page.say("ready", lineups=again["drafts"])
            # The chat remains, and no page takes it for new.
            chats = [json.loads(frame)["lines"] for frame in mine.frames if '"chat_lines"' in frame]
            chats = chats[chats.index([]) :]
            assert chats[-1][0]["words"] == "well played" and chats == sorted(chats, key=bool)
            other.move(other.my_turn())
            assert mine.my_turn()["game"] == again["game"], "the next seat has the first turn"


def test_level_limits_the_engine_and_stays_in_the_record(tmp_path: Path) -> None:
    written = tmp_path / "written.txt"
    with serving(tmp_path, ("limited", scripted("writes_down", str(written)))) as server, Page(server) as page:
        page.until("game")
        page.new_game({"S": "me", "N": "limited"}, variant="luzhanqi", elos={"limited": 1000})
        state = page.start()
        assert state["seats"]["N"]["elo"] == 1000
        bombs = [place for place, letter in enumerate(server.records()[-1]["lineups"]["N"]) if letter == "k"]
        assert bombs == [6, 10], "the board sets up a line-up in the style of the level"
        [limits] = [entry for entry in server.records()[-1]["engines"].values() if entry["who"] == "engine"]
        assert (
            limits["options"]["Skill Level"] == "4" and limits["elo"] == 1000 and limits["name"] == "limited (Elo 1000)"
        )


def test_library_lists_opens_and_deletes_saved_games(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        page.until("game")
        assert page.ask("library")["games"] == []
        page.new_game(AGAINST, variant="luzhanqi")
        state = page.start()
        [running] = page.ask("library")["games"]
        assert (running["state"], running["variant"], running["players"]) == (
            "running", "luzhanqi", [["S", "person"], ["N", "script"]],
        )  # fmt: skip
        assert page.ask("library_open", name=running["name"])["code"] == "game-running"
        assert page.ask("library_delete", name=running["name"])["code"] == "game-running"
        page.move(state, "a6b5")
        page.my_turn()
        page.say("resign")
        page.state(lambda state: state["phase"] == "over")
        page.new_game(AGAINST, variant="luzhanqi")
        page.start()
        page.new_game(AGAINST, variant="luzhanqi")
        games = {game["state"]: game for game in page.ask("library")["games"]}
        assert set(games) == {"over", "unfinished"}
        assert (games["over"]["result"], games["over"]["ending"], games["over"]["moves"]) == ("N", "resigned", 3)
        record = json.loads(page.ask("library_open", name=games["over"]["name"])["line"])
        assert record["moves"][0] == "a6b5"
        refused = page.ask("library_open", name=games["unfinished"]["name"])
        assert refused["code"] == "game-running" and "resume it" in refused["text"]
        for name in ("../secret.jsonl", "board.json", "", "2026-01-31-120000.jsonl"):
            assert page.ask("library_delete", name=name)["code"] == "no-such-game"
        foreign = tmp_path / "2026-01-01-000000.jsonl"
        foreign.write_text("mine\n")
        assert page.ask("library_delete", name=foreign.name)["code"] == "no-such-game" and foreign.exists()
        left = page.ask("library_delete", name=games["unfinished"]["name"])["games"]
        assert [game["name"] for game in left] == [games["over"]["name"]]
