"""Worlds sampled from a view: a kind for every hidden piece, consistent with everything that is known.

A world is a determinization: the search treats it as a game with perfect information (perfect-information Monte Carlo;
Ginsberg 2001). It gives every piece of every hidden seat, removed pieces included, a kind so that masks, counts and
recorded battles hold. The line-ups of each seat are drawn from its marginals by `rounding`.

Battles between hidden pieces, in `dark` games, connect the line-ups of seats, and marginals do not know them. A world
that contradicts one is *repaired*: pieces of a seat exchange their kinds so that as few battles as possible are
contradicted, until none is (min-conflicts; Minton, Johnston, Philips and Laird 1992). A world that cannot be repaired
is left out, and so is one in which a seat that remains has no piece that can move.
"""

import numpy as np
from numba.core import types

from junqi_engine.information.belief.marginals import Marginals, uncertain_seats, uniform_marginals
from junqi_engine.information.belief.rounding import MAX_MISS, draw_lineups
from junqi_engine.information.deduction import MASKS_TYPE, PARTNERS, RELATIONS_TYPE, assign
from junqi_engine.information.view import SeatView
from junqi_engine.information.world import distinct_worlds
from junqi_engine.kernels import NEVER_STOP, kernel
from junqi_engine.rules.layout import SEATS, contains, piece_of, seat_of, slice_of
from junqi_engine.rules.pieces import COUNTS, IMMOBILE_MASK, KINDS, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.splitmix import GOLDEN, mix

DRAWS_PER_WORLD = 4
"""The number of worlds drawn for each that is wanted, if some are equal."""
MAX_EXCHANGES = 200
"""Exchanges after which the repair of a world is given up."""
_NOISE = 1.5
"""Upper bound of the random term in the cost of an exchange, so that the repair does not cycle."""
_SHIFT_32, _RANGE_32 = np.uint64(32), float(1 << 32)
KIND_ARRAY_TYPE = types.Array(types.uint8, 1, "C")


def sample_worlds(
    view: SeatView, count: int, seed: int, marginals: Marginals | None = None, stop: np.ndarray = NEVER_STOP
) -> np.ndarray:
    """Sample worlds: (count, 128) uint8, the kind of every piece. The same `seed` gives the same worlds.

    Without `marginals` they are uniform. Known pieces keep their kind; slots without a piece are `pieces.UNKNOWN`.
    Fewer than `count` worlds are returned, but at least one, if some are left out or if `stop[0]` is set. If all would
    be left out, the first one is returned as it is.
    """
    worlds = np.tile(view.position["kind"], (count, 1))
    if not count or (view.position["kind"] != UNKNOWN)[view.masks != 0].all():
        return worlds
    state = seed & (1 << 64) - 1
    for seat in uncertain_seats(view):
        table, own_seed = _with_counts(view, seat, marginals), mix(np.uint64(state ^ seat + 1))
        worlds = worlds[: draw_lineups(table, own_seed, stop, worlds[:, slice_of(seat, PIECES_PER_SEAT)])]
    fits = np.ones(len(worlds), bool)
    if len(view.relations):
        for number, world in enumerate(worlds):
            fits[number] = repair(view.masks, view.relations, mix(np.uint64(state ^ number + SEATS + 1)), world)
    for seat in range(SEATS):
        if contains(view.hidden_seats, seat) and view.is_alive(seat):
            kinds = worlds[:, _pieces_outside_headquarters(view, seat)].astype(int)
            fits &= (contains(IMMOBILE_MASK, kinds) == 0).any(axis=1)
    return worlds[fits] if fits.any() else worlds[:1]


def _with_counts(view: SeatView, seat: int, marginals: Marginals | None) -> np.ndarray:
    """The marginals of a seat, or equal ones, or those of one line-up: the first whose columns are near the counts."""
    for given in (marginals, None):
        table: np.ndarray = (uniform_marginals(view) if given is None else given)[seat]
        if np.abs(table.sum(axis=0) - COUNTS).sum() < MAX_MISS:
            return table
    kinds = np.empty(PIECES_PER_SEAT, np.int8)
    assign(view.masks, piece_of(seat, 0), kinds)
    return np.eye(KINDS)[kinds]


def _pieces_outside_headquarters(view: SeatView, seat: int) -> np.ndarray:
    pieces = piece_of(seat, np.arange(PIECES_PER_SEAT))
    is_present = contains(int(view.position["present"][seat]), np.arange(PIECES_PER_SEAT)).astype(bool)
    places = view.position["where"][pieces]
    return pieces[is_present & (view.board.tables["headquarters"][places] == 0)]


def sample_distinct_worlds(
    view: SeatView, count: int, seed: int, marginals: Marginals | None, stop: np.ndarray
) -> np.ndarray:
    """As `sample_worlds`; if some worlds are equal on the board, more are drawn, and the `count` most frequent remain.

    Each of those is returned as often as it was drawn.
    """
    drawn = sample_worlds(view, count, seed, marginals, stop)
    if len(distinct_worlds(view, drawn)[0]) == len(drawn):
        return drawn
    different, times = distinct_worlds(view, sample_worlds(view, DRAWS_PER_WORLD * count, seed, marginals, stop))
    chosen = np.argsort(-times, kind="stable")[:count]
    return np.repeat(different[chosen], times[chosen], axis=0)


@kernel(types.intp(RELATIONS_TYPE, KIND_ARRAY_TYPE, types.intp))
def find_contradicted(relations, kinds, index):
    """Row of the `index`-th contradicted battle, from 0; `-count - 1` if there are only `count`."""
    count = 0
    for i in range(relations.shape[0]):
        partners = PARTNERS[relations[i, 2], 0, kinds[relations[i, 0]]]
        if not contains(partners, np.uint16(kinds[relations[i, 1]])):
            if count == index:
                return i
            count += 1
    return -count - 1


@kernel(types.boolean(MASKS_TYPE, RELATIONS_TYPE, types.uint64, KIND_ARRAY_TYPE))
def repair(masks, relations, seed, kinds):
    """Exchange kinds of pieces of a seat until no battle of `relations` is contradicted; False if that fails."""
    state = seed
    for _ in range(MAX_EXCHANGES):
        broken = -1 - find_contradicted(relations, kinds, len(relations))
        if broken == 0:
            return True
        state += GOLDEN
        bits = mix(state)
        row = find_contradicted(relations, kinds, np.intp((bits >> _SHIFT_32) * np.uint64(broken) >> _SHIFT_32))
        piece = np.intp(relations[row, bits & np.uint64(1)])
        chosen, least = piece, np.inf
        for slot in range(PIECES_PER_SEAT):
            other = piece_of(np.intp(seat_of(piece)), slot)
            is_possible = contains(masks[piece], kinds[other]) and contains(masks[other], kinds[piece])
            if kinds[other] == kinds[piece] or not is_possible:
                continue
            kinds[piece], kinds[other] = kinds[other], kinds[piece]
            state += GOLDEN
            noise = _NOISE * np.float64(mix(state) >> _SHIFT_32) / _RANGE_32
            cost = noise - find_contradicted(relations, kinds, len(relations))
            kinds[piece], kinds[other] = kinds[other], kinds[piece]
            if cost < least:
                chosen, least = other, cost
        kinds[piece], kinds[chosen] = kinds[chosen], kinds[piece]
    return False
