"""Alpha-beta by teams in one world: the seats of our team maximise, those of the other minimise.

Fail-soft principal variation search (Marsland and Campbell 1982) with a transposition table and a quiescence search.
Two seats of a team may move in a row when a seat between them is eliminated, so a score changes its sign only where the
team to move changes.

A selective search adds the following; otherwise the value equals plain minimax.

- Null moves: if passing keeps the score above beta, a move will too (Donninger 1993).
- Late move reductions: late quiet moves are searched less deep, and again if they beat alpha.
- Dropped moves: next to the leaves the enemy can always stop, so a move is worth at most the value after it. If that
  does not beat alpha, the move is not made. One ply higher, a margin is added (futility pruning, Heinz 1998); it only
  says that the move does not beat alpha, not by how much, so alpha is then the bound.
- Threats: a battle that refuted a quiet move next to the leaves most likely refutes the next one too, so quiet moves
  that do not parry it are not made.

A move that is not searched counts with what it is assumed to reach at most, so a bound that is returned holds only as
far as these assumptions hold.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import (
    INFINITE,
    UNKNOWN_VALUE,
    WON,
    battle_gain,
    eval_key,
    evaluate,
    evaluate_after,
    pop_ply,
    push_ply,
    terminal_score,
)
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, make, next_turn, pass_turn, unmake
from junqi_engine.rules.layout import NO_MOVE, NO_PIECE, are_enemies, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate_battles
from junqi_engine.rules.position import Result
from junqi_engine.search.ordering import GAIN_STEP, TT_MOVE, next_move, pick_best, start_picker, update_quiet_stats
from junqi_engine.search.parameters import (
    FUTILITY_DEPTHS,
    INTEGERS,
    MAX_PLY,
    MOVE_ROOM,
    NODE,
    REDUCTION_DEPTHS,
    REDUCTION_MOVES,
    VALUES_TYPE,
    WORLD,
)
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


@kernel(types.int64(*NODE, *INTEGERS))
def quiesce(tables, position, evaluation, search, table, moves, undos, stop, alpha, beta, ply, start, plies_left):
    """The value for the team to move if both sides may play battles that promise a gain, or stop.

    It goes down at most `plies_left` plies. Moves from `start` on and undos from `ply` on are scratch memory.
    """
    if position.result != Result.ONGOING:
        return terminal_score(position, ply)
    best = evaluate(position, evaluation)
    search.refutation[ply] = NO_MOVE
    if best >= beta or plies_left == 0 or ply >= MAX_PLY - 1 or start + MAX_MOVES > MOVE_ROOM:
        return best
    search.seldepth = max(np.int64(search.seldepth), ply)
    listed = generate_battles(tables, position, moves, start)
    floor, dropped, end = max(alpha, best), best, start
    turn = position.turn
    is_last_ply = position.max_plies != 0 and position.ply + 1 >= position.max_plies
    can_stand_pat = are_enemies(next_turn(tables, position), turn) and not is_last_ply
    for i in range(start, listed):
        move = moves[i]
        defender = piece_in(position.board[to_point_of(move)])
        attacker = position.kind[piece_in(position.board[from_point_of(move)])]
        gain = battle_gain(evaluation, attacker, np.uint8(seat_of(defender)), position.kind[defender])
        if gain <= 0:
            continue
        if can_stand_pat:
            # So the move is worth at most this.
            promise = evaluate_after(tables, position, evaluation, move)
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
        search.move_scores[end] = GAIN_STEP * gain + attacker
        end += 1
    undo = undos[ply]
    for i in range(start, end):
        move = pick_best(search, moves, i, end)
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        push_ply(position, undo, evaluation)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = (-beta, -floor) if sign < 0 else (floor, beta)
        found = sign * quiesce(
            tables, position, evaluation, search, table, moves, undos, stop, low, high, ply + 1, end, plies_left - 1
        )
        unmake(position, undo)
        pop_ply(evaluation)
        if found > best:
            best = found
            search.refutation[ply] = move
            floor = max(floor, best)
            if best >= beta:
                break
    return max(best, dropped)


@kernel(types.boolean(TABLES_TYPE, types.uint16))
def is_step(tables, move):
    start, target = from_point_of(move), to_point_of(move)
    found = False
    for i in range(tables.near_count[start]):
        found |= tables.near[start, i] == target
    return found


@kernel(types.boolean(TABLES_TYPE, types.uint16, types.uint16))
def may_parry(tables, move, threat):
    """Whether a quiet move may parry a threat: by moving the piece under attack, or by blocking a railway run.

    Whether the run really passes the point is not checked.
    """
    if from_point_of(move) == to_point_of(threat):
        return True
    return tables.rail[to_point_of(move)] != 0 and not is_step(tables, threat)


WINDOW_GROWTH = 3
"""By what factor the window around a root move's score grows when the score is outside."""
MAX_WINDOW = 2000
"""Above it, the window is open."""

_root_scratch = scratch_record(np.dtype([("found", np.int64, MAX_MOVES)], align=True))


