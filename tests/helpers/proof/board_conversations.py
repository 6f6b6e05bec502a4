"""Games on the board against hostile engines, in this process: whatever an engine writes, the board stays usable."""

import asyncio
import json
import logging
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from junqi_board.engine_programs import Program
from junqi_board.errors import RequestError
from junqi_board.game.parts import Phase
from junqi_board.game.state import BoardGame
from junqi_board.server import Server
from junqi_board.session import host_settings
from junqi_board.views.base import PageContext
from junqi_board.views.registry import COMMANDS, PageViews
from junqi_engine.client.engine_client import Patience
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.board import new_game
from tests.helpers.proof import plans
from tests.helpers.referee import scripted

PATIENCE = Patience(uciok_s=3.0, first_ready_s=1.0, ready_s=1.0, grace_s=0.3, unclocked_s=0.5, setup_s=1.0, quit_s=0.1)
"""Short, so that a silent engine does not take long; a busy machine only makes more engines silent."""
SETTLED_S = 12.0
"""By then every engine has answered or failed."""
GONE_S = 10.0
MAX_MESSAGE_CHARS = 1_000_000
HOSTILE, GOOD = "hostile", "good"


class Broken(AssertionError):
    """The board has broken a promise; the text says which."""


@dataclass
class Findings:
    """What happened in some conversations."""

    count: int = 0
    moves: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Findings") -> None:
        self.count += other.count
        self.moves += other.moves
        self.faults += other.faults
        self.endings += other.endings


class Page:
    """A page without a browser and without a socket. `state` is the last state of the game."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.state: dict[str, Any] | None = None
        self._views = PageViews(PageContext(server, server.host, self._receive))

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message, as a WebSocket would hand it over."""
        try:
            await self._views.handle(kind, 1, fields)
        except RequestError as error:
            if "\n" in str(error):
                raise Broken(f"{kind}: an error of two lines: {error}") from None

    def open(self) -> None:
        self._views.open()

    def close(self) -> None:
        self._views.close()

    def _receive(self, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        if len(text) > MAX_MESSAGE_CHARS:
            raise Broken(f"a message {message['type']} of {len(text)} characters")
        if message["type"] == "game":
            self.state = message


def run(rng: random.Random) -> Findings:
    """One conversation, which depends on `rng` alone, but for the speed of the machine; raises `Broken`."""
    plan = plans.plan(rng)
    troubles: list[str] = []
    with tempfile.TemporaryDirectory() as name, _Listening(troubles):
        findings = asyncio.run(_converse(rng, plan, Path(name), troubles))
    if troubles:
        raise Broken(f"{troubles[0]}\nplan: {json.dumps(plan)[:2000]}")
    return findings


async def _converse(rng: random.Random, plan: plans.Plan, folder: Path, troubles: list[str]) -> Findings:
    asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(str(context)))
    path = folder / "plan.json"
    path.write_text(json.dumps(plan), "utf-8")
    hostile, good = Program(HOSTILE, tuple(scripted("planned", str(path)))), Program(GOOD, tuple(scripted("planned")))
    programs = (hostile, good) if rng.random() < 0.3 else (good, hostile)
    server = Server(programs, folder / "games", PATIENCE)
    findings = Findings(count=1)
    page = Page(server)
    try:
        await server.open()
        page.open()
        await page.say("new_game", **_setup(rng))
        for _ in range(rng.randint(3, 15)):
            await _step(page, rng, findings)
        await _until_settled(server)
    finally:
        page.close()
        await server.close()
    if server.errors.count:
        raise Broken(f"{server.errors.count} internal errors")
    await _check_processes(str(path))
    _check_games(folder / "games", findings)
    return findings


async def _step(page: Page, rng: random.Random, findings: Findings) -> None:
    """One message of the page, then a moment."""
    state = page.state or {}
    if state.get("fault"):
        findings.faults[state["fault"]["code"]] += 1
    if state.get("phase") == "arranging" and state["mine"]:
        await page.say("ready", lineups=state["drafts"])
    elif state.get("targets") and rng.random() < 0.7:
        findings.moves += 1
        targets = rng.choice(list(state["targets"].values()))
        await page.say("move", ply=len(state["moves"]), move=rng.choice(list(targets.values())))
    elif state.get("fault") and rng.random() < 0.5:
        await page.say("new_engine", seats=state["fault"]["seats"], program=rng.choice((HOSTILE, GOOD)), player="")
    else:
        kind, fields = rng.choice(_OTHERS)(rng)
        task = asyncio.create_task(page.say(kind, **fields))
        if not COMMANDS[kind].is_slow:
            await task
        elif not await _ends_soon(task):
            page.server.cleanup.callback(task.cancel)
    await asyncio.sleep(rng.choice((0.0, 0.02, 0.1, 0.4)))


