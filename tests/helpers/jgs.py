"""`.jgs` files made of bytes by hand, from the description of the format and without the project's writer."""

from collections.abc import Sequence

from junqi_engine.rules import lineup

HEAD, SEAT = 0x19C, 88
SLOTS = {"S": 0, "E": 3, "N": 2, "W": 1}
BYTES = {"l": 2, "j": 3, "k": 4} | {letter: 5 + rank for rank, letter in enumerate("abcdefghi")}
CAMPSITES = (6, 8, 12, 16, 18)
DRAW, WIN = (0xF5, 5, 0, 2), (0xF5, 5, 0, 4)


def point(square: str) -> tuple[int, int]:
    """The bytes of a square."""
    return 17 - int(square[1:]), 16 - (ord(square[0]) - ord("a"))


def move(start: str, target: str, outcome: int = 0, *flags: str, seat: str = "S") -> bytes:
    """The event of a move."""
    mover = "WNES".index(seat)
    pairs = [point(square) for square in (start, target, *flags)]
    return bytes((1, outcome | mover << 3, *(byte for pair in pairs for byte in pair))).ljust(10, b"\0")


def event(*values: int) -> bytes:
    """An event that is not a move, from its first bytes."""
    return bytes(values).ljust(10, b"\0")


def game_file(
    *events: bytes, lineups: Sequence[str] = (lineup.DEFAULT,) * 4, names: Sequence[bytes] = (), order: str = "SENW"
) -> bytes:
    """The bytes of a file; `lineups` and `names` are by seat, `order` is the order of the seats in the file."""
    head = bytearray(HEAD)
    head[0x1A:0x1C] = len(events).to_bytes(2, "little")
    for number, seat in enumerate(order):
        begin = 0x20 + SEAT * number
        head[begin] = SLOTS[seat]
        if names:
            name = names["SENW".index(seat)]
            head[begin + 8 : begin + 8 + len(name)] = name
        letters = iter(lineups["SENW".index(seat)])
        for index in range(30):
            head[begin + 28 + index] = 0 if index in CAMPSITES else BYTES[next(letters)]
    return bytes(head) + b"".join(event.ljust(10, b"\0") for event in events)
