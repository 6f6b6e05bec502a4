"""An engine that takes part: its program (a command, or a git revision of this project), options, and time control."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from junqi_engine.client.line_process import OWN_MODULE, split_command
from junqi_referee.exits import ExitCode, RefereeError, one_line
from junqi_referee.revisions import Revision, RevisionError, checkout_of, find
from junqi_referee.settings.readers import check_keys, one_of, read_switch, read_text, read_words, table_in, tables_in
from junqi_referee.time_control import KEYS as TIME_CONTROL_KEYS
from junqi_referee.time_control import TimeControl

COMMAND, REVISION = "cmd", "rev"
PROGRAM_KEYS: Mapping[str, str] = {COMMAND: "COMMAND", REVISION: "REVISION"}
"""The keys that name a program, with the form of their values; an engine has one of them."""


@dataclass(frozen=True)
class Program:
    """What an engine runs. `name` is the default name of the engine.

    A revision has the same `command` on every machine, for people to read; `start_command` starts it.
    """

    name: str
    command: tuple[str, ...]
    revision: Revision | None = None

    @property
    def start_command(self) -> tuple[str, ...]:
        """The command that starts the program on this machine; a revision must have been built."""
        return self.command if self.revision is None else checkout_of(self.revision).command


def read_program(table: Mapping[str, Any], where: str) -> Program:
    """The program of a table `[[engine]]`.

    A revision that does not exist, or cannot be read, is an engine that does not start.
    """
    if COMMAND in table and REVISION in table:
        raise RefereeError(f"{where}: {COMMAND} and {REVISION} exclude each other")
    if REVISION not in table:
        command = _read_command(table.get(COMMAND, ""), where)
        return Program(Path(command[0]).name, command)
    try:
        revision = find(read_text(table[REVISION], where, REVISION))
    except RevisionError as error:
        raise RefereeError(f"{where}: {REVISION}={table[REVISION]}: {error}", ExitCode.NO_START) from error
    return Program(revision.short, ("python", "-m", OWN_MODULE), revision)


def _read_command(command: Any, where: str) -> tuple[str, ...]:
    """A command as its words, from one string or a list of strings."""
    try:
        words = split_command(command) if isinstance(command, str) else command
    except ValueError as error:
        raise RefereeError(f"{where}: cmd={command}: {error}") from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RefereeError(f"{where}: cmd={command} must be a string or a list of strings")
    if not words or not words[0]:
        raise RefereeError(f"{where}: cmd is missing")
    return tuple(words)


class Dialect(StrEnum):
    PROTOCOL = "protocol"
    CONTEST = "contest"
    """That of the computer-games contest, for two-player Junqi. Such an engine chooses its own line-ups."""


ENGINE_KEYS: Mapping[str, str] = {
    **PROGRAM_KEYS,
    "name": "NAME",
    "option": "",
    "dir": "FOLDER",
    "dialect": "|".join(Dialect),
    "ponder": "true|false",
    **TIME_CONTROL_KEYS,
}
"""The keys of `[each]` and `[[engine]]`, with the form of their values; `option` is a table."""
OPTION_PREFIX = "option."
"""On the command line, the beginning of the keys that stand for the table `option`."""
ENGINE_HELP = " ".join(f"{key}={form}" if form else f"{OPTION_PREFIX}NAME=VALUE" for key, form in ENGINE_KEYS.items())


@dataclass(frozen=True)
class EngineSettings:
    name: str
    program: Program
    options: tuple[tuple[str, str], ...]
    time_control: TimeControl
    folder: str | None = None
    dialect: Dialect = Dialect.PROTOCOL
    ponder: bool = False
    """Whether it searches in the time of its opponent."""

    @property
    def start_command(self) -> tuple[str, ...]:
        """The command that starts the engine on this machine; a revision must have been built."""
        is_contest_revision = self.dialect == Dialect.CONTEST and self.program.revision is not None
        return (*self.program.start_command, *(("--contest",) if is_contest_revision else ()))

    def as_record(self) -> dict[str, Any]:
        """The engine's entry in a game record; the dialect is recorded only if it is not the protocol.

        A revision is recorded by its full hash; that of uncommitted changes by the hash of the commit, `+`, and the
        hash of the tree with the changes.
        """
        revision = {} if self.program.revision is None else {"revision": str(self.program.revision)}
        dialect = {} if self.dialect == Dialect.PROTOCOL else {"dialect": str(self.dialect)}
        ponder = {"ponder": True} if self.ponder else {}
        return {
            "name": self.name,
            "command": shlex.join(self.program.command),
            "options": dict(self.options),
            "limits": self.time_control.as_record(),
            **revision,
            **dialect,
            **ponder,
        }


def read_engines(tables: Mapping[str, Any], where: str) -> tuple[EngineSettings, ...]:
    """The engines of the tables `[[engine]]`, with the keys of `[each]` as defaults; at least two."""
    each = table_in(tables, "each", where)
    check_keys(each, ENGINE_KEYS.keys() - {"name"}, f"{where}, each")
    engines = [
        _read_engine(own, each, f"{where}, engine {number}")
        for number, own in enumerate(tables_in(tables, "engine", where), 1)
    ]
    is_named = ["name" in own for own in tables_in(tables, "engine", where)]
    engines = [
        engine if has_name else _told_apart(engine, engines) for engine, has_name in zip(engines, is_named, strict=True)
    ]
    if len(engines) < 2:
        raise RefereeError(f"{where}: a match needs two engines, there are {len(engines)}")
    names = [engine.name for engine in engines]
    for name in names:
        if not name.isprintable():
            raise RefereeError(f"{where}: name={name!a} has a character that cannot be printed")
        if names.count(name) > 1:
            raise RefereeError(f"{where}: two engines are called {name!r}; give each a name")
    return tuple(engines)


def _told_apart(engine: EngineSettings, engines: Sequence[EngineSettings]) -> EngineSettings:
    """An engine without a name of its own, called after its program and the options that its namesakes do not have."""
    namesakes = [other.options for other in engines if other.name == engine.name]
    own = [pair for pair in engine.options if not all(pair in options for options in namesakes)]
    return replace(engine, name=" ".join([engine.name, *(f"{name}={value}" for name, value in own)]))


def _read_engine(own: Mapping[str, Any], each: Mapping[str, Any], where: str) -> EngineSettings:
    check_keys(own, ENGINE_KEYS, where)
    # An engine's own program replaces the common one.
    has_program = not own.keys().isdisjoint(PROGRAM_KEYS)
    table = {key: value for key, value in each.items() if not (has_program and key in PROGRAM_KEYS)} | dict(own)
    program = read_program(table, where)
    options = {**table_in(each, "option", where), **table_in(own, "option", where)}
    # An engine's own tc replaces the common st, and the other way round.
    if "tc" in own and "st" not in own:
        table.pop("st", None)
    if "st" in own and "tc" not in own:
        table.pop("tc", None)
    try:
        control = TimeControl.parse(table)
    except ValueError as error:
        raise RefereeError(f"{where}: {error}") from error
    if not control.has_limit:
        raise RefereeError(f"{where}: no limit; set tc=, st=, nodes= or depth=")
    dialect = Dialect(one_of(Dialect)(table.get("dialect", Dialect.PROTOCOL), where, "dialect"))
    ponder = read_switch(table.get("ponder", False), where, "ponder")
    if dialect == Dialect.CONTEST:
        _check_contest_engine(control, options, f"{where}: dialect=contest")
        if ponder:
            raise RefereeError(f"{where}: dialect=contest cannot ponder")
    return EngineSettings(
        name=read_text(table["name"], where, "name") if "name" in table else program.name,
        program=program,
        options=tuple((name, _option_text(name, value, where)) for name, value in options.items()),
        time_control=control,
        folder=read_text(table["dir"], where, "dir") if "dir" in table else None,
        dialect=dialect,
        ponder=ponder,
    )


def _check_contest_engine(control: TimeControl, options: Mapping[str, Any], where: str) -> None:
    """Refuse what the contest's dialect cannot express."""
    if options:
        raise RefereeError(f"{where} has no options; put option.{next(iter(options))} in cmd")
    if control.base_ms is None or control.base_ms % 1000 or control.increment_ms:
        raise RefereeError(f"{where} needs tc= in whole seconds without an increment")
    if control.nodes is not None or control.depth is not None:
        raise RefereeError(f"{where} has no nodes= and depth=")


def _option_text(name: str, value: Any, where: str) -> str:
    if not isinstance(value, str | int | float) or "\n" in f"{name}{value}":
        text = one_line(f"{OPTION_PREFIX}{name}={value}")
        raise RefereeError(f"{where}: {text} must be a string of one line, a number, true or false")
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_engine_words(words: Sequence[str], where: str) -> dict[str, Any]:
    """The words after `--engine` as a table `[[engine]]`; `option.NAME` goes into its table `option`."""
    known = ENGINE_KEYS.keys() - {"option"} | {f"{OPTION_PREFIX}NAME"}
    table: dict[str, Any] = {}
    for key, value in read_words(words, where).items():
        if key.startswith(OPTION_PREFIX):
            name = key.removeprefix(OPTION_PREFIX)
            table.setdefault("option", {})[name] = _option_text(name, value, where)
        else:
            check_keys([key], known, where)
            table[key] = value
    return table
