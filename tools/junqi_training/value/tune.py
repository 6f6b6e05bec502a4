"""Worths tuned by play: `python -m junqi_training.value tune STATE --variant V`.

**What is tuned**: a few dozen numbers, each of which changes many direct worths together. A *direction* is a name, the
size of a careful step in hundredths of a Lieutenant, and a table (kind, class, point): how much a piece of the own seat
is worth more, as the seat sees the board, when the number grows by 1. One more direction scales a table that was fitted
to results (`value fit`), if there is one.

**How**: simultaneous perturbation (Spall 1992). All numbers are moved at once, one half up, one half down, and two
games tell whether that was better than the opposite. At pair k the numbers are moved by c_k = step * max(LEAST_STEP,
(k + 1)^-0.101), the direction of each drawn at random. The pair is played from the same line-ups with the teams
exchanged. With g, the wins of the one side less those of the other, each number changes by rate_k * g * (its direction)
* step^2 / c_k, where rate_k = rate * ((A + 1) / (A + k + 1))^0.602 and A is a tenth of all pairs; these are the
exponents that Spall recommends. A batch of pairs is played with the same numbers, in any order, and its changes are
added up. The result is the mean of the numbers over the second half of the pairs.

A pair depends on the settings, the numbers before its batch, and its own number alone, so a run that was interrupted
ends like one that was not.
"""

import argparse
import hashlib
import json
import random
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from junqi_engine.evaluation.worths import CLASSES, feature_count, read_worths
from junqi_engine.files import write_whole
from junqi_engine.foreign_json import read_json
from junqi_engine.information.public_game import PublicClass
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, Board
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, KINDS, LETTERS, MINE
from junqi_engine.rules.position import Result
from junqi_referee.exits import RefereeError
from junqi_referee.jobs import LineProgress, workers
from junqi_training.command import count, rate, run_command
from junqi_training.selfplay.quick import QuickGame
from junqi_training.selfplay.run import draw_lineup
from junqi_training.selfplay.settings import SelfPlaySettings, own_revision
from junqi_training.value.samples import output, write_weights

DESCRIPTION = """\
Tune the worths of the evaluator by play, and write them. STATE is a file of the run, which the same command continues
after an interruption. --fitted names worths of `value fit`; how much of them is used is tuned too, from nothing.
--begin names worths to begin with.
"""
FORMAT = "junqi-tune 3"
SAVE_EVERY = 8
"""Batches between two times that the state is written."""


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("tune", partial(_run, arguments), "interrupted; the same command continues")


def _run(arguments: argparse.Namespace) -> int:
    board = BOARDS[arguments.variant]
    fitted = None
    if given := arguments.begin or arguments.fitted:
        fitted = read_worths(board, Path(given))["worth"]
        fitted = fitted[: len(Worths(board).direct(dict.fromkeys(steps_of(board, False), 0.0)))]
    match = Match(
        board.variant, arguments.nodes, arguments.seed, arguments.max_plies,
        b"" if fitted is None else fitted.tobytes(), own_revision(),
    )  # fmt: skip
    steps = steps_of(board, fitted is not None)
    first = {name: float(name == FITTED and arguments.begin is not None) for name in steps}
    tuning = Tuning(steps, arguments.pairs, arguments.batch, arguments.rate, arguments.seed, numbers=first)
    head = {
        "format": FORMAT,
        "variant": match.variant,
        "nodes": match.nodes,
        "max_plies": match.most_plies,
        "fitted": hashlib.sha256(match.fitted).hexdigest(),
        "begins": arguments.begin is not None,
    }
    path = Path(arguments.state)
    if path.exists():
        tuning = _continued(path, head, tuning)
    worths = Worths(board, None if fitted is None else fitted.astype(np.float32))
    batches = 0
    with (
        LineProgress(sys.stderr, tuning.pairs, tuning.done, "pairs") as progress,
        workers(arguments.workers, arguments.scheduler) as hired,
    ):
        while not tuning.is_finished:
            done = tuning.done
            tuning.advance(partial(hired.map, partial(play_pair, match)))
            progress.count(tuning.done - done)
            batches += 1
            if batches % SAVE_EVERY == 0 or tuning.is_finished:
                write_whole(path, json.dumps(head | {"tuning": tuning.as_table()}, indent=1).encode(), replaces=True)
    direct = worths.direct(tuning.result())
    write_weights(arguments.out, worth=direct)
    for name, number in tuning.result().items():
        print(f"{name:<20}{number:>8.2f}")
    return 0


