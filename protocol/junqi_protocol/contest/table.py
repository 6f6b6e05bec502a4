"""What one side of a contest game has been told, and the positions that follow from it.

As long as the reports agree with the rules, the position is the record of the game. If they do not, it is a snapshot of
the board, which loses what was deduced but still yields a legal move.

`junqi_engine.rules.effects` defines what a ply does, but only for legal moves: a piece of the mover stands on the
from-point, and a battle has a defender. A report need not fit the board here. After a dropped `RESULT` the outcome is
guessed, so the opponent may move a piece that is not on our board, or fight on a square that is empty on it. The rules
refuse such a ply and change nothing, but the next `GO` must be answered with a legal move all the same. Therefore
`_Squares` takes in any report and keeps only the squares that are occupied. Everything else about a ply (legality,
kinds, reveals, eliminations, the limits of the game) is left to the rules, which judge the position when we are to
move.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from junqi_engine.rules.board import LUZHANQI
from junqi_protocol.contest.notation import (
    ATTACKER_REMOVED,
    ATTACKER_WON,
    BOTH_REMOVED,
    HEADQUARTERS_OF_OPPONENT,
    NO_BATTLE,
    SUFFIXES,
    Report,
    point_of,
    square_of,
)

FIELD_MARSHAL, FLAG, HIDDEN = "a", "l", "?"
MOVED_MASK = "abcdefghik"
"""What a hidden piece may be that has moved."""
FIRST, SECOND = LUZHANQI.seats[0], LUZHANQI.seats[1]
OUR_HOME = [square_of(LUZHANQI.names[point], FIRST) for point in LUZHANQI.block(0) if not LUZHANQI.is_campsite(point)]
THEIR_HOME = [square_of(LUZHANQI.names[point], FIRST) for point in LUZHANQI.block(1) if not LUZHANQI.is_campsite(point)]


@dataclass
class Ply:
    """A move, in our squares. `outcome` is None until it is told or guessed; `flag` is the opponent's, if told."""

    is_ours: bool
    start: str
    target: str
    outcome: str | None = None
    flag: str | None = None
    is_told: bool = field(init=False)
    """Whether the referee told the outcome."""

    def __post_init__(self) -> None:
        self.is_told = self.outcome is not None

    @property
    def move(self) -> tuple[str, str]:
        return self.start, self.target

    @property
    def removes_ours(self) -> bool:
        return self.outcome in (BOTH_REMOVED, ATTACKER_REMOVED if self.is_ours else ATTACKER_WON)

    @property
    def removes_theirs(self) -> bool:
        return self.outcome in (BOTH_REMOVED, ATTACKER_WON if self.is_ours else ATTACKER_REMOVED)


class _Squares:
    """The occupied squares. `pieces` has our letters and `?` for theirs; `moved` the squares of theirs that moved."""

    def __init__(self, lineup: str) -> None:
        self.pieces = dict(zip(OUR_HOME, lineup, strict=True)) | dict.fromkeys(THEIR_HOME, HIDDEN)
        self.moved: set[str] = set()

    def play(self, ply: Ply) -> None:
        piece = self.pieces.get(ply.start, HIDDEN)
        if (piece == HIDDEN) != ply.is_ours:
            self._clear(ply.start)
        if ply.outcome != ATTACKER_REMOVED:
            self._clear(ply.target)
        if ply.outcome in (ATTACKER_WON, NO_BATTLE):
            self.pieces[ply.target] = piece if ply.is_ours else HIDDEN
            if self.pieces[ply.target] == HIDDEN:
                self.moved.add(ply.target)

    def _clear(self, square: str) -> None:
        self.pieces.pop(square, None)
        self.moved.discard(square)


