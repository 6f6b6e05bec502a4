"""What one side of a contest game has been told, and the position that follows from it.

The plain board here takes in whatever it is told, out of order, doubled or impossible as it may be; the rules judge the
position only when we are to move. As long as all fits, that position is the record of the game; when it does not, it
is a snapshot of what stands where, which costs what was deduced but still yields a legal move.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from junqi_engine.rules.board import LUZHANQI
from protocol.contest.notation import (
    ATTACKER_LEFT,
    ATTACKER_WON,
    BOTH_LEFT,
    HEADQUARTERS_OF_OPPONENT,
    NO_BATTLE,
    SUFFIXES,
    Report,
    point_of,
    square_of,
)

MARSHAL, FLAG, HIDDEN = "a", "l", "?"
MOVED_MASK = "abcdefghik"
OURS, THEIRS = LUZHANQI.seats[0], LUZHANQI.seats[1]
OUR_HOME = [square_of(LUZHANQI.names[point], OURS) for point in LUZHANQI.block(0) if not LUZHANQI.is_campsite(point)]
THEIR_HOME = [square_of(LUZHANQI.names[point], OURS) for point in LUZHANQI.block(1) if not LUZHANQI.is_campsite(point)]


@dataclass
class Ply:
    """A move, in our own squares. `outcome` is None until it is told or guessed; `flag` is the opponent's, if told."""

    is_ours: bool
    start: str
    target: str
    outcome: str | None = None
    flag: str | None = None
    is_told: bool = False

    def __post_init__(self) -> None:
        self.is_told = self.outcome is not None

    @property
    def move(self) -> tuple[str, str]:
        return self.start, self.target

    @property
    def loses_ours(self) -> bool:
        """Whether a piece of ours left."""
        return self.outcome in (BOTH_LEFT, ATTACKER_LEFT if self.is_ours else ATTACKER_WON)

    @property
    def loses_theirs(self) -> bool:
        return self.outcome in (BOTH_LEFT, ATTACKER_WON if self.is_ours else ATTACKER_LEFT)


@dataclass
class _Board:
    """What stands where: our letters, `?` for theirs. `moved` are squares where a piece of theirs has come to."""

    pieces: dict[str, str]
    moved: set[str]

    def play(self, ply: Ply) -> None:
        piece = self.pieces.get(ply.start, HIDDEN)
        if (piece == HIDDEN) != ply.is_ours:
            self._clear(ply.start)
        if ply.outcome != ATTACKER_LEFT:
            self._clear(ply.target)
        if ply.outcome in (ATTACKER_WON, NO_BATTLE):
            self.pieces[ply.target] = piece if ply.is_ours else HIDDEN
            if self.pieces[ply.target] == HIDDEN:
                self.moved.add(ply.target)

    def _clear(self, square: str) -> None:
        self.pieces.pop(square, None)
        self.moved.discard(square)


