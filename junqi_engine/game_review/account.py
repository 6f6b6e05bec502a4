"""Where the result of a game came from: skill and luck, step by step; what a loss is called.

Each player has an account of its own, in its own eyes. V(k) is its fair chance before step k, V(n) after the last step
is the result. Step k belongs to the player who moves, passes or resigns.

- The *loss* of a move is the chance of the best move minus that of the move played, in the eyes of the player who
  moved. The loss of a pass or a resignation is the chance before it minus that after it. No loss is negative.
- The *luck* of a player in a step is what remains of V(k + 1) - V(k) when its team's loss is added and the enemy's loss
  is subtracted. In a battle it is the value after the outcome became known minus the value expected before it. In other
  steps it is what the player had not expected: an enemy's move has shown something, or the search sees farther than one
  step before. `battle_luck` is the part of the battles.

The sum is V(0) + luck + losses of the enemies - losses of the team = V(n), for every player.

A player who learns nothing from a quiet move keeps its value: after its own move the value of that move, after a
partner's or an enemy's move its own value corrected by the loss. So luck is 0 there by definition.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from junqi_engine.game_review.evaluation import Choice, StepValues
from junqi_engine.game_review.reviewed_game import ReviewedGame, actor_of, is_battle
from junqi_engine.notation.moves import parse_move

END = "end"
"""The text of the last step of a game that did not end by the rules."""


@dataclass(frozen=True)
class StepAccount:
    """One step: whose it was, the chances before it by player, what it lost, and the luck of each player.

    `truth` is the true chance of the first team before the step. A game that did not end by the rules has one more step
    with the text `end`: the fault of the player who lost by it, or, with `player` "", what the players agreed.
    """

    step: int
    text: str
    seat: str
    player: str
    is_battle: bool
    fair: dict[str, float]
    truth: float
    loss: float
    luck: dict[str, float]
    choice: Choice | None


@dataclass(frozen=True)
class Account:
    """The steps of a game, and the chances at its start and at its end: the rewards if it has ended."""

    steps: tuple[StepAccount, ...]
    start: dict[str, float]
    fair: dict[str, float]
    truth: float


def account_of(game: ReviewedGame, values: Sequence[StepValues]) -> Account:
    """The account of a game from the values before each of its steps and at its end.

    With fewer values, the account ends at the last of them.
    """
    book = _Book(game, values[0])
    for before, after in pairwise(values):
        book.enter(before, after.fair)
    is_whole = len(values) == len(game.steps) + 1
    if is_whole and game.result is not None and values[-1].turn >= 0:
        book.enter_end(values[-1])
    truth = game.reward(game.players[0]) if is_whole and game.result is not None else values[-1].truth
    return Account(tuple(book.steps), dict(values[0].fair), dict(book.chances), truth)


class _Book:
    def __init__(self, game: ReviewedGame, start: StepValues) -> None:
        self.game = game
        self.chances = {player: start.fair[player] for player in game.players}
        self.steps: list[StepAccount] = []

    def enter(self, before: StepValues, after: Mapping[str, float]) -> None:
        """Enter a step; `after` has the chances after it of those players who learnt something."""
        game = self.game
        text = game.steps[before.step]
        seen = parse_move(game.board, text)
        seat = actor_of(seen, before.turn)
        player = game.player_of(seat)
        loss = self._loss(before.choice, player, after)
        self._add(before, text, game.board.seats[seat], player, is_battle(seen), loss, after)

    def enter_end(self, before: StepValues) -> None:
        """Enter the end of a game that did not end by the rules."""
        game = self.game
        after = {player: game.reward(player) for player in game.players}
        losers = [player for player in game.players if after[player] == 0.0]
        player = losers[0] if game.is_forfeit and losers else ""
        loss = self.chances[player] if player else 0.0
        self._add(before, END, player[:1], player, False, loss, after)

    def _loss(self, choice: Choice | None, player: str, after: Mapping[str, float]) -> float:
        if choice is not None:
            return max(0.0, choice.best_chance - choice.played_chance)
        return max(0.0, self.chances[player] - after[player]) if player in after else 0.0

    def _add(
        self, before: StepValues, text: str, seat: str, actor: str, is_battle: bool, loss: float,
        after: Mapping[str, float],
    ) -> None:  # fmt: skip
        now, luck = dict(self.chances), {}
        for player in self.game.players:
            expected = now[player]
            if actor:
                is_partner = self.game.team_of(player) == self.game.team_of(actor)
                expected += -loss if is_partner else loss
            self.chances[player] = after.get(player, min(1.0, max(0.0, expected)))
            luck[player] = self.chances[player] - expected
        self.steps.append(
            StepAccount(before.step, text, seat, actor, is_battle, now, before.truth, loss, luck, before.choice)
        )


class Verdict(StrEnum):
    BRILLIANT = "brilliant"
    """The best move is a battle that looked poor at first glance."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Phase(StrEnum):
    """A part of a game, by the share of the pieces that remain."""

    OPENING = "opening"
    MIDDLE = "middle"
    ENDING = "ending"


SMALLEST_LOSS = {Verdict.BLUNDER: 0.15, Verdict.MISTAKE: 0.10, Verdict.INACCURACY: 0.05}
"""The loss from which a move has a verdict, highest first."""
BRILLIANT_MOST_LOSS = 0.005
BRILLIANT_GLANCE_LOSS = 0.05
"""A brilliant battle loses at most the first, and seems to lose at least the second."""
OPENING_SHARE, ENDING_SHARE = 0.85, 0.45
ACCURACY_SCALE = 0.1
"""A move with this loss has an accuracy of 1 / e."""


def verdict_of(loss: float, choice: Choice | None) -> Verdict | None:
    for verdict, smallest in SMALLEST_LOSS.items():
        if loss >= smallest:
            return verdict
    is_poor_at_first = choice is not None and choice.glance_loss >= BRILLIANT_GLANCE_LOSS
    return Verdict.BRILLIANT if is_poor_at_first and loss <= BRILLIANT_MOST_LOSS else None


def accuracy(losses: Iterable[float]) -> float | None:
    """From 0 to 100: the mean of 100 exp(-loss / ACCURACY_SCALE); None without a move."""
    each = [math.exp(-loss / ACCURACY_SCALE) for loss in losses]
    return 100 * sum(each) / len(each) if each else None


def phase_of(pieces: int, pieces_at_start: int) -> Phase:
    share = pieces / pieces_at_start
    if share > OPENING_SHARE:
        return Phase.OPENING
    return Phase.MIDDLE if share > ENDING_SHARE else Phase.ENDING
