"""Files of worths, as `evaluation.worths.read_worths` reads them."""

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING

from junqi_engine.files import write_whole

if TYPE_CHECKING:
    import numpy as np


def output(text: str) -> Path:
    """The path of a file of worths on the command line: its folder exists, before hours of work."""
    path = Path(text)
    if not path.parent.is_dir() or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: expected a file in a folder that exists")
    return path


def write_worths(path: Path, worth: "np.ndarray") -> int:
    """Write worths by feature, (n,) integers; the size of the file in bytes."""
    import numpy as np

    data = io.BytesIO()
    np.savez_compressed(data, worth=worth)
    write_whole(path, data.getvalue(), replaces=True)
    return len(data.getvalue())
