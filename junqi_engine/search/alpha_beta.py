"""Alpha-beta by teams in one world: our seats maximise, theirs minimise.

Fail-soft principal variation search (Marsland and Campbell 1982) with a transposition table, killer moves and history
(Schaeffer 1989) for the order, and a quiescence search over battles. Seats of one team may move in a row when one
between them is out, so a score changes its sign only where the team to move changes.

With `selective` off the value is that of plain minimax at the same depth; with it on, a position from which even a
pass stays above the bound is not searched in full (Donninger 1993), late moves without a battle are searched a ply or
two less (and again when they surprise), and near the leaves those that can't make up for what is missing are left out.

`SEARCH`, one for each thread:

| field | shape | meaning |
|---|---|---|
| history | (128, 129) | by piece and target: how often it cut off, deeper ones counting more |
| killers | (96, 2) | by ply: the last quiet moves that cut off |
| order | (98304,) | scratch beside the moves: how promising each is |
| nodes, node_limit | scalars | positions made; where to stop |
| slots, generation | scalars | of the transposition table: slots in use, the search's number |
| deepest | scalar | the most plies that any line had |
| quiescence, selective | scalars | switches |
| has_passed | scalar | 1 while the move before was a pass |
| aborted | scalar | 1 once a limit or the stop flag broke the search off: scores mean nothing then |
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.hand import SEAT_WORTH, WORLD_TYPE
from junqi_engine.kernels import count_trailing_zeros, kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, make, unmake
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate, generate_battles
from junqi_engine.rules.perft import FLAG_TYPE, UNDOS_TYPE
from junqi_engine.rules.pieces import FLAG
from junqi_engine.rules.position import ONE, POSITION_TYPE
from junqi_engine.search.keys import key_after, position_key, turn_key
from junqi_engine.search.transposition import AT_LEAST, AT_MOST, EXACT, MATE, TABLE_TYPE, WON, score_at, store

MAX_PLY = 96
MOVE_ROOM = 98304
QUIESCENCE_PLIES = 3
PASS_REDUCTION = 2
"""Plies that a pass is searched less than a move."""

SEARCH = np.dtype(
    [
        ("history", np.int32, (128, MAX_POINTS)),
        ("killers", np.uint16, (MAX_PLY, 2)),
        ("order", np.int32, MOVE_ROOM),
        ("nodes", np.uint64),
        ("node_limit", np.uint64),
        ("slots", np.uint64),
        ("generation", np.uint16),
        ("deepest", np.uint16),
        ("quiescence", np.uint8),
        ("selective", np.uint8),
        ("aborted", np.uint8),
        ("has_passed", np.uint8),
    ],
    align=True,
)
SEARCH_TYPE = record_type(SEARCH)
VALUES_TYPE = types.Array(types.int64, 1, "C")
_NODE = (TABLES_TYPE, POSITION_TYPE, WORLD_TYPE, SEARCH_TYPE, TABLE_TYPE, MOVES_TYPE, UNDOS_TYPE, FLAG_TYPE)

INFINITE = 32_000
_FIRST = 1 << 30
_BATTLE = 1 << 28
_KILLER = 1 << 27
_HISTORY_LIMIT = 1 << 26
_QUIET_PRUNING_MARGIN = 300


@kernel(types.int64(POSITION_TYPE, WORLD_TYPE, UNDO_TYPE, types.uint8))
def seat_before(position, world, undo, seat):
    """What a seat that went out by the last move was worth before it."""
    worth = np.int64(SEAT_WORTH)
    pieces = undo.present[seat]
    while pieces:
        piece = np.uint8(seat << 5 | count_trailing_zeros(pieces))
        pieces &= pieces - ONE
        is_attacker = piece == undo.attacker & np.uint8(127)
        worth += world.values[piece, undo.from_point if is_attacker else position.where[piece]]
    return worth


@kernel(types.int64(POSITION_TYPE, WORLD_TYPE, UNDO_TYPE, types.int64))
def score_after(position, world, undo, score):
    """The score, team 0's less team 1's, after the move that `undo` takes back; `score` was the one before."""
    attacker = undo.attacker & np.uint8(127)
    gone = undo.alive & ~position.alive
    # What the mover's team gains.
    gain = np.int64(0)
    if gone >> undo.turn & 1 == 0:
        gain -= world.values[attacker, undo.from_point]
        if undo.defender == 0 or position.board[undo.to_point] == undo.attacker:
            gain += world.values[attacker, undo.to_point]
    if undo.defender != 0:
        defender = undo.defender & np.uint8(127)
        if gone >> (defender >> 5) & 1 == 0 and position.board[undo.to_point] != undo.defender:
            gain += world.values[defender, undo.to_point]
    for seat in range(4):
        if gone >> seat & 1:
            worth = seat_before(position, world, undo, np.uint8(seat))
            gain += worth if (seat ^ undo.turn) & 1 else -worth
    return score - gain if undo.turn & 1 else score + gain


@kernel(types.int64(POSITION_TYPE, types.int64))
def final_score(position, ply):
    """The score of a finished game for the team to move."""
    if position.result == 3:
        return 0
    won = (position.result == 1) == (position.turn & 1 == 0)
    return MATE - ply if won else ply - MATE


@kernel(types.void(POSITION_TYPE, WORLD_TYPE, SEARCH_TYPE, MOVES_TYPE, *(types.int64,) * 3, types.uint16))
def put_in_order(position, world, search, moves, start, end, ply, first):
    """Say in `search.order` how promising each move is."""
    for i in range(start, end):
        move = moves[i]
        attacker = position.board[move >> 8] & np.uint8(127)
        target = move & 255
        defender = position.board[target]
        if move == first:
            promise = np.int64(_FIRST)
        elif defender:
            kind = position.kind[attacker]
            gain = np.int64(world.gain[(defender >> np.uint8(5)) & 3, kind, position.kind[defender & np.uint8(127)]])
            promise = _BATTLE + 64 * gain + kind if gain >= 0 else gain - _HISTORY_LIMIT
        elif move == search.killers[ply, 0]:
            promise = np.int64(_KILLER + 1)
        elif move == search.killers[ply, 1]:
            promise = np.int64(_KILLER)
        else:
            promise = np.int64(search.history[attacker, target])
        search.order[i] = promise


@kernel(types.uint16(SEARCH_TYPE, MOVES_TYPE, types.int64, types.int64))
def take_best(search, moves, i, end):
    """Bring the most promising of the moves from `i` on to the front, and give it."""
    best = i
    for j in range(i + 1, end):
        if search.order[j] > search.order[best]:
            best = j
    if best != i:
        moves[i], moves[best] = moves[best], moves[i]
        search.order[i], search.order[best] = search.order[best], search.order[i]
    return moves[i]


@kernel(types.void(POSITION_TYPE, SEARCH_TYPE, types.uint16, types.int64, types.int64))
def reward(position, search, move, depth, ply):
    """A quiet move cut off: remember it."""
    if search.killers[ply, 0] != move:
        search.killers[ply, 1] = search.killers[ply, 0]
        search.killers[ply, 0] = move
    attacker = position.board[move >> 8] & np.uint8(127)
    search.history[attacker, move & 255] += depth * depth
    if search.history[attacker, move & 255] >= _HISTORY_LIMIT:
        for piece in range(128):
            for point in range(MAX_POINTS):
                search.history[piece, point] >>= 1


@kernel(types.int64(*_NODE, *(types.int64,) * 6))
def quiesce(tables, position, world, search, table, moves, undos, stop, alpha, beta, ply, start, score, left):
    """The value for the team to move once only battles that promise a gain are played; it may decline them all.

    `score` is team 0's less team 1's; `left` are the plies that this may still go down.
    """
    if position.result != 0:
        return final_score(position, ply)
    best = -score if position.turn & 1 else score
    if best >= beta or left == 0 or ply >= MAX_PLY - 1 or start + MAX_MOVES > MOVE_ROOM:
        return best
    search.deepest = max(np.int64(search.deepest), ply)
    end = generate_battles(tables, position, moves, start)
    put_in_order(position, world, search, moves, start, end, ply, np.uint16(0))
    undo = undos[ply]
    turn = position.turn
    for i in range(start, end):
        move = take_best(search, moves, i, end)
        defender = position.board[move & 255] & np.uint8(127)
        attacker = position.board[move >> 8] & np.uint8(127)
        gain = np.int64(world.gain[defender >> np.uint8(5), position.kind[attacker], position.kind[defender]])
        if gain <= 0:
            break
        if position.kind[defender] != FLAG and best + gain + _QUIET_PRUNING_MARGIN <= alpha:
            continue
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        after = score_after(position, world, undo, score)
        if (position.turn ^ turn) & 1:
            value = -quiesce(
                tables, position, world, search, table, moves, undos, stop, -beta, -max(alpha, best), ply + 1, end,
                after, left - 1,
            )  # fmt: skip
        else:
            value = quiesce(
                tables, position, world, search, table, moves, undos, stop, max(alpha, best), beta, ply + 1, end,
                after, left - 1,
            )  # fmt: skip
        unmake(position, undo)
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@kernel(types.int64(*_NODE, *(types.int64,) * 6, types.uint64))
def alpha_beta(tables, position, world, search, table, moves, undos, stop, depth, alpha, beta, ply, start, score, key):
    """The value of a position for the team to move, `depth` plies deep, exact between `alpha` and `beta` and a bound
    outside.

    `score` is team 0's less team 1's, `key` the position's. Moves and undos from `start` and `ply` on are scratch.
    """
    if position.result != 0:
        return final_score(position, ply)
    if depth <= 0 or ply >= MAX_PLY - 2 or start + MAX_MOVES > MOVE_ROOM:
        if search.quiescence:
            return quiesce(
                tables, position, world, search, table, moves, undos, stop, alpha, beta, ply, start, score,
                QUIESCENCE_PLIES,
            )  # fmt: skip
        return -score if position.turn & 1 else score
    search.deepest = max(np.int64(search.deepest), ply)
    # Near a limit of the rules the same position is worth another thing at another ply.
    limited = (position.no_contact != 0 and position.quiet + depth >= position.no_contact) or (
        position.max_plies != 0 and position.ply + depth >= position.max_plies
    )
    first = np.uint16(0)
    if not limited:
        entry = table[key & (search.slots - np.uint64(1))]
        if entry.generation == search.generation and entry.key == key:
            first = entry.move
            if entry.depth == depth or (entry.depth > depth and search.selective):
                stored = score_at(np.int64(entry.score), ply)
                if (
                    entry.bound == EXACT
                    or (entry.bound == AT_LEAST and stored >= beta)
                    or (entry.bound == AT_MOST and stored <= alpha)
                ):
                    return stored
    turn = position.turn
    static = -score if turn & 1 else score
    has_passed = search.has_passed
    search.has_passed = 0
    if search.selective and not has_passed and not limited and depth >= 3 and static >= beta and abs(beta) < WON:
        # Who stays above the bound without moving will do so with a move.
        position.turn = tables.next_seat[4 * position.alive + turn]
        child = key ^ turn_key(turn, position.alive) ^ turn_key(position.turn, position.alive)
        sign = np.int64(-1) if (position.turn ^ turn) & 1 else np.int64(1)
        one, other = (-beta, 1 - beta) if sign < 0 else (beta - 1, beta)
        search.has_passed = 1
        value = sign * alpha_beta(
            tables, position, world, search, table, moves, undos, stop, depth - 1 - PASS_REDUCTION, one, other,
            ply + 1, start, score, child,
        )  # fmt: skip
        search.has_passed = 0
        position.turn = turn
        if value >= beta:
            return value
    end = generate(tables, position, moves, start)
    if end == start:
        # Only a pass comes to a seat without a move.
        return static
    put_in_order(position, world, search, moves, start, end, ply, first)
    undo = undos[ply]
    is_hopeless = search.selective and depth <= 2 and static + depth * _QUIET_PRUNING_MARGIN <= alpha and alpha > -WON
    best, best_move, low = np.int64(-INFINITE), np.uint16(0), alpha
    for i in range(start, end):
        move = take_best(search, moves, i, end)
        is_quiet = position.board[move & 255] == 0
        if is_hopeless and is_quiet and i > start:
            best = max(best, static)
            continue
        make(tables, position, move, undo)
        search.nodes += np.uint64(1)
        after = score_after(position, world, undo, score)
        child = key_after(position, undo, key)
        sign = np.int64(-1) if (position.turn ^ turn) & 1 else np.int64(1)
        reduced = depth - 1
        if search.selective and is_quiet and depth >= 3 and i >= start + 4:
            reduced -= 1 + (i >= start + 16)
        # A null window first, for all but the first move, then what it takes.
        value = low + 1
        if i > start:
            one, other = (-low - 1, -low) if sign < 0 else (low, low + 1)
            value = sign * alpha_beta(
                tables, position, world, search, table, moves, undos, stop, reduced, one, other, ply + 1, end, after,
                child,
            )  # fmt: skip
            if value > low and reduced < depth - 1:
                value = sign * alpha_beta(
                    tables, position, world, search, table, moves, undos, stop, depth - 1, one, other, ply + 1, end,
                    after, child,
                )  # fmt: skip
        if i == start or (value > low and value < beta):
            one, other = (-beta, -low) if sign < 0 else (low, beta)
            value = sign * alpha_beta(
                tables, position, world, search, table, moves, undos, stop, depth - 1, one, other, ply + 1, end,
                after, child,
            )  # fmt: skip
        unmake(position, undo)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted = 1
            return np.int64(0)
        if value > best:
            best, best_move = value, move
            low = max(low, value)
            if value >= beta:
                if is_quiet:
                    reward(position, search, move, depth, ply)
                break
    if not limited:
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        store(table, search.slots, key, search.generation, depth, best, bound, ply, best_move)
    return best


@kernel(types.int64(*_NODE, MOVES_TYPE, VALUES_TYPE, *(types.int64,) * 3))
def search_moves(tables, position, world, search, table, moves, undos, stop, root_moves, values, depth, leaders, width):
    """Search every root move `depth` plies deep in all, in the given order; how many were done before the end.

    `values` receives their worth for the team to move. With `leaders` 0 every value is exact: each is looked for
    within `width` of what `values` holds, and then beyond. With `leaders` k a value that can't be among the best k is
    only a bound that says so; the best move should come first.
    """
    undo = undos[0]
    turn = position.turn
    root_key = position_key(position, world.key)
    for i in range(root_moves.shape[0]):
        make(tables, position, root_moves[i], undo)
        search.nodes += np.uint64(1)
        score = score_after(position, world, undo, world.score)
        key = key_after(position, undo, root_key)
        sign = np.int64(-1) if (position.turn ^ turn) & 1 else np.int64(1)
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
            one, other = (-high, -low) if sign < 0 else (low, high)
            value = sign * alpha_beta(
                tables, position, world, search, table, moves, undos, stop, depth - 1, one, other, 1, 0, score, key
            )
            if leaders > 0 or search.aborted or low < value < high:
                break
            # Beyond the bound, then anywhere: results from the table may contradict each other.
            if value <= low:
                low, high = np.int64(-INFINITE), np.int64(INFINITE) if attempt else low + 1
            else:
                low, high = np.int64(-INFINITE) if attempt else high - 1, np.int64(INFINITE)
        unmake(position, undo)
        if search.aborted or stop[0] or search.nodes >= search.node_limit:
            search.aborted = 1
            return i
        values[i] = value
    return root_moves.shape[0]
