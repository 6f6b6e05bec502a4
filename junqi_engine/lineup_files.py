"""The `.jql` line-up files of QQ: 50 bytes, a head of 20 and a byte for each of a block's 30 points by index.

Some clients run the columns of a row the other way; `lineup.mirror` turns a line-up that came from one.
"""

from junqi_engine import lineup as lineups_module
from junqi_engine.board import BLOCK_POINTS, CAMPSITE_INDICES, LINEUP_INDICES
from junqi_engine.errors import JunqiError

HEAD = b"QQGame JQL File\0\x57\x04\0\0"
CAMPSITE_BYTE = 0
_BYTE_OF = {"l": 2, "j": 3, "k": 4} | {letter: 5 + rank for rank, letter in enumerate("abcdefghi")}
_LETTER_OF = {number: letter for letter, number in _BYTE_OF.items()}


def read_jql(data: bytes) -> str:
    """The line-up, 25 letters, of a file's bytes. `bad-file` says which byte is wrong, `bad-lineup` which rule."""
    if len(data) != len(HEAD) + BLOCK_POINTS:
        raise JunqiError("bad-file", f"a .jql file has {len(HEAD) + BLOCK_POINTS} bytes, this one {len(data)}")
    if data[: len(HEAD)] != HEAD:
        wrong = next(place for place, byte in enumerate(HEAD) if data[place] != byte)
        raise JunqiError("bad-file", f"byte {wrong} is {data[wrong]}, not {HEAD[wrong]}: this is no .jql file")
    body = data[len(HEAD) :]
    for index in CAMPSITE_INDICES:
        if body[index] != CAMPSITE_BYTE:
            raise JunqiError("bad-file", f"byte {len(HEAD) + index} is {body[index]}, but campsites start empty (0)")
    for index in LINEUP_INDICES:
        if body[index] not in _LETTER_OF:
            raise JunqiError("bad-file", f"byte {len(HEAD) + index} is {body[index]}, no piece (2 to 13)")
    found = "".join(_LETTER_OF[body[index]] for index in LINEUP_INDICES)
    lineups_module.check(found)
    return found


def write_jql(lineup: str) -> bytes:
    """The bytes of a line-up's file; `read_jql` reads it back. `bad-lineup` for one that is not legal."""
    lineups_module.check(lineup)
    by_index = dict(zip(LINEUP_INDICES, lineup, strict=True))
    return HEAD + bytes(
        _BYTE_OF[by_index[index]] if index in by_index else CAMPSITE_BYTE for index in range(BLOCK_POINTS)
    )
