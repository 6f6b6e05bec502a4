"""Quiescence search: battles that promise a gain, until both teams stand pat. Its steps are those of `alpha_beta`."""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import (
    UNKNOWN_VALUE,
    battle_gain,
    evaluate,
    evaluate_after,
    pop_ply,
    push_ply,
    terminal_score,
)
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import make, next_turn, unmake
from junqi_engine.rules.layout import NO_MOVE, are_enemies, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, generate_battles
from junqi_engine.rules.position import Result
from junqi_engine.search.ordering import GAIN_STEP, pick_best
from junqi_engine.search.parameters import MAX_PLY, MOVE_ROOM, SEARCH_TYPE, WORLD_TYPE


@kernel(types.int64(TABLES_TYPE, WORLD_TYPE, SEARCH_TYPE, *(types.int64,) * 4))
def quiesce(tables, world, search, alpha, beta, ply, plies_left):
    """The value for the team to move where both teams play only battles that promise a gain, or stand pat.

    The bounds are those of `alpha_beta`. At most `plies_left` plies are searched.
    """
    position, evaluation, node = world.position, world.evaluation, search.stack[ply]
    # Step 1. Game over: the exact score.
    if position.result != Result.ONGOING:
        return terminal_score(position, ply)

    # Step 2. Horizon, and Step 4. Stand pat: no attack is forced, so the static evaluation is a lower bound.
    start = np.int64(node.move_start)
    best = evaluate(position, evaluation)
    node.refutation = NO_MOVE
    if best >= beta or plies_left == 0 or ply >= MAX_PLY - 1 or start + MAX_MOVES > MOVE_ROOM:
        return best
    search.seldepth = max(np.int64(search.seldepth), ply)
    alpha, pruned_value, turn = max(alpha, best), best, position.turn
    is_last_ply = position.max_plies != 0 and position.ply + 1 >= position.max_plies
    can_stand_pat = are_enemies(next_turn(tables, position), turn) and not is_last_ply

    # Step 7. Move loop: battles that promise a gain.
    listed, end = generate_battles(tables, position, search.moves, start), start
    for i in range(start, listed):
        move = search.moves[i]
        defender = piece_in(position.board[to_point_of(move)])
        attacker = position.kind[piece_in(position.board[from_point_of(move)])]
        gain = battle_gain(evaluation, attacker, np.uint8(seat_of(defender)), position.kind[defender])
        if gain <= 0:
            continue
        # Step 8. Prune: the opponent can stand pat after the move, so its value is at most the evaluation after it. On
        # the last ply it is exactly that.
        if can_stand_pat:
            value = evaluate_after(tables, position, evaluation, move)
            if value <= alpha:
                pruned_value = max(pruned_value, value)
                continue
            if plies_left == 1 and value != UNKNOWN_VALUE:
                search.nodes += np.uint64(1)
                best = alpha = value
                node.refutation = move
                if best >= beta:
                    return best
                continue
        search.moves[end] = move
        search.move_scores[end] = GAIN_STEP * gain + attacker
        end += 1
    for i in range(start, end):
        # Step 9. Make the move.
        move = pick_best(search, i, end)
        make(tables, position, move, node.undo)
        search.nodes += np.uint64(1)
        push_ply(position, node.undo, evaluation)
        search.stack[ply + 1].move_start = end
        # Step 11. Search.
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = (-beta, -alpha) if sign < 0 else (alpha, beta)
        value = sign * quiesce(tables, world, search, low, high, ply + 1, plies_left - 1)
        # Step 12. Unmake.
        unmake(position, node.undo)
        pop_ply(evaluation)
        # Step 13. Best move.
        if value > best:
            best = value
            node.refutation = move
            alpha = max(alpha, best)
            if best >= beta:
                break
    # Step 14. A pruned move counts with its upper bound.
    return max(best, pruned_value)
