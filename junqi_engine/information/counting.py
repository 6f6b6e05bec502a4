"""TODO."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

_COUNTS = np.array(COUNTS, np.int64)
_SLOTS = PIECES_PER_SEAT

MASKS_TYPE = types.Array(types.uint16, 1, "C")
KINDS_TYPE = types.Array(types.int8, 1, "C")


@kernel(types.boolean(MASKS_TYPE, types.intp, KINDS_TYPE))
def assign(masks, base, kinds):
    """Fill `kinds`, (25,), with kinds that the masks of the 25 pieces from `base` on and the counts allow; False when
    there are none.
    """
    kinds[:] = -1
    free = _COUNTS.copy()
    came_from = np.empty(KINDS, np.int8)
    mover = np.empty(KINDS, np.int8)
    queue = np.empty(KINDS, np.int8)
    for slot in range(_SLOTS):
        # Breadth-first over kinds: one that is free ends it; one that is full may pass on any of its pieces.
        came_from[:] = -2
        head, tail, found = 0, 0, -1
        for kind in range(KINDS):
            if masks[base + slot] >> np.uint16(kind) & np.uint16(1):
                came_from[kind] = -1
                queue[tail] = kind
                tail += 1
        while head < tail and found < 0:
            kind = queue[head]
            head += 1
            if free[kind] > 0:
                found = kind
                break
            for other in range(slot):
                if kinds[other] != kind:
                    continue
                for step in range(KINDS):
                    if came_from[step] == -2 and masks[base + other] >> np.uint16(step) & np.uint16(1):
                        came_from[step] = kind
                        mover[step] = other
                        queue[tail] = step
                        tail += 1
        if found < 0:
            return False
        free[found] -= 1
        while came_from[found] >= 0:
            kinds[mover[found]] = found
            found = came_from[found]
        kinds[slot] = found
    return True


@kernel(types.boolean(MASKS_TYPE, types.intp))
def narrow_by_counts(masks, base):
    """Narrow the masks of the 25 pieces from `base` on to what the counts allow; False when they allow nothing."""
    kinds = np.empty(_SLOTS, np.int8)
    if not assign(masks, base, kinds):
        return False
    leads_to = np.zeros(KINDS, np.uint16)
    for slot in range(_SLOTS):
        leads_to[kinds[slot]] |= masks[base + slot]
    for middle in range(KINDS):
        for kind in range(KINDS):
            if leads_to[kind] >> np.uint16(middle) & np.uint16(1):
                leads_to[kind] |= leads_to[middle]
    for slot in range(_SLOTS):
        own = kinds[slot]
        kept = np.uint16(1) << np.uint16(own)
        for kind in range(KINDS):
            if leads_to[kind] >> np.uint16(own) & np.uint16(1):
                kept |= np.uint16(1) << np.uint16(kind)
        masks[base + slot] &= kept
    return True
