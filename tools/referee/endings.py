"""Every way a game can end."""

from enum import StrEnum

from protocol.client import Fault


class Ending(StrEnum):
    FLAG = "flag"
    """The last flag of a team fell."""
    NO_MOVES = "no-moves"
    """A team's last seat could not move."""
    RESIGNED = "resigned"
    NO_CONTACT = "no-contact"
    MAX_PLIES = "max-plies"
    ADJUDICATED = "adjudicated"
    """By the scores that the engines reported; only when asked for."""
    INTERRUPTED = "interrupted"
    """Broken off from outside: the game does not count and is played again by `--resume`."""
    ILLEGAL_MOVE = "illegal-move"
    BAD_LINEUP = "bad-lineup"
    TIMEOUT = "timeout"
    STALL = "stall"
    DISCONNECT = "disconnect"
    PROTOCOL = "protocol"
    NO_START = "no-start"

    @property
    def is_fault(self) -> bool:
        """Whether an engine broke off the game and loses it for that."""
        return self in _FAULTS

    @property
    def breaks_off(self) -> bool:
        """Whether the rules alone would have let the game go on."""
        return self.is_fault or self in (Ending.ADJUDICATED, Ending.INTERRUPTED)

    @classmethod
    def of(cls, fault: Fault) -> "Ending":
        """The ending that a fault on the line to an engine makes."""
        return cls(fault.value)


_FAULTS = {
    Ending.ILLEGAL_MOVE,
    Ending.BAD_LINEUP,
    Ending.TIMEOUT,
    Ending.STALL,
    Ending.DISCONNECT,
    Ending.PROTOCOL,
    Ending.NO_START,
}
