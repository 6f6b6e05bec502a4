"""The positions of the safety suite, `safety_VARIANT.txt`: each has moves that throw away a high piece or the flag.

A line has the hazard, the unsafe moves with commas between them, and the `position` command, as the team to move sees
the game:

    landmine: f11f12,f11e13: position startpos lineup S:... N:... moves ...

They come from lost games of player 2.0 against itself, in which it played one of the unsafe moves
(`tools.training.unsafe_moves`).
"""

from dataclasses import dataclass
from pathlib import Path

from junqi_engine.errors import JunqiError
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, format_move, parse_move
from junqi_engine.notation.start import start_view
from junqi_engine.rules.board import Board
from junqi_engine.rules.record import SeenMove

HAZARDS = {
    "landmine": "a high piece attacks a piece of the back rows that has not moved, and loses by the odds",
    "bomb": "a Field Marshal remains within reach of a piece that may be a bomb",
    "flag": "a flag remains within reach of an enemy piece",
}
START = "position startpos lineup "
FOLDER = Path(__file__).parent


class SuiteError(ValueError):
    """A line of a suite cannot be used; the text says why, in one line."""


@dataclass(frozen=True)
class UnsafePosition:
    """A position of the suite; `unsafe` are moves (`layout.move_of`), and there are safe ones too."""

    hazard: str
    unsafe: frozenset[int]
    view: SeatView


def suite(board: Board) -> list[UnsafePosition]:
    """The positions of a variant; none if it has no suite. SuiteError if a line is wrong."""
    path = FOLDER / f"safety_{board.variant}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    positions = []
    for number, line in enumerate(lines, 1):
        try:
            positions.append(parse_line(board, line))
        except JunqiError as error:
            raise SuiteError(f"{path.name}: line {number}: {error}") from error
        except SuiteError as error:
            raise SuiteError(f"{path.name}: line {number}: {error}") from None
    return positions


def parse_line(board: Board, line: str) -> UnsafePosition:
    """SuiteError or JunqiError if the line is not one of `format_line`."""
    hazard, *rest = line.split(": ")
    if hazard not in HAZARDS:
        raise SuiteError(f"hazard {hazard!r} is not one of {', '.join(HAZARDS)}")
    if len(rest) != 2 or not rest[1].startswith(START):
        raise SuiteError(f"expected HAZARD: MOVES: {START}...")
    lineups, _, moves = rest[1].removeprefix(START).partition(" moves ")
    view = start_view(board, lineups.split())
    for move in moves.split():
        view.observe(parse_move(board, move))
    legal = view.legal_moves()
    unsafe = frozenset(parse_move(board, move).move for move in rest[0].split(","))
    if not unsafe < set(legal):
        raise SuiteError(f"unsafe moves {rest[0]}: they are not a part of the legal moves, with a safe one beside them")
    return UnsafePosition(hazard, unsafe, view)


def format_line(
    board: Board, hazard: str, unsafe: frozenset[int], lineups: dict[str, str], moves: list[SeenMove]
) -> str:
    """A line of the suite. `lineups` by seat letter are those of the team to move, `moves` the public record."""
    unsafe_text = ",".join(format_code(board, move) for move in sorted(unsafe))
    lineup_text = " ".join(f"{letter}:{lineup}" for letter, lineup in lineups.items())
    move_text = " ".join(format_move(board, seen) for seen in moves)
    return f"{hazard}: {unsafe_text}: {START}{lineup_text} moves {move_text}"
