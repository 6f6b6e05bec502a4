"""The review of a game as data: an account of skill and luck for each player, step by step, and verdicts of moves.

The account of a player is in its own eyes. V(k) is its fair chance before step k, V(n) after the last step is the
result. Step k belongs to the player who moves, passes or resigns.

- The *loss* of a move is the chance of the best move minus that of the move played, in the eyes of the player who
  moved. The loss of a pass or a resignation is the chance before it minus that after it. No loss is negative.
- The *luck* of a player in a step is V(k + 1) - V(k) plus its team's loss minus the enemy's loss. In a battle it is
  the value after the outcome minus the value expected before it. In other steps the player had not expected something:
  an enemy's move has shown it, or the search sees farther than one step before.

The sum is V(0) + luck + losses of the enemies - losses of the team = V(n), for every player.

A player who learns nothing from a quiet move keeps its value: after its own move the value of that move, after a
partner's or an enemy's move its own value corrected by the loss. So luck is 0 there by definition.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import pairwise
from operator import index
from typing import Any

from junqi_engine.api.game import Game
from junqi_engine.errors import Refused, expect_at_least
from junqi_engine.game_review.evaluation import Choice, ReviewSettings, StepEvaluator, StepValues
from junqi_engine.game_review.reviewed_game import ReviewedGame, actor_of, is_battle
from junqi_engine.game_review.surprises import Surprise, surprises_of
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.options import Rules

END = "end"
"""The text of the last step if the game did not end by the rules."""


class Verdict(StrEnum):
    BRILLIANT = "brilliant"
    """The best move is a battle that looked poor at first glance."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True)
class ReviewedStep:
    """A step: its player, the chances before it by player, its loss, and the luck of each player.

    `truth` is the true chance of the first team before the step. `line` begins with the best move; `best` and `line`
    are empty if the step is not a move. A game that did not end by the rules has one more step with the text `end`: the
    fault of the losing player, or an agreement, with `player` "".
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
    verdict: Verdict | None
    best: str
    line: tuple[str, ...]


@dataclass(frozen=True)
class Account:
    """The steps of a game, and the chances at its start and at its end: the rewards if it has ended."""

    steps: tuple[ReviewedStep, ...]
    start: dict[str, float]
    fair: dict[str, float]
    truth: float


def account_of(game: ReviewedGame, values: Sequence[StepValues]) -> Account:
    """The account of a game from the values before each of its steps and at its end. With fewer values, the account
    ends at the last of them.
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
        self.steps: list[ReviewedStep] = []

    def enter(self, before: StepValues, after: Mapping[str, float]) -> None:
        """Enter a step; `after` has the chances after it of the players who learnt something."""
        game = self.game
        text = game.steps[before.step]
        seen = parse_move(game.board, text)
        seat = actor_of(seen, before.turn)
        player = game.player_of(seat)
        loss = self._loss(before.choice, player, after)
        self._add(before, text, game.board.seats[seat], player, is_battle(seen), loss, after)

    def enter_end(self, before: StepValues) -> None:
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
        choice = before.choice
        self.steps.append(
            ReviewedStep(
                before.step, text, seat, actor, is_battle, now, before.truth, loss, luck,
                verdict_of(loss, choice), choice.best if choice else "", choice.line if choice else (),
            )
        )  # fmt: skip


MIN_LOSS = {Verdict.BLUNDER: 0.15, Verdict.MISTAKE: 0.10, Verdict.INACCURACY: 0.05}
"""The smallest loss of each verdict, highest first."""
BRILLIANT_MAX_LOSS = 0.005
BRILLIANT_MIN_GLANCE_LOSS = 0.05
"""A brilliant battle loses at most the first, and at first glance at least the second."""
ACCURACY_SCALE = 0.1
"""A move with this loss has an accuracy of 1 / e."""


def verdict_of(loss: float, choice: Choice | None) -> Verdict | None:
    for verdict, smallest in MIN_LOSS.items():
        if loss >= smallest:
            return verdict
    is_poor_at_first = choice is not None and choice.glance_loss >= BRILLIANT_MIN_GLANCE_LOSS
    return Verdict.BRILLIANT if is_poor_at_first and loss <= BRILLIANT_MAX_LOSS else None


def accuracy(losses: Iterable[float]) -> float | None:
    """The accuracy, from 0 to 100: the mean of 100 exp(-loss / ACCURACY_SCALE); None without a move."""
    each = [math.exp(-loss / ACCURACY_SCALE) for loss in losses]
    return 100 * sum(each) / len(each) if each else None


FORMAT = 2
"""The version of the table of a review."""
MAX_MOMENTS = 12
MIN_LUCK = 0.08
"""Smallest luck that makes a battle a key moment."""
RESIGNATION = "resign:"
LOST = frozenset({Verdict.BLUNDER, Verdict.MISTAKE})


@dataclass(frozen=True)
class PlayerReview:
    """The account of a player: start + luck + enemy_loss - loss = end.

    `loss` is the loss of its team. `accuracy` is from 0 to 100, None without a move.
    """

    player: str
    team: str
    name: str
    start: float
    luck: float
    enemy_loss: float
    loss: float
    end: float
    moves: int
    accuracy: float | None


@dataclass(frozen=True)
class Moment:
    """A key moment: the step, its kind (a verdict, `luck`, `eliminated` or `end`), the size of the change, and the
    player, or the team, that it was good for.
    """

    step: int
    kind: str
    size: float
    player: str


