"""The input of a review: a game, its visibility, and how it ended."""

from dataclasses import dataclass
from functools import cached_property

from junqi_engine.api.game import Game
from junqi_engine.errors import Refused, expect_one_of
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.pieces import Outcome
from junqi_engine.rules.visibility import Visibility


@dataclass(frozen=True)
class ReviewedGame:
    """A game from its line-ups to its end. `Refused` for a game from a FEN, or for an unknown visibility.

    `visibility` is `partner` (partners see each other's pieces), `dark` (they do not) or `open`. `result` is the
    winning team, `draw`, or None for a game that continues. `is_forfeit`: the losing team lost by a fault outside the
    rules, such as its clock.
    """

    game: Game
    visibility: str = "partner"
    result: str | None = None
    is_forfeit: bool = False

    def __post_init__(self) -> None:
        expect_one_of("visibility", self.visibility, Visibility)
        if not self.game.lineups:
            raise Refused(
                "not-supported", "a game from a FEN cannot be reviewed: what its players have seen is not known"
            )

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The public record: moves, `resign:SEAT` and `pass:SEAT`."""
        return tuple(map(str, self.game.move_stack))

    @property
    def board(self) -> Board:
        return BOARDS[self.game.variant]

    @property
    def players(self) -> tuple[str, ...]:
        """The seats of each player: a team, or a seat in a dark game."""
        return tuple(self.board.seats) if self.visibility == Visibility.DARK else self.board.teams

    def player_of(self, seat: int) -> str:
        letter = self.board.seats[seat]
        return next(player for player in self.players if letter in player)

    def team_of(self, player: str) -> str:
        return self.board.teams[team_of(self.board.seats.index(player[0]))]

    def reward(self, player: str) -> float:
        """The reward of a player: 1, 0.5 or 0. The game must have ended."""
        if self.result == "draw":
            return 0.5
        return 1.0 if self.team_of(player) == self.result else 0.0

    def before(self, step: int, at: Game | None = None) -> Game:
        """The game before a step; `len(steps)` is the end. `at`, the game before an earlier step, is played on."""
        game = self.game
        if at is None or len(at.state.record) > step:
            at = Game(game.variant, game.lineups, first=game.first, rules=game.rules)
        for text in self.steps[len(at.state.record) : step]:
            at.push(text)
        return at

    def views(self, at: Game) -> dict[str, SeatView]:
        """The view of each player at a point of the game."""
        is_open = self.visibility == Visibility.OPEN
        return {player: at.view(OPEN_VIEWER if is_open else player).state for player in self.players}


def is_quiet(seen: SeenMove) -> bool:
    """Whether a step is a quiet move: without a battle or an elimination."""
    return seen.is_ply and seen.outcome == Outcome.NO_BATTLE and not seen.eliminated


def is_battle(seen: SeenMove) -> bool:
    return seen.is_ply and seen.outcome != Outcome.NO_BATTLE


def actor_of(seen: SeenMove, turn: int) -> int:
    if seen.resigned is not None:
        return seen.resigned
    return turn if seen.passed is None else seen.passed
