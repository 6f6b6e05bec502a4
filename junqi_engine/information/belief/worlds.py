"""Worlds drawn from a view: one kind for every hidden piece, at random, consistent with everything that is known.

A world gives every piece of every hidden seat, removed pieces included, a kind so that masks, counts and recorded
battles hold. The line-ups of a seat come by its chances (`chances.chances_of`): each piece is of each kind as often as
they say, and all worlds of a draw together agree with the chances as closely as whole numbers can (`rounding`).

That is so for seats whose pieces fought no hidden piece, which are all of them for a viewer who sees both seats of a
team. Battles between hidden pieces connect the line-ups of seats, and chances do not know them. Such seats together are
drawn with a probability proportional to the product of weights, among the line-ups in which the battles hold.

**Weights.** With the chances themselves as weights, line-ups would be sharper than the chances (`rounding`). With the
share b of a piece in one of n places, the weight is b (1 - b)^(1 - 1/n). That is exact for two pieces and near even
shares; with the exponent 1 it is the weight of the Bethe approximation (Vontobel, IEEE Trans. Inf. Theory 2013). The
line-ups come from a Markov chain:

**Loops.** The uncertain pieces of a seat occupy as many slots, each of one kind. Take a piece out of its slot; let it
choose a slot in proportion to its weight there, then let the piece that was in that slot choose, and so on until one
chooses the empty slot. The reverse loop has the right probability, so the distribution is stationary and no step is
ever rejected (Prokof'ev and Svistunov's worm algorithm, 1998, applied to an assignment). Any two assignments differ by
loops, so all are reached; with exchanges of two pieces they would not be. The weights are first scaled so that rows and
columns sum to 1 (Sinkhorn and Knopp 1967). That changes the probability of no world, and makes the mean length of a
loop the number of pieces.

**Battles** between hidden pieces connect different seats. While the loop of one seat runs, the other seats are fixed,
so a battle is one more weight on a kind: a choice that contradicts a battle is accepted with probability `PRICE`, else
made again. The chain may pass through such states, because two pieces of equal rank could never change together
otherwise. A world is taken every `SWEEPS` times that no battle is contradicted. With a lower price, connected pieces
change sooner, but fewer states can be taken.

**Bounds.** The chain starts from one way in which all battles may have gone. Whether there is one is known for every
game that was played, but a record that nobody played may hide it, and consistent states may be rare. So the search for
it and the chain end after a fixed amount of work, or when they are stopped. Then the worlds obey masks and counts, but
may contradict battles, and there may be fewer of them.
"""

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
from numba.core import types

from junqi_engine.information.belief.chances import chances_of
from junqi_engine.information.belief.rounding import LARGEST_MISS, draw_lineups
from junqi_engine.information.deduction import (
    MASKS_TYPE,
    NEVER,
    PARTNERS,
    PARTNERS_TYPE,
    RELATIONS_TYPE,
    STOP_TYPE,
    UNLIMITED,
    assign,
    new_budget,
    settle_battles,
)
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import count_trailing_zeros, kernel, record_type, scratch_record
from junqi_engine.rules.layout import PIECES, SEATS, contains, piece_of, seat_of, slice_of, slot_of
from junqi_engine.rules.pieces import COUNTS, FLAG, IMMOBILE_MASK, KINDS, MINE, MOVABLE_MASK, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import ONE, set_movable
from junqi_engine.splitmix import GOLDEN, mix

DRAWS_PER_WORLD = 4
"""How many more worlds are drawn in place of equal ones."""
SWEEPS = 16
"""Loops of every seat between two worlds."""
BURN_IN = 64
"""Sweeps before the first world."""
PRICE = float(np.exp(-3.5))
STEPS_PER_WORLD = 1_000_000
"""The most steps of loops for each world; all worlds before the first one count as `BURN_IN` / `SWEEPS` worlds. In
mid-game a world takes about 2,000 steps.
"""
LOWEST_LOG_WEIGHT = -16.0
"""Relative to the best of the same piece; lower weights are raised to it, so that every loop ends."""

_SMALLEST = float(np.exp(LOWEST_LOG_WEIGHT))
_ROUNDS = 40
_EXCURSION = 400
_LONGEST_LOOP = 20_000
_PRICES = 8
_ONE_32 = np.uint64(1 << 32)
_LOW_32 = np.uint64((1 << 32) - 1)

