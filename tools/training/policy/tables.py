"""Writes the policies of belief, `junqi_engine/information/policies-VARIANT.npz`."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from junqi_engine.information.policy import HUNDREDTHS, POLICIES, load, policies_file

FEWEST = 1000
"""A policy is fitted to so many choices at least."""
_LARGEST = np.iinfo(np.int16).max


def write(variant: str, tables: Mapping[str, np.ndarray], general: np.ndarray) -> Path:
    """Write the policies of a variant, and let belief read them again. Those without a table stay as they are; if there
    is no file yet, they are the `general` one.
    """
    file = policies_file(variant)
    before = dict(zip(POLICIES, load(variant), strict=True)) if file.exists() else {}
    entries = np.array([tables.get(name, before.get(name, general)) for name in POLICIES])
    hundredths = np.rint(np.clip(HUNDREDTHS * entries, -_LARGEST, _LARGEST)).astype(np.int16)
    np.savez_compressed(file, names=np.array(POLICIES), entries=hundredths)
    load.cache_clear()
    return file