def _continued(path: Path, head: dict, fresh: "Tuning") -> "Tuning":
    """The state in a file; ValueError if it is of another run."""
    try:
        table = read_json(path.read_bytes())
        found = Tuning.of_table(table.pop("tuning"))
    except (ValueError, AttributeError, KeyError, TypeError):
        raise ValueError(f"{path} is not the state of a tuning") from None
    for name in ("steps", "pairs", "batch", "rate", "seed"):
        if table != head or getattr(found, name) != getattr(fresh, name):
            raise ValueError(f"{path} is of a tuning with other options; continue with those, or name a new file")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m junqi_training.value tune", description=DESCRIPTION)
    add = parser.add_argument
    add("state", metavar="STATE", help="the file of the run")
    add("--variant", default="siguo", choices=("siguo", "luzhanqi"), help="default %(default)s")
    add("--out", type=output, required=True, help="the file of worths")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--fitted", metavar="FILE", help="worths of junqi_training.value.fit")
    given.add_argument("--begin", metavar="FILE", help="begin with these worths instead of the hand-written evaluator")
    add("--nodes", type=count, default=800, help="nodes a move, default %(default)s")
    add("--pairs", type=count, default=20_000, help="default %(default)s")
    add("--batch", type=count, default=8, help="pairs that are played with the same numbers, default %(default)s")
    add("--rate", type=rate, default=0.012, help="the first rate of learning, default %(default)s")
    add("--max-plies", type=count, default=600, help="a game is a draw at this ply, default %(default)s")
    add("--workers", type=count, default=1, help="processes that play, default %(default)s")
    add("--scheduler", metavar="ADDRESS", help="play on the workers of this Dask scheduler instead")
    add("--seed", type=int, default=1, help="default %(default)s")
    return parser


STEP_POWER, RATE_POWER = 0.101, 0.602
LEAST_STEP = 0.4
WARM_UP_SHARE = 0.1


@dataclass(frozen=True)
class Trial:
    """A pair to play: its number, and the numbers of both sides."""

    pair: int
    plus: dict[str, float]
    minus: dict[str, float]


@dataclass
class Tuning:
    """The state of a run: `steps` by name, the pairs wanted and done, the numbers, and their sums since half-way.

    `numbers` are 0 where nothing else is given.
    """

    steps: dict[str, float]
    pairs: int
    batch: int
    rate: float
    seed: int
    done: int = 0
    numbers: dict[str, float] = field(default_factory=dict)
    sums: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbers = {name: self.numbers.get(name, 0.0) for name in self.steps}
        self.sums = {name: self.sums.get(name, 0.0) for name in self.steps}

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> "Tuning":
        """The state that `as_table` described. KeyError or TypeError for another table."""
        return cls(**table)

    def as_table(self) -> dict[str, Any]:
        return dict(vars(self))

    @property
    def is_finished(self) -> bool:
        return self.done >= self.pairs

    def result(self) -> dict[str, float]:
        """The mean over the second half; the numbers themselves before it."""
        late = self.done - self.pairs // 2
        return {name: total / late for name, total in self.sums.items()} if late > 0 else dict(self.numbers)

    def advance(self, play: Callable[[list[Trial]], Iterable[int]]) -> None:
        """Play the next batch. `play` returns for each trial the wins of plus less those of minus, -2 to 2."""
        trials = [self._trial(pair) for pair in range(self.done, min(self.pairs, self.done + self.batch))]
        for trial, gain in zip(trials, play(trials), strict=True):
            rate = self.rate * self._decay(trial.pair)
            for name, step in self.steps.items():
                moved = self._step(name, trial.pair)
                sign = 1 if self._is_up(name, trial.pair) else -1
                self.numbers[name] += rate * gain * sign * step * step / moved
            if trial.pair >= self.pairs // 2:
                for name, number in self.numbers.items():
                    self.sums[name] += number
        self.done += len(trials)

    def _trial(self, pair: int) -> Trial:
        moves = {name: self._step(name, pair) * (1 if self._is_up(name, pair) else -1) for name in self.steps}
        plus = {name: number + moves[name] for name, number in self.numbers.items()}
        minus = {name: number - moves[name] for name, number in self.numbers.items()}
        return Trial(pair, plus, minus)

    def _is_up(self, name: str, pair: int) -> bool:
        return random.Random(f"{self.seed} {pair} {name}").random() < 0.5

    def _step(self, name: str, pair: int) -> float:
        return float(self.steps[name] * max(LEAST_STEP, (pair + 1) ** -STEP_POWER))

    def _decay(self, pair: int) -> float:
        first = WARM_UP_SHARE * self.pairs
        return float(((first + 1) / (first + pair + 1)) ** RATE_POWER)


GROUPS = {"high": (0, 1, 2), "middle": (3, 4, 5), "low": (6, 7, ENGINEER), "bomb": (BOMB,)}
WIDE_STEP, NARROW_STEP = 40.0, 30.0
FITTED = "fitted"
FITTED_STEP = 0.25
LARGEST_WORTH = 10_000
_SHOWN = [PublicClass.MOVED, PublicClass.WINNER]


@dataclass(frozen=True)
class Direction:
    """See the module; `table` is (12, 3, points)."""

    name: str
    step: float
    table: np.ndarray


