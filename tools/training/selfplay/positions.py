"""The positions of stored games: the truth, what each team sees, the score of the search, and the result."""

from collections.abc import Iterator
from dataclasses import dataclass

from junqi_engine.errors import JunqiError
from junqi_engine.information.view import SeatView
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.position import Result, winner_of
from tools.referee.endings import Ending
from tools.referee.truth import ending_of
from tools.training.games import team_view
from tools.training.selfplay.game_file import GameFile, StoredGame


class ReplayError(JunqiError):
    """A stored game that the rules contradict; the text names game and ply."""

    def __init__(self, game: StoredGame, text: str) -> None:
        super().__init__("bad-file", f"game {game.number}, {text}")


@dataclass(frozen=True)
class Position:
    """A position in which `move` was played, after `ply` plies.

    `truth` is the position with all pieces, `views` what each team sees of it; both change with the next position, so
    copy what you keep. `views` is empty if it was not asked for. `score` is that of the search, for the team to move,
    None without a search. `result` is 1 if this team won the game, -1 if it lost, 0 for a draw.
    """

    game: StoredGame
    ply: int
    truth: GameState
    views: tuple[SeatView, ...]
    move: int
    score: int | None
    result: int


def positions(file: GameFile, game: StoredGame, with_views: bool = True) -> Iterator[Position]:
    """The positions of a game, in their order. `ReplayError` at a move that is not legal."""
    truth = _start(file, game)
    views = tuple(team_view(truth, team) for team in range(2)) if with_views else ()
    winner = winner_of(game.result)
    for ply, move in enumerate(game.moves):
        result = 0 if winner is None else 1 if winner == team_of(truth.turn) else -1
        yield Position(game, ply, truth, views, move, game.scores[ply] if game.scores else None, result)
        try:
            seen = truth.play(move)
            for view in views:
                view.observe(seen)
        except JunqiError as error:
            raise ReplayError(game, f"ply {ply}: {error}") from None


def check(file: GameFile, game: StoredGame) -> None:
    """Replay a game. `ReplayError` if a move is not legal, or if its result or ending is another one."""
    truth = _start(file, game)
    for ply, move in enumerate(game.moves):
        try:
            truth.play(move)
        except JunqiError as error:
            raise ReplayError(game, f"ply {ply}: {error}") from None
    if truth.result == Result.ONGOING:
        if game.ending != Ending.ADJUDICATED:
            raise ReplayError(game, f"ply {truth.ply}: it has not ended, but its ending is {game.ending}")
        return
    found = truth.result, ending_of(truth, _lineups(file, game))
    if found != (game.result, game.ending):
        names = [f"{result.name}, {ending}" for result, ending in (found, (game.result, game.ending))]
        raise ReplayError(game, f"ply {truth.ply}: it ends with {names[0]}; the file says {names[1]}")


def _lineups(file: GameFile, game: StoredGame) -> dict[str, str]:
    """The line-ups by seat letter."""
    return dict(zip(file.board.seats, game.lineups, strict=True))


def _start(file: GameFile, game: StoredGame) -> GameState:
    return GameState.start(file.board, _lineups(file, game), file.rules)
