"""Breadth-first search by sorted layers, for puzzles that outgrow the hash table.

Each layer is a sorted array of keys. The successors of a layer are made in runs, sorted, merged range by range, and
what lies in the layer itself or the one before is left out: in a puzzle whose every step can be taken back nothing else
can turn up again (Korf, Delayed duplicate detection, 2003). Where a piece can leave a gate and not come back,
all layers before are looked through. Every layer is kept, 8 bytes a word of a position, in memory or in a folder, so
that the way back can be found.
"""

import itertools
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from puzzles.base import PuzzleError
from puzzles.klotski.search import Ending, Limits, Progress, Stepper
from puzzles.klotski.tables import Tables

RUN_STATES = 1 << 14
RANGE_KEYS = 1 << 18


@dataclass(frozen=True)
class FrontierResult:
    """`way` holds the keys from the start to the goal, (steps + 1, words); None when there is none."""

    ending: Ending
    way: np.ndarray | None
    depth: int
    states: int
    bytes: int


class Column:
    """Keys written one after the other, to memory or, when a `path` is given, to a file of that name."""

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


class Frontier:
    """A search from one position; `folder` is where layers go, None to keep them in memory."""

    def __init__(self, tables: Tables, metric: str, limits: Limits, folder: Path | None) -> None:
        self.tables = tables
        self.limits = limits
        self.folder = folder
        self.forward = Stepper(tables, metric)
        self.back = Stepper(tables, metric, back=True)
        self.layers: list[np.ndarray] = []
        self.states = 0

    @property
    def stopped(self) -> bool:
        return self.limits.stop_flag is not None and bool(self.limits.stop_flag[0])

    @property
    def bytes(self) -> int:
        return sum(layer.nbytes for layer in self.layers)

    def run(self, start: np.ndarray) -> FrontierResult:
        layer = _ordered(start[None, :])
        while True:
            self.layers.append(layer)
            self.states += len(layer)
            goal = self._goal_in(layer)
            if goal is not None:
                return self._result(Ending.FOUND, self._way_to(goal))
            if len(self.layers) > self.limits.depth:
                return self._result(Ending.DEPTH)
            self.limits.progress(Progress(len(self.layers) - 1, self.states, self.bytes))
            following = self._next_layer(layer)
            if isinstance(following, Ending):
                return self._result(following)
            if not len(following):
                return self._result(Ending.EXHAUSTED)
            layer = following

    def _result(self, ending: Ending, way: np.ndarray | None = None) -> FrontierResult:
        return FrontierResult(ending, way, len(self.layers) - 1, self.states, self.bytes)

    def _next_layer(self, layer: np.ndarray) -> np.ndarray | Ending:
        """The layer after the last one; or why there is none."""
        words = self.tables.words
        runs = Column(words, self.folder / "runs" if self.folder else None)
        bounds = [0]
        for begin in range(0, len(layer), RUN_STATES):
            keys, _ = self.forward.expand(_rows(layer[begin : begin + RUN_STATES], words))
            runs.append(_unique(_ordered(keys)))
            bounds.append(runs.length)
            if self.stopped:
                runs.close()
                return Ending.STOPPED
            if self.limits.states is not None and self.states > self.limits.states:
                runs.close()
                return Ending.STATES
            # Merging needs the runs twice for a moment: as they are and as the new layer.
            if self.folder is None and self.bytes + 16 * words * runs.length > self.limits.bytes:
                return Ending.OUTGROWN
            self.limits.progress(Progress(len(self.layers) - 1, self.states, self.bytes + 8 * words * runs.length))
        everything = runs.finish()
        pieces = [everything[begin:end] for begin, end in itertools.pairwise(bounds)]
        earlier = self.layers[-2:] if self.tables.is_reversible else self.layers
        path = self.folder / f"layer-{len(self.layers)}" if self.folder else None
        merged = Column(words, path)
        samples = np.sort(everything[:: RANGE_KEYS // 16])[16::16] if len(everything) > RANGE_KEYS else everything[:0]
        ranges = [[0, *np.searchsorted(keys, samples), len(keys)] for keys in [*pieces, *earlier]]
        for number in range(len(samples) + 1):
            slices = [
                keys[cut[number] : cut[number + 1]] for keys, cut in zip([*pieces, *earlier], ranges, strict=True)
            ]
            fresh = _unique(np.concatenate(slices[: len(pieces)]))
            for old in slices[len(pieces) :]:
                fresh = fresh[~_is_in(fresh, old)]
            merged.append(fresh)
            if self.stopped:
                merged.close()
                return Ending.STOPPED
        return merged.finish()

    def _goal_in(self, layer: np.ndarray) -> np.ndarray | None:
        if not self.tables.goal_is_reachable:
            return None
        for begin in range(0, len(layer), RANGE_KEYS):
            keys = _rows(layer[begin : begin + RANGE_KEYS], self.tables.words)
            goals = ((keys & self.tables.goal_mask) == self.tables.goal_value).all(axis=1)
            if goals.any():
                return keys[int(goals.argmax())]
        return None

    def _way_to(self, goal: np.ndarray) -> np.ndarray:
        way = [goal]
        for layer in self.layers[-2::-1]:
            keys, _ = self.back.expand(way[-1][None, :])
            way.append(keys[_is_in(_ordered(keys), layer)][0])
        return np.array(way[::-1])


def frontier_search(tables: Tables, start: np.ndarray, metric: str, limits: Limits, disk: str | None) -> FrontierResult:
    """The fewest steps from the key `start` by frontier search, in the folder `disk` or, with None, in memory.

    A PuzzleError `bad-file` when the folder can't be written to. All files are removed at the end.
    """
    if disk is None:
        return Frontier(tables, metric, limits, None).run(start)
    try:
        with tempfile.TemporaryDirectory(prefix="klotski-", dir=disk, ignore_cleanup_errors=True) as folder:
            return Frontier(tables, metric, limits, Path(folder)).run(start)
    except OSError as error:
        raise PuzzleError("bad-file", f"the folder Disk: {error}") from error


def _ordered(keys: np.ndarray) -> np.ndarray:
    """Keys (n, words) as one sortable value each: numbers, or for several words strings of big-endian bytes."""
    if keys.shape[1] == 1:
        return keys[:, 0]
    return np.ascontiguousarray(keys).byteswap().view(f"S{8 * keys.shape[1]}")[:, 0]


def _unique(values: np.ndarray) -> np.ndarray:
    """The values in order, each once: by sorting, which for numbers is several times as fast as numpy.unique."""
    values = np.sort(values)
    if len(values) < 2:
        return values
    return values[np.concatenate([[True], values[1:] != values[:-1]])]


def _rows(ordered: np.ndarray, words: int) -> np.ndarray:
    """The keys (n, words) that `_ordered` made values of."""
    if words == 1:
        return np.ascontiguousarray(ordered)[:, None]
    return np.ascontiguousarray(ordered).view(np.uint64).reshape(-1, words).byteswap()


def _is_in(values: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """Whether each of `values` is in an `ordered` array."""
    if not len(ordered):
        return np.zeros(len(values), bool)
    places = np.searchsorted(ordered, values)
    return ordered[np.minimum(places, len(ordered) - 1)] == values
