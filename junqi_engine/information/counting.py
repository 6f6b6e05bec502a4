"""What the counts alone prove: the 25 pieces of a seat have every kind exactly as often as the rules say.

The method is Regin's for the global cardinality constraint (AAAI 1996): find one assignment of kinds to pieces; then a
piece of kind j can also be of kind k only if pieces can change places along a cycle of kinds through j and k. With
twelve kinds the cycles follow from the transitive closure of a 12 x 12 bit matrix.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.layout import contains
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

_COUNTS = np.array(COUNTS, np.int64)

MASKS_TYPE = types.Array(types.uint16, 1, "C")
KINDS_TYPE = types.Array(types.int8, 1, "C")
_assign_scratch = scratch_record(
    np.dtype(
        [
            ("free", np.int64, KINDS),
            ("came_from", np.int8, KINDS),
            ("mover", np.int8, KINDS),
            ("queue", np.int8, KINDS),
        ],
        align=True,
    )
)
_narrow_scratch = scratch_record(
    np.dtype([("leads_to", np.uint16, KINDS), ("kinds", np.int8, PIECES_PER_SEAT)], align=True)
)


@kernel(types.boolean(MASKS_TYPE, types.intp, KINDS_TYPE))
def assign(masks, base, kinds):
    """Assign a kind to each of the 25 pieces from `base` on, as their masks and the counts allow.

    Writes them into `kinds`, (25,). False if there is no assignment.
    """
    scratch = _assign_scratch()
    free, came_from, mover, queue = scratch.free, scratch.came_from, scratch.mover, scratch.queue
    for slot in range(PIECES_PER_SEAT):
        kinds[slot] = -1
    for kind in range(KINDS):
        free[kind] = _COUNTS[kind]
    for slot in range(PIECES_PER_SEAT):
        # Breadth-first search over kinds: it ends at a kind with a free place; a full kind passes on one of its pieces.
        head, tail, found = 0, 0, -1
        for kind in range(KINDS):
            came_from[kind] = -2
            if contains(masks[base + slot], np.uint16(kind)):
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
                    if came_from[step] == -2 and contains(masks[base + other], np.uint16(step)):
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
    """Narrow the masks of the 25 pieces from `base` on to what the counts allow; False if they allow nothing."""
    scratch = _narrow_scratch()
    kinds, leads_to = scratch.kinds, scratch.leads_to
    if not assign(masks, base, kinds):
        return False
    for kind in range(KINDS):
        leads_to[kind] = 0
    for slot in range(PIECES_PER_SEAT):
        leads_to[kinds[slot]] |= masks[base + slot]
    for middle in range(KINDS):
        for kind in range(KINDS):
            if contains(leads_to[kind], np.uint16(middle)):
                leads_to[kind] |= leads_to[middle]
    for slot in range(PIECES_PER_SEAT):
        own = kinds[slot]
        kept = np.uint16(1) << np.uint16(own)
        for kind in range(KINDS):
            if contains(leads_to[kind], np.uint16(own)):
                kept |= np.uint16(1) << np.uint16(kind)
        masks[base + slot] &= kept
    return True
