"""The catalogue of variants: what can be known of each without loading it.

A new variant is an entry here and a module with a `protocol.game.Game`; nothing else of the protocol changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from protocol.options import Option, Spin, memory_mb


@dataclass(frozen=True)
class Entry:
    """A variant: the module whose `GAME(variant, options)` makes its game, and the options it adds."""

    variant: str
    module: str
    options: tuple[Option, ...] = ()


