"""The table of commands and the catalogue of options, complete."""

import pytest

from junqi_protocol.catalogue import CATALOGUE, OPTIONS, Entry, declared_options
from junqi_protocol.commands import COMMANDS, CommandLine, parse
from junqi_protocol.options import Check


def test_grammar_matches_every_command() -> None:
    for name, command in COMMANDS.items():
        assert parse(f"joho {name} x".encode()) == CommandLine(name, b" x")
        assert (command.handler is None) != (command.at_once is None)


def test_every_option_is_declared_once() -> None:
    assert len({option.name.lower() for option in OPTIONS}) == len(OPTIONS)
    entry = Entry("x", "none", "none", (Check("ponder", True),))
    with pytest.raises(ValueError, match="declared twice"):
        declared_options((*CATALOGUE, entry))
