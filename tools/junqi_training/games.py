"""Games to learn from: read from the referee's records, or played here between two players.

`play_out` is the loop of every game that is played here. It takes one `Choose` for each team.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import event_recipe
from junqi_engine.players.search_player import FULL_SKILL, think
from junqi_engine.rules.board import BOARDS, SIGUO, Board
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_engine.search.root import Limits, TeamSearch
from junqi_referee.records.game_record import read_record

Choose = Callable[[SeatView, Sequence[int]], int]
"""The player of a team: from the team's view and its legal moves, at least one, the move that it plays."""


FOLD = 10
"""One game in this many is held out of a fit."""


def of_games(numbers: np.ndarray, is_held_out: bool) -> np.ndarray:
    """The rows of the games that are held out, or of the others; `numbers` are those of the games, by row."""
    return np.flatnonzero((numbers % FOLD == 0) == is_held_out)


@dataclass(frozen=True)
class Game:
    """A played game. `lineups` by seat letter; `moves` is the public record; `first` is the seat that began."""

    board: Board
    rules: Rules
    lineups: dict[str, str]
    moves: list[SeenMove]
    first: int = 0


def read_games(records: Iterable[str]) -> Iterator[Game]:
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
            except JunqiError as error:
                raise ValueError(f"{record}: game {game.game}: {error}") from None
            yield Game(board, Rules(**game.rules), game.lineups, moves, board.seats.index(game.first))


def play_games(count: int, first: str, second: str, seed: int) -> Iterator[Game]:
    """Games between two players from sensible line-ups. The players swap teams after each game."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        yield _play(SIGUO, (first, second) if number % 2 else (second, first), rng)


def _play(board: Board, versions: tuple[str, str], rng: random.Random) -> Game:
    lineups = sensible_lineups(board, rng)
    truth = GameState.start(board, lineups)
    seed = rng.randrange(1 << 30)
    play_out(truth, [_answerer(version, seed) for version in versions])
    return Game(board, truth.rules, lineups, truth.record)


def play_out(truth: GameState, players: Sequence[Choose]) -> None:
    """Play a game from its start to its end; `players` are by team."""
    views = [team_view(truth, team) for team in range(2)]
    while truth.result == Result.ONGOING:
        team = team_of(truth.turn)
        seen = truth.play(players[team](views[team], views[team].legal_moves()))
        for view in views:
            view.observe(seen)


def searcher(team_search: TeamSearch, seed: int, nodes: int) -> Choose:
    """A player that searches at full skill with a limit of positions per move."""
    limits, running = Limits(nodes=nodes), np.zeros(1, np.uint8)

    def choose(view: SeatView, moves: Sequence[int]) -> int:
        return think(team_search, view, seed, FULL_SKILL, moves, limits, running)[0].move

    return choose


def _answerer(version: str, seed: int) -> Choose:
    """A player that answers events."""
    recipe = event_recipe(version)
    return lambda view, moves: recipe.choose(view, seed, moves).move


def sensible_lineups(board: Board, rng: random.Random) -> dict[str, str]:
    """A line-up that a good player might choose for each seat letter."""
    return {letter: lineup_choice.sensible(rng) for letter in board.seats}


def open_view(game: Game) -> SeatView:
    """The view of a game that has just begun that sees all pieces."""
    lineups = {seat: game.lineups[letter] for seat, letter in enumerate(game.board.seats)}
    return SeatView.start(game.board, game.board.all_alive, lineups, game.rules, game.first)


def team_view(start: GameState, team: int, first: int = 0) -> SeatView:
    """What a team sees of a game that has just begun; `first` is the seat that begins."""
    own = {seat: lineup for seat, lineup in start.lineups.items() if team_of(seat) == team}
    return SeatView.start(start.board, sum(1 << seat for seat in own), own, start.rules, first)
