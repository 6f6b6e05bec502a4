"""The settings of a match or tournament, from a TOML file, the command line, or both; and where its chance comes from.

File and command line use the same keys. The command line is turned into the tables that a file would hold and laid over
those of the file; `MatchSettings.read` reads the result, so a mistake is reported in the same words wherever it was
made.

A run's random numbers come from a seed, which is a secret unless somebody names a number. Everything random that an
engine can see, or that its enemy depends on, comes from a stream of its own, by a keyed hash. So an engine that knows
this program and some streams of a secret learns nothing of the others. Only a few numbers of a stream are used, far
fewer than would tell its next ones. A number as a seed can be found by trying.
"""

import hashlib
import random
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from junqi_referee.exits import RefereeError
from junqi_referee.settings.engine import Dialect, EngineSettings, read_engines
from junqi_referee.settings.readers import (
    CI,
    MATCH,
    REGRESS,
    TOURNAMENT,
    Reader,
    check_keys,
    one_of,
    option,
    read_cores,
    read_options,
    read_real,
    read_text,
    table_in,
    table_of,
    whole,
)
from junqi_referee.sprt import Difference, Model, SequentialTest, Sprt

if TYPE_CHECKING:
    from junqi_engine.rules.options import Rules

Seed = int | str
"""A number from 0 to `MOST_SEED`, or a secret as 32 hexadecimal digits."""
MOST_SEED = 2**63 - 1
SECRET_BYTES = 16
_SECRET = re.compile(f"[0-9a-f]{{{2 * SECRET_BYTES}}}")
_ENGINE_SEEDS = 2**31
"""The value of the option `Seed` is below this number."""


def new_secret() -> str:
    """A secret of 128 bits."""
    return secrets.token_hex(SECRET_BYTES)


def is_secret(value: object) -> bool:
    return isinstance(value, str) and _SECRET.fullmatch(value) is not None


def stream(seed: Seed, *place: int) -> random.Random:
    """The stream of a place, such as the number of a round; each place has its own."""
    name = "/".join(map(str, place))
    if isinstance(seed, int):
        return random.Random(f"{seed}/{name}")
    return random.Random(hashlib.blake2b(name.encode(), key=bytes.fromhex(seed)).digest())


def engine_seed(seed: Seed, *place: int) -> int:
    """The value of an engine's option `Seed`."""
    return stream(seed, *place).randrange(_ENGINE_SEEDS)


TABLES = ("match", "each", "engine", "bound")
VARIANT_RULE = "variant"
"""The value of `no_contact_result` that leaves the result to the variant."""
SEED_HELP = (
    "a number to draw line-ups and engines' seeds from, only for engines that you trust: one that finds it by trying "
    "knows all hidden line-ups; or the seed of a record, to repeat its games (default: a new secret)"
)


class Visibility(StrEnum):
    """Which seats an engine process plays and sees."""

    PARTNER = "partner"
    """One process per team; it sees its own two seats."""
    DARK = "dark"
    """One process per seat; it sees its own."""
    OPEN = "open"
    """One process per team; it sees everything."""


class Format(StrEnum):
    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    """The first engine against each of the others."""


class Lineups(StrEnum):
    BOOK = "book"
    RANDOM = "random"
    ENGINE = "engine"
    """Each engine makes its own, by `go setup`."""


@dataclass(frozen=True)
class ResignRule:
    """A player loses when its last `movecount` scores are all at or below minus `score` centipawns; 0 moves: never."""

    movecount: int = 3
    score: int = 1000


@dataclass(frozen=True)
class DrawRule:
    """A game of at least `movenumber` plies is drawn when the last `movecount` scores of both teams are within `score`
    centipawns of 0; 0 moves: never.
    """

    movenumber: int = 0
    movecount: int = 8
    score: int = 10


