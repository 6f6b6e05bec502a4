"""From `UCI_Variant` to a game. Knows games by `protocol.game.Game` and the catalogue alone."""

import importlib
from collections.abc import Sequence

from protocol.catalogue import CATALOGUE, Entry, declared_options
from protocol.game import Control, Game, Rejection
from protocol.options import Options, split_setoption


class Dispatcher:
    """The options and the game in force. Made cheaply; the game's module is imported by `load`."""

    def __init__(self, catalogue: Sequence[Entry] = CATALOGUE) -> None:
        self._entries = {entry.variant: entry for entry in catalogue}
        self.options = Options(declared_options(tuple(catalogue)))
        self._game: Game | None = None

    @property
    def variant(self) -> str:
        return str(self.options["UCI_Variant"])

    @property
    def is_loaded(self) -> bool:
        return self._game is not None

    @property
    def game(self) -> Game:
        if self._game is None:
            raise RuntimeError("the game is asked for before it is loaded")
        return self._game

    def is_quick(self, command: str) -> bool:
        """Whether the command may be answered beside a running search."""
        return self._game is not None and command in self._game.quick

    def load(self, control: Control) -> None:
        """Import the module of the variant in force and make its game, at its `startpos`."""
        if self._game is not None:
            return
        entry = self._entries[self.variant]
        module = importlib.import_module("protocol.loading")
        self._game = module.load(entry, self.options, control)

    def set_option(self, words: list[str], control: Control) -> str:
        """Carry out a `setoption`; the declared name of the option that was set."""
        name, text = split_setoption(words)
        option = self.options.find(name)
        if text is None:
            raise Rejection("bad-argument", f"setoption: {option.name} needs a value")
        value = option.parse(text)
        before, game_before = self.options[option.name], self._game
        self.options.set(option, value)
        try:
            if option.name == "UCI_Variant":
                self._game = None
                self.load(control)
            elif self._game is not None:
                self._game.option_changed(option.name)
        except BaseException:
            self.options.set(option, before)
            self._game = game_before
            raise
        return option.name
