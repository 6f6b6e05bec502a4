"""Breadth-first search by sorted layers, for puzzles that need more memory than the hash table has.

Each layer is a sorted array of keys. The successors of a layer are made in runs, sorted and merged range by range; keys
of the layer itself or of the one before are removed. In a puzzle whose every step can be taken back, no other key can
occur again (Korf, "Delayed duplicate detection", 2003, as frontier search). Where a piece can leave a gate and not come
back, all layers before are searched. Every layer is kept, 8 bytes for each word of a key, in memory or in a folder, so
that the path back can be found.
"""

import itertools
import tempfile
from pathlib import Path

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Ending, Search, Statistics
from junqi_puzzles.klotski.search import DEEPEST_LAYER, DEFAULT_MEMORY_BYTES, Stepper
from junqi_puzzles.klotski.tables import Tables
from junqi_puzzles.metric import Metric

RUN_KEYS = 1 << 17
RANGE_KEYS = 1 << 17
"""How many keys are made, or merged, between two looks at the stop flag, about: some 30 ms of work."""

Result = tuple[Ending, np.ndarray | None, Statistics]
"""The ending; the keys from the start to the goal, (steps + 1, words), None without a solution; what was done."""


def search_by_sorted_layers(
    tables: Tables, start: np.ndarray, metric: Metric, search: Search, disk: str | None
) -> Result:
    """The fewest steps from the key `start`, with the layers in the folder `disk` or, with None, in memory.

    A `Refused` bad-file when the folder cannot be written to. All files are removed at the end.
    """
    if disk is None:
        return SortedLayers(tables, metric, search, None).run(start)
    try:
        with tempfile.TemporaryDirectory(prefix="klotski-", dir=disk, ignore_cleanup_errors=True) as folder:
            return SortedLayers(tables, metric, search, Path(folder)).run(start)
    except OSError as error:
        raise Refused("bad-file", f"the folder Disk: {error}") from error


class Column:
    """Keys appended one after the other, in memory or, when a `path` is given, in a file of that name."""

    def __init__(self, words: int, path: Path | None) -> None:
        self.dtype = np.dtype(np.uint64) if words == 1 else np.dtype(f"S{8 * words}")
        self.path = path
        self.length = 0
        self._parts: list[np.ndarray] = []
        self._file = path.open("wb") if path else None

    def append(self, keys: np.ndarray) -> None:
        self.length += len(keys)
        if self._file:
            keys.tofile(self._file)
        else:
            self._parts.append(keys)

    def close(self) -> None:
        if self._file:
            self._file.close()

    def finish(self) -> np.ndarray:
        """All keys as one array, which is mapped from the file if there is one."""
        if self._file and self.path:
            self.close()
            return np.memmap(self.path, self.dtype, "r") if self.length else np.empty(0, self.dtype)
        whole = np.concatenate(self._parts) if self._parts else np.empty(0, self.dtype)
        self._parts = []
        return whole


