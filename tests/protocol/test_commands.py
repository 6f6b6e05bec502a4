"""The table of commands and the catalogue of options, complete."""

import pytest

from junqi_protocol.catalogue import CATALOGUE, Entry, declared_options
from junqi_protocol.commands import COMMANDS, CommandLine, parse
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.options import Check


def test_the_grammar_finds_every_command() -> None:
    for name, command in COMMANDS.items():
        assert parse(f"joho {name} x".encode()) == CommandLine(name, b" x")
        assert (command.handler is None) != (command.at_once is None)


def test_every_option_is_described_and_declared_once() -> None:
    options = declared_options()
    assert len({option.name.lower() for option in options}) == len(options)
    assert all(option.text and not option.text.endswith(".") for option in options)


def test_two_options_of_one_name_are_refused() -> None:
    entry = Entry("x", "none", "none", (Check("ponder", "something else", True),))
    with pytest.raises(ValueError, match="declared twice"):
        Dispatcher([*CATALOGUE, entry])
