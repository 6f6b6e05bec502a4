"""The static value: what every piece is worth on every point, for the search to add up.

A *world* is a position whose pieces are all known. Values are in hundredths of a Lieutenant. The sum over a seat's
pieces, with `SEAT_WORTH` for the seat itself, counts for its team and against the other.

`WORLD`, one for each world that is searched:

| field | shape | meaning |
|---|---|---|
| worth | (4, 12) | by seat and kind: what a piece is worth wherever it stands |
| values | (128, 129) | by piece and point: its worth there |
| gain | (4, 12, 12) | what a battle brings the attacking team: by defending seat, attacking kind, defending kind |
| key | scalar | tells this world's entries in the transposition table from another's |
| score | scalar | the sum at the root, team 0's less team 1's |
"""

from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.evaluation.ways import ROAD_STEP, measure_ways
from junqi_engine.information import worlds as worlds_module
from junqi_engine.information.belief import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import count_trailing_zeros, kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, KINDS, MARSHAL, MINE, UNKNOWN
from junqi_engine.rules.position import ONE, POSITION_TYPE
from junqi_engine.rules.setup import set_movable
from junqi_engine.splitmix import mix

WORLD = np.dtype(
    [
        ("worth", np.int16, (4, KINDS)),
        ("values", np.int16, (128, MAX_POINTS)),
        ("gain", np.int16, (4, KINDS, KINDS)),
        ("key", np.uint64),
        ("score", np.int64),
    ],
    align=True,
)
WORLD_TYPE = record_type(WORLD)

LOWEST_RANK, HIGHEST_RANK = 80, 950
"""The worth of a ranked piece that beats none of the enemy's ranked pieces, and of one that beats them all; between
them it grows with the third power of the part that it beats, two that are equal counting half.
"""
ENGINEER_WORTH = 180
MINE_WORTH = 120
BOMB_PART = 0.38
"""A bomb is worth so much of the enemy's best piece."""
SECRET_FLAG = 350
"""What a marshal is worth beside its rank while it keeps its flag from being shown."""
SEAT_WORTH = 1500
TERM_WORLDS = 64
_TERMS = ("material", "approach", "guard", "seats")
FLAG_GAIN = 9000
"""What taking a flag is reckoned at when moves are put in order."""

APPROACH = (45, 50, 60, 65, 65, 65, 60, 50, 45, 0, 35, 0)
"""By kind: the worth of standing beside an enemy flag; it falls off with the way that is left."""
NEAR = 16
"""The way, in quarters of a move, at which half of it is left."""
THREAT = 500
"""What standing a step from an enemy flag is worth beside that; a fourth of it two steps away, then nothing."""
SECOND_FLAG = 4
"""The farther of two flags counts for one part in so many."""
GUARD = (800, 800, 800, 800, 800, 800, 800, 800, 800, 800, 1000, 0)
"""By kind: the worth of standing a step from the own flag, where an attacker must pass."""

_APPROACH = np.array(APPROACH, np.int64)
_GUARD = np.array(GUARD, np.int64)


