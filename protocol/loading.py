"""Makes the game of a variant in the worker thread. Compiles its kernels first, if they are not cached."""

import importlib
from collections.abc import Mapping
from typing import Any

from protocol.catalogue import Entry
from protocol.game_interface import Control, Game


def load(entry: Entry, options: Mapping[str, int | bool | str], control: Control) -> Game:
    """The game of a catalogue entry. Imports numba, which takes a few tenths of a second."""
    kernels: Any = importlib.import_module("junqi_engine.kernels")
    kernels.say = control.say
    compile_needed(entry, options, control)
    game: Game = importlib.import_module(entry.module).GAME(entry.variant, options)
    return game


def compile_needed(entry: Entry, options: Mapping[str, int | bool | str], control: Control) -> None:
    """Compile the kernels that a `go` with these options needs, unless they are cached."""
    rare = importlib.import_module(entry.module).GAME.rare_kernels(options)
    kernels = importlib.import_module("junqi_engine.kernels")
    needed = [each for each in kernels.entries_of(entry.package) if not each.name.startswith(rare)]
    importlib.import_module("junqi_engine.compiling").provide(entry.package, needed, entry.variant, control.say)
