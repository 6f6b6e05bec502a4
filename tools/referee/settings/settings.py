"""What is to be played: the settings of a match or tournament, from a TOML file, the command line, or both.

Both speak the same keys; the command line is turned into the tables that a file would hold, laid over those of the
file, and read by the one function `Settings.read`, so that a mistake is reported in the same words wherever it was
made.
"""

import math
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from tools.referee.exits import RefereeError
from tools.referee.statistics.sprt import Model, Sprt
from tools.referee.time_control import KEYS as TIME_CONTROL_KEYS
from tools.referee.time_control import TimeControl

MATCH_KEYS = {
    *("variant", "visibility", "format", "rounds", "concurrency", "seed", "lineups", "book", "record", "log"),
    *("no-contact", "no-contact-result", "max-plies", "sprt", "resign", "draw", "scheduler"),
}
ENGINE_KEYS = {"cmd", "name", "dir", "dialect", "option", *TIME_CONTROL_KEYS}
SPRT_KEYS = {"elo0", "elo1", "alpha", "beta", "model"}


class Visibility(StrEnum):
    """Who plays what, and sees what."""

    PARTNER = "partner"
    """One process a team; it sees its own two seats."""
    DARK = "dark"
    """One process a seat; it sees its own."""
    OPEN = "open"
    """One process a team; it sees everything."""


class Format(StrEnum):
    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    """The first engine against each other one."""


class Lineups(StrEnum):
    BOOK = "book"
    RANDOM = "random"
    ENGINE = "engine"
    """Each engine makes its own by `go setup`."""


class Dialect(StrEnum):
    """What an engine speaks."""

    PROTOCOL = "protocol"
    CONTEST = "contest"
    """The computer-games contest's, for two-player Junqi; such an engine chooses its own line-ups."""


@dataclass(frozen=True)
class Engine:
    """An engine that takes part: how it is called, started and set, and what it may spend."""

    name: str
    command: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    time_control: TimeControl
    folder: str | None = None
    dialect: Dialect = Dialect.PROTOCOL

    def as_record(self) -> dict[str, Any]:
        spoken = {} if self.dialect == Dialect.PROTOCOL else {"dialect": str(self.dialect)}
        return {
            "name": self.name,
            "command": shlex.join(self.command),
            "options": dict(self.options),
            "limits": self.time_control.as_record(),
            **spoken,
        }


@dataclass(frozen=True)
class Adjudication:
    """When the reported scores end a game.

    A player whose own last `resign_moves` scores are all at or below minus `resign_cp` has lost; a game is a draw when,
    after `draw_after` plies, the last `draw_moves` scores of all players are within `draw_cp` of nothing. 0 moves =
    never.
    """

    resign_moves: int = 0
    resign_cp: int = 0
    draw_moves: int = 0
    draw_cp: int = 0
    draw_after: int = 0


@dataclass(frozen=True)
class Settings:
    """All that decides what is played and how; what is reported of it is the command line's affair."""

    engines: tuple[Engine, ...]
    variant: str = "siguo"
    visibility: Visibility = Visibility.PARTNER
    format: Format = Format.ROUND_ROBIN
    rounds: int = 1
    concurrency: int = 1
    seed: int = 0
    lineups: Lineups = Lineups.BOOK
    book: str | None = None
    record: str | None = None
    log: str | None = None
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None
    adjudication: Adjudication = Adjudication()
    scheduler: str | None = None

    @classmethod
    def read(cls, tables: Mapping[str, Any], where: str) -> "Settings":
        """From the tables `match`, `each` and `engine`; a `RefereeError` names the table and key at fault."""
        _only(tables, {"match", "each", "engine", "bound"}, where)
        match = _table(tables, "match", where)
        where_match = f"{where}, match"
        _only(match, MATCH_KEYS, where_match)
        variant = _one_of(match, "variant", list(BOARDS), "siguo", where_match)
        lineups = Lineups(_one_of(match, "lineups", list(Lineups), "book", where_match))
        if "book" in match and lineups != Lineups.BOOK:
            raise RefereeError(f"{where_match}: book and lineups={lineups} exclude each other")
        settings = cls(
            engines=(),
            variant=variant,
            visibility=Visibility(_one_of(match, "visibility", list(Visibility), "partner", where_match)),
            format=Format(_one_of(match, "format", list(Format), "round-robin", where_match)),
            rounds=_number(match, "rounds", 1, 1, 10**7, where_match),
            concurrency=_number(match, "concurrency", 1, 1, 1024, where_match),
            seed=_number(match, "seed", 0, 0, 2**63 - 1, where_match),
            lineups=lineups,
            book=_text(match, "book", where_match),
            record=_text(match, "record", where_match),
            log=_text(match, "log", where_match),
            rules=_rules(match, variant, where_match),
            sprt=_sprt(match, where_match),
            adjudication=_adjudication(match, where_match),
            scheduler=_text(match, "scheduler", where_match),
        )
        engines = _engines(tables, where)
        if settings.sprt and len(engines) != 2:
            raise RefereeError(f"{where_match}: sprt needs two engines, there are {len(engines)}")
        settings = replace(settings, engines=engines)
        if any(engine.dialect == Dialect.CONTEST for engine in engines):
            settings = replace(settings, lineups=_contest_lineups(match, where_match))
            _check_contest(settings, where)
        return settings