_MOVES, _PLIES, _CENTIPAWNS = whole(0, 1000), whole(0, 10**6), whole(0, 10**6)
_SPRT = {"elo0": read_real, "elo1": read_real, "alpha": read_real, "beta": read_real, "model": one_of(Model)}
_DIFFERENCE = {
    **dict.fromkeys(("engine", "than", "against"), read_text),
    **dict.fromkeys(("score0", "score1", "alpha", "beta"), read_real),
}
_RESIGN = {"movecount": _MOVES, "score": _CENTIPAWNS}
_DRAW = {"movenumber": _PLIES, "movecount": _MOVES, "score": _CENTIPAWNS}


def _read_variant(value: Any, where: str, key: str) -> str:
    # The rules take tenths of a second to import, which a help text need not wait for.
    from junqi_engine.rules.board import BOARDS

    return one_of(BOARDS)(value, where, key)


def _read_seed(value: Any, where: str, key: str) -> Seed:
    if is_secret(value):
        return str(value)
    try:
        number: int = whole(0, MOST_SEED)(value, where, key)
    except RefereeError as error:
        raise RefereeError(f"{error}, or the 32 hexadecimal digits of a record's seed") from None
    return number


def _words(cls: type, readers: Mapping[str, Reader], help: str, commands: tuple[str, ...] = (MATCH, TOURNAMENT)) -> Any:
    """An option that is a table, and on the command line of some subcommands a flag followed by words."""
    keys = " ".join(f"{key}=" for key in readers)
    return option(None, table_of(cls, readers), f"{help}: {keys}", commands=commands, takes_words=True)


def _one_of(
    words: type[StrEnum], default: StrEnum, commands: tuple[str, ...] = (MATCH, TOURNAMENT, REGRESS, CI)
) -> Any:
    """An option that is one of some words."""
    return option(default, one_of(words), f"one of {', '.join(words)}", commands=commands)


