"""Alpha-beta search of one world, by teams: our seats maximise, those of the other team minimise.

A fail-soft principal variation search (Marsland and Campbell 1982) with a transposition table and a quiescence search.
Two seats of a team move in a row where a seat between them is eliminated, so the sign of a score changes only where the
team to move changes. `alpha_beta`, `quiesce` (`quiescence`) and `search_world` number their steps alike:

| step | what it is | kernels |
|---|---|---|
| 1 Game over, 2 Horizon | the ends of a line | alpha_beta, quiesce |
| 3 Transposition table | a known bound cuts off, or gives the first move | alpha_beta |
| 4 Static evaluation | in `quiesce` the stand pat value | alpha_beta, quiesce |
| 5 Null move, 6 Futility bound | selective: pruning before and within the move loop | alpha_beta |
| 7 Move loop, 8 Prune, 9 Make | the move picker's order | all; no pruning at the root |
| 10 Reduce | selective: late move reductions | alpha_beta |
| 11 Search, 12 Unmake, 13 Best move | | all |
| 14 No move searched | the value if every move was pruned, or none is legal | alpha_beta, quiesce |
| 15 Store | | alpha_beta |

Without `is_selective` a value equals that of plain minimax. With it, a pruned move counts with its assumed upper bound,
so a returned bound is only as sound as the pruning.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import (
    INFINITE,
    WON,
    eval_key,
    evaluate,
    evaluate_after,
    pop_ply,
    push_ply,
    terminal_score,
)
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import make, next_turn, pass_turn, unmake
from junqi_engine.rules.layout import NO_MOVE, NO_PIECE, are_enemies, from_point_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE
from junqi_engine.rules.position import Result
from junqi_engine.search.ordering import next_move, next_start, start_picker, update_quiet_stats
from junqi_engine.search.parameters import (
    FUTILITY_DEPTHS,
    MAX_PLY,
    MOVE_ROOM,
    NODE,
    REDUCTION_DEPTHS,
    REDUCTION_MOVES,
    SEARCH_TYPE,
    VALUES_TYPE,
    WORLD_TYPE,
)
from junqi_engine.search.quiescence import quiesce
from junqi_engine.search.transposition import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_UPPER,
    EMPTY,
    bound_of,
    depth_of,
    generation_of,
    key_after,
    limits_key,
    move_in,
    position_key,
    probe,
    score_of,
    store,
    turn_key,
)


@kernel(types.boolean(TABLES_TYPE, types.uint16))
def is_step(tables, move):
    """Whether a move goes to a neighbouring point, not along a railway."""
    start, target = from_point_of(move), to_point_of(move)
    is_near = False
    for i in range(tables.near_count[start]):
        is_near |= tables.near[start, i] == target
    return is_near


@kernel(types.boolean(TABLES_TYPE, types.uint16, types.uint16))
def may_parry(tables, move, threat):
    """Whether a quiet move may parry a threat: by moving the attacked piece, or by blocking a railway run.

    Whether the run really passes the point is not checked.
    """
    if from_point_of(move) == to_point_of(threat):
        return True
    return tables.rail[to_point_of(move)] != 0 and not is_step(tables, threat)


@kernel(types.int64(*NODE, *(types.int64,) * 4))
def alpha_beta(tables, world, search, table, stop, depth, alpha, beta, ply):
    """Let s be the value of the position for the team to move, `depth` plies deep. Returns r:

        r <= alpha  =>  s <= r   (fail low, an upper bound)
        r >= beta   =>  s >= r   (fail high, a lower bound)
        otherwise       s == r

    With `is_selective` these hold as far as the pruning is sound; a win is always proven. Undefined once `aborted`.
    """
    position, evaluation, node = world.position, world.evaluation, search.stack[ply]
    # Step 1. Game over: the exact score. A win counts the plies from the root, so the shortest one is best.
    if position.result != Result.ONGOING:
        node.refutation = NO_MOVE
        return terminal_score(position, ply)

    # Step 2. Horizon: no depth is left, or the line is too long. The quiescence search takes over.
    if depth <= 0 or ply >= MAX_PLY - 2 or node.move_start + MAX_MOVES > MOVE_ROOM:
        if search.quiescence_plies:
            return quiesce(tables, world, search, alpha, beta, ply, np.int64(search.quiescence_plies))
        return evaluate(position, evaluation)
    search.seldepth = max(np.int64(search.seldepth), ply)

    # Step 3. Transposition table: a bound of this search that is deep enough cuts off; other entries give the move.
    # Near a limit of the rules the value depends on the distance to it, so the key does too, and pruning is unsafe.
    key, tt_move = node.key, np.uint16(NO_MOVE)
    key_of_limits = limits_key(position, depth, np.int64(search.quiescence_plies))
    is_near_limit = key_of_limits != 0
    tt_key = key ^ key_of_limits ^ eval_key(evaluation)
    entry = probe(table, search.tt, tt_key)
    if entry != EMPTY:
        tt_move = move_in(entry)
        is_deep_enough = depth_of(entry) == depth or (depth_of(entry) > depth and search.is_selective)
        if generation_of(entry) == search.tt.generation and is_deep_enough:
            value, bound = score_of(entry, ply), bound_of(entry)
            if (
                bound == BOUND_EXACT
                or (bound == BOUND_LOWER and value >= beta)
                or (bound == BOUND_UPPER and value <= alpha)
            ):
                return value
    elif is_near_limit:
        # A shallower search did not reach the limit; its move may still be good.
        tt_move = move_in(probe(table, search.tt, key ^ eval_key(evaluation)))

    # Step 4. Static evaluation.
    turn, static_eval = position.turn, evaluate(position, evaluation)
    child = search.stack[ply + 1]
    may_prune = search.is_selective and not is_near_limit and abs(beta) < WON

    # Step 5. Null move: if passing keeps the score at beta, a move will too (Donninger 1993). Never twice in a row.
    if may_prune and not node.after_null and depth >= search.null_move_depth and static_eval >= beta:
        pass_turn(tables, position)
        child.key = key ^ turn_key(turn, position.alive) ^ turn_key(position.turn, position.alive)
        child.move_start, child.after_null = node.move_start, 1
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = (-beta, 1 - beta) if sign < 0 else (beta - 1, beta)
        reduced = depth - 1 - np.int64(search.null_move_reduction) - depth // np.int64(search.null_move_divisor)
        value = sign * alpha_beta(tables, world, search, table, stop, reduced, low, high, ply + 1)
        position.turn = turn
        if value >= beta:
            # A win after a null move is not proven.
            return min(value, np.int64(WON))

    # Step 6. Futility bound: next to the horizon the opponent can stand pat, so a move is worth at most the evaluation
    # after it. One ply higher a margin is added, and only alpha is then known to be a bound (Heinz 1998).
    opponent_is_next = may_prune and are_enemies(next_turn(tables, position), turn)
    futility_bound, margin = np.int64(-INFINITE), np.int64(0)
    if opponent_is_next and depth < FUTILITY_DEPTHS and search.futility_margins[depth] >= 0 and alpha > -WON:
        margin = np.int64(search.futility_margins[depth])
        futility_bound = alpha - margin

    # Step 7. Move loop: tt move, good battles, killers and history, bad battles.
    start_picker(search, ply, tt_move, futility_bound)
    original_alpha, best, best_move, move_count = alpha, np.int64(-INFINITE), np.uint16(NO_MOVE), 0
    threat, threat_cost = np.uint16(NO_MOVE), np.int64(0)
    while True:
        move = next_move(tables, world, search, ply)
        if move == NO_MOVE:
            break
        is_quiet = position.board[to_point_of(move)] == NO_PIECE
        # Step 8. Prune: the picker leaves out futile moves. The battle that refuted a quiet move most likely refutes
        # the next one too, unless that parries it.
        if is_quiet and threat != NO_MOVE and not may_parry(tables, move, threat):
            value = evaluate_after(tables, position, evaluation, move) - threat_cost
            if value <= alpha:
                best = max(best, value)
                continue

        # Step 9. Make the move.
        make(tables, position, move, node.undo)
        search.nodes += np.uint64(1)
        push_ply(position, node.undo, evaluation)
        child.key = key_after(position, node.undo, key, world.key)
        child.move_start, child.after_null = next_start(search, ply), 0
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)

        # Step 10. Reduce: late quiet moves are searched less deep.
        reduced = depth - 1
        if search.is_selective and is_quiet and depth >= 2 and move_count > 0:
            row, column = min(depth, REDUCTION_DEPTHS - 1), min(move_count, REDUCTION_MOVES - 1)
            reduced = max(reduced - np.int64(search.reductions[row, column]), np.int64(0))

        # Step 11. Search: the first move with the full window, the others with a null window; again to the full depth
        # and then with the full window if they beat alpha. One call in a loop: numba types each call anew.
        top = beta if move_count == 0 else alpha + 1
        while True:
            low, high = (-top, -alpha) if sign < 0 else (alpha, top)
            value = sign * alpha_beta(tables, world, search, table, stop, reduced, low, high, ply + 1)
            if value > alpha and reduced < depth - 1:
                reduced = depth - 1
            elif value > alpha and value < beta and top < beta:
                top = beta
            else:
                break

        # Step 12. Unmake.
        unmake(position, node.undo)
        pop_ply(evaluation)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted = 1
            return np.int64(0)
        move_count += 1

        # Step 13. Best move. Next to the horizon, the battle that refuted a quiet move is a threat to the others.
        if opponent_is_next and depth == 1 and is_quiet and value < alpha and threat == NO_MOVE:
            threat = child.refutation
            if threat != NO_MOVE and to_point_of(threat) == to_point_of(move):
                threat = np.uint16(NO_MOVE)  # it refutes this move only
            threat_cost = evaluate_after(tables, position, evaluation, move) - value
        if value > best:
            best, best_move = value, move
            alpha = max(alpha, value)
            if value >= beta:
                if is_quiet:
                    update_quiet_stats(world, search, move, depth, ply)
                break

    # Step 14. No move searched: only a null move gives the turn to a seat without a legal move. Pruned moves count with
    # their bound.
    if best == -INFINITE and node.pruned_value == -INFINITE:
        return static_eval
    if best <= original_alpha and node.pruned_value > -INFINITE:
        best = max(best, original_alpha if margin > 0 else np.int64(node.pruned_value))

    # Step 15. Store.
    bound = BOUND_LOWER if best >= beta else BOUND_EXACT if best > original_alpha else BOUND_UPPER
    store(table, search.tt, tt_key, depth, best, bound, ply, best_move)
    return best


@kernel(types.void(TABLES_TYPE, WORLD_TYPE, SEARCH_TYPE, MOVES_TYPE, VALUES_TYPE))
def evaluate_root_moves(tables, world, search, root_moves, values):
    """Write the static evaluation after each root move to `values`, for the team to move at the root."""
    position, evaluation, undo = world.position, world.evaluation, search.stack[0].undo
    turn = position.turn
    for i in range(root_moves.shape[0]):
        make(tables, position, root_moves[i], undo)
        push_ply(position, undo, evaluation)
        is_over = position.result != Result.ONGOING
        value = terminal_score(position, 1) if is_over else evaluate(position, evaluation)
        values[i] = -value if are_enemies(position.turn, turn) else value
        unmake(position, undo)
        pop_ply(evaluation)


WINDOW_GROWTH = 3
"""Factor by which an aspiration window grows when the score is outside."""
MAX_WINDOW = 2000
"""Above it, the window is open."""

_new_scratch = scratch_record(np.dtype([("values", np.int64, MAX_MOVES), ("sorted", np.int64, MAX_MOVES)], align=True))


@kernel(types.int64(*NODE, MOVES_TYPE, VALUES_TYPE, VALUES_TYPE, types.int64))
def search_world(tables, world, search, table, stop, root_moves, order, values, depth):
    """Search root moves `depth` plies deep, best first by their `values`; returns how many were completed.

    `order` has the indices of the moves to search, and is sorted. `values` receives their values for the team to move.
    With `multi_pv` 0 all values are exact, and written only if every move was completed; each is searched within the
    aspiration window of its last value first. With `multi_pv` k, a move outside the best k gets an upper bound; the
    best move should come first.
    """
    position, evaluation, undo = world.position, world.evaluation, search.stack[0].undo
    scratch, count, multi_pv = _new_scratch(), order.shape[0], np.int64(search.multi_pv)
    for i in range(count):
        index = order[i]
        j = i
        while j > 0 and values[order[j - 1]] < values[index]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = index
    for i in range(count):
        scratch.values[i] = INFINITE if depth == 1 else values[order[i]]
    turn, root_key, child = position.turn, position_key(position, world.key), search.stack[1]
    child.move_start = child.after_null = 0
    drift, completed = np.int64(0), count

    # Step 7. Move loop.
    for i in range(count):
        # Step 9. Make the move.
        make(tables, position, root_moves[order[i]], undo)
        search.nodes += np.uint64(1)
        push_ply(position, undo, evaluation)
        child.key = key_after(position, undo, root_key, world.key)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)

        # Step 11. Search: above the k-th best value so far, or around the value that is expected.
        low, high, step = np.int64(-INFINITE), np.int64(INFINITE), np.int64(search.aspiration_window)
        expected = scratch.values[i] + drift
        if multi_pv > 0:
            if i >= multi_pv:
                low = scratch.sorted[multi_pv - 1]
        elif abs(expected) < WON:
            low, high = expected - step, expected + step
        while True:
            alpha, beta = (-high, -low) if sign < 0 else (low, high)
            value = sign * alpha_beta(tables, world, search, table, stop, depth - 1, alpha, beta, 1)
            if multi_pv > 0 or search.aborted or low < value < high:
                break
            # The window grows beyond the bound. Results from the table may contradict each other.
            step *= WINDOW_GROWTH
            if value <= low:
                low, high = value - step, low + 1
            else:
                low, high = high - 1, value + step
            if step > MAX_WINDOW:
                low, high = np.int64(-INFINITE), np.int64(INFINITE)

        # Step 12. Unmake.
        unmake(position, undo)
        pop_ply(evaluation)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted, completed = 1, i
            break

        # Step 13. Best move: the values so far, sorted.
        if i == 0 and multi_pv == 0 and abs(scratch.values[0]) < WON and abs(value) < WON:
            drift = value - scratch.values[0]
        scratch.values[i] = value
        j = i
        while j > 0 and scratch.sorted[j - 1] < value:
            scratch.sorted[j] = scratch.sorted[j - 1]
            j -= 1
        scratch.sorted[j] = value
    if completed == count or multi_pv > 0:
        for i in range(completed):
            values[order[i]] = scratch.values[i]
    return completed