LOG_WEIGHTS_TYPE = types.Array(types.float32, 2, "C")
WORLD_TYPE = types.Array(types.uint8, 1, "C")
WORLDS_TYPE = types.Array(types.uint8, 2, "C")
_ROW_TYPE = types.Array(types.float64, 1, "C")
_SQUARE_TYPE = types.Array(types.float64, 2, "C")
_INDEX_TYPE = types.Array(types.intp, 1, "C")
_CUTS_TYPE = types.Array(types.uint64, 1, "C")
_ALIASES_TYPE = types.Array(types.uint8, 1, "C")
_GROUPS_TYPE = types.Array(types.uint32, 1, "C")
_BY_SLOT = (SEATS, PIECES_PER_SEAT)
_BY_SLOT_AND_KIND = (SEATS, PIECES_PER_SEAT, PIECES_PER_SEAT)
_alias_scratch = scratch_record(
    np.dtype(
        [("shares", np.float64, PIECES_PER_SEAT), ("small", np.int64, PIECES_PER_SEAT),
         ("large", np.int64, PIECES_PER_SEAT)],
        align=True,
    )
)  # fmt: skip
_DRAW = np.dtype(
    [
        ("free", np.int64, SEATS),
        ("pieces", np.int64, _BY_SLOT),
        ("weights", np.float64, _BY_SLOT_AND_KIND),
        ("cuts", np.uint64, _BY_SLOT_AND_KIND),
        ("prices", np.uint64, _PRICES),
        ("first_battle", np.intp, PIECES + 1),
        ("aliases", np.uint8, _BY_SLOT_AND_KIND),
        ("slot_kinds", np.uint8, _BY_SLOT),
        ("occupants", np.uint8, _BY_SLOT),
        ("saved", np.uint8, _BY_SLOT),
        ("before", np.uint8, PIECES_PER_SEAT),
        ("kinds", np.int8, PIECES_PER_SEAT),
        ("now", np.uint8, PIECES),
        ("saved_now", np.uint8, PIECES),
    ],
    align=True,
)
"""Scratch memory of `draw_worlds`, which sets what it reads."""
_draw_scratch = scratch_record(_DRAW)


def draw(
    view: SeatView, count: int, seed: int, log_weights: np.ndarray | None = None, stop: np.ndarray = NEVER
) -> np.ndarray:
    """Draw worlds: (count, 128) uint8, the kind of every piece. The same `seed` gives the same worlds.

    `log_weights` is (128, 12) float32 by piece and kind, as of a `chances.Belief`; None stands for equal weights. Known
    pieces keep their kind; slots without a piece are `pieces.UNKNOWN`. ValueError if no world is consistent with the
    view. If `stop[0]` is set, at least one world is returned, but fewer than `count` if they are not drawn yet.
    """
    worlds = np.tile(view.position["kind"], (count, 1))
    masks = view.masks.copy()
    if not count or (view.position["kind"] != UNKNOWN)[masks != 0].all():
        return worlds
    if log_weights is None:
        log_weights = np.zeros((len(masks), KINDS), np.float32)
    weights = np.ascontiguousarray(log_weights, np.float32)
    state = seed & (1 << 64) - 1
    mobile, starts = _mobile_slots(view)
    chances = _chances_of_free_seats(view, mobile, weights)
    connected = np.uint8(view.hidden_seats & ~sum(1 << seat for seat in chances))
    if connected:
        first = _first_world(view, connected, starts, stop)
        weights = weights_for_product(view, int(connected), weights)
        drawn = draw_worlds(
            masks, first, connected, view.relations, PARTNERS, mobile, weights, np.uint64(state), STEPS_PER_WORLD, stop,
            worlds,
        )  # fmt: skip
        worlds = worlds[:drawn]
    for seat, table in chances.items():
        own = mix(np.uint64(state ^ seat + 1))
        worlds = worlds[: draw_lineups(table, own, stop, worlds[:, slice_of(seat, PIECES_PER_SEAT)])]
    return worlds


def _chances_of_free_seats(view: SeatView, mobile: np.ndarray, weights: np.ndarray) -> dict[int, np.ndarray]:
    """The chances of the hidden seats that nothing but their masks and counts binds, by seat."""
    bound = {seat_of(piece) for piece in view.relations[:, :2].flat} | set(np.flatnonzero(mobile))
    found = {}
    for seat in (seat for seat in range(SEATS) if contains(view.hidden_seats, seat) and seat not in bound):
        if view.masks[slice_of(seat, PIECES_PER_SEAT)].all():
            chances = chances_of(view, seat, weights)
            if np.abs(chances.sum(axis=0) - COUNTS).sum() < LARGEST_MISS:
                found[seat] = chances
    return found


