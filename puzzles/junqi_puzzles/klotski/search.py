"""Breadth-first search in memory: the Python side of the kernels.

Every position found is kept: 8 bytes for its key, 16 for a wide one, and 4 bytes for a slot of the hash table, which is
between 0.35 and 0.7 full. A ring, of 4 bytes for eight slots, has the moves that led to the newest positions. Positions
lie in the order in which they were found, so the depth of each and the path back to the start need no memory.
"""

from functools import cached_property
from typing import Any

import numpy as np

from junqi_puzzles.base import Ending, Search, Statistics
from junqi_puzzles.klotski import breadth_first
from junqi_puzzles.klotski.breadth_first import (
    CONTROL,
    DONE,
    EVERYTHING,
    FULL,
    LINKING,
    MAX_LAYERS,
    Paths,
    StateStore,
)
from junqi_puzzles.klotski.memo import AT_ONCE, Memo, memo_of
from junqi_puzzles.klotski.steps import Buffers
from junqi_puzzles.klotski.tables import Tables
from junqi_puzzles.klotski.words import NARROW
from junqi_puzzles.metric import Metric

DEFAULT_MEMORY_BYTES = 1 << 31
FIRST_SLOTS = 1 << 16
MAX_LOAD_FACTOR = 0.7
SLOTS_A_RING_ENTRY = 8
BYTES_A_SLOT = 4 + 4 / SLOTS_A_RING_ENTRY
STATES_A_CALL = 1 << 18
STATES_A_BATCH = 64
"""Maximum number of states that are expanded together: the reads of memory for their successors then overlap."""
SUCCESSORS_A_BATCH = 1 << 14
MAX_DEPTH = MAX_LAYERS - 2


def kernels_for(tables: Tables) -> Any:
    """The module of kernels for the keys of a board. Kernels for wide keys are compiled on first use."""
    if tables.dtype == NARROW:
        return breadth_first
    from junqi_puzzles.klotski import wide

    wide.prepare()
    return wide


