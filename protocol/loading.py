"""Imports the module of a variant in the worker thread. Compiles its kernels first, if they are not cached."""

import importlib
from collections.abc import Mapping

from protocol.catalogue import Entry
from protocol.game import Control, Game


def load(entry: Entry, options: Mapping[str, int | bool | str], control: Control) -> Game:
    """The game of a catalogue entry. Imports numba, which takes a few tenths of a second."""
    kernel_cache = importlib.import_module("junqi_engine.kernel_cache")
    if not kernel_cache.cache_is_warm(entry.package):
        control.say(f"compiling the kernels of {entry.variant}: once on this machine, less than a minute")
        compiling = importlib.import_module("junqi_engine.compiling")
        compiling.compile_package(entry.package, lambda share: control.say(progress_line(share)))
        control.say(f"compiled in {control.elapsed_ms() / 1000:.1f} s")
    game: Game = importlib.import_module(entry.module).GAME(entry.variant, options)
    importlib.import_module("junqi_engine.kernels").load_entries(entry.package)
    return game


def progress_line(share: float) -> str:
    """How progress is printed; `share` is from 0 to 1."""
    return f"compiling kernels: {100 * share:.0f}% done"
