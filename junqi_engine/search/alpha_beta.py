"""Alpha-beta by teams in one world: the seats of our team maximise, those of the other minimise.

Fail-soft principal variation search (Marsland and Campbell 1982) with a transposition table and a quiescence search.
Two seats of a team may move in a row when a seat between them is eliminated, so a score changes its sign only where the
team to move changes.

A selective search adds null-move pruning (if passing keeps the score above beta, a move will too; Donninger 1993), late
move reductions (late quiet moves are searched one or two plies less, and again if they beat alpha), and pruning near
the leaves of quiet moves that cannot make up for a large deficit. Otherwise the value equals plain minimax.

These are plain functions. `compiled` makes kernels of them for one evaluator.
"""

import numpy as np

from junqi_engine.evaluation.interface import after_make, after_unmake, value
from junqi_engine.rules.effects import make, pass_turn, unmake
from junqi_engine.rules.layout import NO_MOVE, NO_PIECE, are_enemies, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, generate
from junqi_engine.rules.position import Result
from junqi_engine.search.keys import key_after, position_key, turn_key
from junqi_engine.search.ordering import prioritise, reward, take_best
from junqi_engine.search.quiescence import quiesce
from junqi_engine.search.record import MAX_PLY, MOVE_ROOM
from junqi_engine.search.scores import INFINITE, WON, final_score
from junqi_engine.search.transposition import AT_LEAST, AT_MOST, EXACT, score_at, store

NULL_MOVE_DEPTH = 3
"""The least depth of a null move, and of a reduction."""
REDUCED_FROM, REDUCED_TWICE_FROM = 4, 16
"""The numbers of the first moves that are searched one and two plies less."""
PRUNED_DEPTH = 2
"""The largest depth at which quiet moves are pruned."""

_ONGOING = int(Result.ONGOING)


def alpha_beta(
    tables, position, evaluation, search, table, moves, undos, stop, depth, alpha, beta, ply, start, key
):  # fmt: skip
    """The value of a position for the team to move, searched `depth` plies deep: exact between `alpha` and `beta`, a
    bound outside.

    `key` is the position's. Moves from `start` on and undos from `ply` on are scratch memory.
    """
    if position.result != _ONGOING:
        return final_score(position, ply)
    if depth <= 0 or ply >= MAX_PLY - 2 or start + MAX_MOVES > MOVE_ROOM:
        if search.quiescence_plies:
            return quiesce(
                tables, position, evaluation, search, table, moves, undos, stop, alpha, beta, ply, start,
                np.int64(search.quiescence_plies),
            )  # fmt: skip
        return value(position, evaluation)
    search.deepest = max(np.int64(search.deepest), ply)
    # Near a limit of the rules the value of a position depends on the ply, so the table is not used.
    near_limit = (position.no_contact != 0 and position.quiet + depth >= position.no_contact) or (
        position.max_plies != 0 and position.ply + depth >= position.max_plies
    )
    table_move = np.uint16(NO_MOVE)
    if not near_limit:
        entry = table[key & (search.slots - np.uint64(1))]
        if entry.generation == search.generation and entry.key == key:
            table_move = entry.move
            if entry.depth == depth or (entry.depth > depth and search.is_selective):
                stored = score_at(np.int64(entry.score), ply)
                if (
                    entry.bound == EXACT
                    or (entry.bound == AT_LEAST and stored >= beta)
                    or (entry.bound == AT_MOST and stored <= alpha)
                ):
                    return stored
    turn = position.turn
    static = value(position, evaluation)
    has_passed = search.has_passed
    search.has_passed = 0
    may_pass = search.is_selective and not has_passed and not near_limit and depth >= NULL_MOVE_DEPTH
    if may_pass and static >= beta and abs(beta) < WON:
        pass_turn(tables, position)
        child = key ^ turn_key(turn, position.alive) ^ turn_key(position.turn, position.alive)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = (-beta, 1 - beta) if sign < 0 else (beta - 1, beta)
        search.has_passed = 1
        found = sign * alpha_beta(
            tables, position, evaluation, search, table, moves, undos, stop,
            depth - 1 - np.int64(search.null_move_reduction), low, high, ply + 1, start, child,
        )  # fmt: skip
        search.has_passed = 0
        position.turn = turn
        if found >= beta:
            return found
    end = generate(tables, position, moves, start)
    if end == start:
        # Only a null move gives the turn to a seat without a legal move.
        return static
    prioritise(position, evaluation, search, moves, start, end, ply, table_move)
    undo = undos[ply]
    may_prune = (
        search.is_selective
        and depth <= PRUNED_DEPTH
        and static + depth * search.pruning_margin <= alpha
        and alpha > -WON
    )
    best, best_move, floor = np.int64(-INFINITE), np.uint16(NO_MOVE), alpha
    for i in range(start, end):
        move = take_best(search, moves, i, end)
        is_quiet = position.board[to_point_of(move)] == NO_PIECE
        if may_prune and is_quiet and i > start:
            best = max(best, static)
            continue
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        after_make(position, undo, evaluation)
        child = key_after(position, undo, key)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        reduced = depth - 1
        if search.is_selective and is_quiet and depth >= NULL_MOVE_DEPTH and i >= start + REDUCED_FROM:
            reduced -= 1 + (i >= start + REDUCED_TWICE_FROM)
        # All moves but the first are searched with a null window first.
        found = floor + 1
        if i > start:
            low, high = (-floor - 1, -floor) if sign < 0 else (floor, floor + 1)
            found = sign * alpha_beta(
                tables, position, evaluation, search, table, moves, undos, stop, reduced, low, high, ply + 1, end,
                child,
            )  # fmt: skip
            if found > floor and reduced < depth - 1:
                found = sign * alpha_beta(
                    tables, position, evaluation, search, table, moves, undos, stop, depth - 1, low, high, ply + 1,
                    end, child,
                )  # fmt: skip
        if i == start or (found > floor and found < beta):
            low, high = (-beta, -floor) if sign < 0 else (floor, beta)
            found = sign * alpha_beta(
                tables, position, evaluation, search, table, moves, undos, stop, depth - 1, low, high, ply + 1, end,
                child,
            )  # fmt: skip
        unmake(position, undo)
        after_unmake(evaluation)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted = 1
            return np.int64(0)
        if found > best:
            best, best_move = found, move
            floor = max(floor, found)
            if found >= beta:
                if is_quiet:
                    reward(position, search, move, depth, ply)
                break
    if not near_limit:
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        store(table, search.slots, key, search.generation, depth, best, bound, ply, best_move)
    return best


