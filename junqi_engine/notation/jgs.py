"""`.jgs` files: games of Siguo, as QQ's four-seat game writes them.

All numbers are little endian.

| offset | bytes | contents |
|---|---|---|
| 0x00 | 16 | `QQGame JQS`, a zero byte; byte 0x0F is the slot that saved the game. Not read |
| 0x1A | 2 | the number of events |
| 0x20 | 4 x 88 | the seats, in any order |
| 0x180 | 28 | unused by QQ; a game that South does not begin has `first seat E` there, else zeros |
| 0x19C | 10 each | the events; what follows the last one is not read |

A seat: byte 0 is its slot, 0 to 3; bytes 8 to 27 the player's name in GB18030, ended by a zero byte; bytes 28 to 57 the
points of its block by index: 0 for a campsite, 2 for the flag, 3 for a landmine, 4 for a bomb, 5 for the Field Marshal
and so on to 13 for an Engineer. The rest belongs to the player and is not read.

An event is a move unless its byte 0 is 0xF5. The bytes of a move:

| byte | contents |
|---|---|
| 1, bits 0 to 2 | the outcome: 0 no battle, 1 attacker won, 2 defender won, 3 both removed |
| 1, bits 3 and 4 | the seat: 3, 2, 1, 0 for slots 0, 3, 2, 1. Not read, because it is wrong after an elimination |
| 2, 3 and 4, 5 | the from-point and the to-point, x and y |
| 6, 7 and 8, 9 | the points of revealed flags, 0 0 for none |

Byte 1 of other events is their kind:

| kind | contents |
|---|---|
| 2 | the clock ran out: the turn of the slot in byte 2 passes |
| 3 | the slot in byte 2 is eliminated; byte 3 is the `Reason` |
| 4 | the player of the slot in byte 2 has gone: a forfeit, unless the seat is eliminated already |
| 5 | the end; byte 3 is 2 for a draw, else 4 |

The file always looks from slot 0, which begins: slots 0, 3, 2, 1 move in this order. With slot 0 as South a point
(x, y) is file 16 - y, rank 16 - x, both counted from 0. A file read is a game that South begins, unless it names
another first seat at 0x180; then the board is turned so that slot 0 is that seat.
"""

from dataclasses import dataclass
from enum import IntEnum

from junqi_engine.errors import Refused
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BLOCK_POINTS, LINEUP_INDICES, SIGUO
from junqi_engine.rules.pieces import BOMB, FLAG, LETTERS, MARSHAL, MINE, Outcome

SEATS = len(SIGUO.seats)

COUNT_OFFSET = 0x1A
SEATS_OFFSET, SEAT_SIZE = 0x20, 88
FIRST_OFFSET = 0x180
EVENTS_OFFSET, EVENT_SIZE = 0x19C, 10

_NAME, _LINEUP = slice(8, 27), slice(28, 28 + BLOCK_POINTS)
_FIRST = b"first seat "
_LAST_FILE = _LAST_RANK = 16
_KIND_OF = {2: FLAG, 3: MINE, 4: BOMB} | {5 + kind: kind for kind in range(MARSHAL, MINE)}

_EVENT = 0xF5
_PASS, _ELIMINATION, _GONE, _END = 2, 3, 4, 5
_DRAW = 2
_OUTCOME_FIELD = 0b111


class Reason(IntEnum):
    FLAG = 1
    NO_MOVES = 2
    TIMED_OUT = 3
    """Too many turns passed because of the clock."""
    RESIGNED = 4
    FORFEIT = 6

    @property
    def is_by_rules(self) -> bool:
        """Whether the rules eliminated the seat; otherwise the player gave up."""
        return self in (Reason.FLAG, Reason.NO_MOVES)


@dataclass(frozen=True)
class MoveEvent:
    """A move with its public record. `revealed_flags` are the points of revealed flags."""

    from_point: int
    to_point: int
    outcome: Outcome = Outcome.NO_BATTLE
    revealed_flags: tuple[int, ...] = ()


@dataclass(frozen=True)
class Pass:
    """The turn of a seat whose clock ran out passes."""

    seat: int


@dataclass(frozen=True)
class Elimination:
    seat: int
    reason: Reason


@dataclass(frozen=True)
class End:
    """The game has ended. The eliminations tell which team won."""

    is_draw: bool


Event = MoveEvent | Pass | Elimination | End


@dataclass(frozen=True)
class GameFile:
    """The contents of a file. `lineups` and `names` are by seat.

    Seats and points are those of `SIGUO`. `first` is the seat that begins.
    """

    lineups: tuple[str, ...]
    events: tuple[Event, ...]
    first: int
    names: tuple[str, ...]


