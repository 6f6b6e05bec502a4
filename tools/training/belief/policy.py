"""`python -m tools.training.belief policy RECORD ...`."""

import argparse
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.information.belief.policy import (
    HUNDREDTHS,
    MOST_ROWS,
    POLICIES,
    ROWS_TYPE,
    describe,
    load,
    policies_file,
)
from junqi_engine.information.public_game import TRACE_TYPE, PublicGame
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import enemy_field, from_point_of, piece_in, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.position import POSITION_TYPE
from tools.training.command import count, run_command
from tools.training.games import Game, open_view

DESCRIPTION = """\
Fit policies to the choices of the players of records: the probability of each move from what everybody sees and the
kind of the piece. One game in ten is held out. Prints on those games, by variant, the loss in nats beside that of a
uniform choice, how often the choice is the first of the policy, or among its first five, and the time a position for
all of its moves; first of one policy for all players, then of the policies of belief, each for the teams whose line-ups
are of its styles. --player says whose games they are instead; games from the line-ups of go setup need it, since these
are of several styles.
"""
FOLD = 10


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("policy", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    import numpy as np

    from junqi_engine.information.belief.policy import POLICIES
    from junqi_engine.rules.board import BOARDS
    from tools.training.belief.policy_fit import choices_of, fitted, measure, new_table
    from tools.training.games import read_games

    if arguments.player not in (None, *POLICIES):
        raise ValueError(f"--player {arguments.player!r}: expected one of {', '.join(map(repr, POLICIES))}")
    games = list(read_games(arguments.records))
    by_variant = {variant: [game for game in games if game.board is board] for variant, board in BOARDS.items()}
    for variant, own in by_variant.items():
        if not games or 0 < len(own) < FOLD:
            raise ValueError(f"{variant}: {len(own)} games are too few, at least {FOLD} needed")
        if not own:
            continue
        choices = choices_of(own, arguments.every, arguments.player)
        learned, held_out = choices.of_games(False, FOLD), choices.of_games(True, FOLD)
        general = fitted(new_table(), choices, learned, arguments.seed)
        print(f"{variant}: {len(own)} games, {microseconds_a_position(own[0], general):.1f} microseconds a position")
        print(f"{'policy':<28}{'fitted':>8}{'held out':>9}{'nats':>8}{'uniform':>8}{'first':>7}{'five':>7}")
        tables = {}
        for player, name in [(None, "all"), *enumerate(POLICIES)]:
            ours, theirs = (
                positions if player is None else positions[choices.players[positions] == player]
                for positions in (learned, held_out)
            )
            table = general if player is None else fitted(general.copy(), choices, ours, arguments.seed)
            found, moves = measure(table, choices, theirs), np.diff(choices.first)[theirs]
            uniform = np.log(moves).mean() if len(moves) else 0.0
            print(f"{name:<28}{len(ours):>8}{len(theirs):>9}{found.loss:>8.3f}{uniform:>8.3f}", end="")
            print("".join(f"{share:>7.1%}" for share in found.top), flush=True)
            if player is not None and len(ours) >= FEWEST:
                everything = np.flatnonzero(choices.players == player)
                tables[name] = fitted(general.copy(), choices, everything, arguments.seed)
        if arguments.write:
            print(f"written: {write(variant, tables, general)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.training.belief policy", description=DESCRIPTION)
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=3, metavar="PLIES", help="plies between two choices, default %(default)s")
    add("--player", metavar="NAME", help="the policy of all teams, such as engine; default: as their line-ups tell")
    add("--write", action="store_true", help="write the policies of belief, fitted to all games")
    add("--seed", type=int, default=1, help="of the order of the choices, default %(default)s")
    return parser


PLY = 20
CALLS = 20_000
_TABLE = types.Array(types.float32, 2, "C")
_SCORES = types.Array(types.float32, 1, "C")


def microseconds_a_position(game: Game, table: np.ndarray) -> float:
    """The mean time to score all moves in the position after `PLY` plies of a game, or at its end."""
    truth, public = open_view(game), PublicGame(game.board)
    for seen in game.moves[:PLY]:
        public.follow(truth.observe(seen))
    moves = np.array(truth.legal_moves(), np.uint16)
    rows, scores = np.zeros(MOST_ROWS, np.uint16), np.zeros(len(moves), np.float32)
    arguments = game.board.tables, truth.position, public.trace, table, moves, rows, scores
    score_often(*arguments, 1)
    started = time.perf_counter()
    score_often(*arguments, CALLS)
    return (time.perf_counter() - started) / CALLS * 1e6


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, TRACE_TYPE, _TABLE, MOVES_TYPE, ROWS_TYPE, _SCORES, types.int64
    )
)  # fmt: skip
def score_often(tables, position, trace, table, moves, rows, scores, calls):
    """Score the moves of the seat to move again and again, as a caller does that is compiled itself."""
    enemy = enemy_field(position.turn)
    for _ in range(calls):
        for number in range(len(moves)):
            start, target = from_point_of(moves[number]), to_point_of(moves[number])
            kind = position.kind[piece_in(position.board[start])]
            scores[number] = 0.0
            for row in range(describe(tables, position, trace, position.turn, enemy, start, target, rows)):
                scores[number] += table[rows[row], kind]


FEWEST = 1000
"""A policy is fitted to so many choices at least."""
_LARGEST = np.iinfo(np.int16).max


def write(variant: str, tables: Mapping[str, np.ndarray], general: np.ndarray) -> Path:
    """Write the policies of a variant, and let belief read them again. Those without a table stay as they are; if there
    is no file yet, they are the `general` one.
    """
    file = policies_file(variant)
    before = dict(zip(POLICIES, load(variant), strict=True)) if file.exists() else {}
    entries = np.array([tables.get(name, before.get(name, general)) for name in POLICIES])
    hundredths = np.rint(np.clip(HUNDREDTHS * entries, -_LARGEST, _LARGEST)).astype(np.int16)
    np.savez_compressed(file, names=np.array(POLICIES), entries=hundredths)
    load.cache_clear()
    return file
