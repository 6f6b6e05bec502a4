"""An engine that takes part: how it is started and configured, and its time control."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tools.referee.exits import RefereeError
from tools.referee.settings.program import PROGRAM_KEYS, Program, read_program
from tools.referee.settings.readers import check_keys, one_of, read_text
from tools.referee.settings.tables import table_in, tables_in
from tools.referee.time_control import KEYS as TIME_CONTROL_KEYS
from tools.referee.time_control import TimeControl


class Dialect(StrEnum):
    """The language of an engine."""

    PROTOCOL = "protocol"
    CONTEST = "contest"
    """That of the computer-games contest, for two-player Junqi. Such an engine chooses its own line-ups."""


ENGINE_KEYS: Mapping[str, str] = {
    **PROGRAM_KEYS,
    "name": "NAME",
    "option": "",
    "dir": "FOLDER",
    "dialect": "|".join(Dialect),
    **TIME_CONTROL_KEYS,
}
"""The keys of `[each]` and `[[engine]]`, with the form of their values; `option` is a table."""
OPTION_PREFIX = "option."
"""On the command line, the beginning of the keys that stand for the table `option`."""
ENGINE_HELP = " ".join(f"{key}={form}" if form else f"{OPTION_PREFIX}NAME=VALUE" for key, form in ENGINE_KEYS.items())


@dataclass(frozen=True)
class Engine:
    """An engine as the settings describe it."""

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


def read_engines(tables: Mapping[str, Any], where: str) -> tuple[Engine, ...]:
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
        if names.count(name) > 1:
            raise RefereeError(f"{where}: two engines are called {name!r}; give each a name")
    return tuple(engines)


def _told_apart(engine: Engine, engines: Sequence[Engine]) -> Engine:
    """An engine without a name of its own, called after its program and the options that its namesakes do not have."""
    namesakes = [other.options for other in engines if other.name == engine.name]
    own = [pair for pair in engine.options if not all(pair in options for options in namesakes)]
    return replace(engine, name=" ".join([engine.name, *(f"{name}={value}" for name, value in own)]))


def _read_engine(own: Mapping[str, Any], each: Mapping[str, Any], where: str) -> Engine:
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
    if dialect == Dialect.CONTEST:
        _check_contest_engine(control, options, f"{where}: dialect=contest")
    return Engine(
        name=read_text(table["name"], where, "name") if "name" in table else program.name,
        program=program,
        options=tuple((name, _option_text(name, value, where)) for name, value in options.items()),
        time_control=control,
        folder=read_text(table["dir"], where, "dir") if "dir" in table else None,
        dialect=dialect,
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
    if not isinstance(value, str | int | float):
        raise RefereeError(f"{where}: {OPTION_PREFIX}{name}={value} must be a string, a number, true or false")
    return str(value).lower() if isinstance(value, bool) else str(value)
