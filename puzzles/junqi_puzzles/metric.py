"""The metrics of sliding puzzles: the only definition of a step, for kernels, checks of moves and the protocol."""

from enum import Enum

ANY_PATH = 0
ANY_LENGTH = 1 << 16


class Metric(Enum):
    """The definition of one step. The value is the metric's name in the protocol.

    `max_cells`: the greatest number of cells, all in one direction; `ANY_PATH`: any path of any length.
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
        """The reason why a path, a letter for each cell, is more than one step; None if it is one."""
        if self.max_cells == ANY_PATH:
            return None
        if len(path) > self.max_cells:
            return f"in metric {self.value} a piece moves at most {self.max_cells} cell{'s' * (self.max_cells > 1)}"
        if len(set(path)) > 1:
            return f"in metric {self.value} a piece moves in one direction"
        return None

    def allows(self, path: str) -> bool:
        return self.max_cells == ANY_PATH or self.fault(path) is None
