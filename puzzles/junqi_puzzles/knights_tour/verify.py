"""The check of whether an array of steps is a knight's tour, in one pass."""

import numpy as np
from numba import types

from junqi_engine.kernels import kernel
from junqi_puzzles.knights_tour.search import COLUMN_STEPS, ROW_STEPS

STEPS = types.Array(types.int32, 2, "C")


@kernel(types.boolean(STEPS, types.int64, types.int64, types.int32))
def leads_to(steps, row, column, wanted):
    """Whether a knight's move leads from a square to one with the step `wanted`."""
    for move in range(8):
        to_row = row + ROW_STEPS[move]
        to_column = column + COLUMN_STEPS[move]
        if 0 <= to_row < steps.shape[0] and 0 <= to_column < steps.shape[1] and steps[to_row, to_column] == wanted:
            return True
    return False


@kernel(types.int64(STEPS, types.boolean))
def count_faults(steps, closed):
    """The number of squares with an invalid step or without a move to the next one (if `closed`, from the last to 0).

    If there are no faults, and a square with step 0, every step occurs. There are as many squares as steps, so each
    occurs once: nothing else has to be checked.
    """
    rows, columns = steps.shape
    size = np.int32(steps.size)
    faults = 0
    for row in range(rows):
        for column in range(columns):
            number = steps[row, column]
            following = np.int32(number + np.int32(1))
            wanted = np.int32(0) if following == size and closed else following
            is_found = leads_to(steps, row, column, wanted) or (following == size and not closed)
            if not is_found or number < 0 or number >= size:
                faults += 1
    return faults


def verify(steps: np.ndarray, closed: bool = False) -> bool:
    """Whether `steps` (rows x columns of integers, from 0) is a tour; 1 x 1 is an open one."""
    if steps.ndim != 2 or steps.size == 0:
        return False
    if steps.size == 1:
        return bool(steps[0, 0] == 0) and not closed
    if steps.dtype != np.int32:
        if steps.min() < 0 or steps.max() >= steps.size:
            return False
        steps = steps.astype(np.int32)
    return int(count_faults(np.ascontiguousarray(steps), closed)) == 0 and bool((steps == 0).any())
