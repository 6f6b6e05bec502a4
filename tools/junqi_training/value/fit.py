"""Worths fitted to games: `python -m junqi_training.value fit FOLDER ... --out FILE`.

The chance of the team to move is f((score of the worths) + (hand-written score) * share), where f is the logistic
function and the share is fitted too. The target is a mixture of the result and of f(score of the search / `SPREAD`).
A worth is a sum of four parts: by (owner, kind, class), by (owner, kind, point), by (owner, class, point), and by all
of them. `samples` has the rest. The sums are taken in one thread: the same positions and options give the same worths.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numba.core import types

from junqi_engine.evaluation.worths import CLASSES, find_mirrored, no_worths
from junqi_engine.kernels import kernel
from junqi_engine.rules.layout import SEATS, SLOTS, are_enemies
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_training.command import run_command
from junqi_training.selfplay.folder import StoredGame
from junqi_training.value.samples import (
    ABSENT,
    Adam,
    Parts,
    Samples,
    Schedule,
    best_spread,
    fit_parser,
    logistic,
    print_losses,
    read_games,
    samples_of,
    split,
    write_weights,
)

DESCRIPTION = """\
Fit the worths of pieces to the games of data folders (junqi_training.selfplay), and write them. One game in ten is held
out. Prints their loss in nats, for the hand-written score and for the worths, after each epoch. The same games and
options give the same file.
"""
DEFAULTS = Schedule(epochs=3, batch=2048, rate=2e-3, seed=1)
STRENGTH = 0.3
RESULT_SHARE, SPREAD = 0.5, 2000.0
"""The part of the result in the target; the score of the search that has even odds of e, for the rest."""
DECAYS = (0.3, 0.3, 0.3, 0.9)
"""How fast each part shrinks."""
FIRST_SHARE = 1 / 4000
"""The first share of the hand-written score: what a hundredth of a Lieutenant adds to the logarithm of the odds."""
FEATURES_TYPE = types.Array(types.uint16, 3, "C")
_FLOATS = types.Array(types.float32, 1, "C")
_ROWS = types.Array(types.int64, 1, "C")
_TEAMS = types.Array(types.uint8, 1, "C")
_absent = int(ABSENT)


def main(words: Sequence[str] | None = None) -> int:
    parser = fit_parser("fit", DESCRIPTION, "the file of worths", DEFAULTS, STRENGTH, every=1)
    return run_command("fit", partial(_run, parser.parse_args(words)))


def _run(arguments: argparse.Namespace) -> int:
    samples = positions_of(read_games(arguments.folders))
    schedule = Schedule(arguments.epochs, arguments.batch, arguments.rate, arguments.seed)
    learned, held_out = split(samples.game, schedule.batch, arguments.every)
    print(f"{samples.board.variant}: {len(learned)} positions to fit, {len(held_out)} held out")
    result = samples.result[held_out]
    hand, search = (best_spread(scores[held_out], result)[1] for scores in (samples.hand, samples.search))
    print(f"held-out loss: hand-written {hand:.4f} nats, search {search:.4f}, each with its best scale")
    features = features_of(samples)

    def report(epoch: int, model: Model) -> None:
        print_losses(epoch, logistic(model.log_odds(samples, features, held_out)), samples, held_out)

    model = fit(samples, features, learned, schedule, report)
    size = write_weights(arguments.out, worth=model.as_integers(arguments.strength))
    print(f"{arguments.out}: {size} bytes; strength {arguments.strength}")
    return 0


def positions_of(games: Sequence[StoredGame]) -> Samples:
    """The positions of the games of one variant, with the hand-written scores."""
    board = games[0].settings.board
    seats, points, worths = len(board.seats), len(board.points), no_worths(board)
    seats_on = np.arange(seats)
    relation = ((seats_on - seats_on[:, None]) % seats).repeat(PIECES_PER_SEAT, axis=1)

    def frame_of(position: np.void) -> tuple[np.ndarray, np.ndarray]:
        is_mirrored = np.zeros(seats, np.uint8)
        find_mirrored(worths, position, is_mirrored)
        kinds = position["kind"].reshape(SEATS, SLOTS)[:seats, :PIECES_PER_SEAT].ravel()
        return (relation * KINDS + kinds) * CLASSES * points, is_mirrored

    seen = worths["seen"][:seats, :points]
    return samples_of(games, worths, np.stack([seen, worths["mirrored"][seen]]), frame_of)


def features_of(samples: Samples) -> np.ndarray:
    """By row, seat that sees, and piece: its feature, `ABSENT` for a removed piece; uint16."""
    seats, points = samples.seen.shape[1:]
    features = np.empty((len(samples), seats, samples.places.shape[1]), np.uint16)
    for game, is_mirrored in enumerate(samples.is_mirrored):
        rows = slice(*np.searchsorted(samples.game, (game, game + 1)))
        places = samples.places[rows].astype(np.int64)
        for seat in range(seats):
            point = samples.seen[is_mirrored[seat], seat, places % points]
            found = samples.first[game, seat] + places - places % points + point
            features[rows, seat] = np.where(places == ABSENT, ABSENT, found)
    return features


@dataclass
class Model:
    """`worth` (features,), as a part of the logarithm of the odds, and the share of the hand-written score."""

    worth: np.ndarray
    hand_share: float

    def log_odds(self, samples: Samples, features: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Of the rows, for the team to move: (len(rows),)."""
        found = np.empty(len(rows), np.float32)
        predict(features, rows, samples.team, self.worth, found)
        return found + self.hand_share * samples.hand[rows]

    def as_integers(self, strength: float) -> np.ndarray:
        """The worths in hundredths of a Lieutenant, times `strength`, (features,) int16."""
        limit = np.iinfo(np.int16).max
        return np.rint(np.clip(self.worth * strength / self.hand_share, -limit, limit)).astype(np.int16)