class SortedLayers:
    """A search from one position; `folder` is where layers are written, None to keep them in memory."""

    def __init__(self, tables: Tables, metric: Metric, search: Search, folder: Path | None) -> None:
        self.tables = tables
        self.search = search
        self.folder = folder
        self.forward = Stepper(tables, metric)
        self.back = Stepper(tables, metric, back=True)
        self.layers: list[np.ndarray] = []
        self.states = 0

    @property
    def memory_bytes(self) -> int:
        return sum(layer.nbytes for layer in self.layers)

    def run(self, start: np.ndarray) -> Result:
        deepest = DEEPEST_LAYER if self.search.limits.depth is None else self.search.limits.depth
        layer = _ordered(start[None, :])
        while True:
            self.layers.append(layer)
            self.states += len(layer)
            goal = self._goal_in(layer)
            if goal is not None:
                return Ending.OPTIMAL, self._path_to(goal), self.statistics()
            if len(self.layers) > deepest:
                return Ending.DEPTH, None, self.statistics()
            self.search.report(self.statistics())
            following = self._next_layer(layer)
            if isinstance(following, Ending):
                return following, None, self.statistics()
            if not len(following):
                return Ending.UNSOLVABLE, None, self.statistics()
            layer = following

    def statistics(self, more_bytes: int = 0) -> Statistics:
        return Statistics(self.states, len(self.layers) - 1, self.memory_bytes + more_bytes)

    def _next_layer(self, layer: np.ndarray) -> np.ndarray | Ending:
        """The layer after the last one; or why the search ends."""
        words = self.tables.words
        runs = Column(words, self.folder / "runs" if self.folder else None)
        bounds = [0]
        begin, run_states = 0, max(1, RUN_KEYS // self.forward.most)
        while begin < len(layer):
            ending = self._limit_met(runs.length)
            if ending is not None:
                runs.close()
                return ending
            states = _rows(layer[begin : begin + run_states], words)
            keys, _ = self.forward.expand(states)
            runs.append(_unique(_ordered(keys)))
            bounds.append(runs.length)
            begin += len(states)
            run_states = max(1, RUN_KEYS * len(states) // max(1, len(keys)))
            self.search.report(self.statistics(8 * words * runs.length))
        everything = runs.finish()
        pieces = [everything[begin:end] for begin, end in itertools.pairwise(bounds)]
        earlier = self.layers[-2:] if self.tables.is_reversible else self.layers
        path = self.folder / f"layer-{len(self.layers)}" if self.folder else None
        merged = Column(words, path)
        samples = np.sort(everything[:: RANGE_KEYS // 16])[16::16] if len(everything) > RANGE_KEYS else everything[:0]
        ranges = []
        for keys in [*pieces, *earlier]:
            if self.search.is_stopped:
                merged.close()
                return Ending.STOPPED
            ranges.append([0, *np.searchsorted(keys, samples), len(keys)])
        for number in range(len(samples) + 1):
            slices = [
                keys[cut[number] : cut[number + 1]] for keys, cut in zip([*pieces, *earlier], ranges, strict=True)
            ]
            fresh = _unique(np.concatenate(slices[: len(pieces)]))
            for old in slices[len(pieces) :]:
                if self.search.is_stopped:
                    merged.close()
                    return Ending.STOPPED
                fresh = fresh[~_is_in(fresh, old)]
            merged.append(fresh)
        return merged.finish()

    def _limit_met(self, keys_in_runs: int) -> Ending | None:
        limits = self.search.limits
        if self.search.is_stopped:
            return Ending.STOPPED
        if limits.nodes is not None and self.states > limits.nodes:
            return Ending.NODES
        # Merging needs the runs twice for a moment: as they are and as the new layer.
        needed = self.memory_bytes + 16 * self.tables.words * keys_in_runs
        if self.folder is None and needed > self.search.memory_bytes(DEFAULT_MEMORY_BYTES):
            return Ending.MEMORY
        return None

    def _goal_in(self, layer: np.ndarray) -> np.ndarray | None:
        if not self.tables.goal_is_reachable:
            return None
        for begin in range(0, len(layer), RANGE_KEYS):
            if self.search.is_stopped:
                return None
            keys = _rows(layer[begin : begin + RANGE_KEYS], self.tables.words)
            goals = ((keys & self.tables.goal_mask) == self.tables.goal_value).all(axis=1)
            if goals.any():
                return keys[int(goals.argmax())]
        return None

    def _path_to(self, goal: np.ndarray) -> np.ndarray:
        path = [goal]
        for layer in self.layers[-2::-1]:
            keys, _ = self.back.expand(path[-1][None, :])
            path.append(keys[_is_in(_ordered(keys), layer)][0])
        return np.array(path[::-1])


def _ordered(keys: np.ndarray) -> np.ndarray:
    """Keys (n, words) as one sortable value each: numbers, or for several words strings of big-endian bytes."""
    if keys.shape[1] == 1:
        return keys[:, 0]
    return np.ascontiguousarray(keys).byteswap().view(f"S{8 * keys.shape[1]}")[:, 0]


def _unique(values: np.ndarray) -> np.ndarray:
    """The values in order, each once. Sorting numbers is several times as fast as numpy.unique."""
    values = np.sort(values)
    if len(values) < 2:
        return values
    return values[np.concatenate([[True], values[1:] != values[:-1]])]


def _rows(ordered: np.ndarray, words: int) -> np.ndarray:
    """The inverse of `_ordered`: keys (n, words)."""
    if words == 1:
        return np.ascontiguousarray(ordered)[:, None]
    return np.ascontiguousarray(ordered).view(np.uint64).reshape(-1, words).byteswap()


def _is_in(values: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    if not len(ordered):
        return np.zeros(len(values), bool)
    places = np.searchsorted(ordered, values)
    return ordered[np.minimum(places, len(ordered) - 1)] == values
