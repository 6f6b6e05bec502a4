"""The transposition table: results of the search by the Zobrist keys of positions.

**Keys** (Zobrist 1970) are computed instead of stored. A key has a part for every piece on its point, one for the turn
and the seats that are not eliminated, and one for the world, so that worlds do not share entries. The search adds a
part for the network (`evaluator.eval_key`), and near a limit of the rules a part for the distance to it
(`limits_key`), because the result depends on both.

**Replacement.** `store` keeps the deeper of two results of the same search, and replaces entries of earlier searches.

**The table** is a one-dimensional array of `ENTRY` records of 16 bytes; its length is a power of two. Threads that
share it use no locks: an entry that two threads wrote at the same time does not match its key (Hyatt and Mann 2002).

| field | meaning |
|---|---|
| check | the key of the position, xor `data` |
| data | from the lowest bit: 16 bits score, 16 bits move, 8 bits depth, 8 bits bound, 16 bits generation; 0 = empty |

The score is for the team to move; a win or loss counts the plies from this position. The move is the best one, or
`NO_MOVE`. The bound is `BOUND_EXACT`, `BOUND_LOWER` or `BOUND_UPPER`. The generation is the number of the search that
wrote the entry. Scores of an earlier search do not count, since its evaluator had other values; its moves do.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import WON
from junqi_engine.kernels import STOP_TYPE, count_trailing_zeros, kernel, record_type
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed
from junqi_engine.rules.layout import NO_MOVE, PIECES, SEATS, piece_in, piece_of
from junqi_engine.rules.position import ONE, POSITION_TYPE
from junqi_engine.splitmix import mix

_PLACE_SALT, _PIECE_STEP = np.uint64(0x5DEECE66D), np.uint64(256)
_TURN_SALT, _TURN_STEP = np.uint64(0xC0FFEE0000), np.uint64(16)
_KIND_STEP = np.uint64(16)
_LIMIT_SALT, _LIMIT_STEP = np.uint64(0x11_3175_0000_0000), np.uint64(1 << 16)


@kernel(types.uint64(types.uint64, types.uint64))
def place_key(piece, point):
    return mix(_PLACE_SALT + piece * _PIECE_STEP + point)


@kernel(types.uint64(types.uint64, types.uint64))
def turn_key(turn, alive):
    return mix(_TURN_SALT + turn * _TURN_STEP + alive)


@kernel(types.uint64(POSITION_TYPE, types.int64, types.int64), forceinline=True)
def limits_key(position, depth, quiescence_plies):
    """The key of the distances to the limits that a search of `depth` plies may reach; 0 if it reaches none."""
    contact = np.int64(position.no_contact) - np.int64(position.quiet)
    last = np.int64(position.max_plies) - np.int64(position.ply)
    # The quiescence search consists of battles, so it does not come nearer to the no-contact limit.
    is_contact_near = position.no_contact != 0 and contact <= depth
    is_last_near = position.max_plies != 0 and last <= depth + quiescence_plies
    if not is_contact_near and not is_last_near:
        return np.uint64(0)
    distances = np.uint64(contact if is_contact_near else 0) + _LIMIT_STEP * np.uint64(last if is_last_near else 0)
    return mix(_LIMIT_SALT + distances)


@kernel(types.uint64(POSITION_TYPE))
def world_key(position):
    key = np.uint64(0)
    for piece in range(PIECES):
        key = mix(key ^ (np.uint64(position.kind[piece]) + _KIND_STEP * np.uint64(piece) + np.uint64(1)))
    return key


@kernel(types.uint64(POSITION_TYPE, types.uint64))
def position_key(position, of_world):
    key = of_world ^ turn_key(position.turn, position.alive)
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece = np.uint8(piece_of(seat, count_trailing_zeros(pieces)))
            pieces &= pieces - ONE
            key ^= place_key(piece, position.where[piece])
    return key


@kernel(types.uint64(POSITION_TYPE, UNDO_TYPE, types.uint64, types.uint64))
def key_after(position, undo, key, of_world):
    """The `position_key` after the ply of `undo`; `key` is the one before."""
    if position.alive != undo.alive:
        return position_key(position, of_world)
    attacker = piece_in(undo.attacker)
    key ^= place_key(attacker, undo.from_point)
    if attacker_arrived(position, undo):
        key ^= place_key(attacker, undo.to_point)
    if defender_was_removed(position, undo):
        key ^= place_key(piece_in(undo.defender), undo.to_point)
    return key ^ turn_key(undo.turn, undo.alive) ^ turn_key(position.turn, position.alive)


TT_STATE = np.dtype(
    [
        ("slots", np.uint64),  # in use, a power of two
        ("generation", np.uint16),  # the number of this search
        ("oldest_generation", np.uint16),  # of the oldest search whose entries are used
    ],
    align=True,
)
TT_STATE_TYPE = record_type(TT_STATE)
ENTRY = np.dtype([("check", np.uint64), ("data", np.uint64)], align=True)
ENTRY_TYPE = record_type(ENTRY)
TABLE_TYPE = types.Array(ENTRY_TYPE, 1, "C", aligned=True)

BOUND_EXACT, BOUND_LOWER, BOUND_UPPER = 1, 2, 3
EMPTY = np.uint64(0)
_MOVE_SHIFT, _DEPTH_SHIFT, _BOUND_SHIFT, _GENERATION_SHIFT = map(np.uint64, (16, 32, 40, 48))
_BYTE, _WORD = np.uint64(0xFF), np.uint64(0xFFFF)
_SCORE_OFFSET = 1 << 15


@kernel(types.int64(types.uint64, types.int64), forceinline=True)
def score_of(data, ply):
    """The score of an entry, with a win or loss counted from the root again."""
    score = np.int64(data & _WORD) - _SCORE_OFFSET
    if score > WON:
        return score - ply
    if score < -WON:
        return score + ply
    return score


@kernel(types.uint16(types.uint64), forceinline=True)
def move_in(data):
    """The best move of an entry, or `NO_MOVE`."""
    return np.uint16(data >> _MOVE_SHIFT & _WORD)


@kernel(types.int64(types.uint64), forceinline=True)
def depth_of(data):
    """The depth of the search below, in plies."""
    return np.int64(data >> _DEPTH_SHIFT & _BYTE)


@kernel(types.int64(types.uint64), forceinline=True)
def bound_of(data):
    return np.int64(data >> _BOUND_SHIFT & _BYTE)


@kernel(types.uint16(types.uint64), forceinline=True)
def generation_of(data):
    """The number of the search that wrote the entry."""
    return np.uint16(data >> _GENERATION_SHIFT)


@kernel(types.uint64(TABLE_TYPE, TT_STATE_TYPE, types.uint64), forceinline=True)
def probe(table, tt, key):
    """The data of a position, `EMPTY` if it is not in the slots in use. Older entries count as empty."""
    entry = table[key & (tt.slots - np.uint64(1))]
    data = entry.data
    return data if entry.check ^ data == key and generation_of(data) >= tt.oldest_generation else EMPTY


@kernel(types.void(TABLE_TYPE, TT_STATE_TYPE, types.uint64, *(types.int64,) * 4, types.uint16))
def store(table, tt, key, depth, score, bound, ply, move):
    """Store a result, unless a deeper one of the same search has the slot.

    Entries older than `oldest_generation` count as empty.
    """
    entry = table[key & (tt.slots - np.uint64(1))]
    old = entry.data
    is_same = entry.check ^ old == key
    if not is_same and old != EMPTY and generation_of(old) == tt.generation and depth_of(old) > depth:
        return
    if is_same and move == NO_MOVE and generation_of(old) >= tt.oldest_generation:
        move = move_in(old)
    if score > WON:
        score += ply
    elif score < -WON:
        score -= ply
    data = (
        np.uint64(score + _SCORE_OFFSET)
        | np.uint64(move) << _MOVE_SHIFT
        | np.uint64(depth) << _DEPTH_SHIFT
        | np.uint64(bound) << _BOUND_SHIFT
        | np.uint64(tt.generation) << _GENERATION_SHIFT
    )
    entry.check = key ^ data
    entry.data = data


@kernel(types.boolean(TABLE_TYPE, types.uint64, types.uint64, STOP_TYPE))
def rehash(table, slots, more_slots, stop):
    """Move the entries of the first `slots` slots to their places among `more_slots`, a larger power of two.

    Entries there are replaced. False if `stop[0]` ended it; some entries are then not found.
    """
    for slot in range(slots):
        if stop[0]:
            return False
        entry = table[slot]
        check, data = entry.check, entry.data
        target = (check ^ data) & (more_slots - np.uint64(1))
        if data != EMPTY and target != slot:
            table[target].check = check
            table[target].data = data
            entry.data = EMPTY
    return True


@kernel(types.int64(TABLE_TYPE, TT_STATE_TYPE))
def hashfull(table, tt):
    """The share of slots that this search has written, in permille, from a sample."""
    sample = min(np.int64(tt.slots), np.int64(1000))
    used = 0
    for i in range(sample):
        used += table[i].data != EMPTY and generation_of(table[i].data) == tt.generation
    return 1000 * used // sample
