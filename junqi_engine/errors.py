"""The errors of rules, notation, puzzles, protocol and client, and how messages quote values. Importing it is cheap."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum

MAX_WORD_CHARS = 200


class Refused(ValueError):
    """A request that the rules, the notation, a puzzle or an engine refuses.

    `code` is one of the error codes of the text protocol (`bad-position`, `illegal-move`, ...); the text says what is
    wrong and names the field, rank, square or move. Words longer than `MAX_WORD_CHARS` are cut in it. The object whose
    method raises it has not changed.

    >>> import junqi_engine as junqi
    >>> try:
    ...     junqi.Game("chess")
    ... except junqi.Refused as error:
    ...     print(error.code, "-", error)
    bad-argument - variant 'chess' is not one of siguo, luzhanqi
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, re.sub(rf"(\S{{{MAX_WORD_CHARS}}})\S+", r"\1...", text))
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])


class IllegalMove(Refused):
    """A move that does not parse, is not legal, or contradicts what is known.

    >>> import junqi_engine as junqi
    >>> junqi.Game("siguo").push("h1h2")
    Traceback (most recent call last):
    ...
    junqi_engine.errors.IllegalMove: h1h2: h1 is a headquarters, and no piece leaves one
    """


class BadLineup(Refused):
    """A line-up that is not legal.

    >>> import junqi_engine as junqi
    >>> junqi.Game("siguo", {"S": "abc"})
    Traceback (most recent call last):
    ...
    junqi_engine.errors.BadLineup: S's line-up: a line-up has 25 letters; this one has 3
    """


class BadPosition(Refused):
    """A position or a viewer that does not parse or is impossible.

    >>> import junqi_engine as junqi
    >>> junqi.Game("siguo").view("SE")
    Traceback (most recent call last):
    ...
    junqi_engine.errors.BadPosition: viewer 'SE' is not one seat, one team (SN or EW) or *
    """


class EngineFault(StrEnum):
    """The faults of an engine; the values are the referee's names of endings.

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


class EngineError(Refused):
    """A failure of an engine: `fault` and `code` are its kind. Only `close` may be called afterwards.

    >>> import junqi_engine as junqi
    >>> junqi.Engine("no-such-program")
    Traceback (most recent call last):
    ...
    junqi_engine.errors.EngineError: no-such-program: 'no-such-program' could not be started: No such file or directory
    """

    def __init__(self, fault: EngineFault | str, text: str) -> None:
        super().__init__(str(fault), text)
        self.fault = EngineFault(fault)


class CommandRejected(Refused):
    """A command that an engine has rejected, with its error code as `code`. The engine can still be used.

    >>> import junqi_engine as junqi
    >>> with junqi.Engine() as engine:
    ...     engine.configure({"Threads": 0})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    junqi_engine.errors.CommandRejected: junqi-engine: bad-value option Threads: 0 is not between 1 and ...
    """


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Begin the text of each `Refused` of the body with `where`."""
    try:
        yield
    except Refused as error:
        raise type(error)(error.code, f"{where}{error}") from None


MAX_WHOLE = (1 << 63) - 1


def expect_at_least(least: int, what: str, value: int) -> None:
    """Raise `Refused` if a whole number is less than `least`, or needs more than 64 bits."""
    if value > MAX_WHOLE:
        raise Refused("bad-argument", f"{what} is larger than {MAX_WHOLE}")
    if value < least:
        said = f"{what} {value!r}" if value >= -MAX_WHOLE else what  # Python prints 4300 digits at most
        raise Refused("bad-argument", f"{said} is not at least {least}")


def quoted(value: object, longest: int = 40) -> str:
    """A value for a message: text or bytes in quotes on one line, others as Python writes them; cut to `longest`."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    text = str(value) if isinstance(value, str) else ascii(value)
    cut = text if len(text) <= longest else f"{text[:longest]}..."
    return repr(cut) if isinstance(value, str) else cut


def expect_one_of(
    what: str, value: object, choices: Iterable[object], code: str = "bad-argument", error: type[Refused] = Refused
) -> None:
    """Raise `error` unless a value is one of the choices."""
    known = tuple(choices)
    if value not in known:
        raise error(code, f"{what} {quoted(value)} is not one of {', '.join(map(str, known))}")
