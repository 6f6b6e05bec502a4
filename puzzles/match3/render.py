"""A cascade as text."""

from puzzles.match3.board import LETTERS, Board, Wave


def draw_wave(before: Board, wave: Wave) -> list[str]:
    """The board before a wave, removed pieces in brackets, beside the board after it; one line for each row."""
    lines = []
    for row in range(before.rows):
        marked = "".join(
            f"[{LETTERS[kind]}]" if is_removed else f" {LETTERS[kind]} "
            for kind, is_removed in zip(before.cells[row], wave.removed[row], strict=True)
        )
        lines.append(f"{marked}  |  {' '.join(LETTERS[kind] for kind in wave.after.cells[row])}")
    return lines