@kernel(types.int64(*NODE, *INTEGERS, types.uint64))
def alpha_beta(
    tables, position, evaluation, search, table, moves, undos, stop, depth, alpha, beta, ply, start, key
):  # fmt: skip
    """The value of a position for the team to move, searched `depth` plies deep: exact between `alpha` and `beta`, a
    bound outside.

    `key` is the `position_key`. Moves from `start` on and undos from `ply` on are scratch memory.
    """
    if position.result != Result.ONGOING:
        search.refutation[ply] = NO_MOVE
        return terminal_score(position, ply)
    if depth <= 0 or ply >= MAX_PLY - 2 or start + MAX_MOVES > MOVE_ROOM:
        if search.quiescence_plies:
            return quiesce(
                tables, position, evaluation, search, table, moves, undos, stop, alpha, beta, ply, start,
                np.int64(search.quiescence_plies),
            )  # fmt: skip
        return evaluate(position, evaluation)
    search.seldepth = max(np.int64(search.seldepth), ply)
    # Near a limit of the rules the value of a position depends on how far away it is, and pruning is unsafe.
    of_limits = limits_key(position, depth, np.int64(search.quiescence_plies))
    near_limit = of_limits != 0
    tt_move = np.uint16(NO_MOVE)
    of_value = eval_key(evaluation)
    known = probe(table, search.slots, key ^ of_limits ^ of_value, search.oldest_generation)
    if known != EMPTY:
        tt_move = move_in(known)
        known_depth = depth_of(known)
        if generation_of(known) == search.generation and (
            known_depth == depth or (known_depth > depth and search.is_selective)
        ):
            stored = score_of(known, ply)
            bound = bound_of(known)
            if (
                bound == BOUND_EXACT
                or (bound == BOUND_LOWER and stored >= beta)
                or (bound == BOUND_UPPER and stored <= alpha)
            ):
                return stored
    elif near_limit:
        # A search that was less deep did not reach the limit; its move may still be good.
        tt_move = move_in(probe(table, search.slots, key ^ of_value, search.oldest_generation))
    turn = position.turn
    static_eval = evaluate(position, evaluation)
    has_passed = search.has_passed
    search.has_passed = 0
    may_prune = search.is_selective and not near_limit and abs(beta) < WON
    if may_prune and not has_passed and depth >= search.null_move_depth and static_eval >= beta:
        pass_turn(tables, position)
        child = key ^ turn_key(turn, position.alive) ^ turn_key(position.turn, position.alive)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = (-beta, 1 - beta) if sign < 0 else (beta - 1, beta)
        search.has_passed = 1
        reduced = depth - 1 - np.int64(search.null_move_reduction) - depth // np.int64(search.null_move_divisor)
        found = sign * alpha_beta(
            tables, position, evaluation, search, table, moves, undos, stop, reduced, low, high, ply + 1, start, child
        )
        search.has_passed = 0
        position.turn = turn
        if found >= beta:
            # A win after a null move is not proven.
            return min(found, np.int64(WON))
    opponent_is_next = may_prune and are_enemies(next_turn(tables, position), turn)
    futility_bound, margin = np.int64(-INFINITE), np.int64(0)
    if opponent_is_next and depth < FUTILITY_DEPTHS and search.futility_margins[depth] >= 0 and alpha > -WON:
        margin = np.int64(search.futility_margins[depth])
        futility_bound = alpha - margin
    start_picker(search, start, ply, tt_move, futility_bound)
    undo = undos[ply]
    best, best_move, floor = np.int64(-INFINITE), np.uint16(NO_MOVE), alpha
    move_count, end = 0, start
    threat, threat_cost = np.uint16(NO_MOVE), np.int64(0)
    while True:
        move = next_move(tables, position, evaluation, search, moves, ply)
        if move == NO_MOVE:
            break
        if search.stage[ply] > TT_MOVE + 1:
            end = max(np.int64(search.end[ply]), np.int64(search.bad_end[ply]))
        is_quiet = position.board[to_point_of(move)] == NO_PIECE
        if is_quiet and threat != NO_MOVE and not may_parry(tables, move, threat):
            promise = evaluate_after(tables, position, evaluation, move) - threat_cost
            if promise <= floor:
                best = max(best, promise)
                continue
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        push_ply(position, undo, evaluation)
        child = key_after(position, undo, key, np.uint64(search.world_key))
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        reduced = depth - 1
        if search.is_selective and is_quiet and depth >= 2 and move_count > 0:
            reduced -= np.int64(
                search.reductions[min(depth, REDUCTION_DEPTHS - 1), min(move_count, REDUCTION_MOVES - 1)]
            )
            reduced = max(reduced, np.int64(0))
        # All moves but the first are searched with a null window, late ones less deep, and again if they beat alpha.
        # One call in a loop, not three: numba types the whole function anew for each call of itself.
        top = beta if move_count == 0 else floor + 1
        while True:
            low, high = (-top, -floor) if sign < 0 else (floor, top)
            found = sign * alpha_beta(
                tables, position, evaluation, search, table, moves, undos, stop, reduced, low, high, ply + 1, end,
                child,
            )  # fmt: skip
            if found > floor and reduced < depth - 1:
                reduced = depth - 1
            elif found > floor and found < beta and top < beta:
                top = beta
            else:
                break
        unmake(position, undo)
        pop_ply(evaluation)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted = 1
            return np.int64(0)
        move_count += 1
        if opponent_is_next and depth == 1 and is_quiet and found < floor and threat == NO_MOVE:
            threat = search.refutation[ply + 1]
            if threat != NO_MOVE and to_point_of(threat) == to_point_of(move):
                # It refutes this move only.
                threat = np.uint16(NO_MOVE)
            threat_cost = evaluate_after(tables, position, evaluation, move) - found
        if found > best:
            best, best_move = found, move
            floor = max(floor, found)
            if found >= beta:
                if is_quiet:
                    update_quiet_stats(position, search, moves, move, depth, ply)
                break
    if best == -INFINITE and search.pruned_value[ply] == -INFINITE:
        # Only a null move gives the turn to a seat without a legal move.
        return static_eval
    if best <= alpha and search.pruned_value[ply] > -INFINITE:
        best = max(best, alpha if margin > 0 else np.int64(search.pruned_value[ply]))
    bound = BOUND_LOWER if best >= beta else BOUND_EXACT if best > alpha else BOUND_UPPER
    store(
        table, search.slots, key ^ of_limits ^ of_value, search.oldest_generation, search.generation, depth, best,
        bound, ply, best_move,
    )  # fmt: skip
    return best


