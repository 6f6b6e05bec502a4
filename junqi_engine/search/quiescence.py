"""The quiescence search: at the leaves, only battles that promise a gain are searched."""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import (
    UNKNOWN_VALUE,
    after_make,
    after_unmake,
    battle_gain,
    final_score,
    value,
    value_after,
)
from junqi_engine.kernels import kernel
from junqi_engine.rules.effects import make, next_turn, unmake
from junqi_engine.rules.layout import NO_MOVE, are_enemies, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, generate_battles
from junqi_engine.rules.position import Result
from junqi_engine.search.ordering import GAIN_STEP, take_best
from junqi_engine.search.parameters import INTEGERS, MAX_PLY, MOVE_ROOM, NODE

_ONGOING = int(Result.ONGOING)


@kernel(types.int64(*NODE, *INTEGERS))
def quiesce(tables, position, evaluation, search, table, moves, undos, stop, alpha, beta, ply, start, plies_left):
    """The value for the team to move if both sides may play battles that promise a gain, or stop.

    It goes down at most `plies_left` plies. Moves from `start` on and undos from `ply` on are scratch memory.
    """
    if position.result != _ONGOING:
        return final_score(position, ply)
    best = value(position, evaluation)
    search.refutation[ply] = NO_MOVE
    if best >= beta or plies_left == 0 or ply >= MAX_PLY - 1 or start + MAX_MOVES > MOVE_ROOM:
        return best
    search.deepest = max(np.int64(search.deepest), ply)
    listed = generate_battles(tables, position, moves, start)
    floor, dropped, end = max(alpha, best), best, start
    turn = position.turn
    is_last_ply = position.max_plies != 0 and position.ply + 1 >= position.max_plies
    enemy_can_stop = are_enemies(next_turn(tables, position), turn) and not is_last_ply
    for i in range(start, listed):
        move = moves[i]
        defender = piece_in(position.board[to_point_of(move)])
        attacker = position.kind[piece_in(position.board[from_point_of(move)])]
        gain = battle_gain(evaluation, attacker, np.uint8(seat_of(defender)), position.kind[defender])
        if gain <= 0:
            continue
        if enemy_can_stop:
            # So the move is worth at most this.
            promise = value_after(tables, position, evaluation, move)
            if promise <= floor:
                dropped = max(dropped, promise)
                continue
            if plies_left == 1 and promise != UNKNOWN_VALUE:
                search.nodes += np.uint64(1)
                best = floor = promise
                search.refutation[ply] = move
                if best >= beta:
                    return best
                continue
        moves[end] = move
        search.order[end] = GAIN_STEP * gain + attacker
        end += 1
    undo = undos[ply]
    for i in range(start, end):
        move = take_best(search, moves, i, end)
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        after_make(position, undo, evaluation)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = (-beta, -floor) if sign < 0 else (floor, beta)
        found = sign * quiesce(
            tables, position, evaluation, search, table, moves, undos, stop, low, high, ply + 1, end, plies_left - 1
        )
        unmake(position, undo)
        after_unmake(evaluation)
        if found > best:
            best = found
            search.refutation[ply] = move
            floor = max(floor, best)
            if best >= beta:
                break
    return max(best, dropped)
