"""Breadth-first search of a puzzle's positions in memory: what surrounds the kernels.

Every position found is kept: 8 bytes for each word of its key and 4 bytes for a slot of the hash table, which is
between 0.35 and 0.7 full. A ring, of 4 bytes for eight slots, keeps which move led to the newest positions.
Positions lie in the order in which they were found, so the depth of each and the path back to the start need no memory.
"""

from functools import cached_property

import numpy as np

from junqi_puzzles.base import Ending, Search, Statistics
from junqi_puzzles.klotski import breadth_first, many_words, one_word, steps
from junqi_puzzles.klotski.breadth_first import (
    BATCH,
    BUDGET,
    CAPACITY,
    COUNT,
    DEEPEST,
    DONE,
    FULL,
    GOAL,
    HEAD,
    LAYER,
    WANT,
)
from junqi_puzzles.klotski.memo import AT_ONCE, Memo, memo_of
from junqi_puzzles.klotski.tables import Tables
from junqi_puzzles.metric import Metric

DEFAULT_MEMORY_BYTES = 1 << 31
FIRST_SLOTS = 1 << 16
MOST_FULL = 0.7
SLOTS_A_RING_ENTRY = 8
BYTES_A_SLOT = 4 + 4 / SLOTS_A_RING_ENTRY
STATES_A_CALL = 1 << 18
SUCCESSORS_A_BATCH = 1 << 14
ROOM_FOR_SUCCESSORS = 1 << 20
DEEPEST_LAYER = breadth_first.MOST_LAYERS - 2


