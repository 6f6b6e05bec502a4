"""`.jgs` files: whole games of Siguo, as QQ's four-seat game writes them.

All numbers are little endian.

| offset | bytes | contents |
|---|---|---|
| 0x00 | 16 | `QQGame JQS`, a zero byte; byte 0x0F is the slot that saved the game. Not checked, written with slot 0 |
| 0x1A | 2 | the number of events |
| 0x20 | 4 x 88 | the seats, in any order |
| 0x180 | 28 | unused by QQ; a game that South does not begin has `first seat E` there, else zeros |
| 0x19C | 10 each | the events; what follows the last one is not read, and nothing is written there |

A seat: byte 0 is its slot, 0 to 3; bytes 8 to 27 the player's name in GB18030, ended by a zero byte; bytes 28 to 57 the
line-up by index, as in a `.jql` file; the rest belongs to the player and is neither read nor written.

An event is a move unless its byte 0 is 0xF5. Moves are written with 0x5F there. The bytes of a move:

| byte | contents |
|---|---|
| 1, bits 0 to 2 | the outcome: 0 no battle, 1 attacker won, 2 defender won, 3 both removed |
| 1, bits 3 and 4 | the seat: 3, 2, 1, 0 for slots 0, 3, 2, 1. Not read, because QQ's is wrong after an elimination |
| 2, 3 and 4, 5 | the from-point and the to-point, x and y |
| 6, 7 and 8, 9 | the points of revealed flags, 0 0 for none |

Byte 1 of other events is their kind:

| kind | contents |
|---|---|
| 2 | the clock ran out: the turn of the slot in byte 2 passes |
| 3 | the slot in byte 2 is eliminated; byte 3 is the `Reason` |
| 4 | the player of the slot in byte 2 has gone: a forfeit, unless the seat is eliminated already. Not written |
| 5 | the end; byte 3 is 2 for a draw, and 4 is written otherwise |

The file always looks from slot 0, which begins: slots 0, 3, 2, 1 move in this order. With slot 0 as South a point
(x, y) is file 16 - y, rank 16 - x, both counted from 0. A file read is a game that South begins, unless it names
another first seat at 0x180; then the board is turned so that slot 0 is that seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from junqi_engine.errors import Refused
from junqi_engine.notation.lineup_files import read_block, write_block
from junqi_engine.rules.board import BLOCK_POINTS, LINEUP_INDICES, SIGUO, Square
from junqi_engine.rules.layout import are_enemies
from junqi_engine.rules.pieces import Outcome

SEATS = len(SIGUO.seats)

COUNT_OFFSET = 0x1A
SEATS_OFFSET, SEAT_SIZE = 0x20, 88
FIRST_OFFSET = 0x180
EVENTS_OFFSET, EVENT_SIZE = 0x19C, 10
MAX_EVENTS = 0xFFFF
MAX_NAME_BYTES = 19

_SIGNATURE = b"QQGame JQS\0"
_NAME, _LINEUP = slice(8, 28), slice(28, 28 + BLOCK_POINTS)
_FIRST = b"first seat "
_LAST_FILE = _LAST_RANK = 16

_MOVE, _EVENT = 0x5F, 0xF5
_PASS, _ELIMINATION, _GONE, _END = 2, 3, 4, 5
_DRAW, _WIN = 2, 4
_OUTCOME_FIELD, _MOVER_SHIFT = 0b111, 3


class JgsError(Refused):
    """Bytes that are not a `.jgs` file, or a damaged one. `offset` is the byte where it was noticed."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__("bad-file", f"byte {offset:#x}: {text}")
        self.offset = offset


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
    """A move as everyone saw it. `seat` is the owner of the piece; `shown_flags` are the points of revealed flags."""

    seat: int
    from_point: int
    to_point: int
    outcome: Outcome = Outcome.NO_BATTLE
    shown_flags: tuple[int, ...] = ()


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
    """The contents of a file. `lineups` and `names` are by seat; without names, the names are empty.

    Seats and points are those of `SIGUO`. `first` is the seat that begins.
    """

    lineups: tuple[str, ...]
    events: tuple[Event, ...]
    first: int = 0
    names: tuple[str, ...] = ("",) * SEATS


def parse_jgs(data: bytes, with_names: bool = False) -> GameFile:
    """The game in a file; names are read only on request. `JgsError` says what is wrong, and at which byte.

    A game that is read is consistent: pieces move from points where they stand, and battles have a defender. Whether
    its moves and outcomes are those of the rules is not checked.
    """
    if len(data) < EVENTS_OFFSET:
        raise JgsError(len(data), "the file ends within its head: not a .jgs file, or cut off")
    first = _read_first(data)
    blocks = _read_slots(data)
    lineups, names = [], []
    for seat in range(SEATS):
        offset = blocks[_slot_of(seat, first)]
        lineups.append(_read_lineup(data, offset))
        names.append(_read_name(data[offset : offset + SEAT_SIZE][_NAME]) if with_names else "")
    reader = _EventReader(lineups, first)
    count = int.from_bytes(data[COUNT_OFFSET : COUNT_OFFSET + 2], "little")
    events = []
    for number in range(1, count + 1):
        offset = EVENTS_OFFSET + EVENT_SIZE * (number - 1)
        event = data[offset : offset + EVENT_SIZE]
        if len(event) < EVENT_SIZE:
            raise JgsError(len(data), f"the file ends within event {number} of {count}")
        try:
            read = reader.read(event)
        except ValueError as error:
            raise JgsError(offset, f"event {number} of {count}: {error}") from None
        if read is not None:
            events.append(read)
    return GameFile(tuple(lineups), tuple(events), first, tuple(names))


def format_jgs(game: GameFile) -> bytes:
    """The bytes of a file, the inverse of `parse_jgs`. Names are cut to 19 bytes.

    `bad-lineup` for a line-up that is not legal, `too-large` for more than 65,535 events.
    """
    if len(game.events) > MAX_EVENTS:
        raise Refused("too-large", f"{len(game.events)} events; a .jgs file holds at most {MAX_EVENTS}")
    head = bytearray(EVENTS_OFFSET)
    head[: len(_SIGNATURE)] = _SIGNATURE
    head[COUNT_OFFSET : COUNT_OFFSET + 2] = len(game.events).to_bytes(2, "little")
    for seat, (letters, name) in enumerate(zip(game.lineups, game.names, strict=True)):
        slot = _slot_of(seat, game.first)
        block = bytearray(SEAT_SIZE)
        block[0] = slot
        block[_NAME] = _name_bytes(name)
        block[_LINEUP] = write_block(letters)
        offset = SEATS_OFFSET + SEAT_SIZE * slot
        head[offset : offset + SEAT_SIZE] = block
    if game.first:
        text = _FIRST + SIGUO.seats[game.first].encode()
        head[FIRST_OFFSET : FIRST_OFFSET + len(text)] = text
    return bytes(head) + b"".join(_event_bytes(event, game.first).ljust(EVENT_SIZE, b"\0") for event in game.events)


class _EventReader:
    def __init__(self, lineups: Sequence[str], first: int) -> None:
        self._first = first
        self._owners = {SIGUO.block(seat)[index]: seat for seat in range(len(lineups)) for index in LINEUP_INDICES}
        self._eliminated: set[int] = set()
        self._has_ended = False

    def read(self, event: bytes) -> Event | None:
        """The event, None if it says nothing new. ValueError if it does not fit."""
        if self._has_ended:
            raise ValueError("the game has ended before it")
        if event[0] != _EVENT:
            return self._read_move(event)
        if event[1] == _END:
            self._has_ended = True
            return End(event[3] == _DRAW)
        if event[1] not in (_PASS, _ELIMINATION, _GONE):
            raise ValueError(f"its kind is {event[1]}; expected 2 to 5")
        if event[2] >= SEATS:
            raise ValueError(f"its slot is {event[2]}; expected 0 to 3")
        seat = _slot_of(event[2], self._first)
        if event[1] == _GONE and seat in self._eliminated:
            return None
        if seat in self._eliminated:
            raise ValueError(f"slot {event[2]} is eliminated before it")
        if event[1] == _PASS:
            return Pass(seat)
        reasons = [int(reason) for reason in Reason]
        if event[1] == _ELIMINATION and event[3] not in reasons:
            raise ValueError(f"its reason is {event[3]}; expected one of {', '.join(map(str, reasons))}")
        self._eliminated.add(seat)
        self._owners = {point: owner for point, owner in self._owners.items() if owner != seat}
        return Elimination(seat, Reason.FORFEIT if event[1] == _GONE else Reason(event[3]))

    def _read_move(self, event: bytes) -> MoveEvent:
        start, target = self._point(event[2:4], "from"), self._point(event[4:6], "to")
        code = event[1] & _OUTCOME_FIELD
        if code > Outcome.BOTH_REMOVED:
            raise ValueError(f"its outcome is {code}; expected 0 to 3")
        outcome = Outcome(code)
        seat, defender = self._owners.get(start), self._owners.get(target)
        if seat is None:
            raise ValueError(f"no piece stands on its from-point {SIGUO.names[start]}")
        if outcome == Outcome.NO_BATTLE and defender is not None:
            raise ValueError(f"its outcome is 0, no battle, but a piece stands on its to-point {SIGUO.names[target]}")
        if outcome != Outcome.NO_BATTLE and (defender is None or not are_enemies(seat, defender)):
            raise ValueError(f"its outcome is {code}, but no enemy stands on its to-point {SIGUO.names[target]}")
        flags = tuple(self._point(pair, "flag") for pair in (event[6:8], event[8:10]) if any(pair))
        if flags and outcome == Outcome.NO_BATTLE:
            raise ValueError("it reveals a flag without a battle")
        del self._owners[start]
        if outcome in (Outcome.NO_BATTLE, Outcome.ATTACKER_WON):
            self._owners[target] = seat
        elif outcome == Outcome.BOTH_REMOVED:
            del self._owners[target]
        return MoveEvent(seat, start, target, outcome, flags)

    def _point(self, pair: bytes, what: str) -> int:
        point = SIGUO.point_at.get((_LAST_FILE - pair[1], _LAST_RANK - pair[0]))
        if point is None:
            raise ValueError(f"its {what}-point ({pair[0]}, {pair[1]}) is not a point of the board")
        return _turned(point, self._first)


def _event_bytes(event: Event, first: int) -> bytes:
    if isinstance(event, MoveEvent):
        mover = SEATS - 1 - _turns(first, event.seat)
        head = bytes((_MOVE, event.outcome | mover << _MOVER_SHIFT))
        return head + b"".join(_pair(point, first) for point in (event.from_point, event.to_point, *event.shown_flags))
    if isinstance(event, Pass):
        return bytes((_EVENT, _PASS, _slot_of(event.seat, first)))
    if isinstance(event, Elimination):
        return bytes((_EVENT, _ELIMINATION, _slot_of(event.seat, first), event.reason))
    return bytes((_EVENT, _END, 0, _DRAW if event.is_draw else _WIN))


def _pair(point: int, first: int) -> bytes:
    file, rank = SIGUO.squares[_turned(point, -first)]
    return bytes((_LAST_RANK - rank, _LAST_FILE - file))


def _turns(first: int, seat: int) -> int:
    return (seat - first) % SEATS


def _slot_of(seat: int, first: int) -> int:
    """The slot of a seat. Since slots count against the order of moves, it is also the seat of a slot."""
    return (first - seat) % SEATS


def _turned(point: int, quarters: int) -> int:
    """The point where `point` comes to lie when the board is turned counter-clockwise."""
    square = SIGUO.squares[point]
    for _ in range(quarters % SEATS):
        square = _quarter(square)
    return SIGUO.point_at[square]


def _quarter(square: Square) -> Square:
    file, rank = square
    return _LAST_RANK - rank, file


def _read_first(data: bytes) -> int:
    text = data[FIRST_OFFSET:EVENTS_OFFSET].rstrip(b"\0")
    if not text.startswith(_FIRST):
        return 0
    letter = text.removeprefix(_FIRST).decode("latin-1")
    if len(letter) != 1 or letter not in SIGUO.seats:
        expected = f"one of {', '.join(SIGUO.seats)}"
        raise JgsError(FIRST_OFFSET + len(_FIRST), f"the first seat is {letter[:1]!r}; expected {expected}")
    return SIGUO.seats.index(letter)


def _read_slots(data: bytes) -> dict[int, int]:
    found: dict[int, int] = {}
    for number in range(SEATS):
        offset = SEATS_OFFSET + SEAT_SIZE * number
        slot = data[offset]
        if slot >= SEATS or slot in found:
            raise JgsError(offset, f"slot {slot}; expected 0 to 3, each once: not a .jgs file, or damaged")
        found[slot] = offset
    return found


def _read_lineup(data: bytes, offset: int) -> str:
    start = offset + _LINEUP.start
    try:
        return read_block(data[offset : offset + SEAT_SIZE][_LINEUP], lambda index: f"byte {start + index:#x}")
    except Refused as error:
        raise JgsError(start, f"the line-up of slot {data[offset]}: {error}") from None


def _read_name(data: bytes) -> str:
    """The name; `?` for what is not printable text."""
    text = data[:MAX_NAME_BYTES].partition(b"\0")[0].decode("gb18030", "replace")
    return "".join(char if char.isprintable() and char != "\N{REPLACEMENT CHARACTER}" else "?" for char in text)


def _name_bytes(name: str) -> bytes:
    """The name, ended by a zero byte; characters that do not fit as a whole are dropped."""
    taken = b""
    for char in name.replace("\0", ""):
        piece = char.encode("gb18030", "replace")
        if len(taken) + len(piece) > MAX_NAME_BYTES:
            break
        taken += piece
    return taken.ljust(MAX_NAME_BYTES + 1, b"\0")