def read_file(path: str) -> dict[str, Any]:
    """The tables of a TOML file; keys may be written with `-` or `_`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RefereeError(f"{path}: {error.strerror}") from error
    return read_tables(data, path)


def read_tables(data: bytes, name: str) -> dict[str, Any]:
    """The tables of the text of a TOML file called `name`."""
    try:
        tables = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # a number of thousands of digits is no TOMLDecodeError
        raise RefereeError(f"{name}: no TOML: {error}") from error
    except RecursionError:
        raise RefereeError(f"{name}: no TOML: it is nested too deeply") from None
    return {key: _dashed(value) for key, value in tables.items()}


def overlay(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a file with those of the command line laid over them; engines are replaced as a whole."""
    merged = dict(below)
    for name, table in above.items():
        if isinstance(table, Mapping) and isinstance(below.get(name), Mapping):
            merged[name] = {**below[name], **table}
        else:
            merged[name] = table
    return merged


def _dashed(table: Any) -> Any:
    if isinstance(table, list):
        return [_dashed(entry) for entry in table]
    return {key.replace("_", "-"): value for key, value in table.items()} if isinstance(table, dict) else table


def _only(table: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise RefereeError(f"{where}: unknown key {key!r}; known are {', '.join(sorted(known))}")


def _table(tables: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, Mapping):
        raise RefereeError(f"{where}: {name} must be a table")
    return table


def _list(tables: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    entries = tables.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise RefereeError(f"{where}: {name} must be a list of tables, [[{name}]]")
    return entries


def _text(table: Mapping[str, Any], key: str, where: str) -> str | None:
    value = table.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise RefereeError(f"{where}: {key} must be a text, not {value!r}")
    return value


def _number(table: Mapping[str, Any], key: str, default: int, least: int, most: int, where: str) -> int:
    value = table.get(key, default)
    try:
        number = int(value) if not isinstance(value, bool | float) else None
    except (TypeError, ValueError):
        number = None
    if number is None or not least <= number <= most:
        raise RefereeError(f"{where}: {key}={value} is no whole number from {least} to {most}")
    return number


def _real(table: Mapping[str, Any], key: str, default: float | None, where: str) -> float:
    value = table.get(key, default)
    if value is None:
        raise RefereeError(f"{where}: {key} is missing")
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise RefereeError(f"{where}: {key}={value} is no number")
    return number


def _one_of(table: Mapping[str, Any], key: str, choices: list[str], default: str, where: str) -> str:
    value = table.get(key, default)
    if value not in list(choices):
        raise RefereeError(f"{where}: {key}={value} is none of {', '.join(choices)}")
    return str(value)


def _engines(tables: Mapping[str, Any], where: str) -> tuple[Engine, ...]:
    each = _table(tables, "each", where)
    _only(each, ENGINE_KEYS - {"name"}, f"{where}, each")
    engines = []
    for number, own in enumerate(_list(tables, "engine", where), 1):
        where_engine = f"{where}, engine {number}"
        _only(own, ENGINE_KEYS, where_engine)
        engines.append(_engine(own, each, where_engine))
    if len(engines) < 2:
        raise RefereeError(f"{where}: a match needs two engines, there are {len(engines)}")
    names = [engine.name for engine in engines]
    for name in names:
        if names.count(name) > 1:
            raise RefereeError(f"{where}: two engines are called {name!r}; give each a name")
    return tuple(engines)


def _engine(own: Mapping[str, Any], each: Mapping[str, Any], where: str) -> Engine:
    table = {**each, **own}
    words = _words(table.get("cmd", ""), where)
    options = {**_table(each, "option", where), **_table(own, "option", where)}
    # A limit of its own replaces the common ones that it can't stand beside.
    if "tc" in own and "st" not in own:
        table.pop("st", None)
    if "st" in own and "tc" not in own:
        table.pop("tc", None)
    try:
        control = TimeControl.parse(table)
    except ValueError as error:
        raise RefereeError(f"{where}: {error}") from error
    if not control.has_limit:
        raise RefereeError(f"{where}: no limit; give tc=, st=, nodes= or depth=")
    dialect = Dialect(_one_of(table, "dialect", list(Dialect), Dialect.PROTOCOL, where))
    if dialect == Dialect.CONTEST:
        _check_contest_engine(control, options, where)
    return Engine(
        name=_text(table, "name", where) or Path(words[0]).name,
        command=words,
        options=tuple((name, _option_text(name, value, where)) for name, value in options.items()),
        time_control=control,
        folder=_text(table, "dir", where),
        dialect=dialect,
    )


def _check_contest_engine(control: TimeControl, options: Mapping[str, Any], where: str) -> None:
    """Refuse what the contest's dialect has no words for."""
    where = f"{where}: dialect=contest"
    if options:
        raise RefereeError(f"{where}: option.{next(iter(options))} can't be told; put options into cmd")
    if control.base_ms is None or control.base_ms % 1000 or control.increment_ms:
        raise RefereeError(f"{where}: it needs tc= of whole seconds without an increment")
    if control.nodes is not None or control.depth is not None:
        raise RefereeError(f"{where}: nodes= and depth= can't be told")


def _contest_lineups(match: Mapping[str, Any], where: str) -> Lineups:
    if match.get("lineups", Lineups.ENGINE) != Lineups.ENGINE or "book" in match:
        raise RefereeError(f"{where}: an engine with dialect=contest chooses its own line-ups: lineups=engine")
    return Lineups.ENGINE


def _check_contest(settings: Settings, where: str) -> None:
    """Refuse a match that an engine of the contest's dialect can't play."""
    where = f"{where}, match: an engine with dialect=contest"
    if settings.variant != "luzhanqi":
        raise RefereeError(f"{where} plays variant luzhanqi, not {settings.variant}")
    if settings.visibility == Visibility.OPEN:
        raise RefereeError(f"{where} can't be shown the other's pieces: visibility=open")
    if settings.rules.no_contact and not settings.rules.no_contact_loses:
        raise RefereeError(f"{where} knows no draw: no-contact-result=draw")


def _words(command: Any, where: str) -> tuple[str, ...]:
    """A command as its words, from one text or a list of them."""
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise RefereeError(f"{where}: cmd={command}: {error}") from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RefereeError(f"{where}: cmd={command} is neither a text nor a list of texts")
    if not words:
        raise RefereeError(f"{where}: cmd is missing")
    return tuple(words)


def _option_text(name: str, value: Any, where: str) -> str:
    if not isinstance(value, str | int | float):
        raise RefereeError(f"{where}: option.{name}={value} is neither a text, nor a number, nor true or false")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rules(match: Mapping[str, Any], variant: str, where: str) -> Rules:
    own = Rules.of(BOARDS[variant])
    no_contact = _number(match, "no-contact", -1, -1, 1000, where)
    result = _one_of(match, "no-contact-result", ["variant", "draw", "loss"], "variant", where)
    return Rules(
        no_contact=own.no_contact if no_contact < 0 else no_contact,
        no_contact_loses=own.no_contact_loses if result == "variant" else result == "loss",
        max_plies=_number(match, "max-plies", 0, 0, 100_000, where),
    )


def _sprt(match: Mapping[str, Any], where: str) -> Sprt | None:
    if "sprt" not in match:
        return None
    table = _table(match, "sprt", where)
    where = f"{where}, sprt"
    _only(table, SPRT_KEYS, where)
    try:
        return Sprt(
            elo0=_real(table, "elo0", None, where),
            elo1=_real(table, "elo1", None, where),
            alpha=_real(table, "alpha", 0.05, where),
            beta=_real(table, "beta", 0.05, where),
            model=Model(_one_of(table, "model", list(Model), "normalized", where)),
        )
    except ValueError as error:
        raise RefereeError(f"{where}: {error}") from error


def _adjudication(match: Mapping[str, Any], where: str) -> Adjudication:
    resign, draw = _table(match, "resign", where), _table(match, "draw", where)
    _only(resign, {"movecount", "score"}, f"{where}, resign")
    _only(draw, {"movenumber", "movecount", "score"}, f"{where}, draw")
    return Adjudication(
        resign_moves=_number(resign, "movecount", 3 if resign else 0, 0, 1000, f"{where}, resign"),
        resign_cp=_number(resign, "score", 1000, 0, 10**6, f"{where}, resign"),
        draw_moves=_number(draw, "movecount", 8 if draw else 0, 0, 1000, f"{where}, draw"),
        draw_cp=_number(draw, "score", 10, 0, 10**6, f"{where}, draw"),
        draw_after=_number(draw, "movenumber", 0, 0, 10**6, f"{where}, draw"),
    )
