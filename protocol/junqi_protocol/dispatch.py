"""From `UCI_Variant` to a game, a `junqi_protocol.variant_game.VariantGame` of the catalogue.

The worker's thread makes the game of a variant, and compiles its kernels first, if they are not cached.
"""

import importlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from junqi_engine.errors import Refused
from junqi_protocol.catalogue import CATALOGUE, Entry, declared_options
from junqi_protocol.options import Options, Value, split_setoption
from junqi_protocol.variant_game import Control, VariantGame

REHEARSED = ("UCI_Variant", "Player", "Method", "Hash", "Threads")
"""The options that decide what a search needs to have loaded."""


class Dispatcher:
    """The options and the current game. Cheap to construct: `load` imports the module of the game."""

    def __init__(self, catalogue: Sequence[Entry] = CATALOGUE) -> None:
        self._entries = {entry.variant: entry for entry in catalogue}
        self.options = Options(declared_options(tuple(catalogue)))
        self._game: VariantGame | None = None
        self._rehearsed: tuple[Value, ...] = ()
        self.loaded_at = 0.0
        """When `load` last had something to do, by `time.monotonic`."""

    @property
    def variant(self) -> str:
        return str(self.options["UCI_Variant"])

    @property
    def game(self) -> VariantGame:
        """The current game; RuntimeError before `load`."""
        if self._game is None:
            raise RuntimeError("the game is used before it is loaded")
        return self._game

    def load(self, control: Control) -> None:
        """Make the game of the current variant at its `startpos`, unless there is one, and have it rehearse a `go` with
        the current options, unless it has.
        """
        wanted = tuple(self.options[name] for name in REHEARSED)
        if self._game is not None and wanted == self._rehearsed:
            return
        entry = self._entries[self.variant]
        if self._game is None:
            self._game = load_game(entry, self.options, control)
        else:
            compile_needed(entry, self.options, control)
        if control.stopped:  # the process ends: no time to rehearse
            return
        self._rehearsed = wanted
        with suppress(Refused):  # a `go` with these options is refused, and will say so
            self._game.rehearse()
        self.loaded_at = time.monotonic()

    def set_option(self, words: list[str], control: Control) -> str:
        """Carry out `setoption` with some arguments; the declared name of the option."""
        name, text = split_setoption(words)
        option = self.options.find(name)
        if text is None:
            raise Refused("bad-argument", f"setoption: {option.name} needs a value")
        value = option.parse(text)
        previous_value, previous_game = self.options[option.name], self._game
        self.options.set(option, value)
        try:
            if option.name == "UCI_Variant":
                self._game = None
                if previous_game is not None:
                    self.load(control)
            elif self._game is not None:
                self._game.option_changed(option.name)
        except BaseException:
            self.options.set(option, previous_value)
            self._game = previous_game
            raise
        return option.name


def load_game(entry: Entry, options: Mapping[str, int | bool | str], control: Control) -> VariantGame:
    """The game of a catalogue entry. Imports numba, which takes a few tenths of a second."""
    kernels: Any = importlib.import_module("junqi_engine.kernels")
    kernels.say = control.say
    compile_needed(entry, options, control)
    game: VariantGame = importlib.import_module(entry.module).GAME(entry.variant, options)
    return game


def compile_needed(entry: Entry, options: Mapping[str, int | bool | str], control: Control) -> None:
    """Compile the kernels that a `go` with these options needs, unless they are cached. Say if the disk is full."""
    rare = importlib.import_module(entry.module).GAME.rare_kernels(options)
    kernels, cache = (importlib.import_module(f"junqi_engine.{name}") for name in ("kernels", "kernel_cache"))
    needed = [each for each in kernels.entries_of(entry.package) if not each.name.startswith(rare)]
    are_new = not all(each.is_ready() for each in needed)
    importlib.import_module("junqi_engine.compiling").provide(entry.package, needed, entry.variant, control.say)
    if are_new and not cache.cache_fault(entry.package) and not all(each.is_stored() for each in needed):
        control.say(f"the kernels cannot be kept: no room in {cache.folder_of(entry.package)}")
