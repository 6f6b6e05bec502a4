"""The seed of one game: the option `Seed`, or a drawn one that is printed, so that the game can be reproduced."""

import secrets
from collections.abc import Mapping

from protocol.game_interface import Control

SEEDS = 2**31
"""Seeds are below this number."""
DRAWN = -1
"""The value of the option for a new seed in each game."""


class GameSeed:
    """The seed of everything random in a game. With `Seed` -1 it is drawn at the start and by `renew`."""

    def __init__(self, options: Mapping[str, int | bool | str]) -> None:
        self._options = options
        self.renew()

    def renew(self) -> None:
        """Draw a seed for the next game."""
        self._drawn = secrets.randbelow(SEEDS)
        self._is_printed = False

    def value(self, control: Control) -> int:
        """The seed, for a command that depends on it. Prints a drawn seed the first time."""
        seed = int(self._options["Seed"])
        if seed != DRAWN:
            return seed
        if not self._is_printed:
            self._is_printed = True
            control.say(f"seed {self._drawn}")
        return self._drawn