@dataclass(frozen=True)
class Review:
    """A reviewed game. docs/review.md explains the chances.

    >>> import junqi_engine as junqi
    >>> game = junqi.Game("luzhanqi", seed=1)
    >>> moves = [game.push(game.legal_moves[0]) for _ in range(3)]
    >>> found = junqi.review(game, nodes=1000)
    >>> [step.text for step in found.steps] == moves, len(found.players)
    (True, 2)
    """

    variant: str
    visibility: str
    nodes: int
    seed: int
    lineups: dict[str, str]
    first: str
    rules: Rules
    result: str | None
    players: tuple[PlayerReview, ...]
    steps: tuple[ReviewedStep, ...]
    fair: dict[str, float]
    truth: float
    moments: tuple[Moment, ...]
    surprises: tuple[Surprise, ...]
    format: int = field(default=FORMAT)

    def as_table(self) -> dict[str, Any]:
        """The review as a table for JSON. `fair` and `truth` of the review are the values at the end."""
        return asdict(self)


def review(
    game: Game,
    *,
    nodes: int = 20_000,
    visibility: str = "partner",
    seed: int = 0,
    names: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """The review of a game: the worth of each move. A game that continues is reviewed up to its last move.

    Each search has `nodes` nodes. `visibility`, `partner`, `dark` or `open`, says who saw whose pieces. `names` are the
    names of the players by their seats. `progress` is called with the number of values so far and of all values.
    `Refused` for a game from a FEN. The result depends only on game, nodes, visibility and seed.

    >>> import junqi_engine as junqi
    >>> game = junqi.Game("luzhanqi", seed=2)
    >>> move = game.push("a6b5")
    >>> south = junqi.review(game, nodes=1000).players[0]
    >>> abs(south.start + south.luck + south.enemy_loss - south.loss - south.end) < 1e-9
    True
    """
    expect_at_least(0, "nodes", nodes)
    reviewed = ReviewedGame(game, visibility, game.result)
    try:
        settings = ReviewSettings(int(nodes), index(seed))
    except ValueError as error:
        raise Refused("bad-argument", str(error)) from None
    evaluator, count = StepEvaluator(reviewed, settings), len(reviewed.steps) + 1
    values = []
    for step in range(count):
        values.append(evaluator.values_before(step))
        progress(len(values), count)
    return review_of(reviewed, settings, values, names)


def review_of(
    game: ReviewedGame,
    settings: ReviewSettings,
    values: Sequence[StepValues],
    names: Mapping[str, str] | None = None,
    surprises: tuple[Surprise, ...] | None = None,
) -> Review:
    """The review of a game from the values before each step and at the end, or of its beginning from fewer values.

    `surprises` are `surprises_of(game)`, for a caller that has them already.
    """
    account = account_of(game, values)
    players = tuple(_player(game, player, (names or {}).get(player, ""), account) for player in game.players)
    played = game.game
    return Review(
        variant=played.variant, visibility=game.visibility, nodes=settings.nodes, seed=settings.seed,
        lineups=played.lineups, first=played.first, rules=played.rules, result=game.result, players=players,
        steps=account.steps, fair=account.fair, truth=account.truth, moments=_moments(game, account.steps),
        surprises=surprises_of(game) if surprises is None else surprises,
    )  # fmt: skip


def _player(game: ReviewedGame, player: str, name: str, account: Account) -> PlayerReview:
    team, steps = game.team_of(player), account.steps
    moves = [step for step in steps if step.player == player and step.best]
    by_team = {True: 0.0, False: 0.0}
    for step in steps:
        if step.player:
            by_team[game.team_of(step.player) == team] += step.loss
    return PlayerReview(
        player=player,
        team=team,
        name=name,
        start=account.start[player],
        luck=sum(step.luck[player] for step in steps),
        enemy_loss=by_team[False],
        loss=by_team[True],
        end=account.fair[player],
        moves=len(moves),
        accuracy=accuracy(step.loss for step in moves),
    )


def _moments(game: ReviewedGame, steps: Sequence[ReviewedStep]) -> tuple[Moment, ...]:
    """The largest changes, in the order of play; eliminations and the end are always included."""
    certain = {
        step.step: Moment(step.step, "eliminated", 1.0, _other_team(game, _eliminated_in(step)))
        for step in steps
        if _eliminated_in(step)
    }
    if game.result is not None and len(steps) >= len(game.steps):
        last = steps[-1].step
        certain[last] = Moment(last, "end", 1.0, "" if game.result == "draw" else game.result)
    found = []
    for step in steps:
        lucky = max(step.luck, key=lambda player: step.luck[player])
        size = max(map(abs, step.luck.values()))
        if step.verdict in LOST:
            found.append(Moment(step.step, str(step.verdict), step.loss, _other_team(game, step.player)))
        elif step.verdict == Verdict.BRILLIANT:
            found.append(Moment(step.step, str(step.verdict), MIN_LUCK, step.player))
        if step.is_battle and size >= MIN_LUCK:
            found.append(Moment(step.step, "luck", size, lucky))
    found.sort(key=lambda moment: -moment.size)
    return tuple(sorted([*found[:MAX_MOMENTS], *certain.values()], key=lambda moment: moment.step))


def _eliminated_in(step: ReviewedStep) -> str:
    resigned = step.seat if step.text.startswith(RESIGNATION) else ""
    return resigned + step.text.partition("#")[2].replace("#", "")


def _other_team(game: ReviewedGame, player: str) -> str:
    return next(team for team in game.board.teams if player[0] not in team)
