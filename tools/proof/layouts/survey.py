"""The layouts of one set of pieces: their components, and the distance of each to the nearest goal."""

import io
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from puzzles.base import Limits, Search
from puzzles.klotski import to_code
from puzzles.klotski.breadth_first import EVERYTHING
from puzzles.klotski.search import States, Stepper
from puzzles.metric import Metric
from tools.proof.layouts.enumeration import HEIGHT, WIDTH, Layouts, Pieces

UNREACHABLE = 0xFFFF
FORMAT = 1
BYTES_A_LAYOUT = 32
FEWEST_BYTES = 1 << 24
SMALL_COMPONENT = 1 << 10


@dataclass(frozen=True)
class Hardest:
    """The greatest distance to the nearest goal in one metric, how many layouts have it, and one of them as a code."""

    steps: int
    layouts: int
    code: str


@dataclass(frozen=True)
class Summary:
    """What there is to know of a set of pieces: components, how many of them have a goal, layouts in those.

    `hardest` is by the name of the metric; it is empty where no layout can reach a goal.
    """

    pieces: Pieces
    layouts: int
    components: int
    solvable_components: int
    solvable: int
    hardest: dict[str, Hardest]

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Summary":
        """The inverse of `dataclasses.asdict`; `TypeError`, `ValueError` or `KeyError` for anything else."""
        hardest = {Metric(name).value: Hardest(**found) for name, found in fields["hardest"].items()}
        return cls(**{**fields, "pieces": Pieces(**fields["pieces"]), "hardest": hardest})


@dataclass(frozen=True)
class Result:
    """A summary, and for each layout, in the order of `Layouts.keys`, its component and its distances.

    `component` (n,) uint32 numbers the components, those with a goal first. `distance` has for the name of each metric
    an array (n,) of uint16, `UNREACHABLE` where no goal can be reached.
    """

    summary: Summary
    component: np.ndarray
    distance: dict[str, np.ndarray]

    def to_bytes(self) -> bytes:
        """The result as the contents of a compressed .npz file."""
        about = json.dumps({"format": FORMAT, **asdict(self.summary)}).encode()
        arrays = {f"distance_{name}": found for name, found in self.distance.items()}
        file = io.BytesIO()
        np.savez_compressed(
            file, about=np.frombuffer(about, np.uint8), component=self.component, **arrays  # type: ignore[arg-type]
        )  # fmt: skip
        return file.getvalue()


def survey(pieces: Pieces, width: int = WIDTH, height: int = HEIGHT) -> Result:
    """Visit all layouts of a set of pieces: once for the components, and once for the distances in each metric."""
    layouts = Layouts(pieces, width, height)
    keys = layouts.keys()
    tables = layouts.tables
    is_goal = ((keys & tables.goal_mask) == tables.goal_value).all(axis=1)
    component, components, solvable_components = _components(layouts, keys, is_goal)
    distance = {metric.value: _distances(layouts, keys, keys[is_goal], metric) for metric in Metric}
    hardest = {name: _hardest(layouts, keys, found) for name, found in distance.items() if is_goal.any()}
    summary = Summary(
        pieces=pieces,
        layouts=len(keys),
        components=components,
        solvable_components=solvable_components,
        solvable=int((component < solvable_components).sum()),
        hardest=hardest,
    )
    return Result(summary, component, distance)


def survey_to_bytes(pieces: Pieces) -> bytes:
    """The result for a set of pieces on the classic board as the contents of its file, for another process."""
    return survey(pieces).to_bytes()


def _search(layouts: Layouts, roots: np.ndarray, metric: Metric) -> States:
    room = Limits(memory_bytes=FEWEST_BYTES + BYTES_A_LAYOUT * len(layouts))
    return States(Stepper(layouts.tables, metric), roots, Search(room))


def _components(layouts: Layouts, keys: np.ndarray, is_goal: np.ndarray) -> tuple[np.ndarray, int, int]:
    """The component of each layout, how many components there are, and how many of them, the first ones, have a goal.

    What is connected is the same in every metric. One search after the other begins at a layout that none before has
    found, and fills one component.
    """
    if not len(keys):
        return np.zeros(0, np.uint32), 0, 0
    in_order = np.concatenate([keys[is_goal], keys[~is_goal]])
    states = _search(layouts, in_order[:1], Metric.UNIT)
    states.run(EVERYTHING)
    begins = [0]
    solvable = int(is_goal.any())
    small: set[int] = set()
    while True:
        missing = in_order[states.find(in_order) < 0]
        if not len(missing):
            break
        for key in missing:
            if int(key[0]) in small:
                continue
            begins.append(len(states))
            solvable += bool(states.is_goal(key[None, :])[0])
            states.begin_again(key)
            states.run(EVERYTHING)
            if len(states) - begins[-1] > SMALL_COMPONENT:
                break
            small.update(states.keys[begins[-1] :, 0].tolist())
        else:
            break
    found = states.find(keys)
    component = np.searchsorted(begins, found, side="right") - 1
    return component.astype(np.uint32), len(begins), solvable


def _distances(layouts: Layouts, keys: np.ndarray, goals: np.ndarray, metric: Metric) -> np.ndarray:
    """The distance of each layout to the nearest goal: every step can be taken back, so the search begins there."""
    if not len(goals):
        return np.full(len(keys), UNREACHABLE, np.uint16)
    states = _search(layouts, goals, metric)
    states.run(EVERYTHING)
    found = states.find(keys)
    depth = np.searchsorted(states.layers[: states.depth + 2], found, side="right") - 1
    return np.where(found < 0, UNREACHABLE, depth).astype(np.uint16)


def _hardest(layouts: Layouts, keys: np.ndarray, distance: np.ndarray) -> Hardest:
    """Of the layouts with the greatest distance the first."""
    steps = int(distance[distance != UNREACHABLE].max())
    all_hardest = np.flatnonzero(distance == steps)
    pieces = layouts.tables.pieces(keys[all_hardest[0]])
    board = replace(layouts.tables.board, pieces=pieces)
    return Hardest(steps, len(all_hardest), to_code(board) if (board.width, board.height) == (WIDTH, HEIGHT) else "")
