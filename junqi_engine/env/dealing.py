"""Line-ups for new games, in a kernel: drawn as `players.lineup_choice.sensible` draws them."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.players.lineup_choice import CANDIDATES, beside_flag, place_worths
from junqi_engine.rules.board import HEADQUARTERS_INDICES, LINEUP_INDICES, TABLES_TYPE
from junqi_engine.rules.layout import SEATS, contains, piece_of
from junqi_engine.rules.pieces import BOMB, COUNTS, FLAG, KINDS, LETTERS, MINE, MOVABLE_MASK, PIECES_PER_SEAT
from junqi_engine.rules.position import ONE, POSITION_TYPE
from junqi_engine.splitmix import GOLDEN, mix

SEEDS_TYPE = types.Array(types.uint64, 1, "C")
LINEUP_TYPE = types.Array(types.uint8, 1, "C")
_NOTHING = 255
_FRONT = 5
_MINORS = tuple(map(LETTERS.index, "gh"))
_HEADQUARTERS = np.array([LINEUP_INDICES.index(index) for index in HEADQUARTERS_INDICES])
_NO_MINE = [kind for kind in range(KINDS) if kind not in (FLAG, MINE, BOMB)]
_REST = np.array([
    [kind for kind in _NO_MINE for _ in range(COUNTS[kind] - (kind == minor))] for minor in _MINORS
], np.uint8)  # fmt: skip
"""By the minor piece in the headquarters: the pieces that may stand anywhere."""
_IS_GUARD = np.array([[index in beside_flag(flag) for index in LINEUP_INDICES] for flag in HEADQUARTERS_INDICES])
_BACK = np.array([index >= 20 for index in LINEUP_INDICES])
_WORTHS = np.array([
    [[row[letter] for letter in LETTERS] for row in place_worths(int(place))] for place in _HEADQUARTERS
])  # fmt: skip
_lineup_scratch = scratch_record(
    np.dtype([(name, np.uint8, PIECES_PER_SEAT) for name in ("drawn", "best", "rest")], align=True)
)


@kernel(types.uint64(SEEDS_TYPE, types.intp, types.uint64), forceinline=True)
def draw(seeds, game, most):
    """A number below `most`; the seed of the game moves on."""
    seeds[game] += GOLDEN
    return (mix(seeds[game]) >> np.uint64(32)) * most >> np.uint64(32)


@kernel(types.intp(SEEDS_TYPE, types.intp, LINEUP_TYPE, LINEUP_TYPE))
def draw_lineup(seeds, game, lineup, rest):
    """A legal line-up, (25,) kinds by place, as one candidate of `sensible`; returns the side of its flag."""
    side = np.intp(draw(seeds, game, np.uint64(2)))
    minor = np.intp(draw(seeds, game, np.uint64(2)))
    for place in range(PIECES_PER_SEAT):
        lineup[place] = _NOTHING
    lineup[_HEADQUARTERS[side]], lineup[_HEADQUARTERS[1 - side]] = FLAG, _MINORS[minor]
    chance = draw(seeds, game, np.uint64(20))
    close = 1 + (chance >= 7) + (chance >= 16)
    # Each of the places left is taken with the chance that exactly `mines` of them are.
    for is_guard in range(2):
        mines, left = (close, 3) if is_guard else (COUNTS[MINE] - close, 5)
        for place in range(PIECES_PER_SEAT):
            if _BACK[place] and _IS_GUARD[side, place] == is_guard and lineup[place] == _NOTHING:
                if draw(seeds, game, np.uint64(left)) < mines:
                    lineup[place] = MINE
                    mines -= 1
                left -= 1
    bombs, left = COUNTS[BOMB], PIECES_PER_SEAT - _FRONT - 2 - COUNTS[MINE]
    for place in range(_FRONT, PIECES_PER_SEAT):
        if lineup[place] == _NOTHING:
            if draw(seeds, game, np.uint64(left)) < bombs:
                lineup[place] = BOMB
                bombs -= 1
            left -= 1
    left = _REST.shape[1]
    for i in range(left):
        rest[i] = _REST[minor, i]
    for place in range(PIECES_PER_SEAT):
        if lineup[place] == _NOTHING:
            chosen = np.intp(draw(seeds, game, np.uint64(left)))
            lineup[place] = rest[chosen]
            left -= 1
            rest[chosen] = rest[left]
    return side


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, SEEDS_TYPE, types.intp))
def deal(tables, position, seats, seeds, game):
    """Draw the line-ups of a set of seats in a position at the start of a game."""
    scratch = _lineup_scratch()
    drawn, best, rest = scratch.drawn, scratch.best, scratch.rest
    for seat in range(SEATS):
        if not contains(seats, seat):
            continue
        most = -(1 << 30)
        for _ in range(CANDIDATES):
            side, worth = draw_lineup(seeds, game, drawn, rest), 0
            for place in range(PIECES_PER_SEAT):
                worth += _WORTHS[side, place, drawn[place]]
            if worth > most:
                most = worth
                for place in range(PIECES_PER_SEAT):
                    best[place] = drawn[place]
        movable = np.uint32(0)
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            position.kind[piece] = best[slot]
            if contains(MOVABLE_MASK, np.intp(best[slot])) and not tables.headquarters[position.where[piece]]:
                movable |= ONE << np.uint32(slot)
        position.movable[seat] = movable