def parse_jgs(data: bytes) -> GameFile:
    """The game in a file, not checked against the rules. `bad-file` names the byte and the fault."""
    if len(data) < EVENTS_OFFSET:
        raise _damage(len(data), "the file ends within its head: not a .jgs file, or cut off")
    first = _read_first(data)
    blocks = _read_slots(data)
    seats = [blocks[_slot_of(seat, first)] for seat in range(SEATS)]
    events = []
    count = int.from_bytes(data[COUNT_OFFSET : COUNT_OFFSET + 2], "little")
    for number in range(1, count + 1):
        offset = EVENTS_OFFSET + EVENT_SIZE * (number - 1)
        event = data[offset : offset + EVENT_SIZE]
        if len(event) < EVENT_SIZE:
            raise _damage(len(data), f"the file ends within event {number} of {count}")
        try:
            events.append(_read_event(event, first))
        except ValueError as error:
            raise _damage(offset, f"event {number} of {count}: {error}") from None
    lineups = tuple(_read_lineup(data, offset) for offset in seats)
    names = tuple(_read_name(data[offset : offset + SEAT_SIZE][_NAME]) for offset in seats)
    return GameFile(lineups, tuple(events), first, names)


def _damage(offset: int, text: str) -> Refused:
    return Refused("bad-file", f"byte {offset:#x}: {text}")


def _read_event(event: bytes, first: int) -> Event:
    """The event of ten bytes; ValueError if they are none."""
    if event[0] != _EVENT:
        flags = tuple(_point(pair, first) for pair in (event[6:8], event[8:10]) if any(pair))
        return MoveEvent(
            _point(event[2:4], first), _point(event[4:6], first), Outcome(event[1] & _OUTCOME_FIELD), flags
        )
    _, kind, slot, reason, *_ = event
    if kind == _END:
        return End(reason == _DRAW)
    if kind not in (_PASS, _ELIMINATION, _GONE) or slot >= SEATS:
        raise ValueError(f"its kind is {kind}, its slot {slot}; expected 2 to 5, and 0 to 3")
    seat = _slot_of(slot, first)
    return Pass(seat) if kind == _PASS else Elimination(seat, Reason.FORFEIT if kind == _GONE else Reason(reason))


def _point(pair: bytes, first: int) -> int:
    square = _LAST_FILE - pair[1], _LAST_RANK - pair[0]
    if square not in SIGUO.point_at:
        raise ValueError(f"({pair[0]}, {pair[1]}) is not a point of the board")
    for _ in range(first):  # the board is turned, a quarter for each seat
        square = _LAST_RANK - square[1], square[0]
    return SIGUO.point_at[square]


def _slot_of(seat: int, first: int) -> int:
    """The slot of a seat, and also the seat of a slot: slots count against the order of moves."""
    return (first - seat) % SEATS


def _read_first(data: bytes) -> int:
    text = data[FIRST_OFFSET:EVENTS_OFFSET].rstrip(b"\0")
    if not text.startswith(_FIRST):
        return 0
    letter = text.removeprefix(_FIRST).decode("latin-1")
    if len(letter) != 1 or letter not in SIGUO.seats:
        expected = f"one of {', '.join(SIGUO.seats)}"
        raise _damage(FIRST_OFFSET + len(_FIRST), f"the first seat is {letter[:1]!r}; expected {expected}")
    return SIGUO.seats.index(letter)


def _read_slots(data: bytes) -> dict[int, int]:
    found: dict[int, int] = {}
    for number in range(SEATS):
        offset = SEATS_OFFSET + SEAT_SIZE * number
        slot = data[offset]
        if slot >= SEATS or slot in found:
            raise _damage(offset, f"slot {slot}; expected 0 to 3, each once: not a .jgs file, or damaged")
        found[slot] = offset
    return found


def _read_lineup(data: bytes, offset: int) -> str:
    block = data[offset : offset + SEAT_SIZE][_LINEUP]
    letters = "".join(LETTERS[_KIND_OF[block[index]]] if block[index] in _KIND_OF else "?" for index in LINEUP_INDICES)
    try:
        lineup.check(letters)
    except Refused as error:
        raise _damage(offset + _LINEUP.start, f"the line-up of slot {data[offset]}: {error}") from None
    return letters


def _read_name(data: bytes) -> str:
    """The name, with `?` for characters that are not printable."""
    text = data.partition(b"\0")[0].decode("gb18030", "replace")
    return "".join(char if char.isprintable() and char != "\N{REPLACEMENT CHARACTER}" else "?" for char in text)