async def _ends_soon(task: asyncio.Task) -> bool:
    done, _ = await asyncio.wait([task], timeout=0.3)
    for one in done:
        one.result()
    return bool(done)


_OTHERS: tuple[Callable[[random.Random], tuple[str, dict[str, Any]]], ...] = (
    lambda _: ("draw", {}),
    lambda _: ("take_back", {}),
    lambda rng: ("pause", {"on": rng.random() < 0.4}),
    lambda _: ("resign", {}),
    lambda _: ("belief", {"on": True}),
    lambda rng: ("advice", {"ms": rng.choice((1, 100))}),
    lambda _: ("advice_stop", {}),
    lambda rng: ("new_game", _setup(rng)),
    lambda _: ("library", {}),
    lambda _: ("puzzle_open", {"variant": "klotski", "position": "", "options": {}, "moves": ""}),
    lambda _: ("puzzle_solve", {"what": "hint", "depth": 0}),
    lambda _: ("record", {}),
)  # fmt: skip


def _setup(rng: random.Random) -> dict[str, Any]:
    """The fields of a new game in which the hostile engine plays."""
    variant = rng.choice(("siguo", "luzhanqi"))
    mine = "SN" if variant == "siguo" else "S"
    if rng.random() >= 0.7:
        mine = ""
    seats = {}
    for seat in {"siguo": "SENW", "luzhanqi": "SN"}[variant]:
        program = HOSTILE if seat in "EN" else rng.choice((HOSTILE, GOOD))
        seats[seat] = "me" if seat in mine else program
    clock = rng.choice((None, None, {"base_s": 2, "increment_s": 0}))
    time_out = rng.choice(("loses", "passes")) if clock else "loses"
    pace_ms = rng.choice((0, 50))
    return new_game(seats, variant=variant, clock=clock, time_out=time_out, move_ms=100, pace_ms=pace_ms, max_plies=30)


async def _until_settled(server: Server) -> None:
    """Wait until the game waits for a person, has a fault, or is over; `Broken` if an engine thinks for ever."""
    if server.session is None:
        return  # the first engine has not started, so no variant can be played
    game, end_s = server.session.game, time.monotonic() + SETTLED_S
    while not _is_settled(game):
        if time.monotonic() > end_s:
            thinking = None if game.thinking is None else game.thinking.party.seats
            raise Broken(f"the game is stuck: {thinking} thinks, {_starting(game)} start")
        await asyncio.sleep(0.02)


def _is_settled(game: BoardGame) -> bool:
    if game.fault is not None or game.phase == Phase.OVER:
        return True
    if _starting(game):
        return False
    if game.phase == Phase.ARRANGING or game.is_paused or game.truth is None:
        return True
    turn = game.truth.turn
    return any(turn in player.party.seats and not player.party.is_engine for player in game.players)


def _starting(game: BoardGame) -> list[str]:
    """The seats of engines that have not started yet."""
    return [player.party.seats for player in game.players if player.party.is_engine and not player.has_engine]


async def _check_processes(path: str) -> None:
    """`Broken` if a process of the hostile program remains."""
    end_s = time.monotonic() + GONE_S
    while remaining := [line for line in _command_lines() if path in line]:
        if time.monotonic() > end_s:
            raise Broken(f"{len(remaining)} processes remain")
        await asyncio.sleep(0.05)


def _command_lines() -> list[str]:
    return [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]


def _check_games(folder: Path, findings: Findings) -> None:
    """Every saved game is whole and obeys the rules, and there is nothing else but what the board keeps."""
    for name in set(os.listdir(folder)) - {host_settings.FILE} if folder.exists() else ():
        record = GameRecord.from_line((folder / name).read_text("utf-8"))
        fault = verify(record)
        if fault is not None:
            raise Broken(f"saved game {name}: {fault}")
        findings.endings[record.ending.value] += 1


class _Listening(logging.Handler):
    """Collects what the board logs as an error, as a context manager."""

    def __init__(self, troubles: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._troubles = troubles

    def emit(self, record: logging.LogRecord) -> None:
        self._troubles.append(self.format(record))

    def __enter__(self) -> "_Listening":
        for name in ("junqi-board", "asyncio"):
            logging.getLogger(name).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        for name in ("junqi-board", "asyncio"):
            logging.getLogger(name).removeHandler(self)
