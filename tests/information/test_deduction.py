"""Deduction: masks contain the true kinds, and only kinds that some line-up allows."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.deduction import PARTNERS, deduce
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.pieces import COUNTS, KINDS, LETTERS, letters_of
from junqi_engine.rules.position import Placement, Result, Snapshot
from tests.helpers.drawing import view_of
from tests.helpers.hidden import NOBODY, ONE_SEAT, PARTNERS_VIEW, random_game, random_move
from tests.helpers.marking import long_after, seeds
from tests.references.slow_masks import possible_kinds

LIVING = np.arange(128) % 32 < 25


# The truth is never ruled out


@pytest.mark.bounds
@pytest.mark.parametrize("seed", seeds(9))
def test_masks_contain_the_true_kinds(seed: int) -> None:
    truth = None
    for game, view in random_game(seed, (PARTNERS_VIEW, ONE_SEAT, NOBODY)[seed % 3]):
        truth = truth if truth is not None else game.position["kind"][LIVING].copy()
        assert (view.masks[LIVING] >> truth & 1).all()


# And little remains that the record rules out


END_GAME = """
        f  g  h  i  j  k  l  q
    17  .. .. Nl .. .. .. .. ..
    12  .. N? .. .. .. .. .. ..
    11  W? N? .. .. .. N? .. ..
    10  .. .. .. .. .. .. .. El
     9  .. .. .. .. .. .. E? ..
     7  W? .. .. .. .. Sf E? ..
     6  .. Sh .. Si .. .. .. ..
     1  .. .. Sl .. .. .. .. ..
"""
MASKS = {"g12": "cefg", "g11": "efk", "k11": "dgi", "f11": "cegh", "f7": "eik", "l9": "dfh", "l7": "efg"}


# Seats of which, after a battle or two, only landmines may remain.
MINED_END_GAME = """
        b  f  g  h  k  l  p  q
    17  .. .. .. Nl .. .. .. ..
    16  .. .. N? .. .. .. .. ..
    11  .. W? .. .. N? .. E? ..
    10  .. .. .. .. .. .. .. El
     9  .. .. .. .. .. E? .. ..
     8  W? .. .. .. .. .. E? ..
     7  .. .. .. .. Sf .. .. ..
     6  .. .. .. Sh .. .. .. ..
     1  .. .. .. Sl .. .. .. ..
"""
MINED_MASKS = {"g16": "jf", "f11": "cegh", "k11": "dgi", "p11": "jg", "l9": "dfh", "b8": "je", "p8": "jch"}
END_GAMES = [
    *long_after(1, ((END_GAME, MASKS, seed) for seed in range(8))),
    *long_after(1, ((MINED_END_GAME, MINED_MASKS, seed) for seed in range(24))),
]


@pytest.mark.parametrize(("drawing", "masks", "seed"), END_GAMES)
def test_masks_of_endgames_are_close_to_enumeration(drawing: str, masks: dict[str, str], seed: int) -> None:
    """Play on from every assignment that the masks allow; those that ever show something else are dropped. No kind of
    any of them is ruled out, and at most a third of the kinds that remain are of none.
    """
    rng = random.Random(seed)
    view = view_of(drawing, viewer="S", masks=",".join(f"{point}:{kinds}" for point, kinds in masks.items()))
    worlds = [world for world in all_games(view) if world.alive == view.alive]
    truth = rng.choice(worlds).copy()
    battles = told = enumerated = 0
    while truth.result == Result.ONGOING and truth.ply < 30 and len(worlds) > 1:
        seen = truth.play(random_move(truth, rng))
        battles += seen.outcome != 0
        view.observe(seen)
        worlds = [world for world in worlds if shows(world, seen)]
        if truth.result != Result.ONGOING:
            continue
        kinds = [world.position["kind"].tolist() for world in worlds]
        for point in view.board.points:
            piece = view.piece_at(point)
            if piece is not None:
                true_kinds = {LETTERS[kind] for kind in {world[piece] for world in kinds}}
                assert true_kinds <= set(letters_of(view.mask_at(point))), SIGUO.names[point]
                told, enumerated = told + len(letters_of(view.mask_at(point))), enumerated + len(true_kinds)
    assert battles and told <= 1.5 * enumerated


def shows(game: GameState, seen: SeenMove) -> bool:
    """Play a move: whether it is legal and shows the same."""
    try:
        return game.play(256 * seen.from_point + seen.to_point) == seen
    except Refused:
        return False


def all_games(view: SeatView) -> list[GameState]:
    """A game for each assignment of kinds to the hidden pieces on the board."""
    pieces = [(point, view.piece_at(point) or 0) for point in view.board.points if view.piece_at(point) is not None]
    options = [[kind for kind in range(KINDS) if int(view.masks[piece]) >> kind & 1] for _, piece in pieces]
    games = []
    for kinds in itertools.product(*options):
        used = Counter((piece >> 5, kind) for (_, piece), kind in zip(pieces, kinds, strict=True))
        if any(number > COUNTS[kind] for (_, kind), number in used.items()):
            continue
        placements = [Placement(piece >> 5, point, kind) for (point, piece), kind in zip(pieces, kinds, strict=True)]
        snapshot = Snapshot(placements, view.turn, view.alive)
        games.append(GameState.from_snapshot(SIGUO, view.rules, snapshot))
    return games


@pytest.mark.bounds
@pytest.mark.parametrize("seed", long_after(3, seeds(20)))
def test_masks_of_three_seats_contain_masks_of_slow_twin(seed: int) -> None:
    masks, relations, narrowed = random_battles(seed)
    pieces = np.flatnonzero(LIVING & (np.arange(128) >= 32))
    battles = [
        (int(np.searchsorted(pieces, one)), int(np.searchsorted(pieces, other)), pairs_of(code))
        for one, other, code in relations.tolist()
    ]
    counts = [dict(zip(LETTERS, COUNTS, strict=True)) for _ in range(3)]
    slow = possible_kinds(
        [set(letters_of(int(masks[piece]))) for piece in pieces],
        counts,
        battles,
        [list(range(25 * seat, 25 * seat + 25)) for seat in range(3)],
    )
    found = [set(letters_of(int(narrowed[piece]))) for piece in pieces]
    assert all(allowed <= left for allowed, left in zip(slow, found, strict=True))
    assert sum(map(len, found)) <= 1.2 * sum(map(len, slow))


def random_battles(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Masks of three hidden seats, battles between them that a truth obeys, and the masks deduced from both."""
    rng = np.random.default_rng(seed)
    letters = "aabbccddeeffggghhhiiijjjkkl"
    truth = np.zeros(128, np.uint16)
    masks = np.zeros(128, np.uint16)
    kinds = [kind for kind, count in enumerate(COUNTS) for _ in range(count)]
    uncertain = {}
    for seat in (1, 2, 3):
        truth[32 * seat : 32 * seat + 25] = rng.permutation(kinds)
        movable = [slot for slot in range(25) if LETTERS[truth[32 * seat + slot]] in letters[:-4]]
        uncertain[seat] = [32 * seat + int(slot) for slot in rng.choice(movable, 5, replace=False)]
    masks[LIVING] = 1 << truth[LIVING]
    masks[:32] = 0
    for own in uncertain.values():
        among = [int(truth[piece]) for piece in own]
        for piece in own:
            masks[piece] |= sum({1 << kind for kind in among if rng.random() < 0.7})
    relations = []
    for _ in range(6):
        one, other = (2, int(rng.choice([1, 3]))) if rng.random() < 0.5 else (int(rng.choice([1, 3])), 2)
        attacker, defender = int(rng.choice(uncertain[one])), int(rng.choice(uncertain[other]))
        codes = [code for code in range(24) if PARTNERS[code, 0, truth[attacker]] >> truth[defender] & 1]
        if codes:
            relations.append((attacker, defender, codes[0]))
    table = np.array(relations, np.uint8).reshape(-1, 3)
    narrowed = masks.copy()
    assert deduce(narrowed, np.uint8(0b1110), table)
    assert (narrowed[LIVING][25:] >> truth[LIVING][25:] & 1).all()
    return masks, table, narrowed


