"""`.jql` line-up files, as QQ's four-seat game writes them.

A file has 50 bytes: `QQGame JQL File` and a zero byte, `57 04 00 00`, then one byte for each of the 30 points of a
block by index: 0 for a campsite, 2 for the flag, 3 for a landmine, 4 for a bomb, 5 for the Field Marshal and so on to
13 for an Engineer. Some clients write the columns of a row in the opposite order; `lineup.mirror` converts a line-up.
"""

from collections.abc import Callable

from junqi_engine.errors import BadLineup
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BLOCK_POINTS, CAMPSITE_INDICES, LINEUP_INDICES
from junqi_engine.rules.pieces import BOMB, FLAG, LETTERS, MARSHAL, MINE

HEADER = b"QQGame JQL File\0\x57\x04\0\0"
CAMPSITE_BYTE = 0
BYTES = {FLAG: 2, MINE: 3, BOMB: 4} | {kind: 5 + kind for kind in range(MARSHAL, MINE)}
LETTER_OF = {byte: LETTERS[kind] for kind, byte in BYTES.items()}


def parse_jql(data: bytes) -> str:
    """The line-up as 25 letters. `bad-lineup` names the byte that is wrong or the rule that it breaks."""
    if data[: len(HEADER)] != HEADER:
        raise BadLineup("bad-lineup", "a .jql file begins with 'QQGame JQL File'; this one does not")
    points = data[len(HEADER) :]
    if len(points) != BLOCK_POINTS:
        raise BadLineup("bad-lineup", f"a .jql file has {len(HEADER) + BLOCK_POINTS} bytes; this one has {len(data)}")
    return read_block(points, lambda index: f"byte {len(HEADER) + index + 1}")


def format_jql(letters: str) -> bytes:
    return HEADER + write_block(letters)


def read_block(points: bytes, name_byte: Callable[[int], str]) -> str:
    """The line-up in the 30 bytes of a block, as 25 letters. `name_byte` names the byte of an index in messages.

    `bad-lineup` names the byte that is wrong or the rule that the line-up breaks.
    """
    for index, byte in enumerate(points):
        if (byte == CAMPSITE_BYTE) != (index in CAMPSITE_INDICES) or byte not in (CAMPSITE_BYTE, *LETTER_OF):
            expected = "0, a campsite" if index in CAMPSITE_INDICES else "a piece, 2 to 13"
            where = f"{name_byte(index)} (index {index})"
            raise BadLineup("bad-lineup", f"{where} is {byte}; expected {expected}")
    letters = "".join(LETTER_OF[points[index]] for index in LINEUP_INDICES)
    lineup.check(letters)
    return letters


def write_block(letters: str) -> bytes:
    """The 30 bytes of a block, the inverse of `read_block`; `bad-lineup` if the line-up is not legal."""
    lineup.check(letters)
    points = bytearray(BLOCK_POINTS)
    for index, letter in zip(LINEUP_INDICES, letters, strict=True):
        points[index] = BYTES[LETTERS.index(letter)]
    return bytes(points)
