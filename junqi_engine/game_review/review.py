"""A review as data: what the report, the board and the library show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from junqi_engine.api.game import Game
from junqi_engine.api.readable import expect_large
from junqi_engine.errors import JunqiError, expect, expect_at_least
from junqi_engine.game_review.account import (
    Account,
    Phase,
    StepAccount,
    Verdict,
    account_of,
    accuracy,
    phase_of,
    verdict_of,
)
from junqi_engine.game_review.evaluation import ReviewSettings, StepValues, evaluate
from junqi_engine.game_review.reviewed_game import PARTNER, ReviewedGame
from junqi_engine.game_review.secrecy import FlagHistory, GameKnowledge, PieceSecrecy, Surprise, knowledge_of
from junqi_engine.rules.options import Rules

FORMAT = 1
"""The version of the table of a review."""
WORST_MOVES = BEST_MOVES = 3
SMALLEST_MARGIN = 0.02
"""A best move is worth naming if the second best is so far behind."""
MOST_MOMENTS = 12
SMALLEST_LUCK = 0.08
"""Luck from which a battle is a key moment."""
RESIGNATION = "resign:"
LOST = frozenset({Verdict.BLUNDER, Verdict.MISTAKE})


@dataclass(frozen=True)
class ReviewedStep:
    """A move, a pass or a resignation; see `account.StepAccount`.

    `best` and `line` are empty if the step is not a move. `line` begins with the best move.
    """

    step: int
    text: str
    seat: str
    player: str
    is_battle: bool
    phase: Phase
    fair: dict[str, float]
    truth: float
    loss: float
    luck: dict[str, float]
    verdict: Verdict | None
    best: str
    line: tuple[str, ...]


@dataclass(frozen=True)
class PlayerReview:
    """What a player did: start + luck + enemy_loss - loss = end.

    `loss` is the team's, `own_loss` the player's own; they differ only in the dark. `accuracy` is from 0 to 100, None
    without a move. `by_phase` has the number of moves and the mean loss. `worst` and `best` are numbers of steps.
    """

    player: str
    team: str
    name: str
    start: float
    luck: float
    battle_luck: float
    enemy_loss: float
    loss: float
    own_loss: float
    end: float
    moves: int
    accuracy: float | None
    by_phase: dict[str, tuple[int, float]]
    verdicts: dict[str, int]
    worst: tuple[int, ...]
    best: tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """A key moment: the step, what it was, how much it changed, and for whom it was good (`player`, by its team).

    `kind` is a verdict, `luck`, `eliminated` or `end`.
    """

    step: int
    kind: str
    size: float
    player: str


@dataclass(frozen=True)
class Review:
    """A reviewed game. Its chances are explained in docs/review.md.

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
    flags: tuple[FlagHistory, ...]
    pieces: tuple[PieceSecrecy, ...]
    surprises: tuple[Surprise, ...]
    format: int = field(default=FORMAT)

    def as_table(self) -> dict[str, Any]:
        """The review as JSON has it. `fair` and `truth` of the whole are those at the end."""
        return asdict(self)


