"""Matches in every variant and visibility, between all players, with bounds checks in all kernels."""

import io
import itertools
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from tools.proof.soak.findings import Findings, SoakError
from tools.referee.running.progress import Progress
from tools.referee.running.tournament import Tournament
from tools.referee.settings.settings import Settings, Visibility

GAMES_PER_MATCH = 8
NODES = 60


def play_games(found: Findings, engine: Sequence[str], games: int, end: float, seed: int) -> None:
    """Play matches until `games` games are played or the monotonic clock reaches `end`.

    Raises SoakError if a game ends by a fault.
    """
    with _bounds_checks():
        for settings in _matches(engine, seed):
            if found.games >= games or time.monotonic() >= end:
                break
            tournament = Tournament(settings)
            tournament.run(Progress(io.StringIO()), resume=False)
            for game in tournament.finished.values():
                found.games += 1
                found.plies += len(game.moves)
                found.endings[game.ending] += 1
                if game.ending.is_fault or game.detail:
                    raise SoakError(f"game ended by {game.ending}: {game.detail}")


@contextmanager
def _bounds_checks() -> Iterator[None]:
    """The engines that are started meanwhile check the bounds of every array access."""
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    try:
        yield
    finally:
        del os.environ["NUMBA_BOUNDSCHECK"]


def _matches(engine: Sequence[str], seed: int) -> Iterator[Settings]:
    """Settings of short matches without end, each player against the next."""
    rooms = itertools.cycle(itertools.product(BOARDS, Visibility))
    for number, (variant, visibility) in enumerate(rooms, seed):
        pair = [VERSIONS[number % len(VERSIONS)], VERSIONS[(number + 1) % len(VERSIONS)]]
        engines = [{"name": f"{v} {i}", "cmd": list(engine), "option": {"Player": v}} for i, v in enumerate(pair)]
        match = {"variant": variant, "visibility": str(visibility), "rounds": GAMES_PER_MATCH // 2}
        tables = {"match": {**match, "seed": number, "lineups": "random"}, "each": {"nodes": NODES}}
        yield Settings.read({**tables, "engine": engines}, "soak")
