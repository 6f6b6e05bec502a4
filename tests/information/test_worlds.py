"""Worlds drawn from a view: each fits all that was seen, and they come as often as they should."""

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from junqi_engine.information.belief.worlds import sample_worlds
from junqi_engine.information.deduction import PARTNERS, add_battle, relation_code
from junqi_engine.information.view import SeatView
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.pieces import COUNTS, KINDS, LETTERS, UNKNOWN, Outcome, mask_of
from tests.helpers.drawing import view_of
from tests.helpers.hidden import NOBODY, ONE_SEAT, PARTNERS_VIEW, random_view
from tests.helpers.marking import long_after, seeds

VIEWERS = [PARTNERS_VIEW, ONE_SEAT, NOBODY]


@pytest.mark.parametrize("seats", VIEWERS)
@pytest.mark.parametrize("plies", [0, 60, 200])
def test_worlds_obey_masks_and_counts(seats: tuple[int, ...], plies: int) -> None:
    _, view = random_view(7, seats, plies + 1)
    worlds = sample_worlds(view, 500, seed=1).astype(int)
    assert 450 < len(worlds) <= 500, "worlds in which a seat has no piece that can move are left out"
    for seat in range(4):
        own = worlds[:, 32 * seat : 32 * seat + 25]
        masks = view.masks[32 * seat : 32 * seat + 25].astype(int)
        assert (masks >> own & 1).all()
        assert all((np.bincount(world, minlength=KINDS) == COUNTS).all() for world in own)
        assert (worlds[:, 32 * seat + 25 : 32 * seat + 32] == UNKNOWN).all()


@pytest.mark.bounds
@pytest.mark.parametrize("seats", VIEWERS)
@pytest.mark.parametrize("seed", seeds(2))
def test_every_world_replays_the_whole_record(seats: tuple[int, ...], seed: int) -> None:
    """Play the record from the line-ups of a world: each battle, each shown flag and each elimination comes again."""
    truth, view = random_view(seed, seats, 120)
    battles = sum(seen.outcome != Outcome.NO_BATTLE for seen in truth.record)
    assert battles > 20
    for world in sample_worlds(view, 15, seed):
        lineups = {
            letter: "".join(LETTERS[kind] for kind in world[32 * seat : 32 * seat + 25])
            for seat, letter in enumerate(SIGUO.seats)
        }
        game = GameState.start(SIGUO, lineups)
        for seen in truth.record:
            assert game.play(256 * seen.from_point + seen.to_point) == seen


def test_sampling_depends_on_the_seed() -> None:
    _, view = random_view(3, ONE_SEAT, 80)
    assert (sample_worlds(view, 50, 11) == sample_worlds(view, 50, 11)).all()
    assert (sample_worlds(view, 50, 11) != sample_worlds(view, 50, 12)).any()
    assert (sample_worlds(view, 5, -1) == sample_worlds(view, 5, (1 << 64) - 1)).all()


def test_worlds_equal_position_if_nothing_is_hidden() -> None:
    view = SeatView.start(SIGUO, 15)
    assert (sample_worlds(view, 3, 1) == view.position["kind"]).all()
    assert sample_worlds(SeatView.start(SIGUO, 5), 0, 1).shape == (0, 128)


def test_sampling_reaches_worlds_beyond_pair_swaps() -> None:
    """Three pieces, each of two kinds, in two worlds that differ in all three."""
    view = small_view(9, {(1, 0): "ab", (1, 1): "bc", (1, 2): "ca"}, lineups={1: "abc"})
    worlds = sample_worlds(view, 4000, 5)
    found = Counter("".join(LETTERS[kind] for kind in world[32:35]) for world in worlds)
    assert set(found) == {"abc", "bca"}
    assert abs(found["abc"] - 2000) < 200


