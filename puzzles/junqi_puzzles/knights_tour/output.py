"""Tours as files: numpy arrays, text and drawings."""

import io
from pathlib import PurePath

import numpy as np

from junqi_engine.errors import Refused

LARGEST_DRAWING = 64
FIELD = 20


def contents(steps: np.ndarray, name: str, closed: bool = False) -> bytes:
    """What a file of this name should hold for a tour (rows x columns, steps from 0): `.npy`, `.svg`, otherwise text.

    Text has one line for each row, with blanks between the steps. `Refused` too-large for a drawing of more than
    64 x 64.
    """
    suffix = PurePath(name).suffix.lower()
    file = io.BytesIO()
    if suffix == ".npy":
        np.save(file, steps)
    elif suffix == ".svg":
        file.write(svg(steps, closed).encode())
    else:
        width = len(str(steps.size - 1))
        for row in steps:
            file.write((" ".join(f"{step:>{width}}" for step in row.tolist()) + "\n").encode())
    return file.getvalue()


def svg(steps: np.ndarray, closed: bool = False) -> str:
    """A drawing of the tour as a line on its board; `Refused` too-large for more than 64 x 64."""
    rows, columns = steps.shape
    if max(rows, columns) > LARGEST_DRAWING:
        raise Refused(
            "too-large", f"{rows} x {columns}: the limit of drawings is {LARGEST_DRAWING} x {LARGEST_DRAWING}"
        )
    order = np.argsort(steps, axis=None)
    points = [f"{FIELD * (at % columns) + FIELD // 2},{FIELD * (at // columns) + FIELD // 2}" for at in order.tolist()]
    dark = [
        f"M{FIELD * column},{FIELD * row}h{FIELD}v{FIELD}h-{FIELD}z"
        for row in range(rows)
        for column in range(columns)
        if (rows - 1 - row + column) % 2 == 0
    ]
    width, height = FIELD * columns, FIELD * rows
    shape = "polygon" if closed else "polyline"
    first, last = points[0].split(","), points[-1].split(",")
    ends = (
        ""
        if closed
        else "".join(
            f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>' for (x, y), colour in ((first, "#2a7"), (last, "#c33"))
        )
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'<rect width="{width}" height="{height}" fill="#f4ecd8"/><path d="{"".join(dark)}" fill="#cdb58c"/>'
        f'<{shape} points="{" ".join(points)}" fill="none" stroke="#223" stroke-width="1.5"/>{ends}</svg>\n'
    )
