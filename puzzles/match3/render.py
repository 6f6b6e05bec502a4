"""A cascade as text."""

from puzzles.match3.board import LETTERS, Board, Wave


def draw_wave(before: Board, wave: Wave) -> list[str]:
    """The board before a wave with the leaving pieces in brackets, beside the board after it; a line a row."""
    lines = []
    for row in range(before.rows):
        left = "".join(
            f"[{LETTERS[kind]}]" if is_gone else f" {LETTERS[kind]} "
            for kind, is_gone in zip(before.cells[row], wave.gone[row], strict=True)
        )
        lines.append(f"{left}  |  {' '.join(LETTERS[kind] for kind in wave.after.cells[row])}")
    return lines
