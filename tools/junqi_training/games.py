"""Games to learn from, as the referee's records have them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.options import Rules
from junqi_referee.records.record_file import read_record

FOLD = 10
"""One game in this many is held out of a fit."""


def of_games(numbers: np.ndarray, is_held_out: bool) -> np.ndarray:
    """The rows of the games that are held out, or of the others; `numbers` are those of the games, by row."""
    return np.flatnonzero((numbers % FOLD == 0) == is_held_out)


@dataclass(frozen=True)
class RecordedGame:
    """A played game. `lineups` by seat letter; `moves` is the public record; `first` is the seat that began; `engines`
    are the names by team (in a dark game those of each team's first seat).
    """

    board: Board
    rules: Rules
    lineups: dict[str, str]
    moves: list[SeenMove]
    first: int = 0
    engines: tuple[str, ...] = ("", "")


def read_games(records: Iterable[str]) -> Iterator[RecordedGame]:
    """The games of record files that began with line-ups. RefereeError for a file that is not a record, ValueError for
    a game with a wrong move.
    """
    for record in records:
        for game in read_record(record):
            board = BOARDS[game.variant]
            if len(game.lineups) < len(board.seats):
                continue
            try:
                moves = [parse_move(board, text) for text in game.moves]
            except Refused as error:
                raise ValueError(f"{record}: game {game.game}: {error}") from None
            engines = tuple(str(game.engine_of(letter).get("name", "")) for letter in board.seats[:2])
            yield RecordedGame(board, Rules(**game.rules), game.lineups, moves, board.seats.index(game.first), engines)


def open_view(game: RecordedGame) -> SeatView:
    """The view of a game that has just begun that sees all pieces."""
    lineups = {seat: game.lineups[letter] for seat, letter in enumerate(game.board.seats)}
    return SeatView.start(game.board, game.board.all_alive, lineups, game.rules, game.first)


def team_view(start: GameState, team: int, first: int = 0) -> SeatView:
    """A team's view of a game at its start; `first` is the seat that begins."""
    own = {seat: lineup for seat, lineup in start.lineups.items() if team_of(seat) == team}
    return SeatView.start(start.board, sum(1 << seat for seat in own), own, start.rules, first)
