"""How long a policy takes for all moves of a position."""

import time

import numpy as np
from numba.core import types

from junqi_engine.information.policy import MOST_ROWS, ROWS_TYPE, describe
from junqi_engine.information.public_game import TRACE_TYPE, PublicGame
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import enemy_field, from_point_of, piece_in, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.position import POSITION_TYPE
from tools.training.games import Game, open_view

PLY = 20
CALLS = 20_000
_TABLE = types.Array(types.float32, 2, "C")
_SCORES = types.Array(types.float32, 1, "C")


def microseconds_a_position(game: Game, table: np.ndarray) -> float:
    """The mean time to score all moves in the position after `PLY` plies of a game, or at its end."""
    truth, public = open_view(game), PublicGame(game.board)
    for seen in game.moves[:PLY]:
        if seen.is_ply:
            public.prepare(seen)
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
