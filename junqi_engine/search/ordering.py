"""The move picker: moves in stages, since a cutoff in one stage saves the work of the next.

1. the move of the transposition table,
2. battles that promise a gain, the largest first,
3. quiet moves: killers, then by history and the evaluation after them,
4. the other battles.

Killer moves and the history heuristic are Schaeffer's (1989). Quiet moves lose history when another one causes a cutoff
(Uiterwijk 1992).
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import INFINITE, battle_gain, evaluate_after
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import NO_MOVE, NO_PIECE, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import generate, generate_battles
from junqi_engine.search.parameters import SEARCH_TYPE, WORLD_TYPE

KILLER = 1 << 27
"""Above every other score of a quiet move."""
HISTORY_LIMIT = 1 << 14
EVALUATION_WEIGHT = 16
"""Weight of the evaluation after a move beside its history."""
GAIN_STEP = 64
"""Larger than any kind: of equal gains, the battle of the lower piece comes first."""
SORTED_QUIETS = 24
"""Number of quiet moves picked best first; the rest keep the order of generation."""

TT_MOVE, INIT_BATTLES, GOOD_BATTLES, INIT_QUIETS, QUIETS, BAD_BATTLES = range(6)


@kernel(types.void(SEARCH_TYPE, types.int64, types.uint16, types.int64))
def start_picker(search, ply, tt_move, futility_bound):
    """Begin to pick the moves of a node. Moves evaluated at or below `futility_bound` are pruned."""
    node = search.stack[ply]
    node.stage = TT_MOVE
    node.tt_move = tt_move
    node.next = node.end = node.bad_next = node.bad_end = node.move_start
    node.futility_bound = futility_bound
    node.pruned_value = -INFINITE


@kernel(types.int64(SEARCH_TYPE, types.int64))
def next_start(search, ply):
    """The end of the move list of a node, where that of its child begins."""
    node = search.stack[ply]
    return max(np.int64(node.end), np.int64(node.bad_end))


@kernel(types.boolean(SEARCH_TYPE, types.int64, types.int64))
def is_futile(search, value, ply):
    """Whether a move is pruned by the evaluation after it, which is then noted as its upper bound."""
    node = search.stack[ply]
    if value > node.futility_bound:
        return False
    node.pruned_value = max(np.int64(node.pruned_value), value)
    return True


@kernel(types.int64(TABLES_TYPE, WORLD_TYPE, SEARCH_TYPE, types.int64, types.int64))
def score_battles(tables, world, search, ply, end):
    """Score the battles of the list of a node, up to `end`, without pruned ones; returns the new end of the list.

    The score is negative if the battle promises a loss.
    """
    position, evaluation, node = world.position, world.evaluation, search.stack[ply]
    kept = np.int64(node.next)
    for i in range(kept, end):
        move = search.moves[i]
        if move == node.tt_move:
            continue
        if node.futility_bound > -INFINITE and is_futile(
            search, evaluate_after(tables, position, evaluation, move), ply
        ):
            continue
        defender = piece_in(position.board[to_point_of(move)])
        kind = position.kind[piece_in(position.board[from_point_of(move)])]
        gain = battle_gain(evaluation, kind, np.uint8(seat_of(defender)), position.kind[defender])
        search.moves[kept] = move
        search.move_scores[kept] = GAIN_STEP * gain + kind
        kept += 1
    return kept


@kernel(types.int64(TABLES_TYPE, WORLD_TYPE, SEARCH_TYPE, types.int64, types.int64))
def score_quiets(tables, world, search, ply, end):
    """As `score_battles`, for the quiet moves of a list of all moves."""
    position, evaluation, node = world.position, world.evaluation, search.stack[ply]
    kept = np.int64(node.next)
    for i in range(kept, end):
        move = search.moves[i]
        target = to_point_of(move)
        if position.board[target] != NO_PIECE or move == node.tt_move:
            continue
        value = evaluate_after(tables, position, evaluation, move)
        if is_futile(search, value, ply):
            continue
        if move == node.killers[0]:
            score = np.int64(KILLER + 1)
        elif move == node.killers[1]:
            score = np.int64(KILLER)
        else:
            piece = piece_in(position.board[from_point_of(move)])
            score = search.history[piece, target] + EVALUATION_WEIGHT * value
        search.moves[kept] = move
        search.move_scores[kept] = score
        kept += 1
    return kept


@kernel(types.uint16(SEARCH_TYPE, types.int64, types.int64))
def pick_best(search, i, end):
    """Swap the move with the largest score to place `i` of the list, and return it."""
    moves, scores = search.moves, search.move_scores
    best = i
    for j in range(i + 1, end):
        if scores[j] > scores[best]:
            best = j
    if best != i:
        moves[i], moves[best] = moves[best], moves[i]
        scores[i], scores[best] = scores[best], scores[i]
    return moves[i]


@kernel(types.uint16(TABLES_TYPE, WORLD_TYPE, SEARCH_TYPE, types.int64))
def next_move(tables, world, search, ply):
    """The next move of a node, or `NO_MOVE` after the last."""
    node = search.stack[ply]
    while True:
        stage = node.stage
        if stage == TT_MOVE:
            node.stage = INIT_BATTLES
            if node.tt_move != NO_MOVE:
                return np.uint16(node.tt_move)
        elif stage == INIT_BATTLES:
            end = generate_battles(tables, world.position, search.moves, np.int64(node.next))
            node.end = score_battles(tables, world, search, ply, end)
            node.stage = GOOD_BATTLES
        elif stage == GOOD_BATTLES:
            i = np.int64(node.next)
            if i < node.end:
                move = pick_best(search, i, np.int64(node.end))
                if search.move_scores[i] >= 0:
                    node.next = i + 1
                    return move
            node.bad_next = i
            node.bad_end = node.end
            node.stage = INIT_QUIETS
        elif stage == INIT_QUIETS:
            node.next = node.bad_end
            end = generate(tables, world.position, search.moves, np.int64(node.next))
            node.end = score_quiets(tables, world, search, ply, end)
            node.stage = QUIETS
        elif stage == QUIETS:
            i = np.int64(node.next)
            if i < node.end:
                node.next = i + 1
                if i < node.bad_end + SORTED_QUIETS:
                    return pick_best(search, i, np.int64(node.end))
                return np.uint16(search.moves[i])
            node.stage = BAD_BATTLES
        else:
            i = np.int64(node.bad_next)
            if i == node.bad_end:
                return np.uint16(NO_MOVE)
            node.bad_next = i + 1
            return pick_best(search, i, np.int64(node.bad_end))


@kernel(types.void(SEARCH_TYPE, types.uint8, types.uint8, types.int64))
def update_history(search, piece, target, bonus):
    """Add a bonus to a move's history, with gravity: the closer to the limit, the smaller the change."""
    now = np.int64(search.history[piece, target])
    search.history[piece, target] = now + bonus - now * abs(bonus) // HISTORY_LIMIT


@kernel(types.void(SEARCH_TYPE, types.uint16, types.int64))
def update_killers(search, move, ply):
    killers = search.stack[ply].killers
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move


@kernel(types.void(WORLD_TYPE, SEARCH_TYPE, types.uint16, types.int64, types.int64))
def update_quiet_stats(world, search, move, depth, ply):
    """Reward a quiet move that caused a cutoff; the quiet moves searched before it lose history."""
    node, board = search.stack[ply], world.position.board
    update_killers(search, move, ply)
    bonus = min(16 * depth * depth, HISTORY_LIMIT // 8)
    if node.stage == QUIETS:
        for i in range(node.bad_end, node.next):
            other = search.moves[i]
            if other != move:
                update_history(search, piece_in(board[from_point_of(other)]), np.uint8(to_point_of(other)), -bonus)
    update_history(search, piece_in(board[from_point_of(move)]), np.uint8(to_point_of(move)), bonus)
