"""Speed of the rules (perft without bulk counting, random play-outs) and the players.

`--program PROGRAM` runs another program on the same work in the same run. It must know two commands, each of which
prints its speed on a line of its own: `PROGRAM bench VARIANT FEN DEPTH` (`... nodes/s N`) and
`PROGRAM play VARIANT FEN SEED GAMES` (`... plies/s N`).
"""

import re
import statistics
import subprocess
import time
from collections.abc import Sequence
from functools import partial

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen
from junqi_engine.players.registry import RECIPES, EventRecipe
from junqi_engine.rules.board import BOARDS, SIGUO, Board
from junqi_engine.rules.effects import UNDO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import seats_of_team
from junqi_engine.rules.movegen import MAX_MOVES
from junqi_engine.rules.perft import perft, play_out
from tools.bench.report import Report, best_of

PERFT_DEPTH = 5
PLAY_OUTS = 2_000
REPEATS = 9


def measure(report: Report) -> None:
    for board in BOARDS.values():
        _rules(report, board)
    _players(report)


def _rules(report: Report, board: Board) -> None:
    game, variant = GameState.start(board), board.variant
    moves, undos, stop = np.empty(MAX_MOVES * 7, np.uint16), np.zeros(7, UNDO), np.zeros(1, np.uint8)
    other_perft, other_plies, own_perft, own_plies = [], [], [], []
    # In turns, so that other load on the machine slows both.
    for _ in range(REPEATS):
        seconds, leaves = best_of(1, lambda: perft(board.tables, game.position, PERFT_DEPTH, moves, 0, undos, stop))
        own_perft.append(int(leaves) / seconds)
        own_plies.append(_play_outs(game, moves, undos))
        if report.program is not None:
            fen = format_fen(game)
            other_perft.append(_speed([report.program, "bench", variant, fen, str(PERFT_DEPTH)], r"nodes/s (\d+)"))
            other_plies.append(_speed([report.program, "play", variant, fen, "1", str(PLAY_OUTS)], r"plies/s (\d+)"))
    report.figure(
        f"{variant}, perft {PERFT_DEPTH} from the start, every leaf made", max(own_perft) / 1e6, "million nodes/s"
    )
    report.figure(f"{variant}, random play-outs, {PLAY_OUTS} games", max(own_plies) / 1e6, "million plies/s")
    if report.program is not None:
        report.figure("  perft of the other program", max(other_perft) / 1e6, "million nodes/s")
        report.figure("  perft ratio", _ratio(own_perft, other_perft), "x", "at least 0.8")
        report.figure("  play-outs of the other program", max(other_plies) / 1e6, "million plies/s")
        report.figure("  play-outs ratio", _ratio(own_plies, other_plies), "x", "at least 0.8")


def _ratio(own: Sequence[float], other: Sequence[float]) -> float:
    """The median ratio of neighbouring runs: a machine that is slow for a while slows both."""
    return statistics.median(one / another for one, another in zip(own, other, strict=True))


def _play_outs(game: GameState, moves: np.ndarray, undos: np.ndarray) -> float:
    """Plies per second of random games; copying the start position is included."""
    started, plies = time.perf_counter(), 0
    for number in range(PLAY_OUTS):
        plies += play_out(game.board.tables, game.position.copy(), np.uint64(number), moves, undos[0])
    return plies / (time.perf_counter() - started)


def _speed(command: Sequence[str], pattern: str) -> float:
    """The number in the first match of `pattern` in the output of a program."""
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    match = re.search(pattern, printed)
    if match is None:
        raise SystemExit(f"{command[0]}: no match of {pattern!r} in its output: {printed[:200]!r}")
    return float(match[1])


def _players(report: Report) -> None:
    game = GameState.start(SIGUO)
    view = SeatView.start(SIGUO, seats_of_team(0), {0: game.lineups[0], 2: game.lineups[2]})
    moves = view.legal_moves()
    for recipe in RECIPES.values():
        if not isinstance(recipe, EventRecipe):
            continue
        seconds, _ = best_of(REPEATS, partial(_choose_often, recipe, view, moves))
        report.figure(f"player {recipe.version}, a choice at the start", seconds / 20 * 1e3, "ms")


def _choose_often(recipe: EventRecipe, view: SeatView, moves: list[int]) -> None:
    for _ in range(20):
        recipe.choose(view, 0, moves)