def search_moves(
    tables, position, evaluation, search, table, moves, undos, stop, root_moves, values, depth, leaders, width
):  # fmt: skip
    """Search every root move, in the given order, `depth` plies deep; returns how many were completed.

    `values` receives their values for the team to move. With `leaders` 0 all values are exact; each is searched within
    `width` of what `values` holds first, and then beyond. With `leaders` k, the value of a move that is not among the
    best k is only a bound that says so; the best move should come first.
    """
    undo = undos[0]
    turn = position.turn
    root_key = position_key(position, search.world_key)
    for i in range(root_moves.shape[0]):
        make(tables, position, root_moves[i], undo)
        search.nodes += np.uint64(1)
        after_make(position, undo, evaluation)
        key = key_after(position, undo, root_key)
        sign = np.int64(-1) if are_enemies(position.turn, turn) else np.int64(1)
        low, high = np.int64(-INFINITE), np.int64(INFINITE)
        if leaders > 0:
            for j in range(i):
                better = 0
                for k in range(i):
                    better += values[k] > values[j] or (values[k] == values[j] and k < j)
                if better == leaders - 1:
                    low = values[j]
        elif abs(values[i]) < WON:
            low, high = values[i] - width, values[i] + width
        for attempt in range(3):
            alpha, beta = (-high, -low) if sign < 0 else (low, high)
            found = sign * alpha_beta(
                tables, position, evaluation, search, table, moves, undos, stop, depth - 1, alpha, beta, 1, 0, key
            )
            if leaders > 0 or search.aborted or low < found < high:
                break
            # Search beyond the bound, then with a full window: results from the table may contradict each other.
            if found <= low:
                low, high = np.int64(-INFINITE), np.int64(INFINITE) if attempt else low + 1
            else:
                low, high = np.int64(-INFINITE) if attempt else high - 1, np.int64(INFINITE)
        unmake(position, undo)
        after_unmake(evaluation)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted = 1
            return i
        values[i] = found
    return root_moves.shape[0]
