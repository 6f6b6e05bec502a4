"""Quiet positions of stored games as arrays, and the shared parts of fits to them.

`Samples` has a row for each position in which a quiet move was played after a search:

| field | shape | meaning |
|---|---|---|
| places | (n, pieces) | by piece: class times points of the board, plus point; `ABSENT` for a removed piece |
| hand | (n,) | the score of the terms and the linear evaluation for the team to move, in hundredths of a Lieutenant |
| search | (n,) | the score of the search, in the same units |
| result | (n,) | 1 if the team to move won, 0.5 for a draw, else 0 |
| team, game | (n,) | the team to move; the number of the game, from 0 on |
| phase | (n,) | the share of the game's plies that had been played |
| first | (games, seats, pieces) | by seat that sees: the number of the piece's first row of weights |
| is_mirrored | (games, seats) | 1 for a seat that sees the board mirrored |
| seen | (2, seats, points) | by `is_mirrored`, seat and point: the point as seen from the seat |

A fit is by cross-entropy, with Adam (Kingma and Ba 2015), a cosine schedule and batches in random order, drawn from the
seed. The weights are a sum of parts, of which the common ones have few numbers. Each step makes the parts smaller
(Loshchilov and Hutter 2019), the last one most. What is common is then learned from many positions, and exceptions only
where there are enough of them.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import WEIGHTS_TYPE, Evaluator, refresh
from junqi_engine.evaluation.record import EVALUATION, EVALUATION_TYPE
from junqi_engine.files import write_whole
from junqi_engine.information.public_state import CLASSES_TYPE, update_classes
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.layout import NO_PIECE, PIECES, contains, piece_of, team_of, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, Result
from junqi_training.games import of_games
from junqi_training.selfplay.folder import StoredGame, read_folder

ABSENT = np.uint16(0xFFFF)
DECIDED = 20_000
"""A larger score is a proven end of the game, from which there is nothing to learn."""
PHASES = 3
SPREADS = np.arange(500, 12_001, 250)
"""In hundredths of a Lieutenant: the scores that may have even odds of e."""
FIRST_RATE, SECOND_RATE, TINY = 0.9, 0.999, 1e-8
_FLAGS_TYPE = types.Array(types.boolean, 1, "C")
_INTEGERS_TYPE = types.Array(types.int64, 1, "C")
_absent = int(ABSENT)


@dataclass(frozen=True)
class Samples:
    """See the module."""

    board: Board
    seen: np.ndarray
    first: np.ndarray
    is_mirrored: np.ndarray
    places: np.ndarray
    hand: np.ndarray
    search: np.ndarray
    result: np.ndarray
    team: np.ndarray
    phase: np.ndarray
    game: np.ndarray

    def __len__(self) -> int:
        return len(self.hand)


@kernel(
    types.int64(
        TABLES_TYPE, POSITION_TYPE, EVALUATION_TYPE, WEIGHTS_TYPE, UNDO_TYPE, MOVES_TYPE, _FLAGS_TYPE, CLASSES_TYPE,
        types.Array(types.uint16, 2, "C"), _INTEGERS_TYPE, _INTEGERS_TYPE,
    )
)  # fmt: skip
def replay(tables, position, record, weights, undo, moves, wanted, classes, places, scores, teams):
    """Play the moves of a game; list the wanted positions in which a quiet move was played. Returns their number.

    `wanted` is by ply; it becomes false where the move was a battle.
    """
    features, number = weights.linear.features, 0
    for ply in range(len(moves)):
        wanted[ply] &= position.board[to_point_of(moves[ply])] == NO_PIECE
        if wanted[ply]:
            refresh(tables, position, np.uint8(0), classes, weights, record)
            for owner in range(features.seats):
                for slot in range(PIECES_PER_SEAT):
                    piece = piece_of(owner, slot)
                    place = np.int64(_absent)
                    if contains(position.alive, owner) and contains(position.present[owner], slot):
                        place = np.int64(classes[piece]) * features.points + np.int64(position.where[piece])
                    places[number, owner * PIECES_PER_SEAT + slot] = place
            team = team_of(position.turn)
            scores[number] = -record.scores[0] if team else record.scores[0]
            teams[number] = team
            number += 1
        make(tables, position, moves[ply], undo)
        update_classes(position, undo, classes)
    return number


Frame = Callable[[np.void], tuple[np.ndarray, np.ndarray]]
"""From the first position of a game, its entries of `first` and `is_mirrored`."""


def samples_of(games: Sequence[StoredGame], evaluator: Evaluator, seen: np.ndarray, frame_of: Frame) -> Samples:
    """Quiet positions that were searched; `hand` is by the evaluator. ValueError if there is none."""
    parts = [_of_game(game, number, evaluator, frame_of) for number, game in enumerate(games)]
    if not sum(len(part[0]) for part in parts):
        raise ValueError("the games have no quiet position with a score")
    *by_row, first, is_mirrored = zip(*parts, strict=True)
    rows = [np.concatenate(column) for column in by_row]
    frames = np.array(first), np.array(is_mirrored)
    return Samples(games[0].settings.board, np.ascontiguousarray(seen), *frames, *rows)


def _of_game(game: StoredGame, number: int, evaluator: Evaluator, frame_of: Frame) -> Sequence[np.ndarray]:
    """The rows of a game in the order of `Samples`, from `places` on; at the end `first` and `is_mirrored`."""
    board, position, plies = game.settings.board, game.start().position, len(game.moves)
    frame = frame_of(position)
    search = np.array([DECIDED if score is None else score for score in game.scores])
    wanted = np.abs(search) < DECIDED
    places = np.empty((wanted.sum(), frame[0].shape[1]), np.uint16)
    scores, teams = np.empty(plies, np.int64), np.empty(plies, np.int64)
    found = replay(
        board.tables, position, np.zeros(1, EVALUATION)[0], evaluator.weights(board), np.zeros(1, UNDO)[0],
        np.array(game.moves, np.uint16), wanted, np.zeros(PIECES, np.uint8), places, scores, teams,
    )  # fmt: skip
    won = {Result.TEAM_0: 1.0, Result.TEAM_1: 0.0}.get(game.result, 0.5)
    teams = teams[:found]
    return (
        places[:found].copy(), scores[:found].astype(np.float32), search[wanted].astype(np.float32),
        np.where(teams == 0, won, 1 - won).astype(np.float32), teams.astype(np.uint8),
        (np.flatnonzero(wanted) / plies).astype(np.float32), np.full(found, number, np.int32), *frame,
    )  # fmt: skip


def read_games(folders: Iterable[Path]) -> list[StoredGame]:
    """The games of data folders. ValueError if they are not of one variant."""
    games = [game for folder in folders for game in read_folder(folder)]
    variants = sorted({game.settings.variant for game in games})
    if len(variants) != 1:
        raise ValueError(f"the folders have games of {' and '.join(variants)}; expected one variant")
    return games


def split(games: np.ndarray, batch: int, every: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The rows to fit, one in `every`, and those of the games that are held out; `games` are the numbers of the games
    by row. ValueError if they are too few for a batch.
    """
    learned, held_out = (of_games(games, is_held_out) for is_held_out in (False, True))
    learned = learned[::every]
    if not len(held_out) or len(learned) < batch:
        raise ValueError(f"{len(games)} positions are too few for a batch of {batch}")
    return learned, held_out


