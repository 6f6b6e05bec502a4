"""The current game: which `VariantGame` the options select, when it is loaded and when it is warmed up."""

import importlib
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from junqi_engine.errors import Refused
from junqi_protocol.catalogue import CATALOGUE, OPTIONS, Entry
from junqi_protocol.free_memory import PROGRAM_MB, address_space_mb, free_memory_mb
from junqi_protocol.options import Options, Value, split_setoption
from junqi_protocol.variant_game import Control, VariantGame

WARM_UP_OPTIONS = ("UCI_Variant", "Player", "Hash", "Threads")
"""A change of one of these options changes what a search loads."""


class Dispatcher:
    """The options and the current game. The constructor is cheap; `load` imports the module of the game."""

    game: VariantGame
    """The current game, after `load`."""

    def __init__(self) -> None:
        self.options = Options(OPTIONS)
        self.is_ending = False
        """Whether the process is about to exit: no warm-up and no search begins any more."""
        self.loaded_at = 0.0
        """When `load` last loaded or warmed up something, by `time.monotonic`."""
        self._warmed_up: tuple[Value, ...] = ()

    def load(self, control: Control) -> None:
        """Load the current variant at `startpos` unless it is loaded, and warm it up unless that was done with these
        options.
        """
        wanted = tuple(self.options[name] for name in WARM_UP_OPTIONS)
        if wanted == self._warmed_up:
            return
        if wanted[:1] != self._warmed_up[:1]:
            entry = next(entry for entry in CATALOGUE if entry.variant == wanted[0])
            self.game = load_game(entry, self.options, control.say)
            self._warmed_up = wanted[:1]
        if not self.is_ending:
            self._warmed_up = wanted
            with suppress(Refused):  # then the `go` of the user is refused too, with a message
                self.game.warm_up()
        self.loaded_at = time.monotonic()

    def set_option(self, words: list[str], control: Control) -> None:
        """Carry out a `setoption`; `words` are its arguments."""
        name, text = split_setoption(words)
        option = self.options.find(name)
        if text is None:
            raise Refused("bad-argument", f"setoption: {option.name} needs a value")
        value = option.parse(text)
        if option.name == "Hash" and int(value) > (free_mb := free_memory_mb()):
            raise Refused("too-large", f"option Hash: {value}; {free_mb} available")
        chosen = self.options | {option.name: value}
        if option.name in ("UCI_Variant", "EvalFile") and chosen["EvalFile"]:
            import_game("junqi_protocol.games.junqi").evaluator_of(chosen["UCI_Variant"], chosen)
        before, self.options[option.name] = self.options[option.name], value
        if not self._warmed_up:
            return
        game, warmed_up = self.game, self._warmed_up
        try:
            if option.name == "UCI_Variant":
                self._warmed_up = ()
                self.load(control)
            else:
                game.option_changed(option.name)
        except BaseException:
            self.options[option.name], self.game, self._warmed_up = before, game, warmed_up
            raise


def import_game(module: str) -> Any:
    if (space_mb := address_space_mb()) < PROGRAM_MB:
        raise Refused(
            "too-large", f"{space_mb} MB of addresses (ulimit -v); the engine takes {PROGRAM_MB} and its Hash"
        )
    return importlib.import_module(module)


def load_game(entry: Entry, options: Mapping[str, Value], say: Callable[[str], None]) -> VariantGame:
    """Compile the kernels that are not cached, and make the game. Importing numba takes some tenths of a second."""
    module = import_game(entry.module)
    from junqi_engine import kernels

    kernels.set_reporter(say)
    needed = kernels.kernels_of(entry.package)
    if not all(each.is_ready() for each in needed):
        from junqi_engine.compiling import compile_missing

        compile_missing(entry.package, needed, entry.variant, say)
    game: VariantGame = module.GAME(entry.variant, options)
    return game
