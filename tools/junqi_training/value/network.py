"""A network fitted to games: `python -m junqi_training.value network FOLDER ... --out FILE`.

`Samples` has a row for each quiet position of stored games:

| field | shape | meaning |
|---|---|---|
| places | (n, pieces) | by piece: class times points of the board, plus point; `ABSENT` for a removed piece |
| hand | (n,) | the score of the terms and worths for the team to move, in hundredths of a Lieutenant |
| result | (n,) | 1 if the team to move won, 0.5 for a draw, else 0 |
| team, game | (n,) | the team to move; the number of the game, from 0 on |
| phase | (n,) | the share of the game's plies that had been played |
| first | (games, seats, pieces) | by seat that sees: the number of the piece's first row, as in `network.NETWORK` |
| is_mirrored | (games, seats) | 1 for a seat that sees the board mirrored |

The chance of the team to move is f(network + hand * share), where f is the logistic function and the share is fitted
too. **The target** is not the result alone, which depends on a hundred moves to come, but what the terms say later
(temporal differences: Sutton 1988). The target of a position is a mixture: `1 - trace` of f(hand / spread) `gap` rows
later in the game, and `trace` of the target there; at the end of the game it is the result. The fit is by
cross-entropy, with Adam (Kingma and Ba 2015), a cosine schedule and batches in random order.

A row is a sum of five parts, by (owner, kind, class), by (owner, kind, point), by (owner, class, point), by all of
these, and by all of these in each of the two tables. Each step makes the parts smaller (Loshchilov and Hutter 2019),
the last one most. So what is common is learned from many positions. A network that may remember single line-ups
plays worse. The sums are taken in one thread: the same games and options give the same file.
"""

import argparse
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.evaluation import worths
from junqi_engine.evaluation.hand import new_record
from junqi_engine.evaluation.network import (
    LARGEST_BIAS,
    LARGEST_ROW,
    ONE_UNIT,
    TABLES,
    UNITS,
    empty,
    find_first,
)
from junqi_engine.evaluation.terms import HAND_TYPE
from junqi_engine.evaluation.worths import WORTHS_TYPE, packaged_worths
from junqi_engine.files import write_whole
from junqi_engine.information.public_game import CLASSES, CLASSES_TYPE, show
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    SLOTS,
    are_enemies,
    contains,
    piece_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, Result, lineup_kinds, new_position, place_lineup
from junqi_training.command import count, part, rate, run_command
from junqi_training.selfplay.game_file import GameFile, StoredGame
from junqi_training.value.fit import (
    ABSENT,
    DECIDED,
    Adam,
    best_spread,
    files_of,
    logistic,
    output,
    print_losses,
    split,
)

DESCRIPTION = """\
Fit the network beside the terms to the games of data folders (junqi_training.selfplay), and write it. One game in ten
is held out. Prints the loss of their results in nats, for the score of the terms and, after each epoch, for the
network. The same games and options give the same file.
"""
FIRST_OUTPUT, FIRST_BIAS = 0.2, 0.5
FIRST_KINDS, FIRST_POINTS = 0.05, 0.02
"""The deviations of what the output, and the first two parts of the rows, begin with; and the first bias."""
PART_DECAYS = (1.0, 3.0, 3.0, 10.0, 30.0)
"""How fast each part of the rows shrinks, beside the setting."""
MOST_DECAY = 0.9


def main(words: Sequence[str] | None = None) -> int:
    return run_command("network", partial(_run, _parser().parse_args(words)))