def logistic(log_odds: np.ndarray) -> np.ndarray:
    """The chance with these log-odds."""
    return 1 / (1 + np.exp(-log_odds))


def cross_entropy(chances: np.ndarray, results: np.ndarray) -> float:
    """The mean loss in nats of `chances` of a win, where `results` are 1, 0.5 or 0."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-np.mean(results * np.log(chances) + (1 - results) * np.log(1 - chances)))


def best_spread(scores: np.ndarray, result: np.ndarray) -> tuple[int, float]:
    """The value of `SPREADS` with which the scores predict the results best, and its loss."""
    losses = {int(spread): cross_entropy(logistic(scores / spread), result) for spread in SPREADS}
    best = min(losses, key=losses.__getitem__)
    return best, losses[best]


def print_losses(epoch: int, chances: np.ndarray, samples: Samples, rows: np.ndarray) -> None:
    """Print the loss of `chances` in some rows after an epoch, for all of them and by phase of the game."""
    result, third = samples.result[rows], (samples.phase[rows] * PHASES).astype(int)
    parts = (f"{cross_entropy(chances[third == each], result[third == each]):.4f}" for each in range(PHASES))
    print(
        f"epoch {epoch}: {cross_entropy(chances, result):.4f} nats; by third of the game {', '.join(parts)}", flush=True
    )


class Adam:
    """One array and its moments (Kingma and Ba 2015)."""

    def __init__(self, values: np.ndarray, decay: float = 0.0) -> None:
        self.values, self.decay = values, decay
        self._mean, self._square, self._steps = np.zeros_like(values), np.zeros_like(values), 0

    def step(self, slope: np.ndarray, rate: float) -> None:
        self._steps += 1
        self._mean += (1 - FIRST_RATE) * (slope - self._mean)
        self._square += (1 - SECOND_RATE) * (slope * slope - self._square)
        mean, square = self._mean / (1 - FIRST_RATE**self._steps), self._square / (1 - SECOND_RATE**self._steps)
        self.values -= rate * mean / (np.sqrt(square) + TINY)
        self.values *= 1 - rate * self.decay


class Parts:
    """Weights as the sum of parts, which are 0 at first. A part has the length 1 on each axis on which it is constant;
    the last part has the shape of the sum.
    """

    def __init__(self, shapes: Sequence[tuple[int, ...]]) -> None:
        self.parts = [np.zeros(shape, np.float32) for shape in shapes]

    def total(self) -> np.ndarray:
        return np.ascontiguousarray(sum(self.parts[1:], self.parts[0]))

    def slopes(self, of_total: np.ndarray) -> list[np.ndarray]:
        """The gradients of the parts."""
        full = of_total.reshape(self.parts[-1].shape)
        return [
            full.sum(axis=tuple(axis for axis, size in enumerate(part.shape) if size < full.shape[axis]), keepdims=True)
            for part in self.parts
        ]


@dataclass(frozen=True)
class Schedule:
    """Epochs and learning rate of a fit; `batch` is the number of rows of a step."""

    epochs: int
    batch: int
    rate: float
    seed: int

    def steps(self, rows: np.ndarray, rng: np.random.Generator) -> Iterator[tuple[int, np.ndarray, float]]:
        """The steps of a fit: the epoch that a step completes, or 0, its rows and its rate."""
        batches = len(rows) // self.batch
        order, total = rows, self.epochs * batches
        for number in range(total):
            epoch, place = divmod(number, batches)
            if place == 0:
                order = rng.permutation(rows)
            now = self.rate * (1 + np.cos(np.pi * number / total)) / 2
            is_last = place + 1 == batches
            yield epoch + 1 if is_last else 0, order[place * self.batch : (place + 1) * self.batch], float(now)


def write_weights(path: Path, **arrays: np.ndarray) -> int:
    """Write arrays by name; the size of the file in bytes."""
    data = io.BytesIO()
    np.savez_compressed(data, **arrays)  # type: ignore[arg-type]
    write_whole(path, data.getvalue(), replaces=True)
    return len(data.getvalue())
