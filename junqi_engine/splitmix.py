"""splitmix64: random numbers, and keys of hash tables."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The increment of the generator's state: each random number is `mix(state)` after `state += GOLDEN`."""


@kernel(types.uint64(types.uint64))
def mix(state):
    """The output function of splitmix64 (Steele, Lea and Flood 2014)."""
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return state ^ state >> np.uint64(31)