@kernel(types.void(POSITION_TYPE, types.uint8, WORLD_TYPE))
def fill_worth(position, shown, world):
    """Fill `worth` by who is on the board. `shown` has a bit for each seat whose flag everyone knows."""
    counts = np.zeros((2, ENGINEER + 1), np.int64)
    for seat in range(4):
        pieces = position.present[seat]
        while pieces:
            piece = np.uint8(seat << 5 | count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            kind = position.kind[piece]
            if kind <= ENGINEER:
                counts[seat & 1, kind] += 1
    for seat in range(4):
        enemies = counts[(seat & 1) ^ 1]
        total = max(1, enemies.sum())
        below = total
        for kind in range(ENGINEER + 1):
            below -= enemies[kind]
            part = (below + 0.5 * enemies[kind]) / total
            world.worth[seat, kind] = LOWEST_RANK + np.int64((HIGHEST_RANK - LOWEST_RANK) * part**3)
        world.worth[seat, ENGINEER] = max(ENGINEER_WORTH, world.worth[seat, ENGINEER])
        world.worth[seat, MINE] = MINE_WORTH
        world.worth[seat, FLAG] = 0
    for seat in range(4):
        best = 0
        for kind in range(ENGINEER, -1, -1):
            if counts[(seat & 1) ^ 1, kind]:
                best = np.int64(world.worth[seat ^ 1, kind])
        world.worth[seat, BOMB] = max(MINE_WORTH, np.int64(BOMB_PART * best))
    for seat in range(4):
        if shown >> seat & 1 == 0:
            world.worth[seat, MARSHAL] += SECRET_FLAG


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, WORLD_TYPE))
def fill_values(tables, position, world):
    """Fill `values` and `score` for a world at the root of a search."""
    pull = np.zeros((2, 2, MAX_POINTS), np.int32)
    best = np.zeros((2, 2, MAX_POINTS), np.int32)
    threat = np.zeros((2, MAX_POINTS), np.int32)
    is_guarding = np.zeros((4, MAX_POINTS), np.bool_)
    ways = np.empty(MAX_POINTS, np.int32)
    for seat in range(4):
        pieces = position.present[seat]
        while pieces:
            piece = np.uint8(seat << 5 | count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            if position.kind[piece] != FLAG:
                continue
            flag = position.where[piece]
            for i in range(tables.near_count[flag]):
                is_guarding[seat, tables.near[flag, i]] = True
            team = np.uint8((seat & 1) ^ 1)
            for way_of in range(2):
                measure_ways(tables, position, flag, team, way_of == 1, ways)
                for point in range(MAX_POINTS):
                    if ways[point] <= ROAD_STEP:
                        threat[team, point] = max(threat[team, point], THREAT)
                    elif ways[point] <= 2 * ROAD_STEP:
                        threat[team, point] = max(threat[team, point], THREAT // 4)
                    near = 1024 * NEAR // (NEAR + ways[point])
                    pull[team, way_of, point] += near // SECOND_FLAG
                    if near > best[team, way_of, point]:
                        best[team, way_of, point] = near
    score = 0
    for seat in range(4):
        if position.alive >> seat & 1 == 0:
            continue
        sign = -1 if seat & 1 else 1
        score += sign * SEAT_WORTH
        pieces = position.present[seat]
        while pieces:
            piece = np.uint8(seat << 5 | count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            kind = position.kind[piece]
            way_of = 1 if kind == ENGINEER else 0
            for point in range(MAX_POINTS):
                near = best[seat & 1, way_of, point] * (SECOND_FLAG - 1) // SECOND_FLAG + pull[seat & 1, way_of, point]
                value = np.int64(world.worth[seat, kind]) + (_APPROACH[kind] * near >> 10)
                if _APPROACH[kind]:
                    value += threat[seat & 1, point]
                if is_guarding[seat, point]:
                    value += _GUARD[kind]
                world.values[piece, point] = value
            score += sign * world.values[piece, position.where[piece]]
    world.score = score


@kernel(types.int64(TABLES_TYPE, WORLD_TYPE, *(types.intp,) * 3))
def battle_swing(tables, world, attacker, seat, defender):
    """What a battle of kind `attacker` against a `seat`'s kind `defender` brings the attacking team."""
    if defender == FLAG:
        return FLAG_GAIN
    outcome = tables.battle[12 * attacker + defender]
    swing = np.int64(0)
    if outcome != 2:
        swing += world.worth[seat, defender]
    if outcome != 1:
        # Which seat of a team attacks makes no difference but to a marshal that has a flag to hide.
        swing -= min(world.worth[seat ^ 1, attacker], world.worth[seat ^ 3, attacker])
    return swing


@kernel(types.void(TABLES_TYPE, WORLD_TYPE))
def fill_gains(tables, world):
    """Fill `gain` from `worth`."""
    for seat in range(4):
        for attacker in range(KINDS):
            for defender in range(KINDS):
                world.gain[seat, attacker, defender] = battle_swing(tables, world, attacker, seat, defender)


@kernel(types.uint64(POSITION_TYPE, types.uint64))
def world_key(position, salt):
    """A key of who is what in a world."""
    key = salt
    for piece in range(128):
        key = mix(key ^ (np.uint64(position.kind[piece]) + np.uint64(16 * piece + 1)))
    return key


def become_world(view: SeatView, position: np.void, kinds: np.ndarray, world: np.void) -> None:
    """Make the view's `position` the one in which pieces are of these `kinds`, (128,), and value it in `world`."""
    position["kind"] = kinds
    set_movable(view.board, position, (kinds != MINE) & (kinds != FLAG) & (kinds != UNKNOWN))
    shown = sum(1 << seat for seat, flag in enumerate(view.shown_flags) if flag is not None)
    fill_worth(position, np.uint8(shown), world)
    fill_values(view.board.tables, position, world)
    fill_gains(view.board.tables, world)
    world["key"] = world_key(position, np.uint64(0))


@dataclass(frozen=True)
class Term:
    """A part of the value: its worth for the team to move and for the other."""

    name: str
    ours: float
    theirs: float

    @property
    def value(self) -> float:
        return round(self.ours - self.theirs, 6) + 0.0


def terms(view: SeatView) -> list[Term]:
    """The parts of the value, means over worlds drawn from the belief; a finished game has them as well.

    *material*: every piece at its worth; *approach*: what its place on the way to an enemy flag adds; *guard*: what
    standing beside its own flag adds; *seats*: for each seat still in.
    """
    kinds = worlds_module.draw(view, 1 if view.is_open else TERM_WORLDS, 0, log_weights(view))
    sums = np.zeros((len(_TERMS), 2))
    for world_kinds in kinds:
        position, world = view.position.copy(), np.zeros(1, WORLD)[0]
        become_world(view, position, world_kinds, world)
        for seat in range(len(view.board.seats)):
            if not view.alive >> seat & 1:
                continue
            side = (seat ^ view.turn) & 1
            pieces = [32 * seat + slot for slot in range(32) if int(position["present"][seat]) >> slot & 1]
            worth = int(world["worth"][seat][world_kinds[pieces]].sum())
            guard = _guard_of(view, position, pieces, world_kinds)
            value = int(world["values"][pieces, position["where"][pieces]].sum())
            sums[:, side] += (worth, value - worth - guard, guard, SEAT_WORTH)
    means = sums / len(kinds)
    return [Term(name, *map(float, row)) for name, row in zip(_TERMS, means, strict=True)]


def _guard_of(view: SeatView, position: np.void, pieces: list[int], kinds: np.ndarray) -> int:
    """What a seat's pieces are worth for standing beside its flag; 0 without one."""
    tables, where = view.board.tables, position["where"]
    flags = [int(where[piece]) for piece in pieces if kinds[piece] == FLAG]
    beside = {int(point) for flag in flags for point in tables["near"][flag, : tables["near_count"][flag]]}
    return sum(GUARD[kinds[piece]] for piece in pieces if int(where[piece]) in beside)


def evaluate(view: SeatView) -> int:
    """The sum of the terms."""
    return round(sum(term.value for term in terms(view)))
