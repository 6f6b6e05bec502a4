"""What a move really costs: a long search over many worlds, beside what a review reports."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import StatisticsError, correlation, mean

import numpy as np

from junqi_engine.analysis.evaluation import HASH_MB, Settings, StepEvaluator, chance_of_worlds
from junqi_engine.analysis.game import Cursor, ReviewedGame
from junqi_engine.analysis.verdicts import SMALLEST_LOSS, Verdict
from junqi_engine.information import worlds
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, format_move
from junqi_engine.players.randomness import random_of
from junqi_engine.players.registry import newest_search
from junqi_engine.rules.position import Result
from junqi_engine.search.root import Comparison, Limits

CANDIDATES = 3
"""The best moves of the first half of a long search that the second half compares with the others."""

COSTLY = 0.15


@dataclass(frozen=True)
class Effort:
    """How long a label is searched: positions, and worlds."""

    nodes: int
    worlds: int


@dataclass(frozen=True)
class Labelled:
    """A move, the loss that a review reports, and the loss by the label, both as chances.

    `is_best` is whether the move is the label's best one.
    """

    variant: str
    step: int
    text: str
    is_random: bool
    reported: float
    label: float
    is_best: bool


def labelled(
    games: Sequence[ReviewedGame], count: int, settings: Settings, effort: Effort, rng: random.Random
) -> Iterator[Labelled]:
    """Moves in random positions of random games, in turn the move that was played and a random one."""
    for number in range(count):
        game = rng.choice(games)
        yield _labelled(game, rng.randrange(len(game.steps)), number % 2 == 1, settings, effort, rng)


def _labelled(
    game: ReviewedGame, step: int, is_random: bool, settings: Settings, effort: Effort, rng: random.Random
) -> Labelled:
    cursor = Cursor(game)
    cursor.go_to(step)
    while cursor.truth.result != Result.ONGOING or not cursor.steps[step].is_ply:
        step = rng.randrange(len(game.steps))
        cursor.go_to(step)
    if is_random:
        game = _with_random_move(game, cursor, rng)
    played = Cursor(game).steps[step]
    choice = StepEvaluator(game, settings).values_before(step).choice
    assert choice is not None
    reported = max(0.0, choice.best_chance - choice.played_chance)
    view = cursor.views[game.player_of(cursor.truth.turn)]
    label, is_best = _label(view, played.move, choice.best, effort)
    return Labelled(game.variant, step, game.steps[step], is_random, reported, label, is_best)


def _with_random_move(game: ReviewedGame, cursor: Cursor, rng: random.Random) -> ReviewedGame:
    """The game up to the position of a cursor, with a random legal move after it."""
    truth = cursor.truth.copy()
    seen = truth.play(rng.choice(truth.legal_moves()))
    return replace(game, steps=(*game.steps[: cursor.at], format_move(game.board, seen)), result=None)


def _label(view: SeatView, played: int, suggested: str, effort: Effort) -> tuple[float, bool]:
    """The loss of a move by a long search, and whether it is the best."""
    search, running = newest_search().new_search(HASH_MB), np.zeros(1, np.uint8)
    rng = random_of(view, 1)
    half = effort.nodes // 2

    def run(moves: Sequence[int], lines: int) -> tuple[list[int], Comparison]:
        drawn = worlds.draw(view, 1 if view.is_open else effort.worlds, rng.getrandbits(63), search.belief(view))
        last: list[Comparison] = []
        found = search.run(view, drawn, moves, Limits(nodes=half, lines=lines), running, last.append)
        return [one.move for one in found], last[-1]

    moves = view.legal_moves()
    first, _ = run(moves, min(CANDIDATES, len(moves)))
    rivals = sorted({*first, played, *(move for move in moves if format_code(view.board, move) == suggested)})
    _, comparison = run(rivals, len(rivals))
    chances = {move: chance_of_worlds(view, comparison.world_scores(move)) for move in rivals}
    best = max(chances, key=lambda move: chances[move])
    return chances[best] - chances[played], best == played


def summary(found: Sequence[Labelled]) -> Iterator[str]:
    """What the moves amount to, line by line."""
    try:
        value = f"{correlation([one.reported for one in found], [one.label for one in found]):.3f}"
    except StatisticsError:
        value = "not defined"
    yield f"{len(found)} moves: correlation {value}"
    yield f"mean loss {mean(one.reported for one in found):.4f}, label {mean(one.label for one in found):.4f}"
    blunders = [one for one in found if one.reported >= SMALLEST_LOSS[Verdict.BLUNDER]]
    yield f"blunders {len(blunders)}, of which the label's best {sum(one.is_best for one in blunders)}"
    costly = [one for one in found if one.is_random and one.label > COSTLY]
    named = {verdict: sum(one.reported >= least for one in costly) for verdict, least in SMALLEST_LOSS.items()}
    counts = ", ".join(f"{count} at least {verdict}" for verdict, count in named.items())
    yield f"random moves that cost more than {COSTLY}: {len(costly)}, of which {counts}"
