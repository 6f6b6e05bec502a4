"""Shared by the tests of the web board: a server process, and pages that are only WebSockets."""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from websockets.sync.client import ClientConnection, connect

from junqi_engine.client.line_process import own_command
from tests.helpers.engine import limited
from tests.helpers.referee import ROOT, scripted

DEADLINE_S = 100.0
PERSONS = {"S": "me", "E": "guest", "N": "me", "W": "script"}
OWN_ENGINE = ("junqi-engine", own_command())
QUICK = """
from dataclasses import replace
from junqi_board import connection, engines
from junqi_board.game import game, seating
from junqi_engine.rules.options import Rules
engines.PATIENCE = replace(engines.PATIENCE, unclocked_s={patience_s})
seating.MOVE_MS, game.PACE_MS, connection.SILENT_S = 200, 0, 1e6
usual = Rules.of
def of(board, given=None):
    return usual(board, given) if given else replace(usual(board), **{rules})
Rules.of = of
"""


class Server:
    """A running board; `address` is the host's, with its token."""

    def __init__(self, process: subprocess.Popen, folder: Path) -> None:
        self.process = process
        self.folder = folder
        assert process.stdout is not None
        line = process.stdout.readline()
        self.address = line.split()[1]
        self.base, self.token = self.address.split("#")
        self.port = int(re.findall(r":(\d+)/", self.base)[0])

    def records(self) -> list[dict[str, Any]]:
        """The saved games, the oldest first."""
        return [json.loads(path.read_text("utf-8")) for path in sorted(self.folder.glob("*.jsonl"))]


@contextmanager
def serving(
    folder: Path,
    *engines: tuple[str, list[str]],
    patience_s: float = 10.0,
    sabotage: str = "",
    rules: Mapping[str, int] = MappingProxyType({}),
    limit: tuple[int, int] | None = None,
    games: Path | None = None,
    opens: Path | None = None,
) -> Iterator[Server]:
    """A board whose default engine is the first of `engines`; it saves games in `games`, by default in `folder`, and
    opens the recorded games in the file `opens`.

    Engines think shortly, and their moves are shown at once. `rules` are other than those of the variant. `sabotage` is
    code that is run before the board starts, `limit` is one of the system, a kind and its value.
    """
    arguments = [word for name, command in engines for word in ("--engine", f"{name}={shlex.join(command)}")]
    arguments += [] if opens is None else [str(opens)]
    quick = QUICK.format(rules=dict(rules), patience_s=patience_s)
    code = f"{quick}\n{sabotage}\nfrom junqi_board.__main__ import main\nmain()"
    command = [sys.executable, "-c", code, "--no-browser", "--folder", str(games or folder), *arguments]
    with (folder / "stderr.txt").open("w") as errors:
        process = subprocess.Popen(
            command if limit is None else limited(command, *limit),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONWARNINGS": "error"},
        )
        try:
            yield Server(process, games or folder)
        finally:
            process.terminate()
            try:
                process.wait(DEADLINE_S)
            finally:
                process.kill()
                process.wait()
                if process.stdout is not None:
                    process.stdout.close()


def broken(name: str, *arguments: str) -> tuple[str, list[str]]:
    """A script of `broken_engines` as an engine with that name."""
    return name, scripted(name, *arguments)


