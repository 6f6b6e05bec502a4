"""The lines that the referee sends to an engine of the contest's dialect do not depend on hidden pieces.

The game follows a record, whatever the engine answers. The opponent has any line-up that the record allows. For all of
them the engine must be sent the same bytes: the moves, their outcomes, and the flag once it is revealed.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from junqi_engine.client.engine_client import Patience, Reply
from junqi_engine.notation.moves import format_move
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_protocol.contest.notation import NO_FLAG
from junqi_referee.playing.arbiter import Arbiter, GameRequest
from junqi_referee.playing.contest_process import ContestProcess
from junqi_referee.settings.schedule import PlannedGame
from tests.helpers.hidden import random_move
from tests.helpers.leaks import Script, Seating, allowed
from tests.helpers.marking import long_after
from tests.helpers.referee import scripted, settings

SHUFFLES = 3
PLIES = 90
SEEDS = (2, 5)


def played(seed: int) -> GameState:
    """A game with battles in which a Field Marshal is removed."""
    for number in range(100 * seed, 100 * seed + 100):
        rng = random.Random(number)
        game = GameState.start(LUZHANQI, {seat: lineup_choice.sensible(rng) for seat in LUZHANQI.seats})
        while game.result == Result.ONGOING and game.ply < PLIES:
            game.play(random_move(game, rng))
        if game.result == Result.ONGOING and any(seen.revealed_flags for seen in game.record):
            return game
    raise AssertionError("no Field Marshal was removed in a hundred games")


class Opponent(Script):
    """Sets up a given line-up, plays its moves of a record, and resigns at the end of it."""

    def __init__(self, moves: list[str], lineups: dict[str, str], seat: str) -> None:
        super().__init__(moves, lineups)
        self.seat = seat

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        if len(position.partition(" moves ")[2].split()) == len(self.moves):
            return Reply(f"resign:{self.seat}", 0.0)
        return super().ask(position, go, allowed_ms)


class Listener(ContestProcess):
    """An engine of the dialect that is sent everything, but plays the moves of a record."""

    script: Opponent

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        super().ask(position, go, allowed_ms)
        return self.script.ask(position, go, allowed_ms)


class Place(Seating):
    """The listener at one seat, its opponent at the other."""

    def __init__(self, listener: Listener, opponent: Opponent) -> None:
        super().__init__(listener, ("contest", 0))
        self.opponent = opponent

    def process(self, engine: object, place: int) -> object:
        if (engine.name, place) == self.place:
            return self.under_test
        self.opponent.engine = engine
        return self.opponent


def told(kind: type[Listener], seat: str, game: GameState, folder: Path) -> Iterator[str]:
    """The lines that a seat is sent in a game, for the opponent's line-up and for others that it might have."""
    theirs = "N" if seat == "S" else "S"
    moves = [format_move(LUZHANQI, seen) for seen in game.record]
    own = {letter: game.lineups[number] for number, letter in enumerate(LUZHANQI.seats)}
    others = [lineups for lineups in allowed(game, (LUZHANQI.seats.index(seat),), 5) if lineups != own]
    # Line-ups with the flag in the other headquarters come first.
    others.sort(key=lambda lineups: lineups[theirs].index("l") == own[theirs].index("l"))
    assert len({lineups[theirs] for lineups in others[:SHUFFLES]}) == SHUFFLES
    log = folder / "told"
    contest = {"name": "contest", "cmd": scripted("contest_listener", str(log), own[seat]), "dialect": "contest"}
    engines = [contest | {"tc": "10"}, {"name": "other", "cmd": "none", "st": 1}]
    chosen = settings(*(engines if seat == "S" else engines[::-1]), variant="luzhanqi")
    for lineups in [own, *others[:SHUFFLES]]:
        log.write_bytes(b"")
        engine = next(engine for engine in chosen.engines if engine.name == "contest")
        listener = kind(engine, "luzhanqi", chosen.rules, None, Patience())
        listener.script = Opponent(moves, dict(lineups), seat)
        arbiter = Arbiter(chosen, Place(listener, Opponent(moves, dict(lineups), theirs)))
        try:
            record = arbiter.play(GameRequest(PlannedGame(1, (0, 1), (0, 1), "S", None, 0), frozenset()))
        finally:
            listener.close()
        assert record.moves[:-1] == moves, record.detail
        yield log.read_text(encoding="ascii")


@pytest.mark.parametrize("seed", long_after(1, SEEDS))
@pytest.mark.parametrize("seat", LUZHANQI.seats)
def test_contest_lines_do_not_depend_on_hidden_lineups(seat: str, seed: int, tmp_path: Path) -> None:
    game = played(seed)
    (transcript,) = set(told(Listener, seat, game, tmp_path))
    ours = LUZHANQI.seats.index(seat)
    lines = transcript.splitlines()
    assert lines[:2] == ["INFO 1.0", f"START {ours} 10 {Rules.of(LUZHANQI).no_contact}"]
    # The flag is told from the ply that revealed it, and not before.
    theirs = LUZHANQI.block(1 - ours)
    shown = [ply for ply, seen in enumerate(game.record) if any(point in theirs for point in seen.revealed_flags)]
    shown_at = shown[0] if shown else PLIES
    reports = [line.split() for line in lines if line.startswith(("GO", "RESULT"))]
    if ours == 0:
        assert reports.pop(0) == ["GO", "0000", "0", NO_FLAG]
    assert len(reports) == PLIES
    for ply, words in enumerate(reports):
        assert words[0] == ("RESULT" if ply % 2 == ours else "GO")
        assert (words[-1] != NO_FLAG) == (ply >= shown_at)
    assert re.fullmatch(r"END [01]", lines[-1])
