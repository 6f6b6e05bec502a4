"""A network fitted to games: `python -m junqi_training network FOLDER ... --out FILE`.

The chance of the team to move is f(network + hand * share), where f is the logistic function and the share is fitted
too. **The target** is not the result alone, which depends on a hundred moves to come, but what the terms say later
(temporal differences: Sutton 1988). The target of a position is a mixture: `1 - trace` of f(hand / spread) `gap` rows
later in the game, and `trace` of the target there; at the end of the game it is the result.

A row of weights is a sum of five parts, by (owner, kind, class), by (owner, kind, point), by (owner, class, point), by
all of these, and by all of these in each of the two tables. A network that may remember single line-ups plays worse.
`samples` has the rest. The sums are taken in one thread: the same games and options give the same file.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.evaluation.network import BUCKETS, MAX_BIAS, MAX_ROW, empty, fill_base_rows
from junqi_engine.evaluation.vectors import ACTIVATION_ONE, UNITS
from junqi_engine.information.public_state import CLASSES
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.layout import PIECES, SEATS, SLOTS, are_enemies
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_training.selfplay.folder import StoredGame
from junqi_training.value.samples import (
    ABSENT,
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

FIRST_OUTPUT, FIRST_BIAS = 0.2, 0.5
FIRST_KINDS, FIRST_POINTS = 0.05, 0.02
"""The deviations of what the output, and the first two parts of the rows, begin with; and the first bias."""
PART_DECAYS = (1.0, 3.0, 3.0, 10.0, 30.0)
"""How fast each part of the rows shrinks, beside the setting."""
MOST_DECAY = 0.9


def work(given: argparse.Namespace) -> None:
    samples = positions_of(read_games(given.folders))
    learned, held_out = split(samples.game, given.batch, given.every)
    board = samples.board
    print(f"{board.variant}: {len(samples.first)} games, {len(learned)} positions to fit, {len(held_out)} held out")
    spread, loss = best_spread(samples.hand[held_out], samples.result[held_out])
    print(f"terms: {loss:.4f} nats on held-out games, with their best spread of {spread}")

    def report(epoch: int, model: Model) -> None:
        print_losses(epoch, model.chances(samples, held_out), samples, held_out)

    schedule = Schedule(given.epochs, given.batch, given.rate, given.seed)
    target = partial(targets, samples, trace=given.trace, gap=given.gap)
    model = fit(samples, learned, schedule, given.decay, target, report)
    rows, bias, out = model.as_integers(given.strength)
    size = write_weights(given.out, rows=rows, bias=bias, output=out)
    print(f"{given.out}: {size} bytes; strength {given.strength}")


def positions_of(games: Sequence[StoredGame]) -> Samples:
    """The positions of the games of one variant, with the scores of the terms and the linear evaluation in use."""
    board = games[0].settings.board
    seats, net = len(board.seats), empty(board)

    def frame_of(position: np.void) -> tuple[np.ndarray, np.ndarray]:
        fill_base_rows(position, net)
        base_row = net["base_row"].reshape(SEATS, SEATS, SLOTS)[:seats, :seats, :PIECES_PER_SEAT]
        return base_row.reshape(seats, -1).copy(), net["is_mirrored"][:seats].copy()

    relative_point = net["features"]["relative_point"][:, :seats, : len(board.points)]
    return samples_of(games, Evaluator(network_of=lambda variant: None), relative_point, frame_of)


def targets(samples: Samples, spread: float, trace: float, gap: int) -> np.ndarray:
    """The target of each sample for its team to move, (n,); see the module."""
    sign = np.where(samples.team == 0, 1, -1)
    later = logistic(sign * samples.hand / spread)
    found = np.where(sign > 0, samples.result, 1 - samples.result)
    for row in range(len(found) - 1 - gap, -1, -1):
        if samples.game[row + gap] == samples.game[row]:
            found[row] = (1 - trace) * later[row + gap] + trace * found[row + gap]
    return np.where(sign > 0, found, 1 - found).astype(np.float32)


SUMS = np.dtype(
    [
        ("units", np.float32, (4, UNITS)),
        ("slopes", np.float32, UNITS),
        ("rows", np.int32, (4, PIECES)),
        ("counts", np.int64, 4),
    ],
    align=True,
)
_new_sums = scratch_record(SUMS)
_ROWS_TYPE = types.Array(types.float32, 2, "C")
_INTEGERS_TYPE = types.Array(types.int64, 1, "C")
_PLACES_TYPE = types.Array(types.uint16, 2, "C")
_FLOATS_TYPE = types.Array(types.float32, 1, "C")
LEAK = np.float32(0.01)
"""The slope of a unit that is cut off, so that it can come back. It is used in gradients only."""
_absent = int(ABSENT)


@kernel(
    types.float64(
        _INTEGERS_TYPE, types.Array(types.uint8, 3, "C"), _PLACES_TYPE, _FLOATS_TYPE, types.Array(types.uint8, 1, "C"),
        types.Array(types.int32, 1, "C"), types.Array(types.int32, 3, "C"), types.Array(types.uint8, 2, "C"),
        _FLOATS_TYPE, _ROWS_TYPE, _FLOATS_TYPE, _FLOATS_TYPE, types.float64, types.boolean, types.boolean,
        _FLOATS_TYPE, _ROWS_TYPE, _FLOATS_TYPE, _FLOATS_TYPE,
    ),
    fastmath=True,
)  # fmt: skip
def predict(
    chosen, seen, places, hand, team, game, first, is_mirrored, target, rows, bias, out, share, is_linear,
    is_learning, chances, row_slopes, bias_slopes, out_slopes,
):  # fmt: skip
    """Fill the `chances` of the chosen samples. If `is_learning`, add the gradients of the loss to the slopes, and
    return that of the share. `seen` as in `network.NETWORK`. If `is_linear`, units are not cut off, and seats without a
    piece count too.
    """
    zero, one = np.float32(0), np.float32(1)
    low, high = (np.float32(-np.inf), np.float32(np.inf)) if is_linear else (zero, one)
    points, units = seen.shape[2], rows.shape[1]
    share_slope = 0.0
    sums = _new_sums()
    for i in range(len(chosen)):
        row = chosen[i]
        match = np.int64(game[row])
        score = np.float32(share) * hand[row]
        for seat in range(first.shape[1]):
            number = 0
            for unit in range(units):
                sums.units[seat, unit] = bias[unit]
            counts = is_linear
            for piece in range(places.shape[1]):
                place = np.int64(places[row, piece])
                if place == _absent:
                    continue
                counts |= piece // PIECES_PER_SEAT == seat
                point = np.int64(seen[is_mirrored[match, seat], seat, place % points])
                feature = first[match, seat, piece] + place - place % points + point
                sums.rows[seat, number] = feature
                number += 1
                for unit in range(units):
                    sums.units[seat, unit] += rows[feature, unit]
            sums.counts[seat] = number if counts else 0
            if counts:
                view = zero
                for unit in range(units):
                    view += out[unit] * min(max(sums.units[seat, unit], low), high)
                score += -view if are_enemies(seat, team[row]) else view
        chances[i] = one / (one + np.exp(-score))
        if not is_learning:
            continue
        error = chances[i] - target[row]
        share_slope += error * hand[row]
        for seat in range(first.shape[1]):
            if sums.counts[seat] == 0:
                continue
            slope = -error if are_enemies(seat, team[row]) else error
            for unit in range(units):
                sum_ = sums.units[seat, unit]
                out_slopes[unit] += slope * min(max(sum_, low), high)
                sums.slopes[unit] = slope * out[unit] * (one if low < sum_ < high else LEAK)
                bias_slopes[unit] += sums.slopes[unit]
            for k in range(sums.counts[seat]):
                for unit in range(units):
                    row_slopes[sums.rows[seat, k], unit] += sums.slopes[unit]
    return share_slope


@dataclass
class Model:
    """A network in floating point: `rows` (n, units), `bias` and `output` (units,), as parts of the logarithm of the
    odds, and the share of the score of the terms. If it `is_linear`, its units are not cut off.
    """

    rows: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    share: float
    is_linear: bool = False

    def chances(self, samples: Samples, chosen: np.ndarray) -> np.ndarray:
        """The chances of the team to move in the chosen samples, (len(chosen),)."""
        return self.gradients(samples, chosen, None)[0]

    def gradients(self, samples: Samples, chosen: np.ndarray, target: np.ndarray | None) -> tuple[np.ndarray, ...]:
        """The chances, and with a target, by sample, the gradients of the sum of losses by rows, bias, output and
        share.
        """
        chances = np.empty(len(chosen), np.float32)
        slopes = [
            np.zeros_like(each if target is not None else each[:1]) for each in (self.rows, self.bias, self.output)
        ]
        by_share = predict(
            chosen, samples.seen, samples.places, samples.hand, samples.team, samples.game, samples.first,
            samples.is_mirrored, samples.result if target is None else target, self.rows, self.bias, self.output,
            self.share, self.is_linear, target is not None, chances, *slopes,
        )  # fmt: skip
        return chances, *slopes, np.array([by_share])

    def as_integers(self, strength: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, bias and output of a file of weights (`read_network`), int16."""
        limit = np.iinfo(np.int16).max
        scaled = (
            (self.rows * ACTIVATION_ONE, MAX_ROW), (self.bias * ACTIVATION_ONE, MAX_BIAS),
            (self.output * strength / self.share, limit),
        )  # fmt: skip
        rows, bias, out = (np.rint(np.clip(values, -most, most)).astype(np.int16) for values, most in scaled)
        return rows, bias, out


