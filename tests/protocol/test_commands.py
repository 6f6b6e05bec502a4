"""The table of commands and the catalogue of options: complete, and what the session does."""

import dataclasses
import threading
from collections.abc import Iterator

import pytest

from junqi_protocol.catalogue import CATALOGUE, Entry, declared_options
from junqi_protocol.commands import COMMANDS, Call, parse
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.options import Check
from junqi_protocol.streams import InputLine
from tests.helpers.engine import DEADLINE_S
from tests.helpers.session import Talk

ARGUMENTS = {"debug": "off", "setoption": "name Hash value 5", "gameover": "win", "position": "startpos"}
"""For the commands that need some."""


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.end()


def test_the_grammar_finds_every_command() -> None:
    for name, command in COMMANDS.items():
        parsed = parse(InputLine(f"joho {name} x".encode()))
        assert parsed is not None and parsed.command is command


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if command.handler])
def test_during_a_search_a_command_with_a_handler_waits_or_stops_it(
    talk: Talk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = COMMANDS[name]
    is_done = threading.Event()

    def handler(call: Call) -> None:
        try:
            command.handler(call)
        finally:
            is_done.set()

    talk.say("isready")
    talk.wait(lambda lines: lines == ["readyok"] and talk.session.is_idle)
    monkeypatch.setitem(COMMANDS, name, dataclasses.replace(command, handler=handler))
    talk.say("go infinite", f"{name} {ARGUMENTS.get(name, '')}", "isready")
    talk.wait(lambda lines: lines.count("readyok") == 2)
    if not command.stops_unlimited:
        assert not is_done.is_set() and "bestmove a1a2" not in talk.lines
        talk.say("stop")
    assert is_done.wait(DEADLINE_S)


def test_every_option_is_described_and_declared_once() -> None:
    options = declared_options()
    assert len({option.name.lower() for option in options}) == len(options)
    assert all(option.text and not option.text.endswith(".") for option in options)


def test_two_options_of_one_name_are_refused() -> None:
    entry = Entry("x", "none", "none", (Check("ponder", "something else", True),))
    with pytest.raises(ValueError, match="declared twice"):
        Dispatcher([*CATALOGUE, entry])
