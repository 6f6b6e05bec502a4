"""What the kernels know of 64-bit words: constants, and the hash of a key."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel(types.uint64(types.uint64, types.uint64), forceinline=True)
def mix(hashed, word):
    """A hash of 32 bits of what was hashed before and one more word."""
    hashed = (hashed ^ word) * MIX
    hashed ^= hashed >> np.uint64(29)
    return (hashed * MIX) >> np.uint64(32)
