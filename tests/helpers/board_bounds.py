"""Shared by the tests of what strangers, guests and spectators can take of the board: a game of two persons."""

import json
from contextlib import ExitStack

from junqi_board.game.record import MAX_MOVES
from junqi_engine.rules import lineup
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from tests.helpers.board import Page, Server, new_game

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
