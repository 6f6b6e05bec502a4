"""The quiescence search: at the leaves, only battles that promise a gain are searched."""

import numpy as np

from junqi_engine.evaluation.interface import after_make, after_unmake, battle_gain, value
from junqi_engine.rules.effects import make, unmake
from junqi_engine.rules.layout import are_enemies, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, generate_battles
from junqi_engine.rules.pieces import FLAG
from junqi_engine.rules.position import Result
from junqi_engine.search.ordering import prioritise, take_best
from junqi_engine.search.record import MAX_PLY, MOVE_ROOM
from junqi_engine.search.scores import final_score

_ONGOING = int(Result.ONGOING)


def quiesce(tables, position, evaluation, search, table, moves, undos, stop, alpha, beta, ply, start, plies_left):
    """The value for the team to move if both sides may play battles that promise a gain, or stop.

    It goes down at most `plies_left` plies. Moves from `start` on and undos from `ply` on are scratch memory.
    """
    if position.result != _ONGOING:
        return final_score(position, ply)
    best = value(position, evaluation)
    if best >= beta or plies_left == 0 or ply >= MAX_PLY - 1 or start + MAX_MOVES > MOVE_ROOM:
        return best
    search.deepest = max(np.int64(search.deepest), ply)
    end = generate_battles(tables, position, moves, start)
    prioritise(position, evaluation, search, moves, start, end, ply, np.uint16(0))
    undo = undos[ply]
    turn = position.turn
    for i in range(start, end):
        move = take_best(search, moves, i, end)
        defender = piece_in(position.board[to_point_of(move)])
        attacker = piece_in(position.board[from_point_of(move)])
        kind = position.kind[defender]
        gain = battle_gain(evaluation, position.kind[attacker], np.uint8(seat_of(defender)), kind)
        if gain <= 0:
            break
        if kind != FLAG and best + gain + search.pruning_margin <= alpha:
            continue
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        after_make(position, undo, evaluation)
        low = max(alpha, best)
        if are_enemies(position.turn, turn):
            found = -quiesce(
                tables, position, evaluation, search, table, moves, undos, stop, -beta, -low, ply + 1, end,
                plies_left - 1,
            )  # fmt: skip
        else:
            found = quiesce(
                tables, position, evaluation, search, table, moves, undos, stop, low, beta, ply + 1, end,
                plies_left - 1,
            )  # fmt: skip
        unmake(position, undo)
        after_unmake(evaluation)
        if found > best:
            best = found
            if best >= beta:
                break
    return best
