"""The safety suite: `python -m junqi_training.measuring safety`.

A player, by default the newest, searches positions in which some moves throw away a high piece or the flag, with
several seeds. Prints for each hazard how many searches chose a safe move. The positions are from lost games of player
2.0 against itself, in which it played one of the unsafe moves, so the figure is not a rate of errors in games: compare
players, or limits of positions, with each other.

A line of `safety_VARIANT.txt` has the hazard, the unsafe moves with commas between them, and the `position` command,
as the team to move sees the game:

    landmine: f11f12,f11e13: position startpos lineup S:... N:... moves ...
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from junqi_engine.errors import JunqiError
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import start_view
from junqi_engine.notation.moves import format_code, parse_move
from junqi_engine.players.registry import RECIPES, SearchRecipe
from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.rules.board import BOARDS, Board
from junqi_protocol.catalogue import JUNQI_VARIANTS
from junqi_training.command import count, run_command
from junqi_training.games import searcher

HAZARDS = {
    "landmine": "a high piece attacks a piece of the back rows that has not moved, and loses by the odds",
    "bomb": "a Field Marshal remains within reach of a piece that may be a bomb",
    "flag": "a flag remains within reach of an enemy piece",
}
START = "position startpos lineup "
FOLDER = Path(__file__).parent
HASH_MB = 16


class SuiteError(ValueError):
    """A line of a suite cannot be used; the text says why, in one line."""


@dataclass(frozen=True)
class UnsafePosition:
    """A position of the suite; `unsafe` are moves (`layout.move_of`), and there are safe ones too."""

    hazard: str
    unsafe: frozenset[int]
    view: SeatView


def main(words: Sequence[str] | None = None) -> int:
    return run_command("safety", partial(_run, _parser().parse_args(words)))


def _parser() -> argparse.ArgumentParser:
    description = "Count how often a player throws away a high piece or its flag in known positions."
    parser = argparse.ArgumentParser(prog="python -m junqi_training.measuring safety", description=description)
    add = parser.add_argument
    add("--variant", choices=JUNQI_VARIANTS, default=JUNQI_VARIANTS[0], help="default %(default)s")
    add("--player", choices=VERSIONS, default=NEWEST, help="default %(default)s")
    add("--nodes", type=count, default=20_000, help="positions per move, default %(default)s")
    add("--seeds", type=count, default=4, help="searches of each position, default %(default)s")
    add("--each", action="store_true", help="print the moves of each position, unsafe ones with a !")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    recipe, board = RECIPES[arguments.player], BOARDS[arguments.variant]
    positions = suite(board)
    if not isinstance(recipe, SearchRecipe):
        raise ValueError(f"player {recipe.version} does not search")
    if not positions:
        raise ValueError(f"{board.variant} has no suite")
    team_search = recipe.new_search(HASH_MB)
    searched, safe = Counter[str](), Counter[str]()
    for number, position in enumerate(positions, 1):
        legal = position.view.legal_moves()
        chosen = [searcher(team_search, seed, arguments.nodes)(position.view, legal) for seed in range(arguments.seeds)]
        searched[position.hazard] += len(chosen)
        safe[position.hazard] += sum(move not in position.unsafe for move in chosen)
        if arguments.each:
            moves = ", ".join(format_code(board, move) + "!" * (move in position.unsafe) for move in chosen)
            print(f"line {number}, {position.hazard}: {moves}")
    print(f"player {recipe.version}, {arguments.nodes} nodes, {arguments.seeds} seeds: searches that chose a safe move")
    for hazard, meaning in HAZARDS.items():
        print(f"{hazard:<10}{_share(safe[hazard], searched[hazard])}  {meaning}")
    print(f"{'all':<10}{_share(safe.total(), searched.total())}")
    return 0


def _share(safe: int, searched: int) -> str:
    return f"{safe:>5} of {searched:<5}{safe / max(1, searched):>6.0%}"


def suite(board: Board) -> list[UnsafePosition]:
    """The positions of a variant; none if it has no suite. SuiteError if a line is wrong."""
    path = FOLDER / f"safety_{board.variant}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    positions = []
    for number, line in enumerate(lines, 1):
        try:
            positions.append(parse_line(board, line))
        except (JunqiError, SuiteError) as error:
            raise SuiteError(f"{path.name}: line {number}: {error}") from error
    return positions


def parse_line(board: Board, line: str) -> UnsafePosition:
    """The position in a line; SuiteError or JunqiError if the line is wrong."""
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
