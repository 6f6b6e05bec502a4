"""What strangers and guests can take of the board: places, memory, processor time.

Meanwhile two people play on undisturbed, and what they play is saved.
"""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from junqi_board.access_tokens import GUEST_PAGES, SPECTATOR_PAGES
from junqi_board.connection import CLOSE_TOO_MANY
from junqi_board.game.record import MAX_MOVES
from junqi_engine.rules import lineup
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from tests.helpers.board import Page, Server, broken, new_game, serving

STEPS = {"S": ("a6b5", "b5a6"), "N": ("e7d8", "d8e7")}
PEOPLE = {"S": "me", "N": "guest"}


class Table:
    """A game of Luzhanqi of the host and a guest, who step to and fro."""

    def __init__(self, server: Server, stack: ExitStack, kind: str = "new_game") -> None:
        self.mine = stack.enter_context(Page(server))
        self.mine.until("game")
        opened = self.mine.ask(kind, **new_game(PEOPLE, variant="luzhanqi", no_contact=0))
        self.number = opened["game"]
        self.invitation = opened["invitations"][0]["token"]
        self.guest = stack.enter_context(Page(server, token=self.invitation))
        self.moves: list[str] = []
        for page in (self.mine, self.guest):
            state = page.state(lambda state: state["game"] == self.number and bool(state.get("drafts")))
            page.say("ready", lineups=state["drafts"] | dict.fromkeys(state["drafts"], lineup.DEFAULT))
        for page in (self.mine, self.guest):
            page.state(lambda state: state["phase"] == "playing")

    @property
    def token(self) -> str:
        """The token of the guest."""
        welcome = next(json.loads(frame) for frame in self.guest.frames if '"welcome"' in frame[:30])
        return str(welcome["token"])

    def play(self, count: int) -> None:
        """Play some moves, which both pages show."""
        for _ in range(count):
            ply = len(self.moves)
            seat = "SN"[ply % 2]
            move = STEPS[seat][ply // 2 % 2]
            self.moves.append(move)
            (self.mine if seat == "S" else self.guest).say("move", ply=ply, move=move)
            for page in (self.mine, self.guest):
                page.state(lambda state: state["moves"] == self.moves)


def longest_record(count: int = MAX_MOVES) -> str:
    """A record of passed turns, which are short and legal in any number, in which seats are named."""
    moves = [f"pass:{'SENW'[number % 4]}" for number in range(count)]
    record = GameRecord(
        1, "siguo", "partner", {}, 0, {"version": 2}, dict.fromkeys("SENW", lineup.DEFAULT), "S", moves,
        [1] * count, [None] * count, ending=Ending.INTERRUPTED,
    )  # fmt: skip
    return record.as_line()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, broken("script")) as server:
        yield server
    assert (tmp_path / "stderr.txt").read_text() == ""


@pytest.mark.parametrize(("most", "watches"), [(GUEST_PAGES, False), (SPECTATOR_PAGES, True)])
def test_a_token_has_so_many_pages_and_a_place_comes_free(server: Server, most: int, watches: bool) -> None:
    with ExitStack() as stack:
        table = Table(server, stack)
        token = table.mine.ask("spectators")["token"] if watches else table.token
        more = [stack.enter_context(Page(server, token=token)) for _ in range(most if watches else most - 1)]
        for page in more:
            page.until("game")
        with Page(server, token=token) as one_more, pytest.raises(ConnectionClosed) as closed:
            one_more.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == CLOSE_TOO_MANY
        for page in more:
            page.socket.socket.shutdown(socket.SHUT_RDWR)
        with Page(server, token=token) as again:
            again.until("game")
        table.play(2)


@pytest.mark.parametrize("more", [0, 1])
def test_a_saved_game_is_resumed_up_to_a_number_of_moves_and_others_play_on(server: Server, more: int) -> None:
    record = json.loads(longest_record(MAX_MOVES + more))
    person = {"name": "person", "command": "", "options": {}, "limits": {}, "who": "me", "program": ""}
    record["engines"] = {"SN": person, "EW": person | {"who": "guest"}}
    name = "2020-01-31-120000.jsonl"
    (server.folder / name).write_text(json.dumps(record, separators=(",", ":")) + "\n")
    with ExitStack() as stack:
        table = Table(server, stack)
        other = Table(server, stack, "new_table")
        other.mine.say("resume", id=1000, name=name)
        table.play(4)
        answer = other.mine.until(lambda message: message.get("id") == 1000)
        assert (answer["type"], answer.get("code")) == (("error", "bad-record") if more else ("opened", None))
        assert not more or f"at most {MAX_MOVES}" in answer["text"]
        table.play(2)
