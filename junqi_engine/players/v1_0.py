"""Player 1.0: a random piece that can move, then a random move of it."""

import hashlib
import random
from collections.abc import Sequence

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen
from junqi_engine.players.events import Answer


def choose(view: SeatView, seed: int, moves: Sequence[int]) -> Answer:
    """One of `moves` (`256 * from + to`, at least one), every piece equally likely."""
    rng = random_of(view, seed)
    start = rng.choice(sorted({move >> 8 for move in moves}))
    return Answer("random", rng.choice([move for move in moves if move >> 8 == start]))


def random_of(view: SeatView, seed: int) -> random.Random:
    """A generator that any process would make alike for this view and seed."""
    digest = hashlib.blake2b(f"{seed} {format_fen(view)}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "little"))
