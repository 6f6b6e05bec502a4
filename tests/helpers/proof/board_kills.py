"""Boards that are killed at random moments.

Afterwards every saved game is whole, nothing else in the folder has changed, no process remains, nothing is lost that a
page has seen, and the game can be resumed.
"""

import json
import os
import random
import re
import shlex
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from junqi_board.session import host_settings
from junqi_engine.client.own_program import own_command
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.board import Page, Server, new_game
from tests.helpers.referee import scripted

GONE_S = 10.0
START_S = 60.0
LONGEST_GAME_S = 1.5
MAX_STARTING_S = 2.0
MAX_PLIES = 400
FOREIGN = {
    "notes.txt": b"mine",
    "2026-01-01-000000.jsonl": b"a file of mine with the name of a game\n",
    "2026-01-01-000001.jsonl.new": b"mine too\n",
    "empty.jsonl": b"",
}
"""Files of the user in the folder of the games."""
GAME = re.compile(r"\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?\.jsonl")
REMAINS = re.compile(rf"\.({GAME.pattern}|{re.escape(host_settings.FILE)})\.junqi-engine\.new")


class Broken(AssertionError):
    """Something is not as it must be after a kill; the text says what."""


class Kills:
    """A folder of games in which boards are started and killed, one after the other; a context manager."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="junqi-kills-")
        self._path = Path(self._folder.name)
        for name, data in FOREIGN.items():
            (self._path / name).write_bytes(data)
        self._plan = tempfile.TemporaryDirectory(prefix="junqi-kills-plan-")
        self._deaf = Path(self._plan.name) / "deaf.json"
        self._deaf.write_text(json.dumps({"go": [[["honest"]]] * 5 + [[["deaf"]]]}), "utf-8")
        self._mark = f"JUNQI_KILLS={os.getpid()}-{time.time_ns()}"
        self._seen: list[str] = []
        """The moves that the page saw last, of the game that was killed last."""
        self._resumes = 0
        self._counts: dict[str, int] = {
            "kills": 0,
            "while starting": 0,
            "too slow": 0,
            "resumed": 0,
            "moves seen": 0,
            "remains": 0,
        }

    def __enter__(self) -> "Kills":
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()
        self._plan.cleanup()

    def summary(self) -> str:
        games = len([path for path in self._path.iterdir() if GAME.fullmatch(path.name) and path.name not in FOREIGN])
        return ", ".join(f"{name} {count}" for name, count in self._counts.items()) + f", games {games}"

    def run(self, rng: random.Random) -> None:
        """Start a board, go on with the last game or start one, kill the board, and look at what remains."""
        process = self._start()
        try:
            if rng.random() < 0.2:
                time.sleep(rng.uniform(0, MAX_STARTING_S))
                self._counts["while starting"] += 1
                self._seen = []
            else:
                self._play(Server(process, self._path), rng)
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._counts["kills"] += 1
        self._check()

    def _start(self) -> subprocess.Popen:
        script = scripted("planned")
        command = own_command("junqi_board", "--no-browser", "--folder", str(self._path), "--patience", "5")
        command += ["--engine", f"script={shlex.join(script)}"]
        # An engine that hangs at some move and does not notice that the board has ended.
        command += ["--engine", f"deaf={shlex.join([*script, str(self._deaf)])}"]
        environment = os.environ | dict([self._mark.split("=")])
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)

    def _play(self, server: Server, rng: random.Random) -> None:
        with Page(server) as page:
            try:
                state = page.until("game", START_S)
            except TimeoutError:
                self._counts["too slow"] += 1  # other processes keep the machine busy
                return
            if self._seen:
                state = self._resume(page, state)
            else:
                other = "deaf" if rng.random() < 0.3 else "script"
                seats = {"S": "script", "E": other, "N": "script", "W": other}
                left = state["game"]
                page.say("new_game", **new_game(seats, no_contact=0, max_plies=MAX_PLIES))
                state = page.state(lambda state: state["game"] != left, START_S)
            end_s = time.monotonic() + rng.uniform(0, LONGEST_GAME_S)
            with suppress(TimeoutError):
                while True:
                    message = page.hear(max(0.0, end_s - time.monotonic()))
                    if message["type"] == "error":
                        raise Broken(f"the board refuses: {message['text']}")
                    state = message if message["type"] == "game" else state
            self._counts["moves seen"] += len(state.get("moves", []))
            # A finished game is not resumed.
            self._seen = [] if state.get("phase") != "playing" else state["moves"]

    def _resume(self, page: Page, state: dict[str, Any]) -> dict[str, Any]:
        """Go on with the game that was killed last; it has every move that its page has seen."""
        if not (state["phase"] == "playing" and state["paused"]):
            raise Broken("the game that was killed is not on the board again")
        moves = state["moves"]
        if moves[: len(self._seen)] != self._seen:
            raise Broken(f"{len(self._seen)} moves were seen, {len(moves)} were resumed")
        self._counts["resumed"] += 1
        page.say("pause", on=False)
        return state

    def _check(self) -> None:
        end_s = time.monotonic() + GONE_S
        while remaining := self._processes():
            if time.monotonic() > end_s:
                raise Broken(f"after {GONE_S:g} s there is still {remaining[0]}")
            time.sleep(0.05)
        for name, data in FOREIGN.items():
            if (self._path / name).read_bytes() != data:
                raise Broken(f"the user's file {name} has changed")
        unfinished = []
        for path in sorted(self._path.iterdir()):
            if path.name in FOREIGN or path.name == host_settings.FILE:
                continue
            if REMAINS.fullmatch(path.name):
                self._counts["remains"] += 1
            elif GAME.fullmatch(path.name):
                record = _whole(path)
                if record.ending == Ending.INTERRUPTED:
                    unfinished.append(record)
            else:
                raise Broken(f"there is a file {path.name}")
        if self._seen and not any(record.moves[: len(self._seen)] == self._seen for record in unfinished):
            raise Broken(f"no saved game has the {len(self._seen)} moves that the page has seen")

    def _processes(self) -> list[str]:
        """The command lines of what the boards have started and still runs."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended meanwhile
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if line and self._mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(line)
        return found


def _whole(path: Path) -> GameRecord:
    data = path.read_bytes()
    try:
        record = GameRecord.from_line(data.decode())
    except ValueError as error:
        raise Broken(f"saved game {path.name} ({len(data)} bytes) is not whole: {error}") from error
    fault = verify(record)
    if fault is not None or not data.endswith(b"\n"):
        raise Broken(f"saved game {path.name}: {fault or 'no newline'}")
    return record