class ContestTable:
    """One game from its start, for the side with a line-up of 25 letters."""

    def __init__(self, lineup: str) -> None:
        self.lineup = lineup
        self.plies: list[Ply] = []

    @property
    def seat(self) -> str:
        """Our seat: the side that moves first plays South."""
        return FIRST if not self.plies or self.plies[0].is_ours else SECOND

    @property
    def lacks_result(self) -> bool:
        """Whether our last move met a piece and its outcome has not been told."""
        last = self.plies[-1] if self.plies else None
        return last is not None and last.is_ours and not last.is_told and last.outcome != NO_BATTLE

    def is_repeated(self, report: Report) -> bool:
        """Whether a `GO` repeats the last one, which has been answered."""
        if not self.plies or not self.plies[-1].is_ours:
            return False
        if len(self.plies) == 1:
            return report.move is None
        return not self.plies[-2].is_ours and report.move == self.plies[-2].move

    def is_impossible(self, report: Report) -> bool:
        """Whether a `GO` cannot belong to this game: it lacks a move, or moves a piece that is not the opponent's.

        Once an outcome has been guessed, any move is possible.
        """
        last = self.plies[-1] if self.plies else None
        if report.move is None:
            return last is not None and last.is_ours
        if last is not None and not last.is_ours and last.move == report.move:
            return False  # it was taken in, but could not be answered
        if any(not ply.is_told and ply.outcome not in (None, NO_BATTLE) for ply in self.plies):
            return False
        start = report.move[0]
        is_open = self.lacks_result and self.plies[-1].target == start
        return not is_open and self._squares().pieces.get(start) != HIDDEN

    def opponent_moved(self, report: Report) -> None:
        last = self.plies[-1] if self.plies else None
        if report.move is not None and (last is None or last.is_ours or last.move != report.move):
            self.plies.append(Ply(False, *report.move, report.outcome, _their_flag(report)))
        self._guess()

    def we_moved(self, start: str, target: str) -> None:
        ply = Ply(True, start, target)
        if target not in self._squares().pieces:
            ply.outcome = NO_BATTLE
        self.plies.append(ply)

    def told(self, report: Report) -> bool:
        """Take in a `RESULT`, possibly late; False if no move of ours lacks one."""
        ply = next((ply for ply in reversed(self.plies) if ply.is_ours), None)
        if ply is None or ply.is_told:
            return False
        ply.outcome, ply.flag, ply.is_told = report.outcome, _their_flag(report), True
        return True

    def positions(self) -> Iterator[list[str]]:
        """Arguments of `position`, best first. The first that the game accepts is the position."""
        flag = next((ply.flag for ply in self.plies if ply.flag is not None), None)
        record = self._record(flag)
        if record is not None:
            yield record
        yield self._snapshot(flag)
        if flag is not None:
            yield self._snapshot(None)

    def _guess(self) -> None:
        """Guess the missing outcomes such that no move of ours relies on a piece that may be removed."""
        squares = _Squares(self.lineup)
        for index, ply in enumerate(self.plies):
            if ply.outcome is None:
                following = self.plies[index + 1] if index + 1 < len(self.plies) else None
                ply.outcome = _guessed(ply, ply.target in squares.pieces, following)
            squares.play(ply)

    def _squares(self) -> _Squares:
        squares = _Squares(self.lineup)
        for ply in self.plies:
            squares.play(ply)
        return squares

    def _record(self, flag: str | None) -> list[str] | None:
        """The game in the text protocol; None if the opponent's flag was told, but no battle can have revealed it.

        The dialect tells the flag, but not the ply that revealed it: that is the last one, up to the report, in which
        the opponent lost a piece.
        """
        moves = []
        seat, our_flag = self.seat, OUR_HOME[self.lineup.index(FLAG)]
        told_at = next((index for index, ply in enumerate(self.plies) if ply.flag is not None), -1)
        revealed_at = next((index for index in range(told_at, -1, -1) if self.plies[index].removes_theirs), None)
        if flag is not None and revealed_at is None:
            return None
        squares = _Squares(self.lineup)
        for index, ply in enumerate(self.plies):
            removed = squares.pieces.get(ply.start if ply.is_ours else ply.target) if ply.removes_ours else None
            flags = [our_flag] if removed == FIELD_MARSHAL else []
            flags += [flag] if flag is not None and index == revealed_at else []
            suffix = SUFFIXES[ply.outcome or NO_BATTLE] + "".join(f"!{point_of(square, seat)}" for square in flags)
            moves.append(point_of(ply.start, seat) + point_of(ply.target, seat) + suffix)
            squares.play(ply)
        return ["startpos", "lineup", f"{seat}:{self.lineup}", "viewer", seat, "moves", *moves]

    def _snapshot(self, flag: str | None) -> list[str]:
        """The board alone as a FEN, with us to move."""
        squares, seat = self._squares(), self.seat
        other = FIRST if seat == SECOND else SECOND
        cells = {}
        for square, piece in squares.pieces.items():
            letter = FLAG if piece == HIDDEN and square == flag else piece
            cells[point_of(square, seat)] = (other if piece == HIDDEN else seat) + letter
        ranks = []
        for rank in range(LUZHANQI.height, 0, -1):
            row = "".join(cells.get(f"{chr(ord('a') + file)}{rank}", ".") for file in range(LUZHANQI.width))
            ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        masks = [f"{point_of(square, seat)}:{MOVED_MASK}" for square in sorted(squares.moved) if square != flag]
        quiet = 0
        for ply in self.plies:
            quiet = quiet + 1 if ply.outcome == NO_BATTLE else 0
        fields = [seat, LUZHANQI.seats, seat, str(quiet), str(len(self.plies)), ",".join(masks) or "-"]
        return ["fen", "/".join(ranks), *fields]


def _their_flag(report: Report) -> str | None:
    """The opponent's flag in a report. Any square but a headquarters is ignored."""
    return report.flag if report.flag in HEADQUARTERS_OF_OPPONENT else None


def _guessed(ply: Ply, is_target_occupied: bool, following: Ply | None) -> str:
    """The outcome of a move that was not told: what the next move proves, otherwise the loss of our piece."""
    if not is_target_occupied:
        return NO_BATTLE
    if not ply.is_ours:
        return ATTACKER_WON
    if following is not None and following.target == ply.target and following.start != ply.target:
        return BOTH_REMOVED if following.outcome in (NO_BATTLE, None) else ATTACKER_WON
    return ATTACKER_REMOVED
