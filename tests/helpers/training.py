"""Helpers for the tests of training: games as a record of the referee."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from junqi_engine.api.game_record import GameRecord
from junqi_engine.notation.moves import format_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import choose_move
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.position import Result
from junqi_training.games import RecordedGame, team_view


def write_record(file: Path, games: Iterable[RecordedGame]) -> Path:
    """Write games in the referee's form, without times, scores and result."""
    lines = []
    for number, game in enumerate(games, 1):
        teams = ("SN", "EW") if len(game.board.seats) == 4 else game.board.seats
        engines: dict[str, dict[str, str]] = {team: {"name": team} for team in teams}
        moves = [format_move(game.board, seen) for seen in game.moves]
        spent, scores = [1] * len(moves), [None] * len(moves)
        record = GameRecord(
            number, game.board.variant, "partner", engines, 3, asdict(game.rules), game.lineups,
            game.board.seats[game.first], moves, spent, scores,
        )  # fmt: skip
        lines.append(record.as_line() + "\n")
    file.write_text("".join(lines), encoding="utf-8")
    return file


def play_games(count: int, first: str, second: str, seed: int) -> Iterator[RecordedGame]:
    """Games of siguo between two players, 1.0 to 1.2, from sensible line-ups. They swap teams after each game."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        lineups = {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats}
        truth = GameState.start(SIGUO, lineups)
        views = [team_view(truth, team) for team in range(2)]
        versions = (first, second) if number % 2 else (second, first)
        chance = rng.randrange(1 << 30)
        while truth.result == Result.ONGOING:
            team = team_of(truth.turn)
            move = choose_move(versions[team], views[team], chance, views[team].legal_moves()).move
            seen = truth.play(move)
            for view in views:
                view.observe(seen)
        yield RecordedGame(SIGUO, truth.rules, lineups, truth.record)
