"""What the search needs from an evaluator: one record, a function that prepares it, and six kernels.

An evaluator keeps everything that it knows about one world in its record. `refresh` prepares the record at the root.
Below the root the search calls the kernels directly and is compiled once for each set of them (`search.compiled`); the
functions below stand for them and document them. Scores are in hundredths of a Lieutenant. `position`, `undo` and
`tables` are the records of `rules`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from junqi_engine.information.view import Public
from junqi_engine.kernels import record_type
from junqi_engine.rules.board import TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO_TYPE
from junqi_engine.rules.position import POSITION_TYPE

LONGEST_LINE = 97
"""Plies below the root that an evaluator can follow."""
LARGEST_VALUE = 28_000
"""No value is larger. `search.scores` keeps the scores of won games above it."""
LINEAR_VALUE = 16_000
"""Above it, a value grows a quarter as fast as the score, so that the largest scores stay below `LARGEST_VALUE`."""
UNKNOWN_VALUE = 1 << 15
"""The answer of `value_after` where the value is not known without making the move. It is above every score, so that
such a move never promises too little.
"""


@register_jitable
def bounded(score: Any) -> Any:
    """The value of a score: the same up to `LINEAR_VALUE`, then compressed. Strictly below the mate scores."""
    size = abs(score)
    if size > LINEAR_VALUE:
        size = min(LARGEST_VALUE, LINEAR_VALUE + (size - LINEAR_VALUE) // 4)
    return size if score >= 0 else -size


UNBOUND = "search.compiled binds this name to a kernel of an evaluator"


def after_make(position: Any, undo: Any, evaluation: Any) -> None:
    """Bring the record up to date after `effects.make`."""
    raise NotImplementedError(UNBOUND)


def after_unmake(evaluation: Any) -> None:
    """Return to the state before the last `after_make`."""
    raise NotImplementedError(UNBOUND)


def value(position: Any, evaluation: Any) -> int:
    """The `bounded` score for the team to move.

    A null move changes only the turn of the position, so the team comes from the position.
    """
    raise NotImplementedError(UNBOUND)


def value_after(tables: Any, position: Any, evaluation: Any, move: Any) -> int:
    """The `value` after a legal move, still for the team that moves, if the next seat then has a legal move.

    It is exact if the move eliminates no seat, and an upper bound if the seat that moves is eliminated because none of
    its pieces can ever move again. It is `UNKNOWN_VALUE` if a battle may eliminate a seat by a flag or by its last
    piece that can move. For a quiet move it is always known.

    A next seat without a legal move is eliminated. This is not checked: the answer counts that seat as present, so it
    may be too low.
    """
    raise NotImplementedError(UNBOUND)


def value_key(evaluation: Any) -> int:
    """The part of the transposition table's key, uint64, for what the value depends on beside the position; 0 if
    there is nothing.
    """
    raise NotImplementedError(UNBOUND)


def battle_gain(evaluation: Any, attacker: Any, seat: Any, defender: Any) -> int:
    """What kind `attacker` gains by a battle against kind `defender` of a seat; for move ordering and pruning."""
    raise NotImplementedError(UNBOUND)


@dataclass(frozen=True)
class Term:
    """A part of the value: how much it gives the pieces of each team, (team 0, team 1)."""

    name: str
    by_team: tuple[int, int]


@dataclass(frozen=True)
class Kernels:
    """The kernels that the search calls. `name` identifies the set."""

    name: str
    after_make: Any
    after_unmake: Any
    value: Any
    value_after: Any
    value_key: Any
    battle_gain: Any


@dataclass(frozen=True)
class Evaluator:
    """An evaluator: its record, how it is prepared and explained, and its kernels. Evaluators may share kernels.

    `refresh` fills the record for a position. `explain` takes the same arguments without the record and returns the
    terms. The sum of their differences, team 0 less team 1, is the score for team 0 before it is `bounded`.
    """

    name: str
    record: np.void
    refresh: Callable[[Board, np.void, Public, np.void], None]
    kernels: Kernels
    explain: Callable[[Board, np.void, Public], list[Term]]

    def new(self, worlds: int) -> np.ndarray:
        """Records for as many worlds."""
        return np.repeat(np.asarray(self.record).reshape(1), worlds)


@dataclass(frozen=True)
class Signatures:
    """The types of an evaluator's kernels, from its record."""

    after_make: Any
    after_unmake: Any
    value: Any
    value_after: Any
    value_key: Any
    battle_gain: Any

    @classmethod
    def of(cls, record: np.dtype) -> "Signatures":
        evaluation = record_type(record)
        return cls(
            after_make=types.void(POSITION_TYPE, UNDO_TYPE, evaluation),
            after_unmake=types.void(evaluation),
            value=types.int64(POSITION_TYPE, evaluation),
            value_after=types.int64(TABLES_TYPE, POSITION_TYPE, evaluation, types.uint16),
            value_key=types.uint64(evaluation),
            battle_gain=types.int64(evaluation, types.uint8, types.uint8, types.uint8),
        )
