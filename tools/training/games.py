"""Games to learn from: read from the referee's records, or played between two players that answer events."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules.board import SIGUO, Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from tools.referee.records.record_file import read_record


@dataclass(frozen=True)
class Game:
    """A played game. `lineups` by seat letter; `moves` is the public record; `first` is the seat that began."""

    board: Board
    rules: Rules
    lineups: dict[str, str]
    moves: list[SeenMove]
    first: int = 0


def read_games(records: Iterable[str]) -> Iterator[Game]:
    """The siguo games of record files that began with line-ups."""
    for record in records:
        for game in read_record(record):
            if game.variant != SIGUO.variant or len(game.lineups) < len(SIGUO.seats):
                continue
            moves = [parse_move(SIGUO, text) for text in game.moves]
            yield Game(SIGUO, Rules(**game.rules), game.lineups, moves, SIGUO.seats.index(game.first))


def play_games(count: int, first: str, second: str, seed: int) -> Iterator[Game]:
    """Games between two players from sensible line-ups. The players swap teams after each game."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        yield _play(SIGUO, (first, second) if number % 2 else (second, first), rng)


def _play(board: Board, versions: tuple[str, str], rng: random.Random) -> Game:
    lineups = {letter: lineup_choice.sensible(rng) for letter in board.seats}
    truth = GameState.start(board, lineups)
    views = [team_view(truth, team) for team in range(2)]
    seed = rng.randrange(1 << 30)
    while truth.result == Result.ONGOING:
        team = team_of(truth.turn)
        recipe, view = event_recipe(versions[team]), views[team]
        seen = truth.play(recipe.choose(view, seed, view.legal_moves()).move)
        for each in views:
            each.observe(seen)
    return Game(board, truth.rules, lineups, truth.record)


def team_view(start: GameState, team: int, first: int = 0) -> SeatView:
    """What a team sees of a game that has just begun; `first` is the seat that begins."""
    own = {seat: lineup for seat, lineup in start.lineups.items() if team_of(seat) == team}
    return SeatView.start(start.board, sum(1 << seat for seat in own), own, start.rules, first)