def directions(board: Board) -> list[Direction]:
    """The directions of a board, without that of a fitted table."""
    points = len(board.points)
    camps = np.array([board.is_campsite(point) for point in board.points])
    is_own = np.arange(points) < BLOCK_POINTS
    found: list[Direction] = []

    def add(name: str, step: float, kinds: Sequence[int], classes: Sequence[int], where: np.ndarray | float) -> None:
        table = np.zeros((KINDS, CLASSES, points), np.float32)
        for kind in kinds:
            for shown in classes:
                table[kind, shown] = where
        found.append(Direction(name, step, table))

    for kind in range(FLAG):
        add(f"worth {LETTERS[kind]}", WIDE_STEP, (kind,), list(PublicClass), 1.0)
    for group, kinds in GROUPS.items():
        add(f"moved {group}", WIDE_STEP, kinds, _SHOWN, 1.0)
        add(f"winner {group}", WIDE_STEP, kinds, [PublicClass.WINNER], 1.0)
        add(f"own campsite {group}", NARROW_STEP, kinds, _SHOWN, camps & is_own)
        add(f"far campsite {group}", NARROW_STEP, kinds, _SHOWN, camps & ~is_own)
        add(f"advance {group}", WIDE_STEP, kinds, _SHOWN, np.array([_advance(board, point) for point in board.points]))
    add("unmoved landmine", NARROW_STEP, (MINE,), [PublicClass.UNMOVED], 1.0)
    return found


def _advance(board: Board, point: int) -> float:
    """How far a point is from South's last row: 0 there, 1 in South's front row, less than 2 in the other blocks."""
    row = board.row(point)
    if row is None:
        return 1.3
    return (5 - row) / 5 if board.owner(point) == 0 else (5 + 4 + (5 - row) / 2) / 5


def steps_of(board: Board, has_fitted: bool) -> dict[str, float]:
    """The names and the careful steps of all numbers."""
    steps = {direction.name: direction.step for direction in directions(board)}
    return steps | {FITTED: FITTED_STEP} if has_fitted else steps


class Worths:
    """Direct worths from the numbers."""

    def __init__(self, board: Board, fitted: np.ndarray | None = None) -> None:
        """`fitted` are direct worths, (features,), which the number `FITTED` scales."""
        self._directions = directions(board)
        self._matrix = np.stack([direction.table.ravel() for direction in self._directions])
        self._fitted = fitted
        self._count = feature_count(board)

    def direct(self, numbers: Mapping[str, float]) -> np.ndarray:
        """(features,), int16."""
        total = np.zeros(self._count, np.float32)
        # The features of the own pieces come first.
        of_own = np.array([numbers[direction.name] for direction in self._directions], np.float32) @ self._matrix
        total[: len(of_own)] = of_own
        if self._fitted is not None:
            total += np.float32(numbers[FITTED]) * self._fitted
        return np.rint(np.clip(total, -LARGEST_WORTH, LARGEST_WORTH)).astype(np.int16)


LINEUPS = 1500
"""Games begin with line-ups from a list of this many, of every quality."""
WINS = {Result.TEAM_0: 1, Result.TEAM_1: -1}
_of_thread = threading.local()


@dataclass(frozen=True)
class Match:
    """What all pairs have in common. `fitted` are the bytes of int16 direct worths, empty for none."""

    variant: str
    nodes: int
    seed: int
    most_plies: int
    fitted: bytes
    revision: str


class _Table:
    """The memory of one thread that plays."""

    def __init__(self, match: Match) -> None:
        self.match = match
        settings = SelfPlaySettings(match.variant, f"quick@{match.nodes}", max_plies=match.most_plies)
        self._lineups = _lineups(match.variant, match.seed)
        self._game = QuickGame(settings, self._lineups, match.nodes)
        self._seats = len(settings.board.seats)
        fitted = np.frombuffer(match.fitted, np.int16).astype(np.float32) if match.fitted else None
        self._worths = Worths(settings.board, fitted)

    def play(self, trial: Trial) -> int:
        """Both games of a pair: the wins of plus less those of minus."""
        rng = random.Random(f"{self.match.seed} {trial.pair}")
        lineups = [rng.choice(self._lineups) for _ in range(self._seats)]
        seed = rng.getrandbits(63)
        plus, minus = (self._worths.direct(numbers) for numbers in (trial.plus, trial.minus))
        return self._won((plus, minus), lineups, seed) - self._won((minus, plus), lineups, seed)

    def _won(self, teams: tuple[np.ndarray, np.ndarray], lineups: list[str], seed: int) -> int:
        for team, direct in enumerate(teams):
            self._game.worths["worth"][team, : len(direct)] = direct
        state, _, _ = self._game.play(lineups, seed)
        return WINS.get(Result(state.result), 0)


@cache
def _lineups(variant: str, seed: int) -> list[str]:
    rng = random.Random(f"line-ups {seed}")
    return [draw_lineup(rng, variant) for _ in range(LINEUPS)]


def play_pair(match: Match, trial: Trial) -> int:
    """Play a pair in this thread. RefereeError if this program is of another revision."""
    if own_revision() != match.revision:
        raise RefereeError(f"a worker has revision {own_revision()}, not {match.revision}")
    table = getattr(_of_thread, "table", None)
    if table is None or table.match != match:
        table = _of_thread.table = _Table(match)
    return table.play(trial)
