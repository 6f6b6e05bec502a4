"""Random numbers that depend on a seed and a view alone."""

import hashlib
import random

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen


def random_of(view: SeatView, seed: int) -> random.Random:
    """A generator that is the same in every process for the same view and seed."""
    digest = hashlib.blake2b(f"{seed} {format_fen(view)}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "little"))