def weights_for_product(view: SeatView, seats: int, log_weights: np.ndarray) -> np.ndarray:
    """The logarithms of the weights whose products, without battles, make line-ups of `seats` about as likely as the
    chances say, (128, 12) float32; see above.
    """
    found = log_weights.copy()
    for seat in (seat for seat in range(SEATS) if contains(seats, seat)):
        own = slice_of(seat, PIECES_PER_SEAT)
        if view.masks[own].all():
            chances = chances_of(view, seat, log_weights)
            uncertain = max(1, int(((chances > 0).sum(axis=1) > 1).sum()))
            others = np.log(np.maximum(1 - chances / COUNTS, _SMALLEST))
            found[own] = np.log(np.maximum(chances, _SMALLEST)) + (1 - 1 / uncertain) * others
    return found


def _first_world(view: SeatView, seats: np.uint8, starts: Iterable[np.ndarray], stop: np.ndarray) -> np.ndarray:
    """Masks in which the pieces of all battles are certain; those of the view if no such masks are found in time."""
    budget = new_budget()
    for start in starts:
        if settle_battles(start, seats, view.relations, PARTNERS, view.masks, UNLIMITED, budget, stop) == 1:
            return start
    if budget[0] > 0 and not stop[0]:
        raise ValueError("no world is consistent with the view")
    return view.masks.copy()


def _mobile_slots(view: SeatView) -> tuple[np.ndarray, Iterator[np.ndarray]]:
    """The mobile groups of a view as sets of slots by seat, (4,) with 0 for none; and masks for the first world.

    Each of the masks makes one piece of every group mobile.
    """
    groups = view.known.open_groups()
    mobile = np.zeros(SEATS, np.uint32)
    for piece in (piece for group in groups for piece in group):
        mobile[seat_of(piece)] |= np.uint32(1 << slot_of(piece))
    return mobile, (_with_mobile(view.masks, pieces) for pieces in product(*groups))


def _with_mobile(masks: np.ndarray, pieces: Iterable[int]) -> np.ndarray:
    masks = masks.copy()
    masks[list(pieces)] &= MOVABLE_MASK
    return masks


def position_in_world(view: SeatView, kinds: np.ndarray) -> np.void:
    """The position of a view if the pieces are of these `kinds`, (128,)."""
    position = view.position.copy()
    position["kind"] = kinds
    set_movable(view.board, position, (kinds != MINE) & (kinds != FLAG) & (kinds != UNKNOWN))
    return position


