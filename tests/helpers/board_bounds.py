"""Shared by the tests of what strangers, guests and spectators can take of the board: a game of two persons."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import psutil

from junqi_board.game.record import MAX_MOVES
from junqi_engine.rules import lineup
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from tests.helpers.board import DEADLINE_S, Page, Server, new_game

ANSWER_S = 0.5
"""How long the two players wait at most for a move to be shown, with other programs on the processor."""
STEPS = {"S": ("a6b5", "b5a6"), "N": ("e7d8", "d8e7")}
PEOPLE = {"S": "me", "N": "guest"}


def memory_of(server: Server) -> int:
    """The bytes that the board has in memory."""
    return psutil.Process(server.process.pid).memory_info().rss


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
        self.slowest_s = 0.0
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
        """Play some moves; how long until both pages show one?"""
        for _ in range(count):
            ply = len(self.moves)
            seat = "SN"[ply % 2]
            move = STEPS[seat][ply // 2 % 2]
            self.moves.append(move)
            began_s = time.monotonic()
            (self.mine if seat == "S" else self.guest).say("move", ply=ply, move=move)
            for page in (self.mine, self.guest):
                page.state(lambda state: state["moves"] == self.moves)
            self.slowest_s = max(self.slowest_s, time.monotonic() - began_s)

    def saved(self, server: Server) -> list[str]:
        """The moves on the disk."""
        return next(record["moves"] for record in server.records() if record["game"] == self.number)


@contextmanager
def beside(work: Callable[..., None], server: Server, *arguments: Any) -> Iterator[None]:
    """Do something to a server meanwhile, in a process of its own, so that it does not slow down what is measured."""
    address = SimpleNamespace(port=server.port, base=server.base, token=server.token)
    context = get_context("spawn")
    begins = context.Event()
    process = context.Process(target=do, args=(begins, work, address, *arguments))
    process.start()
    try:
        assert begins.wait(DEADLINE_S)
        yield
        assert process.is_alive()
    finally:
        process.kill()
        process.join()


def do(begins: Any, work: Callable[..., None], *arguments: Any) -> None:
    begins.set()
    work(*arguments)


def longest_record(count: int = MAX_MOVES) -> str:
    """A record of passed turns, which are short and legal in any number, in which seats are named."""
    moves = [f"pass:{'SENW'[number % 4]}" for number in range(count)]
    record = GameRecord(
        1, "siguo", "partner", {}, 0, {"version": 2}, dict.fromkeys("SENW", lineup.DEFAULT), "S", moves,
        [1] * count, [None] * count, ending=Ending.INTERRUPTED,
    )  # fmt: skip
    return record.as_line()
