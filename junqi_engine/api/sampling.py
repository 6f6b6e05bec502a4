"""Games sampled from a view: worlds, as the players search them, as `GameState`s that agree with all that is known."""

import random

import numpy as np

from junqi_engine.errors import Refused, expect_at_least, expect_one_of
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.belief.worlds import sample_worlds
from junqi_engine.information.deduction import PARTNERS
from junqi_engine.information.view import SeatView
from junqi_engine.information.world import positions_of_world
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, piece_of
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT

BELIEF, UNIFORM = "belief", "uniform"
MAX_DRAWS = 16
"""Number of attempts if worlds contradict a battle; one is enough for games that were played."""


def sample(view: SeatView, n: int, seed: int, by: str, first: int) -> list[GameState]:
    """`n` games that agree with a view, in which seat `first` moved first; `by` is `belief` or `uniform`.

    They have line-ups and the record of the view, if it goes back to the start of a game; otherwise they begin at its
    current position. `not-supported` if none are found in a bounded time.
    """
    expect_at_least(0, "n", n)
    expect_one_of("by", by, (BELIEF, UNIFORM))
    rng, games = random.Random(int(seed)), list[GameState]()
    chances = belief(view) if by == BELIEF else None
    for _ in range(MAX_DRAWS):
        worlds = sample_worlds(view, max(0, n - len(games)), rng.getrandbits(63), chances)
        games += [_game_of(view, world, first) for world in worlds[_agree(view, worlds)]]
        if len(games) >= n:
            return games
    raise Refused("not-supported", f"{n} games that agree with the view were not found")


def _game_of(view: SeatView, kinds: np.ndarray, first: int) -> GameState:
    positions = positions_of_world(view, kinds)
    if not view.is_followed:
        return GameState(view.board, view.rules, positions)
    lineups = {
        seat: "".join(LETTERS[kinds[piece_of(seat, slot)]] for slot in range(PIECES_PER_SEAT))
        for seat in range(len(view.board.seats))
    }
    return GameState(view.board, view.rules, positions, lineups, list(view.record), first)


def _agree(view: SeatView, worlds: np.ndarray) -> np.ndarray:
    """By world, (n,), whether it contradicts no battle. Masks and counts hold in all (n, 128) worlds."""
    attackers, defenders, codes = view.relations.astype(np.intp).T
    agrees = contains(PARTNERS[codes, 0, worlds[:, attackers]], worlds[:, defenders]).all(axis=1)
    return np.asarray(agrees)