def review(
    game: Game,
    *,
    nodes: int = 20_000,
    visibility: str = PARTNER,
    seed: int = 0,
    threads: int = 1,
    names: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """What each move of a game was worth: `Review`. A game that continues is reviewed up to where it is.

    Each search has `nodes` positions. `visibility` says who shared what he knew: `partner`, `dark` or
    `open`. `names` are those of the players by their seats. `progress` is called with the number of values so far and
    of all values. `JunqiError` for a game from a FEN. The result depends on game, nodes, visibility and seed alone.

    >>> import junqi_engine as junqi
    >>> game = junqi.Game("luzhanqi", seed=2)
    >>> move = game.push("a6b5")
    >>> south = junqi.review(game, nodes=1000).players[0]
    >>> abs(south.start + south.luck + south.enemy_loss - south.loss - south.end) < 1e-9
    True
    """
    expect(Game, "game", game)
    expect_at_least(0, "nodes", nodes)
    expect_at_least(1, "threads", threads)
    expect(Mapping | None, "names", names)
    expect_large(game.state.board, "review")
    reviewed = ReviewedGame.of(game, visibility)
    try:
        settings = ReviewSettings(nodes, seed)
    except ValueError as error:
        raise JunqiError("bad-argument", str(error)) from None
    values: dict[int, StepValues] = {}
    steps = range(len(reviewed.steps) + 1)
    for found in evaluate(reviewed, settings, steps, threads):
        values[found.step] = found
        progress(len(values), len(steps))
    return review_of(reviewed, settings, [values[step] for step in steps], names)


def review_of(
    game: ReviewedGame,
    settings: ReviewSettings,
    values: Sequence[StepValues],
    names: Mapping[str, str] | None = None,
    knowledge: GameKnowledge | None = None,
) -> Review:
    """The review of a game from the values before each step and at the end, or of its beginning from fewer values.

    A caller that already has the `knowledge_of` the game passes it.
    """
    account, knowledge = account_of(game, values), knowledge or knowledge_of(game)
    steps = tuple(_step(entry, knowledge) for entry in account.steps)
    margins = {entry.step: entry.choice.margin for entry in account.steps if entry.choice is not None}
    players = tuple(
        _player(game, player, (names or {}).get(player, ""), account, steps, margins) for player in game.players
    )
    return Review(
        game.variant, game.visibility, settings.nodes, settings.seed, dict(game.lineups), game.first, game.rules,
        game.result, players, steps, account.fair, account.truth, _moments(game, steps), knowledge.flags,
        knowledge.pieces, knowledge.surprises,
    )  # fmt: skip


def _step(entry: StepAccount, knowledge: GameKnowledge) -> ReviewedStep:
    counts = knowledge.counts
    choice = entry.choice
    return ReviewedStep(
        entry.step, entry.text, entry.seat, entry.player, entry.is_battle, phase_of(counts[entry.step], counts[0]),
        entry.fair, entry.truth, entry.loss, entry.luck, verdict_of(entry.loss, choice),
        choice.best if choice else "", choice.line if choice else (),
    )  # fmt: skip


def _player(
    game: ReviewedGame, player: str, name: str, account: Account, steps: Sequence[ReviewedStep],
    margins: Mapping[int, float],
) -> PlayerReview:  # fmt: skip
    team = game.team_of(player)
    own = [step for step in steps if step.player == player]
    moves = [step for step in own if step.best]
    by_team = {True: 0.0, False: 0.0}
    for step in steps:
        if step.player:
            by_team[game.team_of(step.player) == team] += step.loss
    worst = sorted((step for step in own if step.verdict in LOST), key=lambda step: -step.loss)
    best = sorted(
        (step for step in moves if step.verdict == Verdict.BRILLIANT or margins[step.step] >= SMALLEST_MARGIN),
        key=lambda step: (step.verdict != Verdict.BRILLIANT, -margins[step.step]),
    )
    phases = {phase: [step.loss for step in moves if step.phase == phase] for phase in Phase}
    return PlayerReview(
        player=player,
        team=team,
        name=name,
        start=account.start[player],
        luck=sum(step.luck[player] for step in steps),
        battle_luck=sum(step.luck[player] for step in steps if step.is_battle),
        enemy_loss=by_team[False],
        loss=by_team[True],
        own_loss=sum(step.loss for step in own),
        end=account.fair[player],
        moves=len(moves),
        accuracy=accuracy(step.loss for step in moves),
        by_phase={phase.value: (len(losses), sum(losses) / len(losses)) for phase, losses in phases.items() if losses},
        verdicts={verdict.value: sum(step.verdict == verdict for step in own) for verdict in Verdict},
        worst=tuple(step.step for step in worst[:WORST_MOVES]),
        best=tuple(step.step for step in best[:BEST_MOVES]),
    )


def _moments(game: ReviewedGame, steps: Sequence[ReviewedStep]) -> tuple[Moment, ...]:
    """The largest changes, in the order of play; eliminations and the end are always among them."""
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
            found.append(Moment(step.step, str(step.verdict), SMALLEST_LUCK, step.player))
        if step.is_battle and size >= SMALLEST_LUCK:
            found.append(Moment(step.step, "luck", size, lucky))
    found.sort(key=lambda moment: -moment.size)
    return tuple(sorted([*found[:MOST_MOMENTS], *certain.values()], key=lambda moment: moment.step))


def _eliminated_in(step: ReviewedStep) -> str:
    """The seats that a step eliminates, in the order of the record."""
    resigned = step.seat if step.text.startswith(RESIGNATION) else ""
    return resigned + step.text.partition("#")[2].replace("#", "")


def _other_team(game: ReviewedGame, player: str) -> str:
    return next(team for team in game.board.teams if player[0] not in team)
