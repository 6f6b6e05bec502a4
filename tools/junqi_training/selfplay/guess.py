"""A quick player's knowledge of the enemy: the possible kinds of each piece, and a line-up that fits them.

It is a plain, fast form of deduction. Each piece is judged by itself: by its place in the line-up, because it moved, by
its battles against pieces that its enemy sees, and by revealed flags. A line-up is drawn by swapping the kinds of two
pieces again and again, where their masks allow it, more often towards kinds that are frequent on their places
(Metropolis et al. 1953). The first line-up is the true one, and every draw begins with the last, so many swaps come
before the first draw.

| field | shape | meaning |
|---|---|---|
| masks | (2, 128) | by team and piece: what the team knows that an enemy piece may be |
| kinds | (2, 128) | by team and piece: the kinds of the last draw |
| classes | (128,) | by piece: its `PublicClass` |
| log_share | (32, 12) | by slot and kind: how frequent the kind is there, as a logarithm |
"""

from collections.abc import Sequence

import numpy as np
from numba.core import types

from junqi_engine.information.public_state import update_classes
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules import lineup
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    SLOTS,
    are_enemies,
    contains,
    piece_in,
    piece_of,
    seat_of,
    slice_of,
    slot_of,
    team_of,
)
from junqi_engine.rules.pieces import (
    FLAG,
    IMMOBILE_MASK,
    KINDS,
    LETTERS,
    MARSHAL,
    OUTCOME_FIELD,
    PIECES_PER_SEAT,
    TAKES_FLAG,
)
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.splitmix import GOLDEN, mix

GUESS = np.dtype(
    [
        ("masks", np.uint16, (2, PIECES)),
        ("kinds", np.uint8, (2, PIECES)),
        ("classes", np.uint8, PIECES),
        ("log_share", np.float64, (SLOTS, KINDS)),
    ],
    align=True,
)
GUESS_TYPE = record_type(GUESS)
STATE_TYPE = types.Array(types.uint64, 1, "C")
"""The state of a generator of random numbers, (1,)."""
FIRST_SWAPS, SWAPS = 600, 150
"""Swaps tried for each enemy seat before the first draw and after it."""
PSEUDOCOUNT = 0.3
"""Added to the count of each kind on each place, so that no legal kind is impossible."""


def new_guess(lineups: Sequence[Sequence[int]], examples: Sequence[str]) -> np.void:
    """The knowledge at the start. `lineups` are the true kinds by seat; `examples` give the frequency of each kind."""
    guess = np.zeros(1, GUESS)[0]
    counts = np.full((PIECES_PER_SEAT, KINDS), PSEUDOCOUNT)
    for example in examples:
        counts[range(PIECES_PER_SEAT), [LETTERS.index(letter) for letter in example]] += 1
    guess["log_share"][:PIECES_PER_SEAT] = np.log(counts / counts.sum(axis=1, keepdims=True))
    for seat, kinds in enumerate(lineups):
        guess["masks"][:, slice_of(seat, PIECES_PER_SEAT)] = lineup.MASK_AT
        guess["kinds"][:, slice_of(seat, PIECES_PER_SEAT)] = kinds
    return guess


@kernel(types.int64(STATE_TYPE, types.int64))
def below(state, limit):
    """A random number from 0 to `limit - 1`."""
    state[0] += GOLDEN
    return np.int64((mix(state[0]) >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))


