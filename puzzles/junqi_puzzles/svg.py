"""Drawings of puzzles as SVG: one position, a strip of positions for print, and an animation.

A drawing is that of drawing.py. Its shapes keep their ids from one position to the next, so an animation moves them.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

Drawing = dict[str, Any]

_LONGEST_SIDE = 360
_BORDER = 0.15
_FLOOR = {
    "cell": "#f4ecd8",
    "dark": "#cdb58c",
    "wall": "#5b5348",
    "gate": "#e8d3b0",
    "goal": "#cfe3c8",
    "sea": "#bcd9e8",
}
_CHOSEN = "#c8553d"
_STRIP_COLUMNS = 6
_CAPTION_HEIGHT = 0.12
"""Of a picture in a strip, as a share of the height of the picture."""


def svg(drawing: Drawing) -> str:
    """One position."""
    return _document(drawing["width"], drawing["height"], _picture(drawing))


def strip(drawings: Sequence[Drawing], captions: Sequence[str]) -> str:
    """The positions in rows of six, each above its caption."""
    width, height = drawings[0]["width"] + 1, (drawings[0]["height"] + 1) * (1 + _CAPTION_HEIGHT)
    size = _CAPTION_HEIGHT * height * 0.7
    parts = []
    for number, (drawing, caption) in enumerate(zip(drawings, captions, strict=True)):
        x, y = number % _STRIP_COLUMNS * width, number // _STRIP_COLUMNS * height
        parts.append(
            f'<g transform="translate({x:g},{y:g})">{_picture(drawing)}<text x="{drawing["width"] / 2:g}"'
            f' y="{drawing["height"] + size:g}" font-size="{size:g}">{escape(caption)}</text></g>'
        )
    columns = min(len(drawings), _STRIP_COLUMNS)
    return _document(columns * width - 1, -(-len(drawings) // _STRIP_COLUMNS) * height, "".join(parts), columns)


def animation(drawings: Sequence[Drawing], seconds_a_step: float = 0.8) -> str:
    """The positions one after the other, for ever, the last one twice as long."""
    frames = [*drawings, drawings[-1]]
    duration = seconds_a_step * len(frames)
    shapes: dict[str, list[Drawing | None]] = {}
    for number, frame in enumerate(frames):
        for shape in frame["shapes"]:
            shapes.setdefault(shape["id"], [None] * len(frames))[number] = shape
    first = frames[0]
    parts = [_floor(first)]
    for places in shapes.values():
        there = next(shape for shape in places if shape is not None)
        at = [f"{(place or there)['x']:g},{(place or there)['y']:g}" for place in places]
        moving = f'dur="{duration:g}s" repeatCount="indefinite"'
        tags = ""
        if len(set(at)) > 1:
            tags += f'<animateTransform attributeName="transform" type="translate" values="{";".join(at)}" {moving}/>'
        if None in places:
            seen = ";".join("0" if place is None else "1" for place in places)
            tags += f'<animate attributeName="opacity" calcMode="discrete" values="{seen}" {moving}/>'
        parts.append(_shape(there, tags))
    return _document(first["width"], first["height"], "".join(parts))


def _document(width: float, height: float, contents: str, pictures_a_row: int = 1) -> str:
    scale = pictures_a_row * _LONGEST_SIDE / max(width, 1 if pictures_a_row > 1 else height)
    view = f"{-_BORDER} {-_BORDER} {width + 2 * _BORDER:g} {height + 2 * _BORDER:g}"
    size = f'width="{scale * (width + 2 * _BORDER):.0f}" height="{scale * (height + 2 * _BORDER):.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {size} font-family="sans-serif"'
        f' text-anchor="middle">{contents}</svg>\n'
    )


def _picture(drawing: Drawing) -> str:
    return _floor(drawing) + "".join(_shape(shape) for shape in drawing["shapes"])


def _floor(drawing: Drawing) -> str:
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{_FLOOR[kind]}" stroke="#a08b64"'
        ' stroke-width=".03"/>'
        for x, y, width, height, kind in drawing["floor"]
    ]
    if drawing["line"]:
        points = " ".join(f"{x:g},{y:g}" for x, y in drawing["line"])
        parts.append(f'<polyline points="{points}" fill="none" stroke="#2f6f9f" stroke-width=".07"/>')
    return "".join(parts)


def _shape(shape: Drawing, tags: str = "") -> str:
    """A shape at its place; `tags` animate it."""
    kind = shape["kind"]
    colour = _CHOSEN if kind == "chosen" else f"hsl({shape['tone'] * 137 % 360} 45% 60%)"
    rectangles = [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        for x, y, width, height, *_ in shape["rects"]
    ]
    # The outline of all cells together: the fill covers the strokes between them.
    parts = [f'<g stroke="#222" stroke-width=".1">{"".join(rectangles)}</g>', *rectangles] if rectangles else []
    if kind in ("gem", "knight"):
        parts.append('<circle r=".42" stroke="#222" stroke-width=".04"/>')
    if shape["label"]:
        label = escape(shape["label"])
        parts.append(f'<text y=".16" font-size="{0.45 if len(label) < 3 else 0.32}" fill="#111">{label}</text>')
    contents = "".join(parts)
    return f'<g transform="translate({shape["x"]:g},{shape["y"]:g})" fill="{colour}">{contents}{tags}</g>'
