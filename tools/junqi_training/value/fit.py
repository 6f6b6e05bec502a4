"""Worths fitted to games: `python -m junqi_training.value fit FOLDER ... --out FILE`.

`Positions` has a row for each quiet position of stored games:

| field | shape | meaning |
|---|---|---|
| features | (n, seats, pieces) | by seat that sees and by piece: its feature, `ABSENT` for a removed piece |
| hand | (n,) | the hand-written score for the team to move, in hundredths of a Lieutenant |
| search | (n,) | the score of the search, in the same units |
| result | (n,) | 1 if the team to move won, 0.5 for a draw, else 0 |
| team | (n,) | the team to move |
| game | (n,) | the number of the game, from 0 on |
| phase | (n,) | the share of the game's plies that had been played |

The chance of the team to move is f((score of the worths) + (hand-written score) * share), where f is the logistic
function and the share is fitted too. The target is a mixture of the result and of f(score of the search / `spread`).
The fit is by cross-entropy, with Adam (Kingma and Ba 2015) and a cosine schedule.

Few features are common, so a worth is a sum of four parts: by (owner, kind, class), by (owner, kind, point), by (owner,
class, point), and by all of them. Each step makes the parts a little smaller (Loshchilov and Hutter 2019), the last
most. What is common is then learned from many positions, and exceptions only where there are enough of them. The order
of the positions is drawn from the seed, and the sums are taken in one thread: the same positions and settings give the
same worths.
"""

import argparse
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.evaluation.hand import HAND_WRITTEN
from junqi_engine.evaluation.hand import refresh as refresh_hand
from junqi_engine.evaluation.terms import HAND_TYPE
from junqi_engine.evaluation.worths import CLASSES, WORTHS_TYPE, feature_of, find_mirrored, no_worths
from junqi_engine.files import write_whole
from junqi_engine.information.public_game import CLASSES_TYPE, show
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.layout import NO_PIECE, PIECES, are_enemies, contains, piece_of, team_of, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, Result, lineup_kinds, new_position, place_lineup
from junqi_training.command import count, rate, run_command
from junqi_training.games import of_games
from junqi_training.selfplay.data_folder import read_folder
from junqi_training.selfplay.game_file import GameFile, StoredGame

DESCRIPTION = """\
Fit the worths of pieces to the games of data folders (junqi_training.selfplay), and write them. One game in ten is held
out. Prints their loss in nats, for the hand-written score and for the worths, after each epoch. The same games and
options give the same file.
"""
PHASES = 3
SPREADS = np.arange(500, 12_001, 250)
"""In hundredths of a Lieutenant: the scores that may have even odds of e."""


def main(words: Sequence[str] | None = None) -> int:
    return run_command("fit", partial(_run, _parser().parse_args(words)))


def _run(arguments: argparse.Namespace) -> int:
    files = files_of(arguments.folders)
    positions, board = positions_of(files, arguments.every), files[0].board
    settings = Fit(arguments.epochs, arguments.batch, arguments.rate, seed=arguments.seed)
    train, held_out = split(positions.game, settings.batch)
    print(f"{board.variant}: {len(train)} positions to fit, {len(held_out)} held out")
    result = positions.result[held_out]
    hand, search = (best_spread(scores[held_out], result)[1] for scores in (positions.hand, positions.search))
    print(f"held-out loss: hand-written {hand:.4f} nats, search {search:.4f}, each with its best scale")

    def report(epoch: int, model: Model) -> None:
        print_losses(epoch, logistic(model.log_odds(positions, held_out)), result, positions.phase[held_out])

    model = fit(board, positions, train, settings, report)
    size = write_worths(arguments.out, model.as_integers(arguments.strength))
    print(f"{arguments.out}: {size} bytes; strength {arguments.strength}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m junqi_training.value fit", description=DESCRIPTION)
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER", help="a data folder; all of one variant")
    add("--out", type=output, required=True, help="the file of worths")
    strength = "how much of the fit is used, default %(default)s; found by play"
    add("--strength", type=float, default=0.3, help=strength)
    add("--every", type=count, default=1, metavar="N", help="take one quiet position in N, default %(default)s")
    add("--epochs", type=count, default=3, help="default %(default)s")
    add("--batch", type=count, default=2048, help="positions a step, default %(default)s")
    add("--rate", type=rate, default=2e-3, help="the first rate of learning, default %(default)s")
    add("--seed", type=int, default=1, help="default %(default)s")
    return parser