def _run(arguments: argparse.Namespace) -> int:
    files = files_of(arguments.folders)
    board, samples = files[0].board, samples_of(files)
    settings = Settings(
        arguments.epochs, arguments.batch, arguments.rate, arguments.decay, arguments.trace, arguments.gap,
        arguments.seed,
    )  # fmt: skip
    learned, held_out = split(samples.game, settings.batch, arguments.every)
    print(f"{board.variant}: {len(samples.first)} games, {len(learned)} positions to fit, {len(held_out)} held out")
    result = samples.result[held_out]
    spread, loss = best_spread(samples.hand[held_out], result)
    print(f"terms: {loss:.4f} nats on held-out games, with their best spread of {spread}")

    def report(epoch: int, model: "Model") -> None:
        print_losses(epoch, model.chances(samples, held_out), result, samples.phase[held_out])

    model = fit(board, samples, learned, settings, report)
    data = io.BytesIO()
    rows, bias, out = model.as_integers(arguments.strength)
    np.savez_compressed(data, rows=rows, bias=bias, output=out)
    write_whole(arguments.out, data.getvalue(), replaces=True)
    print(f"{arguments.out}: {len(data.getvalue())} bytes; strength {arguments.strength}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m junqi_training.value network", description=DESCRIPTION)
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER", help="a data folder; all of one variant")
    add("--out", type=output, required=True, help="the file of the network")
    add("--strength", type=float, default=0.75, help="how much of the fit is used, default %(default)s; found by play")
    add("--every", type=count, default=2, metavar="N", help="take one quiet position in N, default %(default)s")
    add("--epochs", type=count, default=4, help="default %(default)s")
    add("--batch", type=count, default=8192, help="positions a step, default %(default)s")
    add("--rate", type=rate, default=2e-3, help="the first rate of learning, default %(default)s")
    add("--decay", type=rate, default=0.003, help="how much smaller a step makes the rows, default %(default)s")
    trace = "how much of the target is that of the later position, default %(default)s; 1 for the result alone"
    add("--trace", type=part, default=0.5, help=trace)
    add("--gap", type=count, default=8, help="this many quiet positions later, default %(default)s")
    add("--seed", type=int, default=1, help="default %(default)s")
    return parser


@dataclass(frozen=True)
class Samples:
    """See the module."""

    board: Board
    places: np.ndarray
    hand: np.ndarray
    result: np.ndarray
    team: np.ndarray
    phase: np.ndarray
    game: np.ndarray
    first: np.ndarray
    is_mirrored: np.ndarray

    def __len__(self) -> int:
        return len(self.hand)


_FLAGS_TYPE = types.Array(types.boolean, 1, "C")
_PLACES_TYPE = types.Array(types.uint16, 2, "C")
_INTEGERS_TYPE = types.Array(types.int64, 1, "C")
_absent = int(ABSENT)


@kernel(
    types.int64(
        TABLES_TYPE, POSITION_TYPE, HAND_TYPE, WORTHS_TYPE, UNDO_TYPE, MOVES_TYPE, _FLAGS_TYPE, CLASSES_TYPE,
        _PLACES_TYPE, _INTEGERS_TYPE, _INTEGERS_TYPE,
    )
)  # fmt: skip
def replay(tables, position, record, table, undo, moves, wanted, classes, places, scores, teams):
    """Play the moves of a game; list the wanted positions in which a quiet move was played. Returns their number.

    `wanted` is by ply; it becomes false where the move was a battle.
    """
    number = 0
    for ply in range(len(moves)):
        wanted[ply] &= position.board[to_point_of(moves[ply])] == NO_PIECE
        if wanted[ply]:
            worths.refresh(tables, position, np.uint8(0), classes, table, record)
            for owner in range(table.seats):
                for slot in range(PIECES_PER_SEAT):
                    piece = piece_of(owner, slot)
                    place = np.int64(_absent)
                    if contains(position.alive, owner) and contains(position.present[owner], slot):
                        place = np.int64(classes[piece]) * table.points + np.int64(position.where[piece])
                    places[number, owner * PIECES_PER_SEAT + slot] = place
            team = team_of(position.turn)
            scores[number] = -record.scores[0] if team else record.scores[0]
            teams[number] = team
            number += 1
        make(tables, position, moves[ply], undo)
        show(position, undo, classes)
    return number


def samples_of(files: Iterable[GameFile]) -> Samples:
    """Quiet positions that were searched. ValueError if there is none."""
    games = [(file, game) for file in files for game in file.games]
    parts = [_of_game(file, game, number) for number, (file, game) in enumerate(games)]
    if not sum(len(part[0]) for part in parts):
        raise ValueError("the games have no quiet position with a score")
    rows = [np.concatenate(column) for column in zip(*(part[:-2] for part in parts), strict=True)]
    return Samples(games[0][0].board, *rows, *(np.array([part[k] for part in parts]) for k in (-2, -1)))