@dataclass(frozen=True)
class MatchSettings:
    """Everything that decides what is played and how. A new option of `[match]` and of the command line is one field.

    `sprt`, `resign` and `draw` are None if not set.
    """

    engines: tuple[EngineSettings, ...]
    variant: str = option("siguo", _read_variant, "the variant of Junqi")
    visibility: Visibility = _one_of(Visibility, Visibility.PARTNER)
    format: Format = _one_of(Format, Format.ROUND_ROBIN, commands=(TOURNAMENT,))
    rounds: int = option(1, whole(1, 10**7), "pairs of games per pairing of two engines")
    concurrency: int = option(1, whole(1, 1024), "games played at a time")
    seed: Seed | None = option(None, _read_seed, SEED_HELP)
    lineups: Lineups = _one_of(Lineups, Lineups.BOOK)
    book: str | None = option(None, read_text, "file of line-ups (default: the packaged one)")
    openings: str | None = option(
        None, read_text, "file of positions to play from, or a record; balanced: the packaged ones"
    )
    opening_ply: int = option(0, whole(0, 10**6), "from a record as openings: the plies that are played before")
    record: str | None = option(None, read_text, "file that finished games are appended to")
    log: str | None = option(None, read_text, "folder for what engines write to stderr (default: RECORD.logs)")
    transcript: str | None = option(None, read_text, "folder for every line to and from the engines, with times")
    affinity: tuple[int, ...] | None = option(
        None, read_cores, "processors for the games at a time, one for each in turn: all, or a list such as 0-3,6"
    )
    rating_interval: int = option(0, whole(0, 10**6), "print the results after every so many games; 0 = never")
    event: str | None = option(None, read_text, "name of the event, for the records")
    no_contact: int = option(
        -1, whole(-1, 1000), "plies without a battle that end a game; 0 = no limit, -1 = the variant's"
    )
    no_contact_result: str = option(
        VARIANT_RULE, one_of((VARIANT_RULE, "draw", "loss")), "result at that limit: variant, draw or loss"
    )
    max_plies: int = option(0, whole(0, 100_000), "plies after which a game is drawn; 0 = no limit")
    sprt: Sprt | None = _words(Sprt, _SPRT, "stop when the test decides", commands=(MATCH, TOURNAMENT, REGRESS, CI))
    difference: Difference | None = _words(
        Difference,
        _DIFFERENCE,
        "stop when the test decides how much more one engine scores than another against a third",
        commands=(TOURNAMENT, REGRESS),
    )
    resign: ResignRule | None = _words(ResignRule, _RESIGN, "adjudicate losses by the engines' scores")
    draw: DrawRule | None = _words(DrawRule, _DRAW, "adjudicate draws by the engines' scores")
    scheduler: str | None = option(None, read_text, "address of a Dask scheduler whose workers play the games")

    @property
    def test(self) -> SequentialTest | None:
        """The sequential test, if there is one."""
        return self.sprt or self.difference

    @property
    def rules(self) -> "Rules":
        """The rules of the variant, with the limits that were set."""
        from junqi_engine.rules.board import BOARDS
        from junqi_engine.rules.options import Rules

        loses = None if self.no_contact_result == VARIANT_RULE else self.no_contact_result == "loss"
        return Rules.of(BOARDS[self.variant], Rules(self.no_contact, loses, self.max_plies))

    @classmethod
    def read(cls, tables: Mapping[str, Any], where: str) -> "MatchSettings":
        """Read the tables `match`, `each` and `engine`; a `RefereeError` names the table and the key at fault."""
        check_keys(tables, TABLES, where)
        match = table_in(tables, "match", where)
        where_match = f"{where}, match"
        from junqi_engine.rules.board import BOARDS

        values = read_options(cls, match, where_match)
        if "book" in values and values.get("lineups", Lineups.BOOK) != Lineups.BOOK:
            raise RefereeError(f"{where_match}: book and lineups={values['lineups']} exclude each other")
        if "openings" in values and (other := next((key for key in ("book", "lineups") if key in values), None)):
            raise RefereeError(f"{where_match}: openings and {other} exclude each other; openings have line-ups")
        engines = read_engines(tables, where)
        if "sprt" in values and len(engines) != 2:
            raise RefereeError(f"{where_match}: sprt needs two engines, there are {len(engines)}")
        if "difference" in values:
            _check_difference(values["difference"], engines, values.get("format"), f"{where_match}, difference")
        has_contest_engine = any(engine.dialect == Dialect.CONTEST for engine in engines)
        if has_contest_engine and "book" not in values:
            values.setdefault("lineups", Lineups.ENGINE)
        settings = cls(engines=engines, **values)
        if has_contest_engine:
            _check_contest_match(settings, f"{where_match}: an engine with dialect=contest")
        pondering = next((engine.name for engine in engines if engine.ponder), None)
        if pondering is not None and settings.visibility == Visibility.DARK and len(BOARDS[settings.variant].seats) > 2:
            raise RefereeError(
                f"{where_match}: {pondering} cannot ponder in dark siguo, where three seats move in between"
            )
        return settings


def _check_difference(
    difference: Difference, engines: Sequence[EngineSettings], format: Format | None, where: str
) -> None:
    """Refuse a test of games that are not played."""
    names = [engine.name for engine in engines]
    asked = {key: getattr(difference, key) for key in ("engine", "than", "against")}
    for key, name in asked.items():
        if name not in names:
            raise RefereeError(f"{where}: {key}={name!r} is not one of the engines {', '.join(names)}")
    if len(set(asked.values())) < len(asked):
        raise RefereeError(f"{where}: {', '.join(asked)} must be three engines")
    if format == Format.GAUNTLET and difference.against != names[0]:
        raise RefereeError(
            f"{where}: in a gauntlet all play against the first engine, {names[0]!r}, not {difference.against!r}"
        )


def _check_contest_match(settings: MatchSettings, where: str) -> None:
    """Refuse a match that an engine with the contest's dialect cannot play."""
    if settings.lineups != Lineups.ENGINE:
        raise RefereeError(f"{where} chooses its own line-ups, which requires lineups=engine")
    if settings.variant != "luzhanqi":
        raise RefereeError(f"{where} requires variant=luzhanqi, not {settings.variant}")
    if settings.visibility == Visibility.OPEN:
        raise RefereeError(f"{where} cannot play with visibility=open")
    if settings.rules.no_contact and not settings.rules.no_contact_loses:
        raise RefereeError(f"{where} cannot play with no-contact-result=draw")
