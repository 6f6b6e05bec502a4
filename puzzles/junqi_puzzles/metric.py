"""The metrics of sliding puzzles: what counts as one step.

This is the only definition of a metric, for the kernels, the check of a move and the protocol's option.
"""

from enum import Enum

ANY_PATH = 0
ANY_LENGTH = 1 << 16


class Metric(Enum):
    """What a piece does in one step. The value is the metric's name in the protocol.

    `max_cells`: how many cells the piece goes at most, all in one direction; `ANY_PATH`: any path, of any length.
    """

    MOVE = "move", ANY_PATH
    LINE = "line", ANY_LENGTH
    UNIT = "unit", 1

    max_cells: int

    def __new__(cls, name: str, max_cells: int = ANY_PATH) -> "Metric":
        metric = object.__new__(cls)
        metric._value_ = name
        metric.max_cells = max_cells
        return metric

    def fault(self, path: str) -> str | None:
        """Why a path, a letter for each cell, is longer than one step; None if it is not."""
        if self.max_cells == ANY_PATH:
            return None
        if len(path) > self.max_cells:
            return f"in metric {self.value} a piece moves at most {self.max_cells} cell{'s' * (self.max_cells > 1)}"
        if len(set(path)) > 1:
            return f"in metric {self.value} a piece moves in one direction"
        return None

    def allows(self, path: str) -> bool:
        """Whether a path is at most one step."""
        return self.max_cells == ANY_PATH or self.fault(path) is None
