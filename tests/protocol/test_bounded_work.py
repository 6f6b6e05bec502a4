"""Records that nobody played: deduction and drawing end in time, obey `stop`, and never rule out the truth.

Times of calculations are processor times of the thread, so that a busy machine does not change them.
"""

import threading
import time
from collections.abc import Iterable

import numpy as np
import pytest

from junqi_engine.information.belief.worlds import draw
from junqi_engine.information.deduction import (
    MOST_TRIES,
    NEVER,
    PARTNERS,
    UNLIMITED,
    WITNESSES,
    deduce,
    deduce_exactly,
    relation_code,
    settle_battles,
)
from junqi_engine.information.eliminations import can_be_immobile
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.layout import slot_of
from junqi_engine.rules.pieces import COUNTS, KINDS, LETTERS, MOVABLE_MASK, Outcome
from junqi_protocol.catalogue import declared_options
from junqi_protocol.game_interface import Control, GoRequest
from junqi_protocol.games.junqi import JunqiGame
from junqi_protocol.options import Options
from tests.helpers.engine import SLACK
from tests.helpers.marking import long_after, times

HIDDEN = np.uint8(0b1110)
LIVING = np.arange(128) % 32 < 25
HARD = 30464, 41759
"""Numbers of `battles_of_nobody` whose consistency takes more than 20 s to decide."""


