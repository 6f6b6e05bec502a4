"""The safety suite: `python -m tools.training.safety`.

A player, by default the newest, searches each position of `safety_suite` with several seeds. Prints for each hazard how
many searches chose a safe move. The positions were chosen because player 2.0 failed there, so the figure is not a rate
of errors in games: compare players, or limits of positions, with each other.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial

from junqi_engine.players.versions import NEWEST, VERSIONS
from protocol.catalogue import JUNQI_VARIANTS
from tools.training.command import run_command
from tools.training.counts import count

HASH_MB = 16


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("safety", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from junqi_engine.notation.moves import format_code
    from junqi_engine.players.registry import RECIPES, SearchRecipe
    from junqi_engine.rules.board import BOARDS
    from tools.training.games import searcher
    from tools.training.safety_suite import HAZARDS, suite

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
        print(f"{hazard:<10}{share(safe[hazard], searched[hazard])}  {meaning}")
    print(f"{'all':<10}{share(safe.total(), searched.total())}")
    return 0


def share(safe: int, searched: int) -> str:
    return f"{safe:>5} of {searched:<5}{safe / max(1, searched):>6.0%}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.safety",
        description="Count how often a player throws away a high piece or its flag in known positions.",
    )
    parser.add_argument("--variant", choices=JUNQI_VARIANTS, default=JUNQI_VARIANTS[0], help="default %(default)s")
    parser.add_argument("--player", choices=VERSIONS, default=NEWEST, help="default %(default)s")
    parser.add_argument("--nodes", type=count, default=20_000, help="positions per move, default %(default)s")
    parser.add_argument("--seeds", type=count, default=4, help="searches of each position, default %(default)s")
    parser.add_argument("--each", action="store_true", help="print the moves of each position, unsafe ones with a !")
    return parser


if __name__ == "__main__":
    sys.exit(main())
