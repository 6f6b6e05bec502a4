"""The notation of the contest's dialect: squares, moves, outcomes, reports.

Each side sees itself at the bottom: row `A` is the opponent's back row, row `L` its own; columns count from `0` on its
left. A *point* is the same place in the text protocol, such as `a6`.
"""

import re
from typing import NamedTuple

from junqi_engine.errors import quoted

ROWS = "ABCDEFGHIJKL"
COLUMNS = "01234"
NO_MOVE = "0000"
NO_FLAG = "00"
ATTACKER_REMOVED, ATTACKER_WON, BOTH_REMOVED, NO_BATTLE = "0123"
SUFFIXES = {ATTACKER_REMOVED: "o", ATTACKER_WON: "x", BOTH_REMOVED: "=", NO_BATTLE: ""}
"""By outcome, the suffix of a move in the text protocol."""
HEADQUARTERS_OF_OPPONENT = ("A1", "A3")

_SQUARE = re.compile(f"[{ROWS}][{COLUMNS}]")


class Report(NamedTuple):
    """The arguments of a `GO` or a `RESULT`. `move` is None if no move was made; outcome and flag may be missing."""

    move: tuple[str, str] | None
    outcome: str | None
    flag: str | None


def square_of(point: str, seat: str) -> str:
    """The square of a point of luzhanqi for the side that plays `seat`."""
    file, rank = ord(point[0]) - ord("a"), int(point[1:])
    row, column = (12 - rank, file) if seat == "S" else (rank - 1, 4 - file)
    return f"{ROWS[row]}{column}"


def point_of(square: str, seat: str) -> str:
    """The point of a square for the side that plays `seat`."""
    row, column = ROWS.index(square[0]), int(square[1])
    file, rank = (column, 12 - row) if seat == "S" else (4 - column, row + 1)
    return f"{chr(ord('a') + file)}{rank}"


def parse_move(word: str) -> tuple[str, str] | None:
    """The two squares of a move, None for `0000`; ValueError for anything else."""
    if word == NO_MOVE:
        return None
    start, target = word[:2].upper(), word[2:].upper()
    if not _SQUARE.fullmatch(start) or not _SQUARE.fullmatch(target) or start == target:
        raise ValueError(f"{quoted(word)} is not a move of two squares such as G0F0")
    return start, target


def parse_outcome(word: str) -> str:
    if word not in SUFFIXES:
        raise ValueError(f"{quoted(word)} is not an outcome from 0 to 3")
    return word


def parse_flag(word: str) -> str | None:
    """The square of a flag, None for `00`; ValueError for anything else."""
    if word == NO_FLAG:
        return None
    if not _SQUARE.fullmatch(word.upper()):
        raise ValueError(f"{quoted(word)} is not a square such as A1, nor 00")
    return word.upper()


def parse_go(words: list[str]) -> Report:
    """The report of a `GO`; outcome and flag may be missing. ValueError for wrong arguments."""
    if not 1 <= len(words) <= 3:
        raise ValueError(f"expected a move, an outcome and a flag, not {len(words)} words")
    move = parse_move(words[0])
    outcome, flag = _outcome_and_flag(words[1:])
    return Report(move, None if move is None else outcome, flag)


def parse_result(words: list[str]) -> Report:
    """The report of a `RESULT`; the flag may be missing. ValueError for wrong arguments."""
    if not 1 <= len(words) <= 2:
        raise ValueError(f"expected an outcome and a flag, not {len(words)} words")
    outcome, flag = _outcome_and_flag(words)
    return Report(None, outcome, flag)


def _outcome_and_flag(words: list[str]) -> tuple[str | None, str | None]:
    outcome = parse_outcome(words[0]) if words else None
    return outcome, parse_flag(words[1]) if len(words) > 1 else None
