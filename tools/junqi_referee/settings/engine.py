"""Settings of an engine: its program (a command or a git revision of this project), its options, its time control."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from junqi_engine.client.line_process import OWN_MODULE, split_command
from junqi_referee.exit_codes import ExitCode, RefereeError, one_line
from junqi_referee.readers import Wrong, one_of, read_words
from junqi_referee.revisions import Revision, RevisionError, checkout_of, find
from junqi_referee.time_control import KEYS as TIME_CONTROL_KEYS
from junqi_referee.time_control import TimeControl

COMMAND, REVISION = "cmd", "rev"
PROGRAM_KEYS: Mapping[str, str] = {COMMAND: "COMMAND", REVISION: "REVISION"}
"""The keys that name a program, with the form of their values; an engine has one of them."""


@dataclass(frozen=True)
class Program:
    """The program of an engine. `name` is the default name of the engine.

    The `command` of a revision is the same on every machine and only for people to read; `start_command` starts it.
    """

    name: str
    command: tuple[str, ...]
    revision: Revision | None = None

    @property
    def start_command(self) -> tuple[str, ...]:
        """The command that starts the program on this machine; a revision must have been built."""
        return self.command if self.revision is None else checkout_of(self.revision).command


def read_program(table: Mapping[str, str], where: str) -> Program:
    """The program that the words after `--engine` name.

    A revision that does not exist, or cannot be read, is an engine that does not start.
    """
    if COMMAND in table and REVISION in table:
        raise RefereeError(f"{where}: {COMMAND} and {REVISION} exclude each other")
    if REVISION in table:
        try:
            revision = find(table[REVISION])
        except RevisionError as error:
            raise RefereeError(f"{where}: {REVISION}={table[REVISION]}: {error}", ExitCode.NO_START) from error
        return Program(revision.short, ("python", "-m", OWN_MODULE), revision)
    try:
        command = tuple(split_command(table.get(COMMAND, "")))
    except ValueError as error:
        raise RefereeError(f"{where}: cmd={table[COMMAND]}: {error}") from error
    if not command or not command[0]:
        raise RefereeError(f"{where}: cmd is missing")
    return Program(Path(command[0]).name, command)


class Dialect(StrEnum):
    PROTOCOL = "protocol"
    CONTEST = "contest"
    """The dialect of the computer-games contest, for two-player Junqi. Its engines choose their own line-ups."""


OPTION_PREFIX = "option."
ENGINE_KEYS: Mapping[str, str] = {
    **PROGRAM_KEYS,
    "name": "NAME",
    f"{OPTION_PREFIX}NAME": "VALUE",
    "dir": "FOLDER",
    "dialect": "|".join(Dialect),
    **TIME_CONTROL_KEYS,
}
"""The keys of the words after `--engine` and `--each`, with the form of their values."""
ENGINE_HELP = " ".join(f"{key}={form}" for key, form in ENGINE_KEYS.items())


@dataclass(frozen=True)
class EngineSettings:
    name: str
    program: Program
    options: tuple[tuple[str, str], ...]
    time_control: TimeControl
    folder: str | None = None
    dialect: Dialect = Dialect.PROTOCOL

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
        return {
            "name": self.name,
            "command": shlex.join(self.program.command),
            "options": dict(self.options),
            "limits": self.time_control.as_record(),
            **revision,
            **dialect,
        }


def read_engines(given: Mapping[str, Sequence[str]], each: Sequence[str]) -> tuple[EngineSettings, ...]:
    """The engines of some flags, by what messages call these, with the words of `--each` as defaults; at least two."""
    common = read_engine_words(each, "--each")
    if "name" in common:
        raise RefereeError("--each: a name belongs to one engine; give it in --engine")
    tables = {where: read_engine_words(words, where) for where, words in given.items()}
    engines = [_read_engine(own, common, where) for where, own in tables.items()]
    engines = [
        engine if "name" in own else _told_apart(engine, engines)
        for own, engine in zip(tables.values(), engines, strict=True)
    ]
    if len(engines) < 2:
        raise RefereeError(f"a match needs two engines, there are {len(engines)}; add --engine")
    names = [engine.name for engine in engines]
    for name in names:
        if not name.isprintable():
            raise RefereeError(f"name={name!a} has a character that cannot be printed")
        if names.count(name) > 1:
            raise RefereeError(f"two engines are called {name!r}; give each a name")
    return tuple(engines)


def read_engine_words(words: Sequence[str], where: str) -> dict[str, str]:
    """Read the words after `--engine` into a table; no value is empty but that of an option, and each is one line."""
    try:
        table = read_words(words, ENGINE_KEYS, OPTION_PREFIX)
    except Wrong as error:
        raise RefereeError(f"{where}: {error}") from None
    for key, value in table.items():
        if "\n" in f"{key}{value}" or (not value and not key.startswith(OPTION_PREFIX)):
            raise RefereeError(f"{where}: {one_line(f'{key}={value}')} must be one line that is not empty")
    return table


def options_in(table: Mapping[str, str]) -> dict[str, str]:
    """The engine options among the words of an engine."""
    return {key.removeprefix(OPTION_PREFIX): value for key, value in table.items() if key.startswith(OPTION_PREFIX)}


def _told_apart(engine: EngineSettings, engines: Sequence[EngineSettings]) -> EngineSettings:
    """Name an engine after its program and the options that other engines of this program do not have."""
    namesakes = [other.options for other in engines if other.name == engine.name]
    own = [pair for pair in engine.options if not all(pair in options for options in namesakes)]
    return replace(engine, name=" ".join([engine.name, *(f"{name}={value}" for name, value in own)]))


EXCLUDING = (PROGRAM_KEYS.keys(), {"tc", "st"})
"""Keys that exclude each other: a key of an engine replaces the others of `--each`."""


def _read_engine(own: Mapping[str, str], common: Mapping[str, str], where: str) -> EngineSettings:
    replaced = {key for keys in EXCLUDING if not own.keys().isdisjoint(keys) for key in keys}
    table = {**{key: value for key, value in common.items() if key not in replaced}, **own}
    program = read_program(table, where)
    options = options_in(table)
    try:
        control = TimeControl.parse(table)
        dialect = one_of(Dialect)(table.get("dialect", Dialect.PROTOCOL))
    except Wrong as error:
        raise RefereeError(f"{where}: {error}") from error
    if not control.has_limit:
        raise RefereeError(f"{where}: no limit; set tc=, st=, nodes= or depth=")
    if dialect == Dialect.CONTEST:
        _check_contest_engine(control, options, f"{where}: dialect=contest")
    name = table.get("name", program.name)
    return EngineSettings(name, program, tuple(options.items()), control, table.get("dir"), dialect)


def _check_contest_engine(control: TimeControl, options: Mapping[str, str], where: str) -> None:
    """Refuse settings that the contest's dialect cannot express."""
    if options:
        raise RefereeError(f"{where} has no options; put option.{next(iter(options))} in cmd")
    if control.base_ms is None or control.base_ms % 1000 or control.increment_ms:
        raise RefereeError(f"{where} needs tc= in whole seconds without an increment")
    if control.nodes is not None or control.depth is not None:
        raise RefereeError(f"{where} has no nodes= and depth=")
