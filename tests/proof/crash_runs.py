"""What is run and killed, and what must be on disk afterwards."""

import json
import random
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.options import Rules
from tests.proof.crash_killing import CrashError, finish, gone_after, kill
from tools.bench import instant_engine
from tools.referee.endings import Ending
from tools.referee.records.game_record import GameRecord
from tools.referee.settings.schedule import random_lineup
from tools.referee.truth import Truth

ENGINE = shlex.join((sys.executable, "-S", "-E", instant_engine.__file__, "deaf"))
NAMES = ("match", "tournament", "convert")
ROUNDS = {"match": 24, "tournament": 8}
ENGINES = {"match": ("one", "other"), "tournament": ("one", "other", "third")}
PLIES = 12
AT_ANY_TIME = 0.3
"""The share of kills at any time of a run; most of that time is the start of the engines."""
SHORTLY_S = 0.02
KILLS_A_RUN = 6
"""After so many kills, a run may continue to its end."""
GAMES_TO_CONVERT = 30
BYSTANDERS = {"notes.txt": b"mine\n", "empty.log": b"", "games.jsonl.bak": b"{}", "logs/empty.log": b"", "x.jgs": b"x"}
"""Files of the user."""


@dataclass
class Counts:
    """What the kills of one command have shown."""

    kills: int = 0
    too_late: int = 0
    """Runs that ended before they could be killed."""
    runs: int = 0
    """Runs that were continued to their end and compared with one that was not killed."""
    cut_lines: int = 0
    """Kills that left the beginning of a line at the end of the record."""
    left_over: int = 0
    """Whole files under a temporary name, left by a kill between two system calls; the next run removes them."""
    states: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0
    """Until no process remained."""

    def __str__(self) -> str:
        states = ", ".join(f"{state} ({n})" for state, n in sorted(self.states.items()))
        return (
            f"{self.kills} kills; {self.runs} runs continued to the end, all like one that was not killed; "
            f"{self.too_late} ended before they could be killed; {self.cut_lines} lines cut off; "
            f"{self.left_over} whole files under a temporary name; no process remained after "
            f"{self.slowest_s:.2f} s; killed with {states}"
        )


