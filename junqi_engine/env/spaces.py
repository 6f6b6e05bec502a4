"""What observations are for Gymnasium."""

import numpy as np
from gymnasium import spaces

from junqi_engine.env.observation import Observer

MOST_COUNT = 1000.0
"""No entry of `counts` is larger: no game has a million plies."""


def space_of(observer: Observer) -> spaces.Dict:
    """The space of the observations of a seat."""
    points = len(observer.frame(0).absolute)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (points, observer.channels), np.uint8),
            "counts": spaces.Box(0, MOST_COUNT, (observer.count_entries,), np.float32),
            "action_mask": spaces.Box(0, 1, (points * points,), np.int8),
        }
    )