def _of_game(file: GameFile, game: StoredGame, number: int) -> Sequence[np.ndarray]:
    """The rows of a game in the order of `Samples`; at the end `first` and `is_mirrored`."""
    board, plies, seats = file.board, len(game.moves), len(file.board.seats)
    position = new_position(board, file.rules, board.all_alive, 0)
    for seat, lineup in enumerate(game.lineups):
        place_lineup(board, position, seat, lineup_kinds(board.seats[seat], lineup))
    net = empty(board)
    find_first(position, net)
    first = net["first"].reshape(SEATS, SEATS, SLOTS)[:seats, :seats, :PIECES_PER_SEAT].reshape(seats, -1)
    search = np.array([DECIDED if score is None else score for score in game.scores or [None] * plies])
    wanted = np.abs(search) < DECIDED
    places = np.empty((wanted.sum(), seats * PIECES_PER_SEAT), np.uint16)
    scores, teams = np.empty(plies, np.int64), np.empty(plies, np.int64)
    found = replay(
        board.tables, position, new_record(), packaged_worths(board.variant), np.zeros(1, UNDO)[0],
        np.array(game.moves, np.uint16), wanted, np.zeros(PIECES, np.uint8), places, scores, teams,
    )  # fmt: skip
    won = {Result.TEAM_0: 1.0, Result.TEAM_1: 0.0}.get(game.result, 0.5)
    teams = teams[:found]
    return (
        places[:found].copy(), scores[:found].astype(np.float32),
        np.where(teams == 0, won, 1 - won).astype(np.float32), teams.astype(np.uint8),
        (np.flatnonzero(wanted) / plies).astype(np.float32), np.full(found, number, np.int32),
        first, net["is_mirrored"][:seats].copy(),
    )  # fmt: skip


def targets(samples: Samples, spread: float, trace: float, gap: int) -> np.ndarray:
    """The target of each sample for its team to move, (n,); see the module."""
    sign = np.where(samples.team == 0, 1, -1)
    later = logistic(sign * samples.hand / spread)
    found = np.where(sign > 0, samples.result, 1 - samples.result)
    for row in range(len(found) - 1 - gap, -1, -1):
        if samples.game[row + gap] == samples.game[row]:
            found[row] = (1 - trace) * later[row + gap] + trace * found[row + gap]
    return np.where(sign > 0, found, 1 - found).astype(np.float32)


@dataclass(frozen=True)
class Settings:
    """The settings of a fit, as on the command line. `decay` is a share of a step at the first rate."""

    epochs: int = 4
    batch: int = 8192
    rate: float = 2e-3
    decay: float = 0.003
    trace: float = 0.5
    gap: int = 8
    seed: int = 1


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
_FLOATS_TYPE = types.Array(types.float32, 1, "C")
LEAK = np.float32(0.01)
"""The slope of a unit that is cut off, so that it can come back. It is used in gradients only."""


@kernel(
    types.float64(
        _INTEGERS_TYPE, types.Array(types.uint8, 3, "C"), _PLACES_TYPE, _FLOATS_TYPE, types.Array(types.uint8, 1, "C"),
        types.Array(types.int32, 1, "C"), types.Array(types.int32, 3, "C"), types.Array(types.uint8, 2, "C"),
        _FLOATS_TYPE, _ROWS_TYPE, _FLOATS_TYPE, _FLOATS_TYPE, types.float64, types.boolean,
        _FLOATS_TYPE, _ROWS_TYPE, _FLOATS_TYPE, _FLOATS_TYPE,
    ),
    fastmath=True,
)  # fmt: skip
def predict(
    chosen, seen, places, hand, team, game, first, is_mirrored, target, rows, bias, out, share, is_learning,
    chances, row_slopes, bias_slopes, out_slopes,
):  # fmt: skip
    """Fill the `chances` of the chosen samples. If `is_learning`, add the gradients of the loss to the slopes, and
    return that of the share. `seen` as in `network.NETWORK`.
    """
    zero, one = np.float32(0), np.float32(1)
    points = seen.shape[2]
    share_slope = 0.0
    sums = _new_sums()
    for i in range(len(chosen)):
        row = chosen[i]
        match = np.int64(game[row])
        score = np.float32(share) * hand[row]
        for seat in range(first.shape[1]):
            number = 0
            for unit in range(UNITS):
                sums.units[seat, unit] = bias[unit]
            is_alive = False
            for piece in range(places.shape[1]):
                place = np.int64(places[row, piece])
                if place == _absent:
                    continue
                is_alive |= piece // PIECES_PER_SEAT == seat
                point = np.int64(seen[is_mirrored[match, seat], seat, place % points])
                feature = first[match, seat, piece] + place - place % points + point
                sums.rows[seat, number] = feature
                number += 1
                for unit in range(UNITS):
                    sums.units[seat, unit] += rows[feature, unit]
            sums.counts[seat] = number if is_alive else 0
            if is_alive:
                view = zero
                for unit in range(UNITS):
                    view += out[unit] * min(max(sums.units[seat, unit], zero), one)
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
            for unit in range(UNITS):
                sum_ = sums.units[seat, unit]
                out_slopes[unit] += slope * min(max(sum_, zero), one)
                sums.slopes[unit] = slope * out[unit] * (one if zero < sum_ < one else LEAK)
                bias_slopes[unit] += sums.slopes[unit]
            for k in range(sums.counts[seat]):
                for unit in range(UNITS):
                    row_slopes[sums.rows[seat, k], unit] += sums.slopes[unit]
    return share_slope


