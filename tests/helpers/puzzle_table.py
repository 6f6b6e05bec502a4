"""A puzzle behind the protocol, without a process."""

import pytest

from junqi_engine.errors import Refused
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control, GoRequest


class Table:
    """A variant on the table, with options: commands in, lines out."""

    def __init__(self, variant: str, **options: object) -> None:
        self.lines: list[str] = []
        self.dispatcher = Dispatcher()
        self.dispatcher.set_option(["name", "UCI_Variant", "value", variant], self.control())
        self.dispatcher.load(self.control())
        for name, value in options.items():
            self.set(name, value)

    def control(self) -> Control:
        return Control(self.lines.append)

    def set(self, name: str, value: object) -> None:
        self.dispatcher.set_option(["name", *name.split("_"), "value", str(value)], self.control())

    def position(self, text: str) -> None:
        self.game.set_position(text.split())

    def go(self, **request) -> tuple[str, list[str]]:
        return self.ask(self.game.go, **request), list(self.lines)

    def ask(self, method, **request):
        """The result of a method of the game for a `go`; its output is then in `lines`."""
        self.lines.clear()
        return method(GoRequest(**request), self.control())

    @property
    def game(self):
        return self.dispatcher.game


def refusal(work, *arguments, **named) -> Refused:
    """The line with which a call is refused."""
    with pytest.raises(Refused) as caught:
        work(*arguments, **named)
    assert "\n" not in str(caught.value)
    return caught.value