def fetch(server: Server, path: str = "", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Get a path of the server: status, headers and body of the answer."""
    request = urllib.request.Request(server.base + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


class Page:
    """A page without a browser. `frames` is everything that it has received."""

    def __init__(self, server: Server, token: str | None = None, origin: str | None = None) -> None:
        """Connect and say hello, by default with the host's token."""
        address = f"ws://127.0.0.1:{server.port}/socket"
        # The close handshake is not awaited for long: it may follow thousands of states of a running game. There
        # are no pings: the deadlines of the tests decide how long a busy machine may be silent.
        settings: dict[str, Any] = {
            "open_timeout": DEADLINE_S,
            "max_size": None,
            "compression": None,
            "close_timeout": 0.5,
            "ping_interval": None,
        }
        self._connection = connect(address, origin=origin or server.base.rstrip("/"), **settings)
        self.socket: ClientConnection = self._connection.__enter__()
        self.frames: list[str] = []
        self._ids = itertools.count(1)
        self.say("hello", token=server.token if token is None else token)

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.__exit__(None, None, None)

    def say(self, kind: str, /, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def hear(self, deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The next message."""
        frame = self.socket.recv(timeout=deadline_s)
        self.frames.append(str(frame))
        return json.loads(frame)

    def until(self, is_it: str | Callable[[dict[str, Any]], bool], deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The next message of a type, or for which a function is true."""
        end = time.monotonic() + deadline_s
        while True:
            message = self.hear(max(0.01, end - time.monotonic()))
            if message["type"] == is_it if isinstance(is_it, str) else is_it(message):
                return message

    def state(self, is_it: Callable[[dict[str, Any]], bool], deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The next state of the game for which a function is true."""
        return self.until(lambda message: message["type"] == "game" and is_it(message), deadline_s)

    def ask(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send a message with an id and return the answer with that id, which may be an error."""
        number = next(self._ids)
        self.say(kind, id=number, **fields)
        return self.until(lambda message: message.get("id") == number)

    def new_game(self, seats: dict[str, str], **changes: Any) -> dict[str, Any]:
        """Start a game; a seat is `me`, `guest`, or the name of an engine."""
        return self.ask("new_game", **new_game(seats, **changes))

    def ready(self, game: str = "") -> None:
        """Accept the suggested line-ups, of any game or of the one with this id."""
        state = self.state(lambda one: bool(one.get("drafts")) and game in ("", one["game"]))
        self.say("ready", lineups=state["drafts"])

    def start(self) -> dict[str, Any]:
        """Accept the suggested line-ups and wait for the start of the game."""
        self.ready()
        return self.state(lambda state: state["phase"] == "playing")

    def my_turn(self) -> dict[str, Any]:
        """The next state in which the page can move."""
        return self.state(lambda state: bool(state.get("targets")))

    def move(self, state: dict[str, Any], move: str | None = None) -> None:
        """Play a move, by default the first legal one."""
        first = next(iter(next(iter(state["targets"].values())).values()))
        self.say("move", ply=len(state["moves"]), move=move or first)


def new_game(seats: dict[str, str], elos: Mapping[str, int] = MappingProxyType({}), **changes: Any) -> dict[str, Any]:
    """The fields of a `new_game` message; `elos` limits engines, by the names of their programs."""

    def taker(text: str) -> dict[str, str]:
        if text in ("me", "guest"):
            return {"who": text, "program": "", "elo": None}
        return {"who": "engine", "program": text, "elo": elos.get(text)}

    fields = {
        "variant": "siguo",
        "visibility": "partner",
        "seats": {seat: taker(text) for seat, text in seats.items()},
        "clock": None,
        "time_out": "loses",
    }
    return fields | changes


def begin_with_no_game(server: Server) -> None:
    """Leave the game that an earlier test began, so that a page opens with the first view instead of that game."""
    with Page(server) as host:
        if host.until("game")["phase"] != "arranging":
            host.new_game({"S": "me", "N": "script"}, variant="luzhanqi")


def two_persons(
    server: Server, mine: Page, seats: Mapping[str, str] = MappingProxyType(PERSONS)
) -> tuple[dict[str, Any], Page]:
    """A game of Siguo of a host and a guest, which has started: what the host was told, and the page of the guest."""
    mine.until("game")
    opened = mine.new_game(dict(seats))
    guest = Page(server, token=opened["invitations"][0]["token"])
    for page in (mine, guest):
        page.ready(opened["game"])
    return opened, guest


def own_pieces(message: dict[str, Any]) -> set[str]:
    """The seats of all pieces that a state of the game identifies, revealed flags aside."""
    return {seat for _, _, seat, letter in message["pieces"] if letter not in "?l"}


def fields_of(kind: str) -> dict[str, Any]:
    """Fields of a message that have the right form."""
    position = {"variant": "siguo", "fen": "", "moves": ""}
    teaser = {"variant": "klotski", "position": "", "moves": ""}
    return {
        "new_game": new_game(PERSONS),
        "restart_engine": {"seats": "N"},
        "teaser_show": teaser,
        "teaser_solve": teaser | {"what": "hint", "depth": 0},
        "resume": {"name": "x"},
        "library_open": {"name": "x"},
        "library_delete": {"name": "x"},
        "study_show": position,
        "study_search": position | {"lines": 1, "ms": 100},
        "level": {"elo": None},
        "setting": {"name": "x", "value": "1"},
        "fact": {"kind": "learned", "fact": "x", "value": True},
        "qr": {"address": "x"},
        "ping": {"point": 0},
        "problem": {"problem": "x"},
        "problem_answer": {"problem": "x", "answer": "x", "is_last": False},
        "review_start": {"line": "x", "nodes": 1000, "number": 1},
        "play_from": {"line": "x", "ply": 0, "viewer": "S", "moves": "", "elo": None},
        "library_add": {"line": "x"},
    }.get(kind, {})