def draw_different(view: SeatView, count: int, seed: int, log_weights: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """As `draw`; but if some of the worlds are equal on the board, more are drawn, and all of the `count` most frequent
    ones there are returned.
    """
    drawn = draw(view, count, seed, log_weights, stop)
    if len(different_worlds(view, drawn)[0]) == len(drawn):
        return drawn
    different, times = different_worlds(view, draw(view, DRAWS_PER_WORLD * count, seed, log_weights, stop))
    chosen = np.argsort(-times, kind="stable")[:count]
    return np.repeat(different[chosen], times[chosen], axis=0)


def different_worlds(view: SeatView, worlds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The worlds that differ in pieces on the board, in the order of their first ones, and how many of `worlds` are the
    same there, (n,) int64.
    """
    on_board = np.unpackbits(view.position["present"].view(np.uint8), bitorder="little").astype(bool)
    equal: dict[bytes, list[int]] = {}
    for number, kinds in enumerate(worlds[:, on_board]):
        equal.setdefault(kinds.tobytes(), []).append(number)
    firsts = [numbers[0] for numbers in equal.values()]
    return worlds[firsts], np.array([len(numbers) for numbers in equal.values()], np.int64)


@kernel(types.void(_SQUARE_TYPE, types.intp))
def scale(weights, count):
    """Scale the rows and columns of a `count` x `count` matrix to sums near 1 (Sinkhorn and Knopp 1967)."""
    for _ in range(_ROUNDS):
        for column in range(count):
            total = 0.0
            for row in range(count):
                total += weights[row, column]
            for row in range(count):
                weights[row, column] /= total
        for row in range(count):
            total = 0.0
            for column in range(count):
                total += weights[row, column]
            for column in range(count):
                weights[row, column] /= total


@kernel(types.void(_ROW_TYPE, types.intp, _CUTS_TYPE, _ALIASES_TYPE))
def build_alias(weights, count, cuts, aliases):
    """Walker's alias table (Vose 1991) for a row of weights: draw column i uniformly, then keep it with probability
    `cuts[i]` / 2^32 or take `aliases[i]` instead.
    """
    total, best = 0.0, 0
    for i in range(count):
        total += weights[i]
        if weights[i] > weights[best]:
            best = i
    scratch = _alias_scratch()
    shares, small, large = scratch.shares, scratch.small, scratch.large
    smalls, larges = 0, 0
    for i in range(count):
        shares[i] = weights[i] * count / total
        if shares[i] < 1.0:
            small[smalls] = i
            smalls += 1
        else:
            large[larges] = i
            larges += 1
    while smalls and larges:
        smalls -= 1
        low, high = small[smalls], large[larges - 1]
        cuts[low] = np.uint64(shares[low] * 4294967296.0)
        aliases[low] = np.uint8(high)
        shares[high] -= 1.0 - shares[low]
        if shares[high] < 1.0:
            larges -= 1
            small[smalls] = high
            smalls += 1
    # Columns that remain because of rounding are certain, but a column of weight 0 must never be drawn.
    while larges:
        larges -= 1
        cuts[large[larges]] = _ONE_32
        aliases[large[larges]] = np.uint8(large[larges])
    while smalls:
        smalls -= 1
        low = small[smalls]
        cuts[low] = _ONE_32 if weights[low] > 0.0 else np.uint64(0)
        aliases[low] = np.uint8(best)


@kernel(types.boolean(RELATIONS_TYPE, PARTNERS_TYPE, _GROUPS_TYPE, WORLD_TYPE))
def fits(relations, partners, mobile, kinds):
    """Whether the kinds of 128 pieces contradict no battle of `relations` and no group of `mobile`."""
    for seat in range(SEATS):
        slots = mobile[seat]
        can_move = slots == 0
        while slots and not can_move:
            can_move = not contains(IMMOBILE_MASK, kinds[piece_of(seat, count_trailing_zeros(slots))])
            slots &= slots - ONE
        if not can_move:
            return False
    for i in range(relations.shape[0]):
        other = np.uint16(kinds[relations[i, 1]])
        if not contains(partners[relations[i, 2], 0, kinds[relations[i, 0]]], other):
            return False
    return True


@kernel(types.void(RELATIONS_TYPE, _INDEX_TYPE, RELATIONS_TYPE))
def list_battles(relations, first, rows):
    """List the battles by piece, each for both of its pieces: the first row of each piece into `first`, (pieces + 1,),
    and relation code, side of this piece and other piece into `rows`, (2 battles, 3).
    """
    pieces = first.shape[0] - 1
    count = 0
    for piece in range(pieces):
        first[piece] = count
        for i in range(relations.shape[0]):
            for side in range(2):
                if relations[i, side] == piece:
                    rows[count, 0] = relations[i, 2]
                    rows[count, 1] = side
                    rows[count, 2] = relations[i, 1 - side]
                    count += 1
    first[pieces] = count


@kernel(types.intp(RELATIONS_TYPE, _INDEX_TYPE, PARTNERS_TYPE, WORLD_TYPE, types.intp, types.uint8))
def count_broken(battles, first_battle, partners, kinds, piece, kind):
    """How many battles a piece contradicts if it is of `kind` and all others are as in `kinds`."""
    broken = 0
    for i in range(first_battle[piece], first_battle[piece + 1]):
        other = np.uint16(kinds[battles[i, 2]])
        if not contains(partners[battles[i, 0], battles[i, 1], kind], other):
            broken += 1
    return broken


@kernel(types.void(record_type(_DRAW)))
def save(scratch):
    """Keep the state of the chain, to which it may have to return."""
    for seat in range(SEATS):
        for j in range(scratch.free[seat]):
            scratch.saved[seat, j] = scratch.occupants[seat, j]
    for piece in range(PIECES):
        scratch.saved_now[piece] = scratch.now[piece]


@kernel(
    types.intp(
        MASKS_TYPE, MASKS_TYPE, types.uint8, RELATIONS_TYPE, PARTNERS_TYPE, _GROUPS_TYPE, LOG_WEIGHTS_TYPE,
        types.uint64, types.int64, STOP_TYPE, WORLDS_TYPE,
    )
)  # fmt: skip
def draw_worlds(
    masks, first, hidden_seats, relations, partners, mobile, log_weights, seed, steps_per_world, stop, worlds
):
    """Draw worlds into the rows of `worlds`, (n, 128), which contain the known kinds. Returns how many, at least one.

    `masks` are at their fixed point; so is `first`, from which the chain starts. `mobile` has, by seat, a set of slots,
    or 0; at least one piece of the set must be mobile. `stop[0]`, and more steps of loops than `steps_per_world` allow,
    end the drawing; the first world is then drawn only in part, if it is not complete.
    """
    scratch = _draw_scratch()
    now, saved_now = scratch.now, scratch.saved_now
    free, pieces, slot_kinds, occupants = scratch.free, scratch.pieces, scratch.slot_kinds, scratch.occupants
    weights, cuts, aliases = scratch.weights, scratch.cuts, scratch.aliases
    kinds, saved, before, prices = scratch.kinds, scratch.saved, scratch.before, scratch.prices
    first_battle, battles = scratch.first_battle, np.empty((2 * relations.shape[0], 3), np.uint8)
    list_battles(relations, first_battle, battles)
    for piece in range(PIECES):
        now[piece] = worlds[0, piece]
    for i in range(_PRICES):
        prices[i] = np.uint64(4294967296.0 * PRICE**i)
    for seat in range(SEATS):
        free[seat] = 0
        if not contains(hidden_seats, np.uint8(seat)):
            continue
        assign(first, piece_of(seat, 0), kinds)
        count = 0
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            now[piece] = kinds[slot]
            if masks[piece] & (masks[piece] - np.uint16(1)):
                pieces[seat, count] = piece
                slot_kinds[seat, count] = kinds[slot]
                occupants[seat, count] = count
                count += 1
        free[seat] = count
        for i in range(count):
            piece = pieces[seat, i]
            best = -np.inf
            for kind in range(KINDS):
                if contains(masks[piece], np.uint16(kind)):
                    best = max(best, log_weights[piece, kind])
            for j in range(count):
                kind = np.int64(slot_kinds[seat, j])
                weights[seat, i, j] = 0.0
                if contains(masks[piece], np.uint16(kind)):
                    weights[seat, i, j] = np.exp(max(log_weights[piece, kind] - best, LOWEST_LOG_WEIGHT))
        scale(weights[seat], count)
        for i in range(count):
            build_alias(weights[seat, i], count, cuts[seat, i], aliases[seat, i])

    state = mix(seed + GOLDEN)
    save(scratch)
    done, visits, away = 0, -BURN_IN, 0
    most_steps = steps_per_world * (worlds.shape[0] + BURN_IN // SWEEPS)
    while True:
        if stop[0] or most_steps < 0:
            if done:
                return done
            is_consistent = fits(relations, partners, mobile, now)
            for piece in range(PIECES):
                worlds[0, piece] = now[piece] if is_consistent else saved_now[piece]
            return 1
        for seat in range(SEATS):
            count = free[seat]
            if count < 2:
                continue
            state += GOLDEN
            size = np.uint64(count)
            empty = (mix(state) >> np.uint64(32)) * size >> np.uint64(32)
            for j in range(count):
                before[j] = occupants[seat, j]
            lifted = occupants[seat, empty]
            steps = 0
            while steps < _LONGEST_LOOP:
                steps += 1
                state += GOLDEN
                bits = mix(state)
                slot = (bits >> np.uint64(32)) * size >> np.uint64(32)
                if bits & _LOW_32 >= cuts[seat, lifted, slot]:
                    slot = np.uint64(aliases[seat, lifted, slot])
                piece = pieces[seat, lifted]
                if first_battle[piece] != first_battle[piece + 1]:
                    broken = count_broken(battles, first_battle, partners, now, piece, slot_kinds[seat, slot])
                    if broken:
                        state += GOLDEN
                        if mix(state) >> np.uint64(32) >= prices[min(broken, _PRICES - 1)]:
                            continue
                other = occupants[seat, slot]
                occupants[seat, slot] = lifted
                if slot == empty:
                    break
                lifted = other
            most_steps -= steps
            if steps == _LONGEST_LOOP:
                for j in range(count):
                    occupants[seat, j] = before[j]
            for j in range(count):
                now[pieces[seat, occupants[seat, j]]] = slot_kinds[seat, j]
        if fits(relations, partners, mobile, now):
            away = 0
            visits += 1
            if relations.shape[0]:
                save(scratch)
        else:
            away += 1
            if away == _EXCURSION:
                # Too long without a consistent state: go back to the last one.
                for seat in range(SEATS):
                    for j in range(free[seat]):
                        occupants[seat, j] = saved[seat, j]
                for piece in range(PIECES):
                    now[piece] = saved_now[piece]
                away = 0
                visits += 1
        if visits == SWEEPS:
            for piece in range(PIECES):
                worlds[done, piece] = now[piece]
            done += 1
            visits = 0
            if done == worlds.shape[0]:
                return done