def pairs_of(code: int) -> set[tuple[str, str]]:
    return {
        (LETTERS[attacker], LETTERS[defender])
        for attacker in range(KINDS)
        for defender in range(KINDS)
        if PARTNERS[code, 0, attacker] >> defender & 1
    }


# Drawn


def observe(view: SeatView, *moves: str) -> None:
    for move in moves:
        view.observe(parse_move(SIGUO, move))


def mask(view: SeatView, point: str) -> str:
    return letters_of(view.mask_at(SIGUO.point_named[point]))


def dead(view: SeatView, piece: int) -> str:
    return letters_of(int(view.masks[piece]))


def piece(view: SeatView, point: str) -> int:
    return view.piece_at(SIGUO.point_named[point]) or 0


def test_equal_battle_with_revealed_flag_names_both_pieces() -> None:
    """`=` and one flag: the other was a bomb; seen by a partner who knew neither."""
    view = view_of("""
            g  h  k  l  q
        17  .. N? .. .. ..
        16  N? .. .. .. ..
        11  .. .. N? E? ..
        10  .. .. .. .. E?
         8  .. .. .. .. E?
         7  .. .. .. E? ..
         6  Sg .. .. .. ..
         1  .. Sl .. .. ..
    """, turn="E", viewer="S", masks="l7:abk,l11:g,k11:agk,q10:acl,q8:ckl,h17:al,g16:ag")  # fmt: skip
    attacker, defender = piece(view, "l7"), piece(view, "k11")
    observe(view, "l7k7", "k11k9", "g6h6", "k7k9=!q8")
    assert (dead(view, attacker), dead(view, defender)) == ("a", "k")
    assert mask(view, "q8") == "l"
    assert mask(view, "h17") == "l"


def test_surviving_defender_may_be_mine() -> None:
    view = view_of("""
            k  l  p  q
        11  .. .. .. E?
        10  .. .. .. E?
         8  .. .. .. E?
         7  Sc .. E? ..
         1  Sg .. .. ..
    """, viewer="S", masks="q10:al,q8:l,p7:bgjk")  # fmt: skip
    observe(view, "k7p7o")
    assert mask(view, "p7") == "bj"


def test_turning_piece_is_engineer() -> None:
    view = view_of("""
            g  h  i  j  k  q
        11  .. .. .. .. E? ..
        10  .. .. .. .. .. E?
         8  .. .. .. .. .. E?
         7  .. .. .. .. .. ..
         2  .. Sg .. .. .. ..
         1  .. Sl .. .. .. ..
    """, viewer="S", masks="k11:aghi,q10:al,q8:alh")  # fmt: skip
    observe(view, "h2i2")
    straight = view.copy()
    observe(straight, "k11k7")
    assert mask(straight, "k7") == "aghi"
    observe(view, "k11g7")
    assert mask(view, "g7") == "i"


def test_flag_is_in_the_second_headquarters() -> None:
    view = view_of("""
            j  p  q
        11  .. .. E?
        10  .. Sf E?
         8  .. .. E?
         2  Sg .. ..
         1  Sl .. ..
    """, viewer="S", masks="q11:ag,q10:ahl,q8:ahl")  # fmt: skip
    assert "l" in mask(view, "q10")
    observe(view, "p10q10x")
    assert mask(view, "q8") == "l"
    assert mask(view, "q11") == "a"
