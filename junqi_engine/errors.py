"""The errors of the rules, of the notation and of the public library. Importing it loads nothing."""

import copyreg
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from numbers import Integral
from types import UnionType
from typing import Any, get_args


class JunqiError(ValueError):
    """Something that the rules, the notation or an engine refuse.

    `code` is one of the error codes of the text protocol (`bad-position`, `illegal-move`, ...); the text says what is
    wrong and names the field, rank, square or move. The object whose method raises it has not changed.

    >>> import junqi_engine as junqi
    >>> try:
    ...     junqi.Game("chess")
    ... except junqi.JunqiError as error:
    ...     print(error.code, "-", error)
    bad-argument - variant 'chess' is not one of siguo, luzhanqi
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """As any object, not by a call with `args`, which are not those of `__init__`."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class ParseError(JunqiError):
    """Text that does not parse, or that parses into what cannot be."""


class IllegalMove(JunqiError):
    """A move that does not parse, is not legal, or contradicts what is known.

    >>> import junqi_engine as junqi
    >>> junqi.Game("siguo").push("h1h2")
    Traceback (most recent call last):
    ...
    junqi_engine.errors.IllegalMove: h1h2: h1 is a headquarters, and no piece leaves one
    """


class BadLineup(JunqiError):
    """A line-up that is not legal.

    >>> import junqi_engine as junqi
    >>> junqi.Game("siguo", {"S": "abc"})
    Traceback (most recent call last):
    ...
    junqi_engine.errors.BadLineup: S's line-up: a line-up has 25 letters; this one has 3
    """


class BadPosition(JunqiError):
    """A position, or the name of a viewer, that does not parse or cannot be.

    >>> import junqi_engine as junqi
    >>> junqi.Game("siguo").view("SE")
    Traceback (most recent call last):
    ...
    junqi_engine.errors.BadPosition: viewer 'SE' is not one seat, one team (SN or EW) or *
    """


class EngineFault(StrEnum):
    """What an engine can do wrong; the values are the referee's names of endings.

    >>> import junqi_engine as junqi
    >>> [fault.value for fault in junqi.EngineFault]
    ['no-start', 'stall', 'timeout', 'disconnect', 'protocol', 'illegal-move', 'bad-lineup']
    """

    NO_START = "no-start"
    STALL = "stall"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    PROTOCOL = "protocol"
    ILLEGAL_MOVE = "illegal-move"
    BAD_LINEUP = "bad-lineup"


class EngineError(JunqiError):
    """An engine failed. The text says what it did, `fault` and `code` what kind of fault it is.

    Only `close` may be called afterwards.

    >>> import junqi_engine as junqi
    >>> junqi.Engine("no-such-program")
    Traceback (most recent call last):
    ...
    junqi_engine.errors.EngineError: no-such-program: 'no-such-program' could not be started: No such file or directory
    """

    def __init__(self, fault: EngineFault, text: str) -> None:
        super().__init__(fault.value, text)
        self.fault = fault


class CommandRejected(JunqiError):
    """An engine has rejected a command; `code` is the error code that it gave. The engine can be used as before.

    >>> import junqi_engine as junqi
    >>> with junqi.Engine() as engine:
    ...     engine.configure({"Threads": 0})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    junqi_engine.errors.CommandRejected: junqi-engine: bad-value option Threads: 0 is not between 1 and ...
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(code or text.partition(" ")[0].rstrip(":"), text)


BY_CODE: dict[str, type[JunqiError]] = {
    **dict.fromkeys(("bad-move", "illegal-move", "missing-outcome", "impossible-outcome", "game-over"), IllegalMove),
    **dict.fromkeys(("not-our-seat",), IllegalMove),
    **dict.fromkeys(("bad-lineup",), BadLineup),
    **dict.fromkeys(("bad-position", "impossible-position", "needs-open", "leak"), BadPosition),
}
"""The public class of an error by its code; `JunqiError` for the others."""


@contextmanager
def public_errors(where: str = "") -> Iterator[None]:
    """Raise each `JunqiError` of the body as the public class of its code, with `where` before its text."""
    try:
        yield
    except JunqiError as error:
        raise BY_CODE.get(error.code, JunqiError)(error.code, f"{where}{error}") from None


@contextmanager
def extra_needed(extra: str, what: str) -> Iterator[None]:
    """Name the extra in the error of the body if it imports a package that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("junqi_engine"):
            raise
        text = f"{what} needs {error.name}: install junqi-engine with its extra `{extra}`"
        raise ModuleNotFoundError(text, name=error.name) from None


def expect(kind: type | UnionType, what: str, value: object) -> None:
    """TypeError if an argument of the public library is of another type."""
    if not isinstance(value, kind):
        names = (
            " or ".join(each.__name__ for each in get_args(kind) or (kind,))
            .replace("NoneType", "None")
            .replace("Integral", "int")
        )
        raise TypeError(f"{what}: {' '.join(repr(value).split()):.60} is not of type {names}")


LARGEST_WHOLE = (1 << 63) - 1


def expect_at_least(least: int, what: str, value: int) -> None:
    """TypeError if an argument is not a whole number, `JunqiError` if it is less, or needs more than 64 bits."""
    expect(Integral, what, value)
    if value > LARGEST_WHOLE:
        raise JunqiError("bad-argument", f"{what} is larger than {LARGEST_WHOLE}")
    if value < least:
        said = f"{what} {value!r}" if value >= -LARGEST_WHOLE else what  # Python prints 4300 digits at most
        raise JunqiError("bad-argument", f"{said} is not at least {least}")


LONGEST_QUOTE = 40


def quoted(text: str) -> str:
    """The text in quotes, escaped and cut so that it fits on one line."""
    cut = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "..."
    return ascii(cut)