@dataclass
class Model:
    """A network in floating point: `rows` (n, 16), `bias` and `output` (16,), as parts of the logarithm of the odds,
    and the share of the score of the terms.
    """

    seen: np.ndarray
    rows: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    share: float

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
            chosen, self.seen, samples.places, samples.hand, samples.team, samples.game, samples.first,
            samples.is_mirrored, samples.result if target is None else target, self.rows, self.bias, self.output,
            self.share, target is not None, chances, *slopes,
        )  # fmt: skip
        return chances, *slopes, np.array([by_share])

    def as_integers(self, strength: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, bias and output of a file of weights (`read_network`), int16."""
        limit = np.iinfo(np.int16).max
        scaled = (
            (self.rows * ONE_UNIT, LARGEST_ROW), (self.bias * ONE_UNIT, LARGEST_BIAS),
            (self.output * strength / self.share, limit),
        )  # fmt: skip
        rows, bias, out = (np.rint(np.clip(values, -most, most)).astype(np.int16) for values, most in scaled)
        return rows, bias, out


def fit(
    board: Board, samples: Samples, chosen: np.ndarray, settings: Settings, report: Callable[[int, Model], None]
) -> Model:
    """Fit a network to the chosen samples. `report` is called with each epoch, from 1 on, and the model after it."""
    rng = np.random.default_rng(settings.seed)
    owners, points = len(board.seats), len(board.points)
    sizes = (
        (1, owners, KINDS, CLASSES, 1), (1, owners, KINDS, 1, points), (1, owners, 1, CLASSES, points),
        (1, owners, KINDS, CLASSES, points), (TABLES, owners, KINDS, CLASSES, points),
    )  # fmt: skip
    parts = [np.zeros((*size, UNITS), np.float32) for size in sizes]
    for common, deviation in zip(parts, (FIRST_KINDS, FIRST_POINTS), strict=False):
        common += rng.normal(0, deviation, common.shape)
    decays = [min(MOST_DECAY, settings.decay * each) / settings.rate for each in PART_DECAYS]
    spread, _ = best_spread(samples.hand[chosen], samples.result[chosen])
    unit_share = 1 / spread
    bias, out = np.full(UNITS, FIRST_BIAS, np.float32), rng.normal(0, FIRST_OUTPUT, UNITS).astype(np.float32)
    share = np.ones(1)
    steppers = [Adam(each, decay) for each, decay in zip(parts, decays, strict=True)]
    steppers += [Adam(bias), Adam(out), Adam(share)]
    target = targets(samples, spread, settings.trace, settings.gap)
    seen = np.ascontiguousarray(empty(board)["seen"][:, :, :points])

    def model() -> Model:
        rows = sum(parts[1:], parts[0]).reshape(-1, UNITS)
        return Model(seen, np.ascontiguousarray(rows), bias.copy(), out.copy(), float(share[0] * unit_share))

    batches = len(chosen) // settings.batch
    steps = settings.epochs * batches
    for epoch in range(settings.epochs):
        order = rng.permutation(chosen)
        for number in range(batches):
            batch = order[number * settings.batch : (number + 1) * settings.batch]
            _, by_row, by_bias, by_out, by_share = model().gradients(samples, batch, target)
            full = by_row.reshape(parts[-1].shape)
            slopes = [
                full.sum(axis=tuple(k for k in range(5) if size[k] == 1 < full.shape[k]), keepdims=True)
                for size in sizes
            ]
            now = settings.rate * (1 + np.cos(np.pi * (epoch * batches + number) / steps)) / 2
            for stepper, slope in zip(steppers, [*slopes, by_bias, by_out, by_share * unit_share], strict=True):
                stepper.step(slope / settings.batch, now)
        report(epoch + 1, model())
    return model()
