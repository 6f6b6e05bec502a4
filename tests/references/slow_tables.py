"""The placements of a sliding-block puzzle and the steps between them, on sets of cells: the slow twin of tables.py."""

from junqi_puzzles.klotski.board import DIRECTIONS, Board, Cells

OPPOSITE = {"u": "d", "d": "u", "l": "r", "r": "l"}


def slow_steps(board: Board, names: list[str]) -> dict[Cells, dict[str, Cells]]:
    """Where pieces of one shape can get, each alone on the board, and from there in each direction."""
    steps: dict[Cells, dict[str, Cells]] = {}
    waiting = [board.pieces[name] for name in names]
    while waiting:
        cells = waiting.pop()
        if cells in steps:
            continue
        moved = {letter: board.slide(names[0], cells, letter) for letter in DIRECTIONS}
        steps[cells] = {letter: there for letter, there in moved.items() if there is not None}
        waiting += steps[cells].values()
    return steps


def slow_ring(steps: dict[Cells, dict[str, Cells]], cells: Cells) -> Cells:
    """The cells that steps from a placement enter, and those that steps to it come from."""
    beside = list(steps[cells].values())
    beside += [there for there, its_steps in steps.items() if cells in its_steps.values()]
    return frozenset().union(*beside) - cells
