"""Hostile engines in matches and checks, and the invariants that hold whatever they do."""

import contextlib
import io
import shlex
import tempfile
import time
from collections import Counter
from pathlib import Path

from junqi_engine.client.engine_client import EngineClient, Patience
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.visibility import Visibility
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.records.record_file import read_record
from junqi_referee.records.replay import verify
from tests.helpers.referee import scripted, settings

Counts = Counter[str]
"""Numbers of games by ending, of matches that ended because the engine did not start, and of checks."""
PATIENCE = Patience(first_ready_s=0.4, ready_s=0.5, unclocked_s=0.4)
EngineClient.GRACE_S, EngineClient.SETUP_S, EngineClient.QUIT_S = 0.2, 0.4, 0.02
PLIES = 24
CHECK_MAX_S = 240.0
MAX_LINE = 3000
HOSTILE, SOUND = "hostile", "sound"
CERTAIN = {ending for ending in Ending if ending.is_fault} - {Ending.TIMEOUT, Ending.STALL, Ending.NO_START}
"""Faults that a sound engine never shows. On a busy machine it may be late."""


def play_match(counts: Counts, seed: int) -> None:
    """Play a short match of a hostile engine against a sound one; everything depends on `seed`."""
    is_contest = seed % 4 == 3
    hostile = {"name": HOSTILE, "cmd": scripted("planned", str(seed))}
    match = {"variant": list(BOARDS)[seed % 2], "visibility": str(list(Visibility)[seed // 2 % 3]), "max_plies": PLIES}
    if is_contest:  # it has no limit of plies
        match, hostile = {"variant": "luzhanqi"}, hostile | {"dialect": "contest"}
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "games.jsonl"
        lineups = "engine" if is_contest or seed % 5 == 0 else "book"
        chosen = settings(
            hostile, {"name": SOUND, "cmd": scripted("planned")},
            each={"tc": "1"} if is_contest or seed % 3 == 0 else {"st": "0.1"},
            **match, rounds=3, seed=seed, record=str(record), lineups=lineups,
        )  # fmt: skip
        tournament = Tournament(chosen, PATIENCE)
        out = io.StringIO()
        try:
            tournament.run(Progress(out), resume=False)
        except RefereeError as error:
            assert error.code in (ExitCode.NO_START, ExitCode.USAGE), f"seed {seed}: {error}"
            counts[f"refused with {error.code.name.lower()}"] += 1
        _check_games(tournament, record, out.getvalue(), seed)
    counts.update(str(game.ending) for game in tournament.finished.values())


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
    assert all(line.isprintable() and len(line) < MAX_LINE for line in said.splitlines()), f"seed {seed}: {said}"


def run_check(counts: Counts, seed: int) -> None:
    """Test a hostile engine with `check`."""
    out, began = io.StringIO(), time.monotonic()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        words = [f"cmd={shlex.join(scripted('planned', str(seed)))}", "patience=0.4", "--strict"]
        code = run(["check", *words, "--variant", list(BOARDS)[seed % 2]])
    assert code in (ExitCode.DONE, ExitCode.FAILED), f"seed {seed}: exit code {code}"
    assert time.monotonic() - began < CHECK_MAX_S, f"seed {seed}"
    _check_lines(out.getvalue(), seed)
    counts["checks"] += 1
