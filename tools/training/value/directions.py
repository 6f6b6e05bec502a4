"""What is tuned: a few dozen numbers, each of which changes many direct worths together.

A *direction* is a name, the size of a careful step in hundredths of a Lieutenant, and a table (kind, class, point): how
much a piece of the own seat is worth more, as the seat sees the board, when the number grows by 1. One more direction
scales a table that was fitted to results (`tools.training.value.fit`), if there is one. `play_pair` plays a pair of
games between two choices of the numbers.
"""

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from junqi_engine.evaluation.worths import CLASSES, feature_count
from junqi_engine.information.public_game import PublicClass
from junqi_engine.rules.board import BLOCK_POINTS, Board
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, KINDS, LETTERS, MINE
from junqi_engine.rules.position import Result
from tools.referee.exits import RefereeError
from tools.training.selfplay.play import draw_lineup
from tools.training.selfplay.quick import QuickGame
from tools.training.selfplay.settings import Settings, own_revision
from tools.training.value.spsa import Trial

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
"""Games begin with line-ups from a list of so many, of every quality."""
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
        settings = Settings(match.variant, f"quick@{match.nodes}", max_plies=match.most_plies)
        self._lineups = _lineups(match.variant, match.seed)
        self._game = QuickGame(settings, self._lineups, match.nodes)
        self._seats = len(settings.board.seats)
        fitted = np.frombuffer(match.fitted, np.int16).astype(np.float32) if match.fitted else None
        self._worths = Worths(settings.board, fitted)
        self._game.worths["seats"] = self._seats

    def play(self, trial: Trial) -> int:
        """Both games of a pair: the wins of plus less those of minus."""
        rng = random.Random(f"{self.match.seed} {trial.pair}")
        lineups = [rng.choice(self._lineups) for _ in range(self._seats)]
        seed = rng.getrandbits(63)
        plus, minus = (self._worths.direct(numbers) for numbers in (trial.plus, trial.minus))
        return self._won((plus, minus), lineups, seed) - self._won((minus, plus), lineups, seed)

    def _won(self, teams: tuple[np.ndarray, np.ndarray], lineups: list[str], seed: int) -> int:
        """The result of a game for its first team: 1, 0 or -1."""
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
