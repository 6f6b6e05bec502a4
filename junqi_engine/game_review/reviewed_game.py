"""The game that is reviewed: where it began, what was played, who shared what he knew."""

from collections.abc import Mapping
from dataclasses import dataclass

from junqi_engine.api.game import Game
from junqi_engine.errors import IllegalMove, Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import OPEN_VIEWER, parse_move, parse_viewer
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.layout import contains, team_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import Outcome

PARTNER, DARK, OPEN = "partner", "dark", "open"
VISIBILITIES = (PARTNER, DARK, OPEN)


@dataclass(frozen=True)
class ReviewedGame:
    """A game from its line-ups, by seat letter, to its end.

    `steps` is the public record: moves, `resign:SEAT` and `pass:SEAT`. `result` is the seats of the winning team,
    `draw`, or None for a game that continues. `is_forfeit` says that the losing team lost by its own fault outside the
    rules, such as a clock. `visibility` is `partner` (partners see each other's pieces), `dark` (they do not), `open`.
    """

    variant: str
    visibility: str
    lineups: tuple[tuple[str, str], ...]
    first: str
    rules: Rules
    steps: tuple[str, ...]
    result: str | None = None
    is_forfeit: bool = False

    @classmethod
    def of(cls, game: Game, visibility: str = PARTNER) -> "ReviewedGame":
        """The game so far. `Refused` for a game from a FEN, or for an unknown visibility."""
        if visibility not in VISIBILITIES:
            raise Refused("bad-argument", f"visibility {visibility!r} is not one of {', '.join(VISIBILITIES)}")
        if not game.lineups:
            raise Refused(
                "not-supported", "a game from a FEN cannot be reviewed: what its players have seen is not known"
            )
        steps = tuple(str(move) for move in game.move_stack)
        return cls(game.variant, visibility, tuple(game.lineups.items()), game.first, game.rules, steps, game.result)

    @property
    def board(self) -> Board:
        return BOARDS[self.variant]

    @property
    def players(self) -> tuple[str, ...]:
        """The seats of each player: those who know the same. A team, or in the dark a seat."""
        return tuple(self.board.seats) if self.visibility == DARK else self.board.teams

    def player_of(self, seat: int) -> str:
        letter = self.board.seats[seat]
        return next(player for player in self.players if letter in player)

    def team_of(self, player: str) -> str:
        return self.board.teams[team_of(self.board.seats.index(player[0]))]

    def reward(self, player: str) -> float:
        """What the result is worth to a player: 1, 0.5 or 0. The game must have ended."""
        if self.result == "draw":
            return 0.5
        return 1.0 if self.team_of(player) == self.result else 0.0


class Cursor:
    """The true game and what each player knows of it, before any step. Going forward is cheap, going back is not."""

    def __init__(self, game: ReviewedGame) -> None:
        self.game = game
        self.board = game.board
        self.steps = [parse_move(self.board, text) for text in game.steps]
        self._restart()

    def _restart(self) -> None:
        game, board = self.game, self.board
        lineups = dict(game.lineups)
        first = board.seats.index(game.first)
        self.truth = GameState.start(board, lineups, game.rules, first)
        self.truth_view = self._view(OPEN_VIEWER, lineups, first)
        is_open = game.visibility == OPEN
        self.views: dict[str, SeatView] = {
            player: self._view(OPEN_VIEWER if is_open else player, lineups, first) for player in game.players
        }

    def _view(self, viewer: str, lineups: Mapping[str, str], first: int) -> SeatView:
        board = self.board
        seats = parse_viewer(board, viewer)
        own = {seat: lineups[letter] for seat, letter in enumerate(board.seats) if contains(seats, seat)}
        return SeatView.start(board, seats, own, self.game.rules, first)

    @property
    def at(self) -> int:
        return len(self.truth.record)

    def go_to(self, step: int) -> None:
        """Go to the position before a step; `len(steps)` is the end. `Refused` if a step breaks the rules."""
        if step < self.at:
            self._restart()
        while self.at < step:
            self._play(self.steps[self.at])

    def _play(self, wanted: SeenMove) -> None:
        truth, text = self.truth, self.game.steps[self.at]
        seen = truth.repeat(wanted)
        if not seen.agrees_with(wanted):
            raise IllegalMove("impossible-outcome", f"step {self.at}: {text} has another outcome in the true game")
        for view in (self.truth_view, *self.views.values()):
            view.observe(seen)


def is_quiet(seen: SeenMove) -> bool:
    """Whether a step is a move that shows nobody more than that it was made."""
    return seen.is_ply and seen.outcome == Outcome.NO_BATTLE and not seen.eliminated


def is_battle(seen: SeenMove) -> bool:
    return seen.is_ply and seen.outcome != Outcome.NO_BATTLE


def actor_of(seen: SeenMove, turn: int) -> int:
    if seen.resigned is not None:
        return seen.resigned
    return turn if seen.passed is None else seen.passed