@kernel(types.void(FEATURES_TYPE, _ROWS, _TEAMS, _FLOATS, _FLOATS), fastmath=True)
def predict(features, rows, teams, worth, found):
    """What the worths say in each row, for the team to move."""
    for i in range(len(rows)):
        row = rows[i]
        score = np.float32(0)
        for seat in range(features.shape[1]):
            view = np.float32(0)
            for k in range(features.shape[2]):
                number = features[row, seat, k]
                if number != _absent:
                    view += worth[number]
            score += -view if are_enemies(seat, teams[row]) else view
        found[i] = score


@kernel(types.void(FEATURES_TYPE, _ROWS, _TEAMS, _FLOATS, _FLOATS), fastmath=True)
def add_gradients(features, rows, teams, slopes, worth_slope):
    """Add the gradients of the rows; `slopes` are those of the loss by the score."""
    for i in range(len(rows)):
        row = rows[i]
        for seat in range(features.shape[1]):
            slope = -slopes[i] if are_enemies(seat, teams[row]) else slopes[i]
            for k in range(features.shape[2]):
                number = features[row, seat, k]
                if number != _absent:
                    worth_slope[number] += slope


def fit(
    samples: Samples, features: np.ndarray, rows: np.ndarray, schedule: Schedule, report: Callable[[int, Model], None]
) -> Model:
    """Fit a model to the rows. `report` is called with each epoch, from 1 on, and the model after it."""
    owners, kinds, classes, points = len(samples.board.seats), KINDS, CLASSES, len(samples.board.points)
    parts = Parts([
        (owners, kinds, classes, 1), (owners, kinds, 1, points), (owners, 1, classes, points),
        (owners, kinds, classes, points),
    ])  # fmt: skip
    steppers = [Adam(part, decay) for part, decay in zip(parts.parts, DECAYS, strict=True)]
    # In the units of the first share, so that its steps are of the size of the others.
    share = Adam(np.ones(1))
    target = RESULT_SHARE * samples.result + (1 - RESULT_SHARE) * logistic(samples.search / SPREAD)

    def model() -> Model:
        return Model(parts.total().ravel(), float(share.values[0]) * FIRST_SHARE)

    for epoch, batch, rate in schedule.steps(rows, np.random.default_rng(schedule.seed)):
        now = model()
        slopes = (logistic(now.log_odds(samples, features, batch)) - target[batch]) / schedule.batch
        found = np.zeros_like(now.worth)
        add_gradients(features, batch, samples.team, slopes.astype(np.float32), found)
        for stepper, slope in zip(steppers, parts.slopes(found), strict=True):
            stepper.step(slope, rate)
        share.step(np.array([slopes @ samples.hand[batch] * FIRST_SHARE]), rate)
        if epoch:
            report(epoch, model())
    return model()