@kernel(types.void(GUESS_TYPE, types.int64, types.int64, types.int64, STATE_TYPE))
def draw_lineups(guess, team, seats, swaps, state):
    """Change the `kinds` that a team thinks of, by this many swaps tried in each enemy seat."""
    for seat in range(seats):
        if team_of(seat) == team:
            continue
        for _ in range(swaps):
            one = piece_of(seat, below(state, PIECES_PER_SEAT))
            other = piece_of(seat, below(state, PIECES_PER_SEAT))
            kind, new_kind = guess.kinds[team, one], guess.kinds[team, other]
            if not contains(guess.masks[team, one], new_kind) or not contains(guess.masks[team, other], kind):
                continue
            first, second = slot_of(one), slot_of(other)
            gain = guess.log_share[first, new_kind] + guess.log_share[second, kind]
            gain -= guess.log_share[first, kind] + guess.log_share[second, new_kind]
            if gain < 0 and below(state, 1 << 30) >= np.exp(gain) * (1 << 30):
                continue
            guess.kinds[team, one], guess.kinds[team, other] = new_kind, kind


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, UNDO_TYPE, GUESS_TYPE))
def learn(tables, position, undo, guess):
    """Narrow the masks and set the classes by a ply, from the position after it."""
    attacker = piece_in(undo.attacker)
    observer = 1 - team_of(seat_of(attacker))
    guess.masks[observer, attacker] &= ~np.uint16(IMMOBILE_MASK)
    update_classes(position, undo, guess.classes)
    if undo.defender == NO_PIECE:
        return
    defender = piece_in(undo.defender)
    kind, other_kind = position.kind[attacker], position.kind[defender]
    battle = tables.battle[kind, other_kind]
    for candidate in range(KINDS):
        if tables.battle[candidate, other_kind] & OUTCOME_FIELD != battle & OUTCOME_FIELD:
            guess.masks[observer, attacker] &= ~(np.uint16(1) << np.uint16(candidate))
        as_defender = tables.battle[kind, candidate]
        same = as_defender & OUTCOME_FIELD == battle & OUTCOME_FIELD
        if not same or as_defender & TAKES_FLAG != battle & TAKES_FLAG:
            guess.masks[1 - observer, defender] &= ~(np.uint16(1) << np.uint16(candidate))
    if not attacker_arrived(position, undo):
        settle_removed(position, guess, observer, attacker)
    if defender_was_removed(position, undo):
        settle_removed(position, guess, 1 - observer, defender)


@kernel(types.void(POSITION_TYPE, GUESS_TYPE, types.int64, types.int64))
def settle_removed(position, guess, observer, removed):
    """A removed marshal reveals its seat's flag; a removed piece that reveals none is not the marshal."""
    marshal, flag = np.uint16(1 << MARSHAL), np.uint16(1 << FLAG)
    if position.kind[removed] != MARSHAL:
        guess.masks[observer, removed] &= ~marshal
        return
    guess.masks[observer, removed] = marshal
    for slot in range(PIECES_PER_SEAT):
        piece = piece_of(seat_of(removed), slot)
        if position.kind[piece] == FLAG:
            guess.masks[observer, piece] = flag
        else:
            guess.masks[observer, piece] &= ~flag


@kernel(types.boolean(GUESS_TYPE, types.int64, types.int64))
def fits(guess, team, seats):
    """Whether the kinds that a team thinks of still fit its masks."""
    for seat in range(seats):
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            if are_enemies(seat, team) and not contains(guess.masks[team, piece], guess.kinds[team, piece]):
                return False
    return True


@kernel(types.void(GUESS_TYPE, POSITION_TYPE, types.int64, STATE_TYPE))
def keep_fitting(guess, position, seats, state):
    """Begin again from the true kinds for each team whose line-up no longer fits."""
    for team in range(2):
        if not fits(guess, team, seats):
            for piece in range(PIECES):
                guess.kinds[team, piece] = position.kind[piece]
            draw_lineups(guess, team, seats, FIRST_SWAPS, state)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, GUESS_TYPE, types.int64, POSITION_TYPE))
def set_world(tables, truth, guess, team, world):
    """Set `world`, a copy of the true position's other fields, to the last draw of a team."""
    for piece in range(PIECES):
        is_own = team_of(seat_of(piece)) == team
        world.kind[piece] = truth.kind[piece] if is_own else guess.kinds[team, piece]
    for seat in range(SEATS):
        world.movable[seat] = 0
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            is_mobile = not contains(IMMOBILE_MASK, world.kind[piece])
            if contains(truth.present[seat], slot) and is_mobile and not tables.headquarters[truth.where[piece]]:
                world.movable[seat] |= np.uint32(1) << np.uint32(slot)
