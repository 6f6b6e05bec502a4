"""The cost of the referee: plies per second with engines that answer at once."""

import sys
import tempfile
import time
from pathlib import Path

from tools.bench import instant_engine
from tools.bench.report import Report
from tools.referee.playing.tournament import Progress, Tournament
from tools.referee.settings.settings import Settings

GAMES_AT_A_TIME = 2
PAIRS = 20
PLIES_A_GAME = 300
REPEATS = 3


def measure(report: Report) -> None:
    """Complete games, from the line-ups to the record on disk; every engine is a process."""
    best = 0.0
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            plies, seconds = play_match(Path(folder))
        best = max(best, plies / seconds)
    report.note(f"{PAIRS} pairs, {PLIES_A_GAME} plies a game, {GAMES_AT_A_TIME} games at a time; best of {REPEATS}")
    report.figure("plies a second, engines that answer at once", best, "plies/s", "at least 2,000 on two cores")


def play_match(folder: Path) -> tuple[int, float]:
    """The plies of one match, and its duration in seconds, including the start of the engines."""
    command = [sys.executable, "-S", "-E", instant_engine.__file__]
    tables = {
        "match": {
            "rounds": PAIRS,
            "concurrency": GAMES_AT_A_TIME,
            "no-contact": 0,
            "max-plies": PLIES_A_GAME,
            "record": str(folder / "games.jsonl"),
        },
        "each": {"cmd": command, "st": 1},
        "engine": [{"name": "one"}, {"name": "other"}],
    }
    tournament = Tournament(Settings.read(tables, "bench"))
    began = time.perf_counter()
    with (folder / "progress").open("w") as out:
        tournament.run(Progress(out), resume=False)
    seconds = time.perf_counter() - began
    return sum(len(game.moves) for game in tournament.finished.values()), seconds