class Crashes:
    """Kills runs of one command in a folder. `name` is `match`, `tournament` or `convert`."""

    def __init__(self, name: str, folder: Path, seed: int) -> None:
        self.counts = Counts()
        self._name = name
        self._folder = folder
        folder.mkdir(exist_ok=True)
        self._seed = seed
        self._rng = random.Random(f"{seed} {name}")
        self._output = folder / "output.txt"
        self._input = folder / "input.jsonl"
        self._number = 0
        if name == "convert":
            self._input.write_text("".join(f"{game.as_line()}\n" for game in _games(seed)))
        place, self._expected, self._takes_s = self._unbroken()
        self._total = self._progress(place)

    def run(self) -> None:
        """Kill one run again and again, then let it end, and compare; `CrashError` if anything is wrong."""
        place = self._place()
        bystanders = _state(place)
        for _ in range(KILLS_A_RUN):
            trial = self._trial()
            was_killed = kill(self._words(place), self._output, trial, *self._moment(place))
            self.counts.slowest_s = max(self.counts.slowest_s, gone_after(trial))
            self._check(place, bystanders)
            if not was_killed:
                self.counts.too_late += 1
                break
            self.counts.kills += 1
        finish(self._words(place), self._output, self._trial())
        self._check(place, bystanders)
        found = self._result(place)
        if found != self._expected:
            raise CrashError(f"{place}: the result differs from that of a run that was not killed")
        self.counts.runs += 1

    def _moment(self, place: Path) -> tuple[Callable[[], bool], float]:
        """When to kill: at any time, or shortly after a game or file is on disk."""
        if self._rng.random() < AT_ANY_TIME:
            return lambda: True, self._rng.uniform(0, self._takes_s)
        awaited = self._progress(place) + self._rng.randint(0, self._total // (KILLS_A_RUN - 1))
        return lambda: self._progress(place) >= awaited, self._rng.uniform(0, SHORTLY_S)

    def _progress(self, place: Path) -> int:
        """How many games or files are on disk."""
        if self._name == "convert":
            return len(list((place / "games").glob("*")))
        record = place / "games.jsonl"
        return record.read_bytes().count(b"\n") if record.exists() else 0

    def _unbroken(self) -> tuple[Path, object, float]:
        place = self._place()
        seconds = finish(self._words(place), self._output, self._trial())
        return place, self._result(place), seconds

    def _place(self) -> Path:
        """A new folder with files of the user."""
        self._number += 1
        place = self._folder / f"{self._name}-{self._number}"
        for name, data in BYSTANDERS.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return place

    def _trial(self) -> str:
        self._number += 1
        return f"{self._name}-{self._seed}-{self._number}-{id(self)}"

    def _words(self, place: Path) -> list[str]:
        if self._name == "convert":
            return ["convert", str(self._input), "--write", f"{place / 'games'}/", "--overwrite"]
        engines = [word for name in ENGINES[self._name] for word in ("--engine", f"name={name}")]
        limits = ["--max-plies", str(PLIES), "--concurrency", "2", "--rounds", str(ROUNDS[self._name])]
        files = ["--record", str(place / "games.jsonl"), "--log", str(place / "logs"), "--resume"]
        return [self._name, *engines, "--each", f"cmd={ENGINE}", "nodes=1", "--seed", str(self._seed), *limits, *files]

    def _result(self, place: Path) -> object:
        """What a run has made, without the times that differ."""
        if self._name == "convert":
            return {path.name: path.read_bytes() for path in sorted((place / "games").iterdir())}
        games = [json.loads(line) for line in (place / "games.jsonl").read_text().splitlines()]
        for game in games:
            del game["times_ms"]
        return sorted(games, key=lambda game: game["game"])

    def _check(self, place: Path, bystanders: Mapping[str, tuple[bytes, int, int]]) -> None:
        """No file of the user has changed; what the run has written is whole."""
        after = _state(place)
        for name, state in bystanders.items():
            if after.pop(name, None) != state:
                raise CrashError(f"{place}: {name} has changed")
        if self._name == "convert":
            self._check_converted(place, {name: data for name, (data, _, _) in after.items()})
        else:
            self._check_record(place, {name: data for name, (data, _, _) in after.items()})

    def _check_converted(self, place: Path, made: Mapping[str, bytes]) -> None:
        # While the first run is under way, nothing is expected yet.
        expected = getattr(self, "_expected", None)
        for name, data in made.items():
            short = name.removeprefix("games/")
            if short.startswith(".") and short.endswith(".junqi-engine.new"):  # killed while it replaced a file
                short = short[1:].removesuffix(".junqi-engine.new")
                self.counts.left_over += 1
            if expected is not None and expected.get(short) != data:
                raise CrashError(f"{place}: {name} is not a whole file of the conversion")
        self.counts.states[f"{len(made)} files"] += 1

    def _check_record(self, place: Path, made: dict[str, bytes]) -> None:
        lines = made.pop("games.jsonl", b"").split(b"\n")
        for line in lines[:-1]:
            GameRecord.from_line(line.decode())
        self.counts.cut_lines += bool(lines[-1])
        self.counts.states[f"{len(lines) - 1} games"] += 1
        for name in made:
            if not name.startswith(("logs/one-", "logs/other-", "logs/third-", "games.jsonl.damaged")):
                raise CrashError(f"{place}: {name} is new")


def _state(place: Path) -> dict[str, tuple[bytes, int, int]]:
    """Contents, time of change and mode of all files in a folder."""
    found = {}
    for path in sorted(place.rglob("*")):
        if path.is_file():
            stat = path.stat()
            found[str(path.relative_to(place))] = path.read_bytes(), stat.st_mtime_ns, stat.st_mode
    return found


def _games(seed: int) -> Sequence[GameRecord]:
    """Games of random moves that a `.jgs` file can hold."""
    games = []
    for number in range(1, GAMES_TO_CONVERT + 1):
        rng = random.Random(f"{seed} {number}")
        lineups = {seat: random_lineup(rng) for seat in SIGUO.seats}
        truth = Truth(SIGUO.variant, lineups, SIGUO.seats[number % 4], Rules.of(SIGUO))
        while truth.result is None and truth.ply < PLIES:
            truth.play(rng.choice(truth.legal()))
        count = len(truth.moves)
        names = {team: {"name": team} for team in SIGUO.teams}
        games.append(
            GameRecord(
                number, SIGUO.variant, "partner", names, 0, asdict(truth.rules), lineups, truth.first, truth.moves,
                [0] * count, [None] * count, "draw", Ending.INTERRUPTED,
            )
        )  # fmt: skip
    return games
