"""A linear evaluation fitted to games: `python -m junqi_training fit FOLDER ... --out FILE`.

The chance of the team to move is f((linear score) + (hand-written score) * share), where f is the logistic function
and the share is fitted too: a network without hidden units. The target is a mixture of the result and of
f(score of the search / `SPREAD`). A worth is a sum of four parts: by (owner, kind, class), by (owner, kind, point), by
(owner, class, point), and by all of them. `samples` has the rest. The sums are taken in one thread: the same positions
and options give the same weights.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.evaluation.features import CLASSES, find_perspectives
from junqi_engine.evaluation.linear import zero_linear
from junqi_engine.rules.layout import SEATS, SLOTS
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_training.selfplay.folder import StoredGame
from junqi_training.value.network import Model, descend
from junqi_training.value.samples import (
    Adam,
    Parts,
    Samples,
    Schedule,
    best_spread,
    logistic,
    print_losses,
    read_games,
    samples_of,
    split,
    write_weights,
)

RESULT_SHARE, SPREAD = 0.5, 2000.0
"""The part of the result in the target; the score of the search that has even odds of e, for the rest."""
DECAYS = (0.3, 0.3, 0.3, 0.9)
"""How fast each part shrinks."""
FIRST_SHARE = 1 / 4000
"""The first share of the hand-written score: what a hundredth of a Lieutenant adds to the logarithm of the odds."""


def work(given: argparse.Namespace) -> None:
    samples = positions_of(read_games(given.folders))
    learned, held_out = split(samples.game, given.batch, given.every)
    print(f"{samples.board.variant}: {len(learned)} positions to fit, {len(held_out)} held out")
    result = samples.result[held_out]
    hand, search = (best_spread(scores[held_out], result)[1] for scores in (samples.hand, samples.search))
    print(f"held-out loss: hand-written {hand:.4f} nats, search {search:.4f}, each with its best scale")

    def report(epoch: int, model: Model) -> None:
        print_losses(epoch, model.chances(samples, held_out), samples, held_out)

    owners, kinds, classes, points = len(samples.board.seats), KINDS, CLASSES, len(samples.board.points)
    parts = Parts([
        (owners, kinds, classes, 1), (owners, kinds, 1, points), (owners, 1, classes, points),
        (owners, kinds, classes, points),
    ])  # fmt: skip
    share, none, one = np.ones(1), np.zeros(1, np.float32), np.ones(1, np.float32)
    steppers = [Adam(part, decay) for part, decay in zip(parts.parts, DECAYS, strict=True)]
    target = RESULT_SHARE * samples.result + (1 - RESULT_SHARE) * logistic(samples.search / SPREAD)

    def now() -> Model:
        return Model(parts.total().reshape(-1, 1), none, one, float(share[0]) * FIRST_SHARE, is_linear=True)

    schedule, rng = Schedule(given.epochs, given.batch, given.rate, given.seed), np.random.default_rng(given.seed)
    target = target.astype(np.float32)
    # In the units of the first share, so that its steps are of the size of the others.
    model = descend(samples, learned, schedule, rng, parts, [*steppers, Adam(share)], target, FIRST_SHARE, now, report)
    size = write_weights(given.out, worth=as_integers(model, given.strength))
    print(f"{given.out}: {size} bytes; strength {given.strength}")


def positions_of(games: Sequence[StoredGame]) -> Samples:
    """The positions of the games of one variant, with the hand-written scores."""
    board = games[0].settings.board
    seats, points, linear = len(board.seats), len(board.points), zero_linear(board)
    hand_written = Evaluator(linear_of=lambda variant: linear, network_of=lambda variant: None)
    seats_on = np.arange(seats)
    relation = ((seats_on - seats_on[:, None]) % seats).repeat(PIECES_PER_SEAT, axis=1)

    def frame_of(position: np.void) -> tuple[np.ndarray, np.ndarray]:
        is_mirrored = np.zeros(seats, np.uint8)
        find_perspectives(linear["features"], position, is_mirrored)
        kinds = position["kind"].reshape(SEATS, SLOTS)[:seats, :PIECES_PER_SEAT].ravel()
        return ((relation * KINDS + kinds) * CLASSES * points).astype(np.int32), is_mirrored

    relative_point = linear["features"]["relative_point"][:, :seats, :points]
    return samples_of(games, hand_written, relative_point, frame_of)


def as_integers(model: Model, strength: float) -> np.ndarray:
    """The weights in hundredths of a Lieutenant, times `strength`, (features,) int16."""
    limit = np.iinfo(np.int16).max
    return np.rint(np.clip(model.rows[:, 0] * strength / model.share, -limit, limit)).astype(np.int16)
