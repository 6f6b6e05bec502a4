"""Files of weights, as `numpy.savez` writes them: those of the package and those of users."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISREG
from tokenize import TokenError
from zipfile import BadZipFile

import numpy as np

WEIGHTS_FOLDER = Path(__file__).with_name("weights")
UNREADABLE = (BadZipFile, EOFError, KeyError, RuntimeError, SyntaxError, TokenError, TypeError, ValueError, zlib.error)
"""Exceptions of numpy for a damaged file."""


def read_arrays(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """The int16 arrays of a file of `numpy.savez`. OSError, or ValueError if it has not these with these shapes."""
    if not S_ISREG(path.stat().st_mode):
        raise ValueError("expected a regular file")
    try:
        with open(path, "rb") as file, np.load(file) as arrays:
            found = {name: arrays[name] for name in shapes}
    except UNREADABLE as error:
        raise ValueError(f"expected an .npz file with the arrays {', '.join(shapes)}") from error
    for name, shape in shapes.items():
        if found[name].shape != shape or found[name].dtype != np.int16:
            raise ValueError(f"{name}: expected int16 of shape {shape}, not {found[name].dtype} of {found[name].shape}")
    return found