class Stepper:
    """The steps of one puzzle in one metric, forwards or, `back`, backwards, and the kernels that fit its keys.

    `kernels`: those of breadth_first.py. `many` chooses those for keys of many words where one word is enough.
    """

    def __init__(self, tables: Tables, metric: Metric, back: bool = False, many: bool = False) -> None:
        self.tables = tables
        self.metric = metric
        self.is_back = back
        self.is_one_word = tables.words == tables.cell_words == 1 and not many
        self.kernels = breadth_first.ONE_WORD if self.is_one_word else breadth_first.MANY_WORDS
        self._expand = (steps.ONE_WORD if self.is_one_word else steps.MANY_WORDS).expand
        pieces_of_class = np.diff(tables.class_first)
        self.most = max(1, int((pieces_of_class * np.diff(tables.first)).sum()))
        """No position has more successors."""
        most_in_batch = one_word.BATCH if self.is_one_word else many_words.BATCH
        self.batch = max(1, min(most_in_batch, SUCCESSORS_A_BATCH // self.most))
        self.out = np.empty((self.most * self.batch + int(AT_ONCE), tables.words), np.uint64)
        self.arrays = metric.most_cells, tables.reversed_arrays if back else tables.arrays
        """What defines a step, as the kernels take it."""
        self.scratch = (
            np.zeros((steps.SCRATCH_ROWS, len(tables.cells) + 2), np.int32), np.zeros(tables.cell_words, np.uint64)
        )  # fmt: skip
        """The scratch memory of `expand`, as the kernels take it."""
        self.results = self.keys(self.out), np.empty(len(self.out), np.int64)
        """Where `expand` writes, as the kernels take it."""

    def keys(self, rows: np.ndarray) -> np.ndarray:
        """Keys (n, words) as the kernels take them."""
        return rows[:, 0] if self.is_one_word else rows

    @cached_property
    def memo(self) -> Memo:
        """The memory of these steps, shared with earlier searches that used the same tables."""
        kind = (self.metric, self.is_back, self.is_one_word)
        if kind not in self.tables.memos:
            self.tables.memos[kind] = memo_of(self.tables, self.is_one_word)
        return self.tables.memos[kind]

    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All successors of `keys`, (n, words), and for each the index of the key it comes from."""
        parts: list[tuple[np.ndarray, np.ndarray]] = []
        chunk = max(1, ROOM_FOR_SUCCESSORS // self.most)
        found = np.empty((self.most * min(chunk, len(keys)), self.tables.words), np.uint64)
        origin = np.empty(len(found), np.int64)
        for begin in range(0, len(keys), chunk):
            some = np.array(keys[begin : begin + chunk])
            count = self._expand(
                self.keys(some), 0, len(some), *self.arrays, *self.scratch, self.keys(found), origin
            )  # fmt: skip
            parts.append((found[:count].copy(), origin[:count] + begin))
        if not parts:
            return found[:0], origin[:0]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


class States:
    """The positions found from `roots`, keys (n, words), which are all of depth 0."""

    def __init__(self, stepper: Stepper, roots: np.ndarray, search: Search) -> None:
        self.stepper = stepper
        self.search = search
        words = stepper.tables.words
        limits = search.limits
        self.most_states = int(search.memory_bytes(DEFAULT_MEMORY_BYTES) / (8 * words + BYTES_A_SLOT / MOST_FULL))
        if limits.nodes is not None:
            self.most_states = min(self.most_states, limits.nodes)
        # The room for keys is reserved whole; the system gives memory only to pages that are written to.
        self._rows = np.empty((self.most_states + len(stepper.out) + len(roots), words), np.uint64)
        self._rows[: len(roots)] = roots
        self._keys = stepper.keys(self._rows)
        self._moved = np.empty(len(stepper.out), np.uint32)
        self.layers = np.zeros(breadth_first.MOST_LAYERS, np.int64)
        self.layers[1] = len(roots)
        self.control = np.zeros(breadth_first.CONTROL_SIZE, np.int64)
        self.control[COUNT] = len(roots)
        self.control[GOAL] = -1
        self.control[BATCH] = stepper.batch
        goals = np.flatnonzero(self.is_goal(roots))
        if len(goals):
            self.control[GOAL] = goals[0]
        self._set_slots(max(FIRST_SLOTS, 2 * len(roots), 4 * len(stepper.out)))

    def __len__(self) -> int:
        return int(self.control[COUNT])

    @property
    def keys(self) -> np.ndarray:
        return self._rows[: len(self)]

    @property
    def memory_bytes(self) -> int:
        return 8 * self._rows.shape[1] * len(self) + self.slots.nbytes + self._last_moves.nbytes

    @property
    def depth(self) -> int:
        """The depth of the deepest layer that is complete; -1 when not even the roots were expanded."""
        layer = int(self.control[LAYER])
        return layer + (1 if self.control[HEAD] == self.layers[layer + 1] and len(self) > self.control[HEAD] else 0)

    @property
    def first_goal(self) -> int:
        """The index of the goal that was found first, or -1."""
        return int(self.control[GOAL])

    def statistics(self, depth: int | None = None, solution_count: int | None = None) -> Statistics:
        return Statistics(len(self), self.depth if depth is None else depth, self.memory_bytes, solution_count)

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
        return np.flatnonzero(self.is_goal(self._rows[layer])) + layer.start

    def depth_of(self, index: int) -> int:
        return int(np.searchsorted(self.layers[: int(self.control[LAYER]) + 2], index, side="right")) - 1

    def run(self, want: int) -> Ending:
        """Search until what is wanted (`breadth_first.FIRST_GOAL` or its like) is found or a limit is met."""
        control, limits = self.control, self.search.limits
        deepest = DEEPEST_LAYER if limits.depth is None else min(limits.depth, DEEPEST_LAYER)
        control[WANT] = want
        control[DEEPEST] = deepest - 1
        control[BUDGET] = STATES_A_CALL
        if deepest == 0:
            return Ending.OPTIMAL if control[GOAL] >= 0 else Ending.DEPTH
        while True:
            status = self._run_kernel()
            if status == DONE:
                if control[GOAL] >= 0 and want != breadth_first.EVERYTHING:
                    return Ending.OPTIMAL
                if control[HEAD] == len(self):
                    return Ending.UNSOLVABLE
                return Ending.DEPTH
            if status == FULL and not self._grow():
                return Ending.MEMORY if self.most_states != limits.nodes else Ending.NODES
            if self.search.is_stopped:
                return Ending.STOPPED
            self.search.report(self.statistics(int(control[LAYER])))

    def _run_kernel(self) -> int:
        stepper = self.stepper
        return stepper.kernels.search(
            *stepper.arrays, stepper.memo.arrays, *stepper.scratch, *stepper.results, self._moved, self._keys,
            self.slots, self._last_moves, self.layers, self.control, self.search.stop_flag,
        )  # fmt: skip

    def _grow(self) -> bool:
        """Double the hash table, as far as the limits allow; whether there is room for more states."""
        most_slots = int(self.most_states / MOST_FULL) + 1
        if len(self.slots) >= most_slots:
            return False
        self._set_slots(min(2 * len(self.slots), most_slots))
        return True

    def _set_slots(self, size: int) -> None:
        self.slots = np.zeros(0, np.uint32)  # frees the old table before the new one is made
        self.slots = np.zeros(size, np.uint32)
        self._last_moves = np.zeros(1 << (size // SLOTS_A_RING_ENTRY).bit_length() - 1, np.uint32)
        # The table has at least four slots for each successor of a batch, so one more batch fits in.
        self.control[CAPACITY] = min(self.most_states, int(MOST_FULL * size))
        self.stepper.kernels.fill(self._keys, 0, len(self), self.slots)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """The index of each of `keys`, (n, words); -1 for one that was not found."""
        indices = np.empty(len(keys), np.int64)
        wanted = self.stepper.keys(np.ascontiguousarray(keys))
        self.stepper.kernels.look_up(wanted, self._keys, self.slots, indices)
        return indices

    def links_to(self, indices: np.ndarray, depth: int, nearest_only: bool = False) -> np.ndarray:
        """The links of all shortest paths to positions of one depth, (n, 2): a position and one a step after it.

        Those to deeper positions come first. With `nearest_only`, those of one shortest path to each.
        """
        back = Stepper(self.stepper.tables, self.stepper.metric, back=True, many=not self.stepper.is_one_word)
        most = (depth + 1) * len(indices) if nearest_only else len(self)
        # The system gives memory only to pages that are written to.
        queue = np.empty(most + 1, np.int64)
        queue[: len(indices)] = indices
        seen = np.zeros(0 if nearest_only else len(self), np.uint8)
        links = np.empty((most + len(back.out), 2), np.int64)
        at = np.array([0, len(indices), depth, len(indices), 0], np.int64)
        while not back.kernels.link(
            *back.arrays, *back.scratch, *back.results, self._keys, self.slots, self.layers, nearest_only, seen, queue,
            links, at,
        ):  # fmt: skip
            links = np.concatenate([links, np.empty_like(links)])
        return links[: at[breadth_first.LINKS]]

    def path_to(self, index: int) -> np.ndarray:
        """One shortest path to a position: the indices of its positions, a root first."""
        links = self.links_to(np.array([index]), self.depth_of(index), nearest_only=True)
        return np.append(links[::-1, 0], index)
