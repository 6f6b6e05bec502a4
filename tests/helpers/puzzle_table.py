"""A puzzle behind the protocol, without a process."""

from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control, GoRequest


class Table:
    """A variant on the table: commands in, lines out."""

    def __init__(self, variant: str) -> None:
        self.lines: list[str] = []
        self.dispatcher = Dispatcher()
        self.set("UCI_Variant", variant)
        self.dispatcher.load(self.control())

    def control(self) -> Control:
        return Control(self.lines.append)

    def set(self, name: str, value: object) -> None:
        self.dispatcher.set_option(["name", name, "value", str(value)], self.control())

    def position(self, text: str) -> None:
        self.game.set_position(text.split())

    def go(self, **request) -> tuple[str, list[str]]:
        return self.ask(self.game.go, **request), list(self.lines)

    def ask(self, method, **request):
        """What a method of the game returns for a `go`; what it printed is then in `lines`."""
        self.lines.clear()
        return method(GoRequest(**request), self.control())

    @property
    def game(self):
        return self.dispatcher.game
