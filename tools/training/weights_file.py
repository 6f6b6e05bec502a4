"""Files of weights of the learned evaluator, as `evaluation.learned.read_network` reads them."""

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING

from tools.referee.whole_file import write_whole

if TYPE_CHECKING:
    import numpy as np


def output(text: str) -> Path:
    """The path of a file of weights on the command line: its folder exists, before hours of work."""
    path = Path(text)
    if not path.parent.is_dir() or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: expected a file in a folder that exists")
    return path


def write_weights(
    path: Path, direct: "np.ndarray", weights: "np.ndarray | None" = None, bias: "np.ndarray | None" = None,
    output: "np.ndarray | None" = None,
) -> int:  # fmt: skip
    """Write the weights of a network with h hidden units, or without any; the size of the file in bytes.

    `direct` (n,) and `weights` (n, h) by feature, `bias` and `output` (h,), all integers.
    """
    import numpy as np

    data = io.BytesIO()
    np.savez_compressed(
        data,
        direct=direct,
        weights=np.zeros((len(direct), 0), np.int16) if weights is None else weights,
        bias=np.zeros(0) if bias is None else bias,
        output=np.zeros(0) if output is None else output,
    )
    write_whole(path, data.getvalue(), replaces=True)
    return len(data.getvalue())
