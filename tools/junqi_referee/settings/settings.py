"""Settings of a match, and the random streams derived from its seed.

The seed is a secret unless the user names a number. Random values that an engine can see, or that its enemy depends on,
come from separate streams, which a keyed hash derives from the seed. An engine that knows this program and some streams
of a secret therefore learns nothing of the others. Too few numbers of a stream are used to predict the next. A seed
that is a number can be guessed.
"""

import argparse
import hashlib
import random
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from junqi_engine.rules.visibility import Visibility
from junqi_referee.exit_codes import RefereeError
from junqi_referee.readers import Wrong, one_of, real, whole, words_as
from junqi_referee.settings.engine import Dialect, EngineSettings, read_engines
from junqi_referee.sprt import Model, Sprt

if TYPE_CHECKING:
    from junqi_engine.rules.options import Rules

Seed = int | str
"""A number from 0 to `MAX_SEED`, or a secret as 32 hexadecimal digits."""
MAX_SEED = 2**63 - 1
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
    """The random stream of a place, such as the number of a round; each place has its own."""
    name = "/".join(map(str, place))
    if isinstance(seed, int):
        return random.Random(f"{seed}/{name}")
    return random.Random(hashlib.blake2b(name.encode(), key=bytes.fromhex(seed)).digest())


def engine_seed(seed: Seed, *place: int) -> int:
    """The value of an engine's option `Seed`."""
    return stream(seed, *place).randrange(_ENGINE_SEEDS)


VARIANT_RULE = "variant"
"""The value of `no_contact_result` that leaves the result to the variant."""


class Format(StrEnum):
    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    """The first engine against each of the others."""


class Lineups(StrEnum):
    BOOK = "book"
    RANDOM = "random"
    ENGINE = "engine"
    """Each engine makes its own line-ups, by `go setup`."""


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
_NUMBERS = dict.fromkeys(("elo0", "elo1", "alpha", "beta"), real())
read_sprt = words_as(Sprt, {**_NUMBERS, "model": one_of(Model)}, ("elo0", "elo1"))
read_resign = words_as(ResignRule, {"movecount": _MOVES, "score": _CENTIPAWNS})
read_draw = words_as(DrawRule, {"movenumber": _PLIES, "movecount": _MOVES, "score": _CENTIPAWNS})


def read_variant(text: str) -> str:
    # The rules take tenths of a second to import, which a help text need not wait for.
    from junqi_engine.rules.board import BOARDS

    return one_of(BOARDS)(text)


def read_seed(text: str) -> Seed:
    if is_secret(text):
        return text
    try:
        return whole(0, MAX_SEED)(text)
    except Wrong as error:
        raise Wrong(f"{error}, nor the 32 hexadecimal digits of a record's seed") from None


@dataclass(frozen=True)
class MatchSettings:
    """The settings of a match. A field is a flag of the command line with `-` instead of `_`.

    `sprt`, `resign` and `draw` are None if not set.
    """

    engines: tuple[EngineSettings, ...]
    variant: str = "siguo"
    visibility: Visibility = Visibility.PARTNER
    format: Format = Format.ROUND_ROBIN
    rounds: int = 1
    concurrency: int = 1
    seed: Seed | None = None
    lineups: Lineups = Lineups.BOOK
    book: str | None = None
    openings: str | None = None
    opening_ply: int = 0
    record: str | None = None
    log: str | None = None
    transcript: str | None = None
    no_contact: int = -1
    no_contact_result: str = VARIANT_RULE
    max_plies: int = 0
    sprt: Sprt | None = None
    resign: ResignRule | None = None
    draw: DrawRule | None = None
    scheduler: str | None = None

    @property
    def rules(self) -> "Rules":
        """The rules of the variant, with the limits that were set."""
        from junqi_engine.rules.board import BOARDS
        from junqi_engine.rules.options import Rules

        loses = None if self.no_contact_result == VARIANT_RULE else self.no_contact_result == "loss"
        return Rules.of(BOARDS[self.variant], Rules(self.no_contact, loses, self.max_plies))

    @classmethod
    def of(cls, parsed: argparse.Namespace, engines: Mapping[str, Sequence[str]]) -> "MatchSettings":
        """The settings of a command line. `engines` has the words of each engine by the flag that names it."""
        values: dict[str, Any] = {entry.name: getattr(parsed, entry.name, None) for entry in fields(cls)}
        values = {name: value for name, value in values.items() if value is not None}
        values["engines"] = read_engines(engines, parsed.each or ())
        if "book" in values and values.get("lineups", Lineups.BOOK) != Lineups.BOOK:
            raise RefereeError(f"--book and --lineups {values['lineups']} exclude each other")
        if "openings" in values and (other := next((key for key in ("book", "lineups") if key in values), None)):
            raise RefereeError(f"--openings and --{other} exclude each other; openings have line-ups")
        if "sprt" in values and len(values["engines"]) != 2:
            raise RefereeError(f"--sprt needs two engines, there are {len(values['engines'])}")
        has_contest_engine = any(engine.dialect == Dialect.CONTEST for engine in values["engines"])
        if has_contest_engine and "book" not in values:
            values.setdefault("lineups", Lineups.ENGINE)
        settings = cls(**values)
        if has_contest_engine:
            _check_contest_match(settings, "an engine with dialect=contest")
        return settings


def _check_contest_match(settings: MatchSettings, where: str) -> None:
    """Refuse a match that an engine with the contest's dialect cannot play."""
    if settings.lineups != Lineups.ENGINE:
        raise RefereeError(f"{where} chooses its own line-ups, which requires --lineups engine")
    if settings.variant != "luzhanqi":
        raise RefereeError(f"{where} requires --variant luzhanqi, not {settings.variant}")
    if settings.visibility == Visibility.OPEN:
        raise RefereeError(f"{where} cannot play with --visibility open")
    if settings.rules.no_contact and not settings.rules.no_contact_loses:
        raise RefereeError(f"{where} cannot play with --no-contact-result draw")