@kernel(types.void(*WORLD, UNDO_TYPE, MOVES_TYPE, VALUES_TYPE))
def evaluate_root_moves(tables, position, evaluation, undo, root_moves, values):
    """The static evaluation of every root move: that of the position after it, for the team to move, into `values`."""
    turn = position.turn
    for i in range(root_moves.shape[0]):
        make(tables, position, root_moves[i], undo)
        push_ply(position, undo, evaluation)
        found = evaluate(position, evaluation) if position.result == Result.ONGOING else terminal_score(position, 1)
        values[i] = -found if are_enemies(position.turn, turn) else found
        unmake(position, undo)
        pop_ply(evaluation)


@kernel(types.int64(*NODE, MOVES_TYPE, VALUES_TYPE, VALUES_TYPE, *INTEGERS[:3]))
def search_world(
    tables, position, evaluation, search, table, moves, undos, stop, root_moves, order, values, depth, multi_pv, window
):  # fmt: skip
    """Search root moves `depth` plies deep, best first by their `values`; returns how many were completed.

    `order` has the indices of the moves to search, and is sorted. `values` receives their values for the team to move,
    with `multi_pv` 0 only if every move was completed. With `multi_pv` 0 all values are exact; each is searched within
    `window` of what `values` holds first, and then beyond. With `multi_pv` k, the value of a move that is not among the
    best k is only a bound that says so; the best move should come first.
    """
    found_at, count = _root_scratch().found, order.shape[0]
    for i in range(count):
        index = order[i]
        j = i
        while j > 0 and values[order[j - 1]] < values[index]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = index
    for i in range(count):
        found_at[i] = INFINITE if depth == 1 else values[order[i]]
    undo = undos[0]
    turn = position.turn
    root_key = position_key(position, search.world_key)
    drift, completed = np.int64(0), count
    for i in range(count):
        make(tables, position, root_moves[order[i]], undo)
        search.nodes += np.uint64(1)
        push_ply(position, undo, evaluation)
        key = key_after(position, undo, root_key, np.uint64(search.world_key))
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = np.int64(-INFINITE), np.int64(INFINITE)
        if multi_pv > 0:
            for j in range(i):
                better = 0
                for k in range(i):
                    better += found_at[k] > found_at[j] or (found_at[k] == found_at[j] and k < j)
                if better == multi_pv - 1:
                    low = found_at[j]
        elif abs(found_at[i] + drift) < WON:
            low, high = found_at[i] + drift - window, found_at[i] + drift + window
        step = np.int64(window)
        while True:
            alpha, beta = (-high, -low) if sign < 0 else (low, high)
            found = sign * alpha_beta(
                tables, position, evaluation, search, table, moves, undos, stop, depth - 1, alpha, beta, 1, 0, key
            )
            if multi_pv > 0 or search.aborted or low < found < high:
                break
            # Search beyond the bound, a little farther each time. Results from the table may contradict each other.
            step *= WINDOW_GROWTH
            if found <= low:
                low, high = found - step, low + 1
            else:
                low, high = high - 1, found + step
            if step > MAX_WINDOW:
                low, high = np.int64(-INFINITE), np.int64(INFINITE)
        unmake(position, undo)
        pop_ply(evaluation)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted, completed = 1, i
            break
        if i == 0 and multi_pv == 0 and abs(found_at[0]) < WON and abs(found) < WON:
            drift = found - found_at[0]
        found_at[i] = found
    if completed == count or multi_pv > 0:
        for i in range(completed):
            values[order[i]] = found_at[i]
    return completed
