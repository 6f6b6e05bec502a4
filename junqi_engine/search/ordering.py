"""The order in which moves are searched, in stages: a cutoff in one stage saves the work of the next.

1. the table's move,
2. battles that promise a gain, the largest first,
3. quiet moves: killers, then by history and what the move gains,
4. the other battles.

Killer moves and the history heuristic are Schaeffer's (1989); that quiet moves lose history when another one causes a
cutoff is from Uiterwijk (1992).
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import INFINITE, battle_gain, evaluate_after
from junqi_engine.kernels import kernel
from junqi_engine.rules.layout import NO_MOVE, NO_PIECE, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE, generate, generate_battles
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.search.parameters import INTEGERS, LISTS, SEARCH_TYPE, WORLD

KILLER = 1 << 27
"""Above every other priority of a quiet move."""
HISTORY_LIMIT = 1 << 14
GAIN_WEIGHT = 16
"""What one point of value counts beside the history."""
GAIN_STEP = 64
"""Larger than any kind: of equal gains, the battle of the lower piece comes first."""
SORTED_QUIETS = 24
"""So many quiet moves are searched in the order of their priority, the others as they come."""

TT_MOVE, INIT_BATTLES, GOOD_BATTLES, INIT_QUIETS, QUIETS, BAD_BATTLES = range(6)


@kernel(types.void(SEARCH_TYPE, types.int64, types.int64, types.uint16, types.int64))
def start_picker(search, start, ply, tt_move, futility_bound):
    """Begin the choice of moves at a ply. Quiet moves whose value is at most `futility_bound` are dropped."""
    search.stage[ply] = TT_MOVE
    search.tt_move[ply] = tt_move
    search.next[ply] = search.end[ply] = search.bad_next[ply] = search.bad_end[ply] = start
    search.futility_bound[ply] = futility_bound
    search.pruned_value[ply] = -INFINITE


@kernel(types.boolean(*WORLD, SEARCH_TYPE, types.uint16, types.int64))
def is_futile(tables, position, evaluation, search, move, ply):
    """Whether a move promises too little for a search; then what it promises is remembered."""
    below = search.futility_bound[ply]
    if below == -INFINITE:
        return False
    promise = evaluate_after(tables, position, evaluation, move)
    if promise > below:
        return False
    search.pruned_value[ply] = max(np.int64(search.pruned_value[ply]), promise)
    return True


@kernel(types.int64(*LISTS, *INTEGERS[:3]))
def score_battles(tables, position, evaluation, search, moves, start, end, ply):
    """Keep the battles of a list that are worth a search, with their priorities; returns the new end of the list.

    The priority is negative if the battle promises a loss.
    """
    kept = start
    for i in range(start, end):
        move = moves[i]
        if move == search.tt_move[ply] or is_futile(tables, position, evaluation, search, move, ply):
            continue
        defender = piece_in(position.board[to_point_of(move)])
        kind = position.kind[piece_in(position.board[from_point_of(move)])]
        gain = battle_gain(evaluation, kind, np.uint8(seat_of(defender)), position.kind[defender])
        moves[kept] = move
        search.move_scores[kept] = GAIN_STEP * gain + kind
        kept += 1
    return kept


@kernel(types.int64(*LISTS, *INTEGERS[:3]))
def score_quiets(tables, position, evaluation, search, moves, start, end, ply):
    """As `score_battles`, for the quiet moves of a list of all moves."""
    kept = start
    for i in range(start, end):
        move = moves[i]
        target = to_point_of(move)
        if position.board[target] != NO_PIECE or move == search.tt_move[ply]:
            continue
        promise = evaluate_after(tables, position, evaluation, move)
        if promise <= search.futility_bound[ply]:
            search.pruned_value[ply] = max(np.int64(search.pruned_value[ply]), promise)
            continue
        if move == search.killers[ply, 0]:
            priority = np.int64(KILLER + 1)
        elif move == search.killers[ply, 1]:
            priority = np.int64(KILLER)
        else:
            piece = piece_in(position.board[from_point_of(move)])
            priority = search.history[piece, target] + GAIN_WEIGHT * promise
        moves[kept] = move
        search.move_scores[kept] = priority
        kept += 1
    return kept


@kernel(types.uint16(SEARCH_TYPE, MOVES_TYPE, types.int64, types.int64))
def pick_best(search, moves, i, end):
    best = i
    for j in range(i + 1, end):
        if search.move_scores[j] > search.move_scores[best]:
            best = j
    if best != i:
        moves[i], moves[best] = moves[best], moves[i]
        search.move_scores[i], search.move_scores[best] = search.move_scores[best], search.move_scores[i]
    return moves[i]


@kernel(types.uint16(*LISTS, types.int64))
def next_move(tables, position, evaluation, search, moves, ply):
    """The next move of a ply, or `NO_MOVE` after the last."""
    tt_move = search.tt_move[ply]
    while True:
        stage = search.stage[ply]
        if stage == TT_MOVE:
            search.stage[ply] = INIT_BATTLES
            if tt_move != NO_MOVE:
                return tt_move
        elif stage == INIT_BATTLES:
            start = np.int64(search.next[ply])
            end = generate_battles(tables, position, moves, start)
            search.end[ply] = score_battles(tables, position, evaluation, search, moves, start, end, ply)
            search.stage[ply] = GOOD_BATTLES
        elif stage == GOOD_BATTLES:
            i = np.int64(search.next[ply])
            if i < search.end[ply]:
                move = pick_best(search, moves, i, np.int64(search.end[ply]))
                if search.move_scores[i] >= 0:
                    search.next[ply] = i + 1
                    return move
            search.bad_next[ply] = i
            search.bad_end[ply] = search.end[ply]
            search.stage[ply] = INIT_QUIETS
        elif stage == INIT_QUIETS:
            start = np.int64(search.bad_end[ply])
            end = generate(tables, position, moves, start)
            search.next[ply] = start
            search.end[ply] = score_quiets(tables, position, evaluation, search, moves, start, end, ply)
            search.stage[ply] = QUIETS
        elif stage == QUIETS:
            i = np.int64(search.next[ply])
            if i < search.end[ply]:
                search.next[ply] = i + 1
                if i < search.bad_end[ply] + SORTED_QUIETS:
                    return pick_best(search, moves, i, np.int64(search.end[ply]))
                return moves[i]
            search.stage[ply] = BAD_BATTLES
        else:
            i = np.int64(search.bad_next[ply])
            if i == search.bad_end[ply]:
                return np.uint16(NO_MOVE)
            search.bad_next[ply] = i + 1
            return pick_best(search, moves, i, np.int64(search.bad_end[ply]))


@kernel(types.void(SEARCH_TYPE, types.uint8, types.uint8, types.int64))
def update_history(search, piece, target, bonus):
    """Change the history of a quiet move by a bonus, less the nearer it is to the limit."""
    now = np.int64(search.history[piece, target])
    search.history[piece, target] = now + bonus - now * abs(bonus) // HISTORY_LIMIT


@kernel(types.void(SEARCH_TYPE, types.uint16, types.int64))
def update_killers(search, move, ply):
    if search.killers[ply, 0] != move:
        search.killers[ply, 1] = search.killers[ply, 0]
        search.killers[ply, 0] = move


@kernel(types.void(POSITION_TYPE, SEARCH_TYPE, MOVES_TYPE, types.uint16, types.int64, types.int64))
def update_quiet_stats(position, search, moves, move, depth, ply):
    """Remember a quiet move that caused a cutoff: the quiet moves that were searched before it lose history."""
    update_killers(search, move, ply)
    bonus = min(16 * depth * depth, HISTORY_LIMIT // 8)
    if search.stage[ply] == QUIETS:
        for i in range(search.bad_end[ply], search.next[ply]):
            if moves[i] != move:
                other = piece_in(position.board[from_point_of(moves[i])])
                update_history(search, other, np.uint8(to_point_of(moves[i])), -bonus)
    update_history(search, piece_in(position.board[from_point_of(move)]), np.uint8(to_point_of(move)), bonus)
