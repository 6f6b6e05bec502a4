"""Plays a random game and checks after every ply that no true kind is ruled out."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import to_point_of
from junqi_engine.rules.pieces import COUNTS, LETTERS, letters_of
from junqi_engine.rules.position import Result

VIEWERS = {"a team": (0, 2), "one seat": (0,), "a spectator": ()}
ATTACKS = 0.5
PIECES = np.flatnonzero(np.arange(128) % 32 < 25)


@dataclass
class Timing:
    """Times of `observe` in seconds."""

    times: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        mean, most = 1e3 * float(np.mean(self.times)), 1e3 * max(self.times)
        return f"{len(self.times)} plies observed, {mean:.3f} ms on average, {most:.1f} ms at most"


def check(seed: str, seats: Sequence[int], timing: Timing) -> str | None:
    """Play a game. Returns a description of the first true kind that was ruled out, or None."""
    rng = random.Random(seed)
    game = GameState.start(SIGUO, {letter: _any_lineup(rng) for letter in SIGUO.seats})
    truth = game.position["kind"][PIECES].copy()
    view = SeatView.start(SIGUO, sum(1 << seat for seat in seats), {seat: game.lineups[seat] for seat in seats})
    while game.result == Result.ONGOING:
        moves = game.legal_moves()
        attacks = [move for move in moves if game.position["board"][to_point_of(move)]]
        seen = game.play(rng.choice(attacks if attacks and rng.random() < ATTACKS else moves))
        started = time.perf_counter()
        view.observe(seen)
        timing.times.append(time.perf_counter() - started)
        wrong = np.flatnonzero(view.masks[PIECES] >> truth & 1 == 0)
        if len(wrong):
            piece, kind = int(PIECES[wrong[0]]), int(truth[wrong[0]])
            letters = letters_of(int(view.masks[piece])) or "nothing"
            return f"ply {game.ply}: piece {piece} is {LETTERS[kind]}, its mask has {letters}"
    return None


def _any_lineup(rng: random.Random) -> str:
    """A random legal line-up. The kinds with fewest possible places are placed first."""
    kinds = [letter for kind, letter in enumerate(LETTERS) for _ in range(COUNTS[kind])]
    kinds.sort(key=lambda letter: "ljk".find(letter) % 12)
    places: list[str | None] = [None] * len(kinds)
    for letter in kinds:
        bit = 1 << LETTERS.index(letter)
        free = [place for place, taken in enumerate(places) if taken is None and lineup.MASK_AT[place] & bit]
        places[rng.choice(free)] = letter
    return "".join(letter for letter in places if letter is not None)