def fit(
    samples: Samples,
    chosen: np.ndarray,
    schedule: Schedule,
    decay: float,
    target_of: Callable[[float], np.ndarray],
    report: Callable[[int, Model], None],
) -> Model:
    """Fit a network to the chosen samples. `decay` is a share of a step at the first rate; `target_of` gives the target
    of each sample from the spread of the terms. `report` is called with each epoch, from 1 on, and the model after it.
    """
    rng = np.random.default_rng(schedule.seed)
    owners, points = len(samples.board.seats), len(samples.board.points)
    parts = Parts([
        (1, owners, KINDS, CLASSES, 1, UNITS), (1, owners, KINDS, 1, points, UNITS),
        (1, owners, 1, CLASSES, points, UNITS), (1, owners, KINDS, CLASSES, points, UNITS),
        (BUCKETS, owners, KINDS, CLASSES, points, UNITS),
    ])  # fmt: skip
    for common, deviation in zip(parts.parts, (FIRST_KINDS, FIRST_POINTS), strict=False):
        common += rng.normal(0, deviation, common.shape)
    decays = [min(MOST_DECAY, decay * each) / schedule.rate for each in PART_DECAYS]
    spread, _ = best_spread(samples.hand[chosen], samples.result[chosen])
    unit_share = 1 / spread
    bias, out = np.full(UNITS, FIRST_BIAS, np.float32), rng.normal(0, FIRST_OUTPUT, UNITS).astype(np.float32)
    share = np.ones(1)
    steppers = [Adam(each, decay) for each, decay in zip(parts.parts, decays, strict=True)]
    steppers += [Adam(share), Adam(bias), Adam(out)]
    target = target_of(spread)

    def model() -> Model:
        return Model(parts.total().reshape(-1, UNITS), bias.copy(), out.copy(), float(share[0] * unit_share))

    return descend(samples, chosen, schedule, rng, parts, steppers, target, unit_share, model, report)


def descend(
    samples: Samples,
    chosen: np.ndarray,
    schedule: Schedule,
    rng: np.random.Generator,
    parts: Parts,
    steppers: Sequence[Adam],
    target: np.ndarray,
    unit_share: float,
    model: Callable[[], Model],
    report: Callable[[int, Model], None],
) -> Model:
    """Learn the numbers of `steppers`: the parts of the rows, the share in units of `unit_share` and, unless the model
    is linear, bias and output. `model` gives the model of the numbers as they are.
    """
    for epoch, batch, step in schedule.steps(chosen, rng):
        _, by_row, by_bias, by_out, by_share = model().gradients(samples, batch, target)
        slopes = [*parts.slopes(by_row), by_share * unit_share, by_bias, by_out]
        for stepper, slope in zip(steppers, slopes, strict=False):
            stepper.step(slope / schedule.batch, step)
        if epoch:
            report(epoch, model())
    return model()