class ContestTable:
    """One game from the start, for a side with a line-up of 25 letters."""

    def __init__(self, lineup: str) -> None:
        self.lineup = lineup
        self.plies: list[Ply] = []

    @property
    def seat(self) -> str:
        """Whoever moves first is South."""
        return OURS if not self.plies or self.plies[0].is_ours else THEIRS

    @property
    def lacks_result(self) -> bool:
        """Whether our last move met a piece and nobody has told us what came of it."""
        last = self.plies[-1] if self.plies else None
        return last is not None and last.is_ours and not last.is_told and last.outcome != NO_BATTLE

    def is_repeated(self, report: Report) -> bool:
        """Whether a `GO` tells what the last one told, which we have answered since."""
        if not self.plies or not self.plies[-1].is_ours:
            return False
        if len(self.plies) == 1:
            return report.move is None
        return not self.plies[-2].is_ours and report.move == self.plies[-2].move

    def is_impossible(self, report: Report) -> bool:
        """Whether a `GO` can't be for this game: no move where one was due, or one of no piece of theirs.

        Once an outcome had to be guessed nothing is impossible any more.
        """
        last = self.plies[-1] if self.plies else None
        if report.move is None:
            return last is not None and last.is_ours
        if last is not None and not last.is_ours and last.move == report.move:
            return False  # it was taken in and could not be answered
        if any(not ply.is_told and ply.outcome not in (None, NO_BATTLE) for ply in self.plies):
            return False
        start = report.move[0]
        is_open = self.lacks_result and self.plies[-1].target == start
        return not is_open and self._board().pieces.get(start) != HIDDEN

    def opponent_moved(self, report: Report) -> None:
        """Take in a `GO`, unless it was taken in and not answered. A result of ours that has not come is guessed."""
        last = self.plies[-1] if self.plies else None
        if report.move is not None and (last is None or last.is_ours or last.move != report.move):
            self.plies.append(Ply(False, *report.move, report.outcome, _their_flag(report)))
        self._guess()

    def we_moved(self, start: str, target: str) -> None:
        ply = Ply(True, start, target)
        if target not in self._board().pieces:
            ply.outcome = NO_BATTLE
        self.plies.append(ply)

    def told(self, report: Report) -> bool:
        """Take in a `RESULT`, late perhaps; False when no move of ours waits for one."""
        ply = next((ply for ply in reversed(self.plies) if ply.is_ours), None)
        if ply is None or ply.is_told:
            return False
        ply.outcome, ply.flag, ply.is_told = report.outcome, _their_flag(report), True
        return True

    def positions(self) -> Iterator[list[str]]:
        """The words behind `position`, best first, for the game to take the first that it accepts."""
        flag = next((ply.flag for ply in self.plies if ply.flag is not None), None)
        record = self._record(flag)
        if record is not None:
            yield record
        yield self._snapshot(flag)
        if flag is not None:
            yield self._snapshot(None)

    def _guess(self) -> None:
        """Settle what was not told so that no move of ours can rely on a piece that has gone."""
        board = _start(self.lineup)
        for index, ply in enumerate(self.plies):
            if ply.outcome is None:
                following = self.plies[index + 1] if index + 1 < len(self.plies) else None
                ply.outcome = _guessed(ply, ply.target in board.pieces, following)
            board.play(ply)

    def _board(self) -> _Board:
        board = _start(self.lineup)
        for ply in self.plies:
            board.play(ply)
        return board

    def _record(self, flag: str | None) -> list[str] | None:
        """The game as the text protocol tells it; None when nothing explains that the flag is known."""
        moves = []
        seat, our_flag = self.seat, OUR_HOME[self.lineup.index(FLAG)]
        told_at = next((index for index, ply in enumerate(self.plies) if ply.flag is not None), -1)
        shown_at = next((index for index in range(told_at, -1, -1) if self.plies[index].loses_theirs), None)
        if flag is not None and shown_at is None:
            return None
        board = _start(self.lineup)
        for index, ply in enumerate(self.plies):
            loser = board.pieces.get(ply.start if ply.is_ours else ply.target) if ply.loses_ours else None
            flags = [our_flag] if loser == MARSHAL else []
            flags += [flag] if flag is not None and index == shown_at else []
            suffix = SUFFIXES[ply.outcome or NO_BATTLE] + "".join(f"!{point_of(square, seat)}" for square in flags)
            moves.append(point_of(ply.start, seat) + point_of(ply.target, seat) + suffix)
            board.play(ply)
        return ["startpos", "lineup", f"{seat}:{self.lineup}", "viewer", seat, "moves", *moves]

    def _snapshot(self, flag: str | None) -> list[str]:
        """The board alone, with us to move."""
        board, seat = self._board(), self.seat
        other = OURS if seat == THEIRS else THEIRS
        cells = {}
        for square, piece in board.pieces.items():
            letter = FLAG if piece == HIDDEN and square == flag else piece
            cells[point_of(square, seat)] = (other if piece == HIDDEN else seat) + letter
        ranks = []
        for rank in range(LUZHANQI.height, 0, -1):
            row = [cells.get(f"{chr(ord('a') + file)}{rank}", "1") for file in range(LUZHANQI.width)]
            ranks.append("".join(row).replace("11111", "5").replace("1111", "4").replace("111", "3").replace("11", "2"))
        masks = [f"{point_of(square, seat)}:{MOVED_MASK}" for square in sorted(board.moved) if square != flag]
        quiet = 0
        for ply in self.plies:
            quiet = quiet + 1 if ply.outcome == NO_BATTLE else 0
        fields = [seat, LUZHANQI.seats, seat, str(quiet), str(len(self.plies)), ",".join(masks) or "-"]
        return ["fen", "/".join(ranks), *fields]


def _start(lineup: str) -> _Board:
    return _Board(dict(zip(OUR_HOME, lineup, strict=True)) | dict.fromkeys(THEIR_HOME, HIDDEN), set())


def _their_flag(report: Report) -> str | None:
    """The opponent's flag; what is told of any other square is no knowledge of it."""
    return report.flag if report.flag in HEADQUARTERS_OF_OPPONENT else None


def _guessed(ply: Ply, is_met: bool, following: Ply | None) -> str:
    """The outcome of a move that nobody told: what the next move proves, else that our piece has gone."""
    if not is_met:
        return NO_BATTLE
    if not ply.is_ours:
        return ATTACKER_WON
    if following is not None and following.target == ply.target and following.start != ply.target:
        return BOTH_LEFT if following.outcome in (NO_BATTLE, None) else ATTACKER_WON
    return ATTACKER_LEFT
