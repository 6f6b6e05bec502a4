"""Where a run's random numbers come from: a seed, which is a secret unless somebody names a number.

Everything random that an engine can see, or that its enemy depends on, comes from a stream of its own, by a keyed hash.
So an engine that knows this program and some streams of a secret learns nothing of the others. Only a few numbers of a
stream are used, far fewer than would tell its next ones. A number as a seed can be found by trying.
"""

import hashlib
import random
import re
import secrets

Seed = int | str
"""A number from 0 to `MOST_SEED`, or a secret as 32 hexadecimal digits."""
MOST_SEED = 2**63 - 1
SECRET_BYTES = 16
_SECRET = re.compile(f"[0-9a-f]{{{2 * SECRET_BYTES}}}")
_ENGINE_SEEDS = 2**31
"""The value of the option `Seed` is below this number."""


def new_secret() -> str:
    """A secret of 128 bits."""
    return secrets.token_hex(SECRET_BYTES)


def is_secret(value: object) -> bool:
    """Whether a value has the form of a secret."""
    return isinstance(value, str) and _SECRET.fullmatch(value) is not None


def stream(seed: Seed, *place: int) -> random.Random:
    """The stream of a place, such as the number of a round; each place has its own."""
    name = "/".join(map(str, place))
    if isinstance(seed, int):
        return random.Random(f"{seed}/{name}")
    return random.Random(hashlib.blake2b(name.encode(), key=bytes.fromhex(seed)).digest())


def engine_seed(seed: Seed, *place: int) -> int:
    """The value of an engine's option `Seed`."""
    return stream(seed, *place).randrange(_ENGINE_SEEDS)
