"""Helpers for the tests of training: games as a record of the referee."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from junqi_engine.notation.moves import format_move
from junqi_referee.records.game_record import GameRecord
from junqi_training.games import Game


def write_record(file: Path, games: Iterable[Game]) -> Path:
    """Write games as the referee does, without times, scores and result."""
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
