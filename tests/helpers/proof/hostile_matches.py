"""Hostile engines in matches and checks, and what must hold whatever they do."""

import contextlib
import io
import json
import random
import shlex
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from junqi_engine.client.engine_client import Patience
from junqi_engine.rules.board import BOARDS
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.records.game_record import read_record
from junqi_referee.records.replay import verify
from junqi_referee.settings.settings import MatchSettings, Visibility
from tests.helpers.proof import plans
from tests.helpers.referee import scripted

PATIENCE = Patience(uciok_s=0.5, first_ready_s=0.4, ready_s=0.4, grace_s=0.2, unclocked_s=0.4, setup_s=0.4, quit_s=0.02)
PLIES = 24
ROUNDS = 3
PLAYED = ("uci", "isready", "setoption", "position", "go", "go", "setup")
"""The commands that a referee sends; most of what an engine can do wrong is an answer to `go`."""
CHECK_LONGEST_S = 240.0
LONGEST_LINE = 3000
HOSTILE, SOUND = "hostile", "sound"
CERTAIN = {ending for ending in Ending if ending.is_fault} - {Ending.TIMEOUT, Ending.STALL, Ending.NO_START}
"""Faults that a sound engine never shows. On a busy machine it may be late."""


@dataclass
class Counts:
    """What has been played, and how it ended."""

    matches: int = 0
    games: int = 0
    checks: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """Matches that ended because the engine did not start, by exit code."""

    def __str__(self) -> str:
        endings = ", ".join(f"{ending} {count}" for ending, count in sorted(self.endings.items()))
        refused = ", ".join(f"{code} {count}" for code, count in sorted(self.refused.items())) or "none"
        return f"{self.matches} matches, {self.games} games: {endings}; refused: {refused}; {self.checks} checks"


def command(folder: Path, seed: int, is_contest: bool = False) -> list[str]:
    """The command of the hostile engine with a seed, whose plan is written into a folder."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps(plans.plan(random.Random(seed), plans.CONTEST if is_contest else PLAYED)), "utf-8")
    return scripted("planned", str(plan))


def play_match(counts: Counts, seed: int) -> None:
    """Play a short match of a hostile engine against a sound one; `seed` decides all of it."""
    is_contest = seed % 4 == 3
    variant = "luzhanqi" if is_contest else list(BOARDS)[seed % 2]
    visibility = Visibility.PARTNER if is_contest else list(Visibility)[seed // 2 % 3]
    limit = {"tc": "1"} if is_contest or seed % 3 == 0 else {"st": "0.1"}
    dialect = {"dialect": "contest"} if is_contest else {}
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "games.jsonl"
        tables = {
            "match": {
                "variant": variant, "visibility": str(visibility), "rounds": ROUNDS, "max-plies": PLIES, "seed": seed,
                "record": str(record), "lineups": "engine" if is_contest or seed % 5 == 0 else "book",
            },
            "each": limit,
            "engine": [
                {"name": HOSTILE, "cmd": command(Path(folder), seed, is_contest), **dialect},
                {"name": SOUND, "cmd": scripted("planned")},
            ],
        }  # fmt: skip
        if is_contest:
            del tables["match"]["max-plies"]  # type: ignore[attr-defined]  # the dialect has no such limit
        tournament = Tournament(MatchSettings.read(tables, "hostile"), PATIENCE)
        out = io.StringIO()
        try:
            tournament.run(Progress(out), resume=False)
        except RefereeError as error:
            assert error.code in (ExitCode.NO_START, ExitCode.USAGE), f"seed {seed}: {error}"
            counts.refused[error.code.name.lower()] += 1
        _check_games(tournament, record, out.getvalue(), seed)
    counts.matches += 1
    counts.games += len(tournament.finished)
    counts.endings.update(str(game.ending) for game in tournament.finished.values())


def _check_games(tournament: Tournament, record: Path, said: str, seed: int) -> None:
    assert not tournament.failed, f"seed {seed}: {said}"
    written = read_record(str(record)) if record.exists() else []
    assert len(written) == len(tournament.finished), f"seed {seed}: {len(written)} games in the record"
    for game in written:
        loser = next((team for team in BOARDS[game.variant].teams if team != game.result), "")
        names = {engine["name"] for seats, engine in game.engines.items() if set(seats) <= set(loser)}
        assert verify(game) is None, f"seed {seed}, game {game.game}: {verify(game)}"
        is_deserved = game.ending not in CERTAIN or names == {HOSTILE}
        assert is_deserved, f"seed {seed}, game {game.game}: {names} lost by {game.ending}: {game.detail}"
    _check_lines(said, seed)


def _check_lines(said: str, seed: int) -> None:
    assert all(line.isprintable() and len(line) < LONGEST_LINE for line in said.splitlines()), f"seed {seed}: {said}"


def run_check(counts: Counts, seed: int) -> None:
    """Test a hostile engine with `check`."""
    out, began = io.StringIO(), time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
    ):
        words = [f"cmd={shlex.join(command(Path(folder), seed))}", "patience=0.4", "--strict"]
        code = run(["check", *words, "--variant", list(BOARDS)[seed % 2]])
    assert code in (ExitCode.DONE, ExitCode.FAILED), f"seed {seed}: exit code {code}"
    assert time.monotonic() - began < CHECK_LONGEST_S, f"seed {seed}"
    _check_lines(out.getvalue(), seed)
    counts.checks += 1