class Expander:
    """The steps of one puzzle in one metric, forwards or (`back`) backwards."""

    def __init__(self, tables: Tables, metric: Metric, back: bool = False) -> None:
        self.tables = tables
        self.metric = metric
        self.is_back = back
        self.kernels = kernels_for(tables)
        self.batch = max(1, min(STATES_A_BATCH, SUCCESSORS_A_BATCH // tables.max_successors))
        self.steps = (tables.reversed_steps if back else tables.steps)._replace(max_cells=metric.max_cells)
        successors = tables.max_successors * self.batch + int(AT_ONCE)
        room = len(tables.cells) + 2
        self.buffers = Buffers(
            place=np.zeros(room, np.int32),
            field_of=np.zeros(room, np.int32),
            movable=np.zeros(room, np.int32),
            out=np.empty(successors, tables.dtype),
            origin=np.empty(successors, np.int64),
            last_moves=np.zeros(self.batch, np.uint32),
            moved=np.empty(successors, np.uint32),
        )

    @cached_property
    def memo(self) -> Memo | None:
        """The memo of these steps, shared by all searches with the same tables; None for wide keys."""
        kind = self.metric, self.is_back
        if self.tables.dtype != NARROW:
            return None
        if kind not in self.tables.memos:
            self.tables.memos[kind] = memo_of(self.tables)
        return self.tables.memos[kind]

    def successors(self, key: Any) -> np.ndarray:
        """The keys one step after `key`."""
        count = self.kernels.expand(np.array([key]), 0, 1, self.steps, self.buffers)
        return self.buffers.out[:count].copy()


class States:
    """The positions found from `roots`, keys (n,), all of depth 0."""

    def __init__(self, expander: Expander, roots: np.ndarray, search: Search) -> None:
        self.expander = expander
        self.search = search
        limits = search.limits
        size = expander.tables.dtype.itemsize
        self.max_states = int(search.memory_bytes(DEFAULT_MEMORY_BYTES) / (size + BYTES_A_SLOT / MAX_LOAD_FACTOR))
        if limits.nodes is not None:
            self.max_states = min(self.max_states, limits.nodes)
        # The room for keys is reserved whole; the system gives memory only to pages that are written to.
        self._keys = np.empty(self.max_states + len(expander.buffers.out) + len(roots), expander.tables.dtype)
        self._keys[: len(roots)] = roots
        self.layers = np.zeros(MAX_LAYERS, np.int64)
        self.layers[1] = len(roots)
        self.control = np.zeros(1, CONTROL)[0]
        self.control["count"] = len(roots)
        self.control["goal"] = -1
        self.control["batch"] = expander.batch
        goals = np.flatnonzero(self.is_goal(roots))
        if len(goals):
            self.control["goal"] = goals[0]
        self._set_slots(max(FIRST_SLOTS, 2 * len(roots), 4 * len(expander.buffers.out)))

    def __len__(self) -> int:
        return int(self.control["count"])

    @property
    def keys(self) -> np.ndarray:
        return self._keys[: len(self)]

    @property
    def memory_bytes(self) -> int:
        return self.keys.nbytes + self._slots.nbytes + self._last_moves.nbytes

    @property
    def depth(self) -> int:
        """The depth of the deepest layer that is complete; -1 when not even the roots were expanded."""
        layer = int(self.control["layer"])
        return layer + (1 if self.control["head"] == self.layers[layer + 1] and len(self) > self.control["head"] else 0)

    @property
    def first_goal(self) -> int:
        """The index of the first goal found, or -1."""
        return int(self.control["goal"])

    def statistics(self, depth: int | None = None, solution_count: int | None = None) -> Statistics:
        return Statistics(len(self), self.depth if depth is None else depth, self.memory_bytes, solution_count)

    def is_goal(self, keys: np.ndarray) -> np.ndarray:
        mask, value = self.expander.steps.goal.view(np.uint64).reshape(2, -1)
        return (keys.view(np.uint64).reshape(len(keys), -1) & mask == value).all(axis=1)

    def layer(self, depth: int) -> slice:
        """The indices of the positions of one depth found so far."""
        end = self.layers[depth + 1] if depth <= self.control["layer"] else len(self)
        return slice(int(self.layers[depth]), int(end))

    def goals(self, depth: int) -> np.ndarray:
        layer = self.layer(depth)
        return np.flatnonzero(self.is_goal(self._keys[layer])) + layer.start

    def depth_of(self, index: int) -> int:
        return int(np.searchsorted(self.layers[: int(self.control["layer"]) + 2], index, side="right")) - 1

    def run(self, want: int) -> Ending:
        """Search until a goal is found as `want` says (see `CONTROL`) or a limit is reached."""
        control, limits = self.control, self.search.limits
        max_depth = MAX_DEPTH if limits.depth is None else min(limits.depth, MAX_DEPTH)
        control["want"] = want
        control["max_depth"] = max_depth - 1
        control["budget"] = STATES_A_CALL
        if max_depth == 0:
            return Ending.OPTIMAL if control["goal"] >= 0 else Ending.DEPTH
        while True:
            status = self.expander.kernels.search(
                self.expander.steps, self.expander.memo, self.expander.buffers, self._store, control,
                self.search.stop_flag,
            )  # fmt: skip
            if status == DONE:
                if control["goal"] >= 0 and want != EVERYTHING:
                    return Ending.OPTIMAL
                if control["head"] == len(self):
                    return Ending.UNSOLVABLE
                return Ending.DEPTH
            if status == FULL and not self._grow():
                return Ending.MEMORY if self.max_states != limits.nodes else Ending.NODES
            if self.search.is_stopped:
                return Ending.STOPPED
            self.search.report(self.statistics(int(control["layer"])))

    @property
    def _store(self) -> StateStore:
        return StateStore(self._keys, self._slots, self.layers, self._last_moves)

    def _grow(self) -> bool:
        """Double the hash table, as far as the limits allow; False if there is no room for more states."""
        max_slots = int(self.max_states / MAX_LOAD_FACTOR) + 1
        if len(self._slots) >= max_slots:
            return False
        self._set_slots(min(2 * len(self._slots), max_slots))
        return True

    def _set_slots(self, size: int) -> None:
        self._slots = np.zeros(0, np.uint32)  # frees the old table before the new one is made
        self._slots = np.zeros(size, np.uint32)
        self._last_moves = np.zeros(1 << (size // SLOTS_A_RING_ENTRY).bit_length() - 1, np.uint32)
        # The table has at least four slots for each successor of a batch, so one more batch fits in.
        self.control["capacity"] = min(self.max_states, int(MAX_LOAD_FACTOR * size))
        self.expander.kernels.fill(self._keys, 0, len(self), self._slots)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """The index of each of `keys`, (n,); -1 for a key that was not found."""
        indices = np.empty(len(keys), np.int64)
        self.expander.kernels.look_up(keys, self._keys, self._slots, indices)
        return indices

    def links_to(self, indices: np.ndarray, depth: int, nearest_only: bool = False) -> np.ndarray:
        """The links of all shortest paths to positions of one depth, (n, 2): a position and one a step after it.

        Links to deeper positions come first. With `nearest_only`, the links of one shortest path to each.
        """
        back = Expander(self.expander.tables, self.expander.metric, back=True)
        max_links = (depth + 1) * len(indices) if nearest_only else len(self)
        # The system gives memory only to pages that are written to.
        paths = Paths(
            queue=np.empty(max_links + 1, np.int64),
            seen=np.zeros(0 if nearest_only else len(self), np.uint8),
            links=np.empty((max_links + len(back.buffers.out), 2), np.int64),
        )
        paths.queue[: len(indices)] = indices
        linking = np.array([(nearest_only, 0, len(indices), depth, len(indices), 0)], LINKING)[0]
        while not back.kernels.link(back.steps, back.buffers, self._store, paths, linking):
            paths = paths._replace(links=np.concatenate([paths.links, np.empty_like(paths.links)]))
        return paths.links[: linking["links"]]

    def path_to(self, index: int) -> np.ndarray:
        """One shortest path to a position: the indices of its positions, a root first."""
        links = self.links_to(np.array([index]), self.depth_of(index), nearest_only=True)
        return np.append(links[::-1, 0], index)