def files_of(folders: Iterable[Path]) -> list[GameFile]:
    """The games of data folders. ValueError if they are not of one variant."""
    files = [file for folder in folders for file in read_folder(folder)]
    if len({file.board.variant for file in files}) != 1:
        raise ValueError("the folders have games of two variants, or none; expected one variant")
    return files


def split(games: np.ndarray, batch: int, every: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The rows to fit, one in `every`, and those of the games that are held out; `games` are the numbers of the games
    by row. ValueError if they are too few for a batch.
    """
    learned, held_out = (of_games(games, is_held_out) for is_held_out in (False, True))
    learned = learned[::every]
    if not len(held_out) or len(learned) < batch:
        raise ValueError(f"{len(games)} positions are too few for a batch of {batch}")
    return learned, held_out


def best_spread(scores: np.ndarray, result: np.ndarray) -> tuple[int, float]:
    """Of `SPREADS`, the one by which the scores predict the results best, and the loss."""
    losses = {int(spread): cross_entropy(logistic(scores / spread), result) for spread in SPREADS}
    best = min(losses, key=losses.__getitem__)
    return best, losses[best]


def print_losses(epoch: int, chances: np.ndarray, result: np.ndarray, phase: np.ndarray) -> None:
    """Print the loss after an epoch, for all held-out positions and by phase of the game."""
    third = (phase * PHASES).astype(int)
    parts = (f"{cross_entropy(chances[third == each], result[third == each]):.4f}" for each in range(PHASES))
    loss = cross_entropy(chances, result)
    print(f"epoch {epoch}: {loss:.4f} nats; by third of the game {', '.join(parts)}", flush=True)


def output(text: str) -> Path:
    """The path of a file of results on the command line: its folder exists, before hours of work."""
    path = Path(text)
    if not path.parent.is_dir() or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: expected a file in a folder that exists")
    return path


def write_worths(path: Path, worth: np.ndarray) -> int:
    """Write worths by feature, (n,) integers; the size of the file in bytes."""
    data = io.BytesIO()
    np.savez_compressed(data, worth=worth)
    write_whole(path, data.getvalue(), replaces=True)
    return len(data.getvalue())


ABSENT = np.uint16(0xFFFF)
DECIDED = 20_000
"""A larger score is a proven end of the game, from which there is nothing to learn."""
FEATURES_TYPE = types.Array(types.uint16, 3, "C")
_FLAGS_TYPE = types.Array(types.boolean, 1, "C")
_INTEGERS_TYPE = types.Array(types.int64, 1, "C")
_MIRRORED_TYPE = types.Array(types.uint8, 1, "C")


@dataclass(frozen=True)
class Positions:
    """See the module."""

    features: np.ndarray
    hand: np.ndarray
    search: np.ndarray
    result: np.ndarray
    team: np.ndarray
    game: np.ndarray
    phase: np.ndarray

    def __len__(self) -> int:
        return len(self.hand)


@kernel(types.void(WORTHS_TYPE, POSITION_TYPE, CLASSES_TYPE, _MIRRORED_TYPE, types.Array(types.uint16, 2, "C")))
def list_features(worths, position, classes, is_mirrored, features):
    """Fill the features of a position."""
    find_mirrored(worths, position, is_mirrored)
    for seat in range(worths.seats):
        for owner in range(worths.seats):
            for slot in range(PIECES_PER_SEAT):
                piece = piece_of(owner, slot)
                number = np.int64(ABSENT)
                if contains(position.alive, owner) and contains(position.present[owner], slot):
                    number = feature_of(
                        worths, is_mirrored[seat], seat, owner, position.kind[piece], np.int64(classes[piece]),
                        np.int64(position.where[piece]),
                    )  # fmt: skip
                features[seat, owner * PIECES_PER_SEAT + slot] = number


@kernel(
    types.int64(
        TABLES_TYPE, POSITION_TYPE, HAND_TYPE, WORTHS_TYPE, UNDO_TYPE, MOVES_TYPE, _FLAGS_TYPE, CLASSES_TYPE,
        _MIRRORED_TYPE, FEATURES_TYPE, _INTEGERS_TYPE, _INTEGERS_TYPE,
    )
)  # fmt: skip
def replay(tables, position, hand, worths, undo, moves, wanted, classes, is_mirrored, features, scores, teams):
    """Play the moves of a game; list the wanted positions in which a quiet move was played. Returns their number.

    `wanted` is by ply; it becomes false where the move was a battle.
    """
    count = 0
    for ply in range(len(moves)):
        is_quiet = position.board[to_point_of(moves[ply])] == NO_PIECE
        wanted[ply] &= is_quiet
        if wanted[ply]:
            refresh_hand(tables, position, np.uint8(0), hand)
            list_features(worths, position, classes, is_mirrored, features[count])
            team = team_of(position.turn)
            scores[count] = -hand.scores[0] if team else hand.scores[0]
            teams[count] = team
            count += 1
        make(tables, position, moves[ply], undo)
        show(position, undo, classes)
    return count


def positions_of(files: Iterable[GameFile], every: int = 1) -> Positions:
    """Quiet positions with a score of the search; `every` n-th of each game. ValueError if there is none."""
    parts = [part for part in _games(files, every) if len(part[0])]
    if not parts:
        raise ValueError("the games have no quiet position with a score")
    return Positions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _games(files: Iterable[GameFile], every: int) -> Iterable[Sequence[np.ndarray]]:
    number = 0
    for file in files:
        for game in file.games:
            yield _of_game(file, game, number, every)
            number += 1


def _of_game(file: GameFile, game: StoredGame, number: int, every: int) -> Sequence[np.ndarray]:
    board, plies, pieces = file.board, len(game.moves), PIECES_PER_SEAT * len(file.board.seats)
    position = new_position(board, file.rules, board.all_alive, 0)
    for seat, lineup in enumerate(game.lineups):
        place_lineup(board, position, seat, lineup_kinds(board.seats[seat], lineup))
    search = np.array([DECIDED if score is None else score for score in game.scores or [None] * plies])
    wanted = np.abs(search) < DECIDED
    wanted[np.flatnonzero(wanted)[np.arange(wanted.sum()) % every != number % every]] = False
    features = np.empty((plies, len(board.seats), pieces), np.uint16)
    scores, teams = np.empty(plies, np.int64), np.empty(plies, np.int64)
    count = replay(
        board.tables, position, HAND_WRITTEN.new(1)[0], no_worths(board), np.zeros(1, UNDO)[0],
        np.array(game.moves, np.uint16), wanted, np.zeros(PIECES, np.uint8), np.zeros(len(board.seats), np.uint8),
        features, scores, teams,
    )  # fmt: skip
    first = {Result.TEAM_0: 1.0, Result.TEAM_1: 0.0}.get(game.result, 0.5)
    teams = teams[:count]
    return (
        features[:count], scores[:count].astype(np.float32), search[wanted].astype(np.float32),
        np.where(teams == 0, first, 1 - first).astype(np.float32), teams.astype(np.uint8), np.full(count, number),
        (np.flatnonzero(wanted) / plies).astype(np.float32),
    )  # fmt: skip


FIRST_RATE, SECOND_RATE, TINY = 0.9, 0.999, 1e-8
DECAY = (1.0, 1.0, 1.0, 3.0)
"""How fast each part shrinks, beside the setting."""
FIRST_SHARE = 1 / 4000
"""The first share of the hand-written score: what a hundredth of a Lieutenant adds to the logarithm of the odds."""
_FLOATS = types.Array(types.float32, 1, "C")
_ROWS = types.Array(types.int64, 1, "C")
_TEAMS = types.Array(types.uint8, 1, "C")
_absent = int(ABSENT)


@dataclass(frozen=True)
class Fit:
    """The settings of a fit. `decay` is how fast unused worths shrink; `result_share` is the part of the result in the
    target, the rest is the search's, whose score `spread` has even odds of e.
    """

    epochs: int = 3
    batch: int = 2048
    rate: float = 2e-3
    decay: float = 3e-3
    result_share: float = 0.5
    spread: float = 2000.0
    seed: int = 1


@dataclass
class Model:
    """`worth` (features,), as a part of the logarithm of the odds, and the share of the hand-written score."""

    worth: np.ndarray
    hand_share: float

    def log_odds(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        """Of the rows, for the team to move: (len(rows),)."""
        found = np.empty(len(rows), np.float32)
        predict(positions.features, rows, positions.team, self.worth, found)
        return found + self.hand_share * positions.hand[rows]

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


class _Parts:
    """A table by feature as the sum of four parts, which are 0 at first."""

    def __init__(self, shape: tuple[int, int, int, int]) -> None:
        owners, kinds, classes, points = shape
        sizes = ((owners, kinds, classes, 1), (owners, kinds, 1, points), (owners, 1, classes, points), shape)
        self.shape = shape
        self.parts = [np.zeros(size, np.float32) for size in sizes]

    def table(self) -> np.ndarray:
        return np.ascontiguousarray(sum(self.parts), np.float32).ravel()

    def slopes(self, of_table: np.ndarray) -> list[np.ndarray]:
        full = of_table.reshape(self.shape)
        return [full.sum(axis=3, keepdims=True), full.sum(axis=2, keepdims=True), full.sum(axis=1, keepdims=True), full]


class Adam:
    """One array and its moments (Kingma and Ba 2015)."""

    def __init__(self, values: np.ndarray, decay: float = 0.0, second_rate: float = SECOND_RATE) -> None:
        self.values, self.decay, self._second_rate = values, decay, second_rate
        self._mean, self._square, self._steps = np.zeros_like(values), np.zeros_like(values), 0

    def step(self, slope: np.ndarray, rate: float) -> None:
        self._steps += 1
        self._mean += (1 - FIRST_RATE) * (slope - self._mean)
        self._square += (1 - self._second_rate) * (slope * slope - self._square)
        mean, square = self._mean / (1 - FIRST_RATE**self._steps), self._square / (1 - self._second_rate**self._steps)
        self.values -= rate * mean / (np.sqrt(square) + TINY)
        self.values *= 1 - rate * self.decay


def fit(
    board: Board, positions: Positions, rows: np.ndarray, settings: Fit, report: Callable[[int, Model], None]
) -> Model:
    """Fit a model to the rows. `report` is called with each epoch, from 1 on, and the model after it."""
    rng = np.random.default_rng(settings.seed)
    shape = len(board.seats), KINDS, CLASSES, len(board.points)
    table = _Parts(shape)
    steppers = [Adam(part, 100 * settings.decay * decay) for part, decay in zip(table.parts, DECAY, strict=True)]
    # In the units of the first share, so that its steps are of the size of the others.
    share = Adam(np.ones(1))
    chances = logistic(positions.search / settings.spread)
    target = settings.result_share * positions.result + (1 - settings.result_share) * chances
    batches = len(rows) // settings.batch
    steps = settings.epochs * batches
    for epoch in range(settings.epochs):
        order = rng.permutation(rows)
        for number in range(batches):
            chosen = order[number * settings.batch : (number + 1) * settings.batch]
            model = _model(table, share)
            slopes = (logistic(model.log_odds(positions, chosen)) - target[chosen]) / settings.batch
            found = np.zeros_like(model.worth)
            add_gradients(positions.features, chosen, positions.team, slopes.astype(np.float32), found)
            rate = settings.rate * (1 + np.cos(np.pi * (epoch * batches + number) / steps)) / 2
            for stepper, slope in zip(steppers, table.slopes(found), strict=True):
                stepper.step(slope, rate)
            share.step(np.array([slopes @ positions.hand[chosen] * FIRST_SHARE]), rate)
        report(epoch + 1, _model(table, share))
    return _model(table, share)


def _model(table: _Parts, share: Adam) -> Model:
    return Model(table.table(), float(share.values[0]) * FIRST_SHARE)


def logistic(log_odds: np.ndarray) -> np.ndarray:
    """The chance with these log-odds."""
    return 1 / (1 + np.exp(-log_odds))


def cross_entropy(chances: np.ndarray, results: np.ndarray) -> float:
    """The mean loss in nats of `chances` of a win, where `results` are 1, 0.5 or 0."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-np.mean(results * np.log(chances) + (1 - results) * np.log(1 - chances)))
