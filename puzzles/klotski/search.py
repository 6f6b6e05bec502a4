"""Breadth-first search of a puzzle's positions in memory.

Every position found is kept: 8 bytes a word of its key and 4 bytes a slot of the hash table, which is between 0.35 and
0.7 full. Positions lie in the order in which they were found, so the depth of each and the way back to the start need
no memory.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from puzzles.klotski import narrow, wide
from puzzles.klotski.board import METRICS
from puzzles.klotski.memo import Memo, memo_of
from puzzles.klotski.narrow import BUDGET, CAPACITY, COUNT, DEEPEST, DONE, FULL, GOAL, HEAD, LAYER, WANT
from puzzles.klotski.tables import Tables

FIRST_SLOTS = 1 << 16
MOST_FULL = 0.7
STATES_A_CALL = 1 << 18
ROOM_FOR_SUCCESSORS = 1 << 20
NO_LIMIT = narrow.MOST_LAYERS - 2


class Ending(Enum):
    """Why a search came to its end."""

    FOUND = "found"
    EXHAUSTED = "exhausted"
    DEPTH = "depth"
    STATES = "states"
    STOPPED = "stopped"
    OUTGROWN = "outgrown"


@dataclass(frozen=True)
class Progress:
    """How far a search is: the depth it works at, positions found, bytes they take."""

    depth: int
    states: int
    bytes: int


@dataclass(frozen=True)
class Limits:
    """What a search may use. `stop_flag` is a byte that another thread sets to 1; `progress` is called now and then."""

    bytes: int = 1 << 31
    depth: int = NO_LIMIT
    states: int | None = None
    stop_flag: np.ndarray | None = None
    progress: Callable[[Progress], None] = lambda progress: None


class Stepper:
    """The steps of one puzzle in one metric, forwards or, `back`, backwards."""

    def __init__(self, tables: Tables, metric: str, back: bool = False) -> None:
        self.tables = tables
        self.metric = METRICS.index(metric)
        self.is_back = back
        self.arrays = tables.reversed_arrays if back else tables.arrays
        self.is_narrow = tables.words == tables.cell_words == 1
        self.scratch = np.zeros((4, len(tables.placements) + 2), np.int32)
        self.free = np.zeros(tables.cell_words, np.uint64)
        pieces_of_class = np.diff(tables.class_first)
        self.most = max(1, int((pieces_of_class * np.diff(tables.first)).sum()))
        """No position has more successors."""
        self.batch = narrow.BATCH if self.is_narrow else 1
        self.out = np.empty((self.most * self.batch, tables.words), np.uint64)
        self.missed = np.empty(len(self.out), np.int64)

    @cached_property
    def memo(self) -> Memo:
        """What was learnt of these steps, in this search or an earlier one with the same tables."""
        way = (self.metric, self.is_back)
        if way not in self.tables.memos:
            self.tables.memos[way] = memo_of(self.tables)
        return self.tables.memos[way]

    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All successors of `keys`, (n, words), and for each the index of the key it comes from."""
        parts: list[tuple[np.ndarray, np.ndarray]] = []
        chunk = max(1, ROOM_FOR_SUCCESSORS // self.most)
        found = np.empty((self.most * min(chunk, len(keys)), self.tables.words), np.uint64)
        origin = np.empty(len(found), np.int64)
        for begin in range(0, len(keys), chunk):
            some = np.array(keys[begin : begin + chunk])
            if self.is_narrow:
                count = narrow.expand(
                    some[:, 0], 0, len(some), self.metric, self.arrays, self.scratch, found[:, 0], origin
                )
            else:
                count = wide.expand(
                    some, 0, len(some), self.metric, self.arrays, self.scratch, self.free, found, origin
                )
            parts.append((found[:count].copy(), origin[:count] + begin))
        if not parts:
            return found[:0], origin[:0]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


class States:
    """The positions found from `roots`, keys (n, words), which are all of depth 0."""

    def __init__(self, stepper: Stepper, roots: np.ndarray, limits: Limits) -> None:
        self.stepper = stepper
        self.limits = limits
        words = stepper.tables.words
        self.most_states = int(limits.bytes / (8 * words + 4 / MOST_FULL))
        if limits.states is not None:
            self.most_states = min(self.most_states, limits.states)
        # The room for keys is reserved whole; the system gives memory only to pages that are written to.
        self._keys = np.empty((self.most_states + len(stepper.out) + len(roots), words), np.uint64)
        self._keys[: len(roots)] = roots
        self.layers = np.zeros(narrow.MOST_LAYERS, np.int64)
        self.layers[1] = len(roots)
        self.control = np.zeros(narrow.CONTROL_SIZE, np.int64)
        self.control[COUNT] = len(roots)
        self.control[GOAL] = -1
        goals = np.flatnonzero(self.is_goal(roots))
        if len(goals):
            self.control[GOAL] = goals[0]
        self.stop_flag = np.zeros(1, np.uint8) if limits.stop_flag is None else limits.stop_flag
        self._set_slots(max(FIRST_SLOTS, 2 * len(roots), 4 * len(stepper.out)))

    def __len__(self) -> int:
        return int(self.control[COUNT])

    @property
    def keys(self) -> np.ndarray:
        return self._keys[: len(self)]

    @property
    def bytes(self) -> int:
        return 8 * self._keys.shape[1] * len(self) + self.slots.nbytes

    @property
    def depth(self) -> int:
        """The depth of the deepest layer that is complete; -1 when not even the roots were expanded."""
        layer = int(self.control[LAYER])
        return layer + (1 if self.control[HEAD] == self.layers[layer + 1] and len(self) > self.control[HEAD] else 0)

    def is_goal(self, keys: np.ndarray) -> np.ndarray:
        tables = self.stepper.tables
        if not tables.goal_is_reachable:
            return np.zeros(len(keys), bool)
        return ((keys & tables.goal_mask) == tables.goal_value).all(axis=1)

    def layer(self, depth: int) -> slice:
        """The indices of the positions of one depth, of those found so far."""
        end = self.layers[depth + 1] if depth <= self.control[LAYER] else len(self)
        return slice(int(self.layers[depth]), int(end))

    def goals(self, depth: int) -> np.ndarray:
        """The indices of the goals of one depth."""
        layer = self.layer(depth)
        return np.flatnonzero(self.is_goal(self._keys[layer])) + layer.start

    def depth_of(self, index: int) -> int:
        return int(np.searchsorted(self.layers[: int(self.control[LAYER]) + 2], index, side="right")) - 1

    def run(self, want: int) -> Ending:
        """Search on until what is wanted (`narrow.FIRST_GOAL` or its like) is there or a limit is met."""
        control, limits = self.control, self.limits
        control[WANT] = want
        control[DEEPEST] = min(limits.depth, NO_LIMIT) - 1
        control[BUDGET] = STATES_A_CALL
        if limits.depth == 0:
            return Ending.FOUND if control[GOAL] >= 0 else Ending.DEPTH
        while True:
            status = self._search()
            if status == DONE:
                if control[GOAL] >= 0 and want != narrow.EVERYTHING:
                    return Ending.FOUND
                if control[HEAD] == len(self):
                    return Ending.EXHAUSTED
                return Ending.DEPTH
            if status == FULL and not self._grow():
                return Ending.OUTGROWN if self.most_states != limits.states else Ending.STATES
            if self.stop_flag[0]:
                return Ending.STOPPED
            limits.progress(Progress(int(control[LAYER]), len(self), self.bytes))

    def _search(self) -> int:
        stepper = self.stepper
        if stepper.is_narrow:
            return narrow.search(
                stepper.metric, stepper.arrays, stepper.memo.arrays, stepper.scratch, stepper.out[:, 0],
                stepper.missed, self._keys[:, 0], self.slots, self.layers, self.control, self.stop_flag,
            )  # fmt: skip
        return wide.search(
            stepper.metric, stepper.arrays, stepper.scratch, stepper.free, stepper.out, stepper.missed, self._keys,
            self.slots, self.layers, self.control, self.stop_flag,
        )  # fmt: skip

    def _grow(self) -> bool:
        """Double the hash table, as far as the limits allow; whether there is room for more states."""
        most_slots = int(self.most_states / MOST_FULL) + 1
        if len(self.slots) >= most_slots:
            return False
        self._set_slots(min(2 * len(self.slots), most_slots))
        return True

    def _set_slots(self, size: int) -> None:
        self.slots = np.zeros(0, np.uint32)  # the old table goes before the new one comes
        self.slots = np.zeros(size, np.uint32)
        self.control[CAPACITY] = min(self.most_states, int(MOST_FULL * size) - len(self.stepper.out))
        wide.fill(self._keys, len(self), self.slots)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """The index of each of `keys`, (n, words); -1 for one that was not found."""
        indices = np.empty(len(keys), np.int64)
        wide.look_up(np.ascontiguousarray(keys), self._keys, self.slots, indices)
        return indices
