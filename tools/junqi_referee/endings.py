"""All endings of games. A new ending is one line of `Ending`."""

from enum import Enum, StrEnum, auto

from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import EngineFault, quoted
from junqi_engine.rules.game_state import GameEnding


class Cause(Enum):
    RULES = auto()
    ENGINE = auto()
    """A fault of an engine, or a clock that ran out; the player loses."""
    PLAYERS = auto()
    """The players agreed."""
    REFEREE = auto()


class Ending(StrEnum):
    """An ending by its name in records and in `no_endings`, and its cause."""

    cause: Cause

    def __new__(cls, word: str, cause: Cause = Cause.RULES) -> "Ending":
        ending = str.__new__(cls, word)
        ending._value_ = word
        ending.cause = cause
        return ending

    FLAG = GameEnding.FLAG.value, Cause.RULES
    NO_MOVES = GameEnding.NO_MOVES.value, Cause.RULES
    RESIGNED = GameEnding.RESIGNED.value, Cause.RULES
    NO_CONTACT = GameEnding.NO_CONTACT.value, Cause.RULES
    MAX_PLIES = GameEnding.MAX_PLIES.value, Cause.RULES
    ADJUDICATED = "adjudicated", Cause.REFEREE
    """Decided by the scores that the engines reported; only on request."""
    AGREED = "agreed", Cause.PLAYERS
    """A draw by agreement of the players."""
    INTERRUPTED = "interrupted", Cause.REFEREE
    """The game does not count; `--resume` plays it again."""
    ILLEGAL_MOVE = "illegal-move", Cause.ENGINE
    BAD_LINEUP = "bad-lineup", Cause.ENGINE
    TIMEOUT = "timeout", Cause.ENGINE
    """A clock ran out."""
    STALL = "stall", Cause.ENGINE
    DISCONNECT = "disconnect", Cause.ENGINE
    PROTOCOL = "protocol", Cause.ENGINE
    NO_START = "no-start", Cause.ENGINE

    @property
    def is_fault(self) -> bool:
        """True if a fault of an engine, or a clock that ran out, ended the game."""
        return self.cause is Cause.ENGINE

    @property
    def breaks_off(self) -> bool:
        """True if the game was cut short: it could have continued by the rules."""
        return self.cause is not Cause.RULES

    @classmethod
    def of(cls, record: GameRecord) -> "Ending":
        """The ending of a recorded game; a ValueError if it is not known."""
        if record.ending not in [*cls]:
            raise ValueError(f"ending={quoted(record.ending)} is not one of {', '.join(cls)}")
        return cls(record.ending)

    @classmethod
    def of_fault(cls, fault: EngineFault) -> "Ending":
        """The ending of a game that an engine loses by a fault."""
        return cls(fault.value)
