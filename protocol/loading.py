"""Imports the module of a variant in the worker thread. Announces it if the kernels have to be compiled first."""

import importlib
from collections.abc import Mapping

from protocol.catalogue import Entry
from protocol.game import Control, Game


def load(entry: Entry, options: Mapping[str, int | bool | str], control: Control) -> Game:
    """The game of a catalogue entry. Imports numba, which takes a few tenths of a second."""
    kernels = importlib.import_module("junqi_engine.kernels")
    is_cold = not kernels.cache_is_warm(entry.package)
    if is_cold:
        control.say(f"compiling the kernels of {entry.variant}: once on this machine, less than a minute")
    game: Game = importlib.import_module(entry.module).GAME(entry.variant, options)
    if is_cold:
        kernels.seal(entry.package)
        control.say(f"compiled in {control.elapsed_ms() / 1000:.1f} s")
    return game