@pytest.mark.parametrize("seed", long_after(2, range(8)))
def test_worlds_are_in_the_enumeration(seed: int) -> None:
    """Where battles between hidden seats bind them: nearly all that are drawn can be repaired, and they differ."""
    rng = np.random.default_rng(seed)
    ranked = [letter for letter in lineup.DEFAULT if letter in "abcdefgh"]
    kinds = {seat: [str(letter) for letter in rng.choice(ranked, 5, replace=False)] for seat in (1, 2)}
    masks = {
        (seat, slot): "".join(set(own) | {other for other in kinds[seat] if rng.random() < 0.6})
        for seat in (1, 2)
        for slot, own in enumerate(kinds[seat])
    }
    kinds_text = {seat: "".join(letters) for seat, letters in kinds.items()}
    battles = []
    for _ in range(3):
        one, other = int(rng.integers(5)), int(rng.integers(5))
        first, second = kinds[1][one], kinds[2][other]
        outcome = Outcome.BOTH_REMOVED if first == second else Outcome(1 if first < second else 2)
        battles.append(((1, one), (2, other), outcome))
    view = small_view(9, masks, kinds_text, battles)
    possible = enumerate_worlds(view)
    pieces = np.flatnonzero([int(mask).bit_count() > 1 for mask in view.masks])
    drawn = sample_worlds(view, 2000, seed)
    found = set(map(tuple, drawn[:, pieces].tolist()))
    assert found <= possible
    assert len(drawn) > 1000 and len(found) >= 0.5 * min(len(possible), 500)


def small_view(
    viewer: int,
    open_pieces: dict[tuple[int, int], str],
    lineups: dict[int, str],
    battles: Sequence[tuple[tuple[int, int], tuple[int, int], Outcome]] = (),
) -> SeatView:
    """A start in which all is known but the masks of `open_pieces` (seat, slot), who in truth are `lineups`, with
    recorded battles between them.
    """
    view = SeatView.start(SIGUO, viewer)
    for seat in (seat for seat in range(4) if not view.sees(seat)):
        rest = list(lineup.DEFAULT)
        first = lineups.get(seat, "")
        for letter in first:
            rest.remove(letter)
        view.masks[32 * seat : 32 * seat + 25] = [mask_of(letter) for letter in (*first, *rest)]
    for (seat, slot), letters in open_pieces.items():
        view.masks[32 * seat + slot] = mask_of(letters)
    for one, other, outcome in battles:
        code = relation_code(outcome, False, False, False)
        add_battle(view.known, 32 * one[0] + one[1], 32 * other[0] + other[1], code)
    assert view.deduce()
    view.refresh()
    return view


def enumerate_worlds(view: SeatView) -> set[tuple[int, ...]]:
    """Every world, by the kinds of the uncertain pieces."""
    by_seat = []
    for seat in (seat for seat in range(4) if not view.sees(seat)):
        options = [
            [kind for kind in range(KINDS) if int(mask) >> kind & 1] for mask in view.masks[32 * seat : 32 * seat + 25]
        ]
        uncertain = [slot for slot, kinds in enumerate(options) if len(kinds) > 1]
        left = Counter(dict(enumerate(COUNTS)))
        left.subtract(kinds[0] for kinds in options if len(kinds) == 1)
        fitting = [
            {32 * seat + slot: kind for slot, kind in zip(uncertain, chosen, strict=True)}
            for chosen in itertools.product(*(options[slot] for slot in uncertain))
            if Counter(chosen) == +left
        ]
        by_seat.append(fitting)
    worlds = set()
    for parts in itertools.product(*by_seat):
        world = {piece: kind for part in parts for piece, kind in part.items()}
        if all(PARTNERS[code, 0, world[one]] >> world[other] & 1 for one, other, code in view.relations.tolist()):
            worlds.add(tuple(world.values()))
    return worlds


@pytest.fixture
def two_worlds() -> SeatView:
    """The flag is in one headquarters, and as it is not shown, the marshal lives: he is in the other."""
    return view_of("""
            h  l  q
        10  .. .. E?
         8  .. .. E?
         7  .. E? ..
         4  Sg .. ..
         1  Sl .. ..
    """, viewer="S", masks="l7:g,q10:agl,q8:ahl")  # fmt: skip


def test_worlds_of_drawn_position_match_drawing(two_worlds: SeatView) -> None:
    pieces = [two_worlds.piece_at(SIGUO.point_named[name]) for name in ("q10", "q8")]
    found = Counter("".join(LETTERS[kind] for kind in world[pieces]) for world in sample_worlds(two_worlds, 3000, 3))
    assert set(found) == {"al", "la"}
    assert abs(found["al"] - 1500) < 150