def battles_of_nobody(number: int, *, are_true: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Masks of three hidden seats, the pieces that they are made of, and battles with outcomes drawn at random.

    `are_true` makes the outcomes those of the pieces.
    """
    rng = np.random.default_rng(number)
    kinds = [kind for kind, count in enumerate(COUNTS) for _ in range(count)]
    uncertain_pieces, share, battles = int(rng.integers(6, 16)), rng.uniform(0.2, 0.9), 0
    battles = int(rng.integers(uncertain_pieces // 2, 3 * uncertain_pieces))
    ties = rng.uniform(0.3, 1)
    masks, truth, uncertain = np.zeros(128, np.uint16), np.zeros(128, np.uint16), {}
    for seat in (1, 2, 3):
        own = rng.permutation(kinds)
        mobile = [slot for slot in range(25) if LETTERS[own[slot]] in "abcdefghi"]
        chosen = rng.choice(mobile, min(uncertain_pieces, len(mobile)), replace=False)
        truth[32 * seat : 32 * seat + 25] = own
        masks[32 * seat : 32 * seat + 25] = 1 << own
        among = [int(own[slot]) for slot in chosen]
        for slot in chosen:
            masks[32 * seat + slot] |= sum({1 << kind for kind in among if rng.random() < share})
        uncertain[seat] = [32 * seat + int(slot) for slot in chosen]
    relations = []
    for _ in range(battles):
        one, other = rng.choice([1, 2, 3], 2, replace=False)
        outcome = Outcome.BOTH_REMOVED if rng.random() < ties else Outcome(int(rng.integers(1, 3)))
        attacker, defender = int(rng.choice(uncertain[int(one)])), int(rng.choice(uncertain[int(other)]))
        code = relation_code(outcome, False, False, False)
        if are_true:
            codes = [code for code in range(24) if PARTNERS[code, 0, truth[attacker]] >> truth[defender] & 1]
            code = codes[0]
        relations.append((attacker, defender, code))
    return masks, truth, np.array(relations, np.uint8).reshape(-1, 3)


def hard_view(number: int) -> SeatView:
    """A view at the start of a game with a record that nobody played, before anything follows from it."""
    masks, _, relations = battles_of_nobody(number)
    view = SeatView.start(SIGUO, 1)
    view.masks[32:] = masks[32:]
    record = view.known.record
    record["relations"][: len(relations)], record["relation_count"] = relations, len(relations)
    return view


def arcs(masks: np.ndarray, relations: np.ndarray) -> np.ndarray:
    """What the counts of one seat and one battle alone allow."""
    masks = masks.copy()
    assert deduce(masks, HIDDEN, relations, PARTNERS)
    return masks


@pytest.mark.parametrize("number", HARD)
def test_what_can_not_be_decided_in_time_is_kept(number: int) -> None:
    view = hard_view(number)
    wide, started = arcs(view.masks, view.relations), time.thread_time()
    assert view.known.deduce()
    assert time.thread_time() - started < 0.5 * SLACK
    assert view.known.record["budget"] == 0 and not view.known.record["is_exact"]
    assert (view.masks == wide).all()


def test_a_record_that_was_given_up_costs_little_from_then_on() -> None:
    view = hard_view(HARD[0])
    view.known.deduce()
    view.refresh()
    view.observe(parse_move(SIGUO, "g6g7"))
    # Whoever moves next, what follows comes from the counts and from single battles.
    assert view.known.record["budget"] == MOST_TRIES and not view.known.record["is_exact"]
    assert not view.copy().known.record["is_exact"]


@pytest.mark.parametrize("budget", [0, 1, 5, 50, 500])
def test_the_truth_survives_any_budget(budget: int) -> None:
    for number in range(times(40)):
        masks, truth, relations = battles_of_nobody(number, are_true=True)
        left, witnesses = np.array([budget], np.int64), np.zeros((WITNESSES, 128), np.uint16)
        narrowed = masks.copy()
        assert deduce_exactly(narrowed, HIDDEN, relations, PARTNERS, witnesses, 0, left, NEVER) >= 0
        assert (narrowed[LIVING][25:] >> truth[LIVING][25:] & 1).all()
        assert left[0] >= 0


@pytest.mark.parametrize("number", HARD)
def test_a_search_for_a_world_ends_when_it_is_stopped(number: int) -> None:
    masks, _, relations = battles_of_nobody(number)
    masks = arcs(masks, relations)
    stop, endless = np.zeros(1, np.uint8), np.array([1 << 40], np.int64)
    timer = threading.Timer(0.1, lambda: stop.fill(1))
    timer.start()
    started = time.monotonic()
    assert settle_battles(masks, HIDDEN, relations, PARTNERS, masks.copy(), UNLIMITED, endless, stop) == -1
    assert 0.05 < time.monotonic() - started < 0.2 * SLACK
    timer.join()


@pytest.mark.parametrize("is_stopped", [False, True])
@pytest.mark.parametrize("number", long_after(1, HARD))
def test_worlds_of_such_a_record_obey_masks_and_counts_and_come_in_time(number: int, is_stopped: bool) -> None:
    view = hard_view(number)
    view.known.deduce()
    view.refresh()
    started = time.thread_time()
    worlds = draw(view, 16, 1, stop=np.full(1, is_stopped, np.uint8)).astype(int)
    assert time.thread_time() - started < (0.05 if is_stopped else 1.0) * SLACK
    assert len(worlds) == 1 if is_stopped else len(worlds) >= 1
    for seat in (1, 2, 3):
        own = worlds[:, 32 * seat : 32 * seat + 25]
        assert (view.masks[32 * seat : 32 * seat + 25].astype(int) >> own & 1).all()
        assert all((np.bincount(world, minlength=KINDS) == COUNTS).all() for world in own)


@pytest.mark.parametrize("after_s", [0.0, 0.05])
def test_stop_during_the_drawing_is_answered_at_once(after_s: float) -> None:
    game = JunqiGame("siguo", Options(declared_options()))
    game.go(GoRequest(nodes=100), Control(lambda line: None))
    view = hard_view(HARD[0])
    view.known.deduce()
    view.refresh()
    game._view = view
    control = Control(lambda line: None, is_open_ended=True)
    stopped_at = []

    def stop() -> None:
        stopped_at.append(time.monotonic())
        control.stop()

    timer = threading.Timer(after_s, stop)
    timer.start()
    assert game.go(GoRequest(infinite=True), control) in game.legal()
    assert time.monotonic() - stopped_at[0] < 0.1 * SLACK
    timer.join()


def add_mobile_group(view: SeatView, seat: int, pieces: Iterable[int]) -> None:
    """Add that at least one of a seat's pieces can move."""
    view.known.record["groups"][seat] = sum(1 << slot_of(piece) for piece in pieces)


def test_no_combinations_of_more_pieces_than_there_are_landmines() -> None:
    """Three seats of which only back rows remain, seven pieces each: one of them is mobile, whichever."""
    view = SeatView.start(SIGUO, 1)
    groups = {}
    for seat in (1, 2, 3):
        points = [view.board.block(seat)[index] for index in range(20, 30)]
        pieces = [view.piece_at(point) for point in points if not view.board.is_headquarters(point)]
        groups[seat] = tuple(piece for piece in pieces if piece is not None)
        add_mobile_group(view, seat, groups[seat])
        assert not can_be_immobile(view.board.tables, view.position, view.known.record, seat)
    assert view.known.open_groups() == []
    # Three of them may all be landmines, so they are a fact, and none may be once the landmines are elsewhere.
    add_mobile_group(view, 1, groups[1][:3])
    assert view.known.open_groups() == [groups[1][:3]]
    view.masks[list(groups[1][:2])] &= MOVABLE_MASK
    assert view.known.open_groups() == []
