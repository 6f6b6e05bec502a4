"""Many games in kernels: how they begin, which actions are legal, what a ply does. Without observations.

Line-ups are drawn as `players.lineup_choice.sensible` draws them. The legal moves of game g are at `g * MAX_MOVES` in
`moves`, `counts[g]` of them: none once it has ended.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type, scratch_record
from junqi_engine.players.lineup_choice import CANDIDATES, beside_flag, place_worths
from junqi_engine.rules.board import HEADQUARTERS_INDICES, LINEUP_INDICES, TABLES_TYPE
from junqi_engine.rules.layout import SEATS, contains, from_point_of, move_of, piece_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.pieces import BOMB, COUNTS, FLAG, KINDS, LETTERS, MINE, MOVABLE_MASK, PIECES_PER_SEAT
from junqi_engine.rules.position import ONE, POSITION, POSITION_TYPE
from junqi_engine.splitmix import GOLDEN, mix

POSITIONS_TYPE = types.Array(record_type(POSITION), 1, "C")
NUMBERS_TYPE = types.Array(types.intp, 1, "C")
SETS_TYPE = types.Array(types.uint8, 1, "C")
FRAMES_TYPE = types.Array(types.intp, 2, "C")
MASKS_TYPE = types.Array(types.int8, 2, "C")

SEEDS_TYPE = types.Array(types.uint64, 1, "C")
LINEUP_TYPE = types.Array(types.uint8, 1, "C")
_FRONT = 5
_MINORS = tuple(map(LETTERS.index, "gh"))
_NO_MINE = [kind for kind in range(KINDS) if kind not in (FLAG, MINE, BOMB)]
_REST = np.array([
    [kind for kind in _NO_MINE for _ in range(COUNTS[kind] - (kind == minor))] for minor in _MINORS
], np.uint8)  # fmt: skip
"""By the minor piece in the headquarters: the pieces that may stand anywhere."""
_HEADQUARTERS = np.array([LINEUP_INDICES.index(index) for index in HEADQUARTERS_INDICES])
_GUARDS, _BACK_ROWS = 3, 20


def _places_by_use(flag: int) -> list[int]:
    """The places but the headquarters: those beside the flag, the others of the back rows, the middle, the front."""
    guards = [LINEUP_INDICES.index(index) for index in beside_flag(flag)]
    free = [place for place in range(PIECES_PER_SEAT) if place not in _HEADQUARTERS and place not in guards]
    back = [place for place in free if LINEUP_INDICES[place] >= _BACK_ROWS]
    return [*guards, *back, *(place for place in free if place >= _FRONT and place not in back), *range(_FRONT)]


_PLACES = np.array([_places_by_use(flag) for flag in HEADQUARTERS_INDICES], np.uint8)
_MINE_PLACES = sum(LINEUP_INDICES[place] >= _BACK_ROWS for place in _PLACES[0])
_WORTHS = np.array([
    [[row[letter] for letter in LETTERS] for row in place_worths(int(place))] for place in _HEADQUARTERS
])  # fmt: skip
_lineup_scratch = scratch_record(
    np.dtype([(name, np.uint8, PIECES_PER_SEAT) for name in ("drawn", "best", "rest", "places")], align=True)
)


@kernel(types.uint64(SEEDS_TYPE, types.intp, types.uint64), forceinline=True)
def draw(seeds, game, most):
    """A number below `most`; the seed of the game moves on."""
    seeds[game] += GOLDEN
    return (mix(seeds[game]) >> np.uint64(32)) * most >> np.uint64(32)


@kernel(types.void(SEEDS_TYPE, types.intp, LINEUP_TYPE, types.intp, types.intp), forceinline=True)
def swap_in(seeds, game, places, at, end):
    """Let one of `places` from `at` to `end` be the one at `at`, each equally likely."""
    chosen = at + np.intp(draw(seeds, game, np.uint64(end - at)))
    places[at], places[chosen] = places[chosen], places[at]


@kernel(types.intp(SEEDS_TYPE, types.intp, LINEUP_TYPE, LINEUP_TYPE, LINEUP_TYPE))
def draw_lineup(seeds, game, lineup, rest, places):
    """A legal line-up, (25,) kinds by place, as one candidate of `sensible`; returns the side of its flag."""
    side = np.intp(draw(seeds, game, np.uint64(2)))
    minor = np.intp(draw(seeds, game, np.uint64(2)))
    lineup[_HEADQUARTERS[side]], lineup[_HEADQUARTERS[1 - side]] = FLAG, _MINORS[minor]
    free = _PLACES.shape[1]
    for i in range(free):
        places[i] = _PLACES[side, i]
    chance = draw(seeds, game, np.uint64(20))
    close = 1 + (chance >= 7) + (chance >= 16)
    for i in range(close):
        swap_in(seeds, game, places, i, _GUARDS)
        lineup[places[i]] = MINE
    for i in range(COUNTS[MINE] - close):
        swap_in(seeds, game, places, _GUARDS + i, _MINE_PLACES)
        lineup[places[_GUARDS + i]] = MINE
    # The places of mines go to the beginning, those that remain beside the flag behind them.
    for i in range(_GUARDS - close):
        other = _GUARDS + COUNTS[MINE] - close - 1 - i
        places[close + i], places[other] = places[other], places[close + i]
    for i in range(COUNTS[MINE], COUNTS[MINE] + COUNTS[BOMB]):
        swap_in(seeds, game, places, i, free - _FRONT)
        lineup[places[i]] = BOMB
    count = _REST.shape[1]
    for i in range(count):
        rest[i] = _REST[minor, i]
    for i in range(count):
        swap_in(seeds, game, rest, i, count)
        lineup[places[free - count + i]] = rest[i]
    return side


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, SEEDS_TYPE, types.intp))
def deal(tables, position, seats, seeds, game):
    """Draw the line-ups of a set of seats in a position at the start of a game."""
    scratch = _lineup_scratch()
    drawn, best = scratch.drawn, scratch.best
    for seat in range(SEATS):
        if not contains(seats, seat):
            continue
        most = -(1 << 30)
        for _ in range(CANDIDATES):
            side, worth = draw_lineup(seeds, game, drawn, scratch.rest, scratch.places), 0
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


@kernel(types.void(TABLES_TYPE, POSITIONS_TYPE, MOVES_TYPE, NUMBERS_TYPE, types.intp))
def list_moves(tables, positions, moves, counts, game):
    """List the legal moves of a game."""
    counts[game] = generate(tables, positions[game], moves, game * MAX_MOVES) - game * MAX_MOVES


@kernel(
    types.void(
        TABLES_TYPE, POSITIONS_TYPE, POSITIONS_TYPE, SETS_TYPE, SEEDS_TYPE, NUMBERS_TYPE, MOVES_TYPE, NUMBERS_TYPE,
        NUMBERS_TYPE,
    )
)  # fmt: skip
def begin_games(tables, positions, starts, drawn, seeds, started, moves, counts, games):
    """Begin games, each from one of `starts`; its number goes to `started`. `drawn` has the seats whose line-ups are
    drawn for each game.
    """
    for i in range(len(games)):
        game = games[i]
        start = np.intp(draw(seeds, game, np.uint64(len(starts))))
        positions[game] = starts[start]
        started[game] = start
        deal(tables, positions[game], drawn[start], seeds, game)
        list_moves(tables, positions, moves, counts, game)


@kernel(types.intp(POSITIONS_TYPE, NUMBERS_TYPE, FRAMES_TYPE, MOVES_TYPE, NUMBERS_TYPE, MOVES_TYPE))
def translate(positions, actions, absolute, moves, counts, chosen):
    """Make moves of the actions. Returns the first game whose action is not legal, -1 if there is none. Games that have
    ended have no actions.
    """
    points = absolute.shape[1]
    for game in range(len(positions)):
        if counts[game] == 0:
            continue
        action, first, is_legal = actions[game], game * MAX_MOVES, False
        if 0 <= action < points * points:
            seat = np.intp(positions[game].turn)
            move = np.uint16(move_of(absolute[seat, action // points], absolute[seat, action % points]))
            for i in range(first, first + counts[game]):
                is_legal |= moves[i] == move
            chosen[game] = move
        if not is_legal:
            return game
    return -1


@kernel(types.void(POSITIONS_TYPE, SEEDS_TYPE, FRAMES_TYPE, MOVES_TYPE, NUMBERS_TYPE, NUMBERS_TYPE))
def draw_actions(positions, seeds, relative, moves, counts, actions):
    """A random legal action for every game; 0 for one that has ended."""
    points = relative.shape[1]
    for game in range(len(positions)):
        actions[game] = 0
        if counts[game]:
            move = moves[game * MAX_MOVES + np.intp(draw(seeds, game, np.uint64(counts[game])))]
            seat = np.intp(positions[game].turn)
            actions[game] = relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]


@kernel(types.void(POSITIONS_TYPE, FRAMES_TYPE, MOVES_TYPE, NUMBERS_TYPE, MASKS_TYPE))
def fill_masks(positions, relative, moves, counts, masks):
    """`masks`, (games, actions): 1 for the legal actions."""
    points = relative.shape[1]
    for game in range(len(positions)):
        for action in range(masks.shape[1]):
            masks[game, action] = 0
        seat = np.intp(positions[game].turn)
        for i in range(game * MAX_MOVES, game * MAX_MOVES + counts[game]):
            move = moves[i]
            masks[game, relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]] = 1
