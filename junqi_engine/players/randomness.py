"""Random numbers that depend on a seed and a view alone, and random moves."""

import hashlib
import random
from collections.abc import Sequence

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen
from junqi_engine.rules.layout import from_point_of


def random_of(view: SeatView, seed: int) -> random.Random:
    """A generator that is the same in every process for the same view and seed."""
    digest = hashlib.blake2b(f"{seed} {format_fen(view)}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "little"))


def random_move(rng: random.Random, moves: Sequence[int]) -> int:
    """A random piece that can move, then a random move of that piece. `moves` are `layout.move_of`, at least one."""
    start = rng.choice(sorted({from_point_of(move) for move in moves}))
    return rng.choice([move for move in moves if from_point_of(move) == start])
