"""The reports that one side of a contest game has received, and the positions that follow from them.

Reports are believed. As long as they agree with the rules, the position is the record of the game. If they do not, it
is a snapshot of the board, which loses what was deduced but still yields a legal move. Therefore every report is
accepted here: the opponent may move a piece that is not on our board, or fight on a square that is empty on it. The
rules judge the position when we are to move.
"""

import re
from dataclasses import dataclass

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
"""The kinds of a hidden piece that has moved."""
FIRST, SECOND = LUZHANQI.seats[0], LUZHANQI.seats[1]
OUR_HOME = [square_of(LUZHANQI.names[point], FIRST) for point in LUZHANQI.block(0) if not LUZHANQI.is_campsite(point)]
THEIR_HOME = [square_of(LUZHANQI.names[point], FIRST) for point in LUZHANQI.block(1) if not LUZHANQI.is_campsite(point)]


@dataclass
class Ply:
    """A move in our squares. `outcome` and the opponent's `flag` are None until they are reported."""

    is_ours: bool
    start: str
    target: str
    outcome: str | None = None
    flag: str | None = None


class ContestTable:
    """One game from its start, for the side with a line-up of 25 letters."""

    def __init__(self, lineup: str) -> None:
        self.lineup = lineup
        self.plies: list[Ply] = []

    @property
    def seat(self) -> str:
        """Our seat: the side that moves first plays South."""
        return FIRST if not self.plies or self.plies[0].is_ours else SECOND

    def opponent_moved(self, report: Report) -> None:
        if report.move is not None:
            self.plies.append(Ply(False, *report.move, report.outcome, _their_flag(report)))

    def we_moved(self, start: str, target: str) -> None:
        self.plies.append(Ply(True, start, target))

    def add_result(self, report: Report) -> bool:
        """Add a `RESULT` to our last move; False if no move of ours lacks one."""
        ply = next((ply for ply in reversed(self.plies) if ply.is_ours), None)
        if ply is None or ply.outcome is not None:
            return False
        ply.outcome, ply.flag = report.outcome, _their_flag(report)
        return True

    def positions(self) -> tuple[list[str], list[str]]:
        """Arguments of `position`: the record of the game, and a snapshot in case the rules reject the record.

        Without an outcome, our move onto a piece counts as lost, theirs as won.
        """
        seat, our_flag = self.seat, OUR_HOME[self.lineup.index(FLAG)]
        pieces = dict(zip(OUR_HOME, self.lineup, strict=True)) | dict.fromkeys(THEIR_HOME, HIDDEN)
        moved: set[str] = set()
        flag, moves = None, []
        for ply in self.plies:
            usual = ATTACKER_REMOVED if ply.is_ours else ATTACKER_WON
            outcome = ply.outcome or (usual if ply.target in pieces else NO_BATTLE)
            attacker, defender = pieces.pop(ply.start, HIDDEN), pieces.get(ply.target, HIDDEN)
            moved.discard(ply.start)
            lost = [attacker] if outcome in (ATTACKER_REMOVED, BOTH_REMOVED) else []
            if outcome != ATTACKER_REMOVED:
                pieces.pop(ply.target, None)
                moved.discard(ply.target)
                lost.append(defender)
            if outcome in (ATTACKER_WON, NO_BATTLE):
                pieces[ply.target] = attacker if ply.is_ours else HIDDEN
                moved |= set() if ply.is_ours else {ply.target}
            shown = [our_flag] if FIELD_MARSHAL in lost else []
            if flag is None and ply.flag is not None:
                flag = ply.flag
                shown.append(flag)
            suffix = SUFFIXES[outcome] + "".join(f"!{point_of(square, seat)}" for square in shown)
            moves.append(point_of(ply.start, seat) + point_of(ply.target, seat) + suffix)
        record = ["startpos", "lineup", f"{seat}:{self.lineup}", "viewer", seat, "moves", *moves]
        return record, self._snapshot(pieces, moved, flag)

    def _snapshot(self, pieces: dict[str, str], moved: set[str], flag: str | None) -> list[str]:
        """The board as a FEN, with us to move. The no-contact counter is 0: a request for a move means that the game
        goes on.
        """
        seat = self.seat
        other = FIRST if seat == SECOND else SECOND
        cells = {}
        for square, piece in pieces.items():
            letter = FLAG if piece == HIDDEN and square == flag else piece
            cells[point_of(square, seat)] = (other if piece == HIDDEN else seat) + letter
        ranks = []
        for rank in range(LUZHANQI.height, 0, -1):
            row = "".join(cells.get(f"{chr(ord('a') + file)}{rank}", ".") for file in range(LUZHANQI.width))
            ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        masks = [f"{point_of(square, seat)}:{MOVED_MASK}" for square in sorted(moved) if square != flag]
        fields = [seat, LUZHANQI.seats, seat, "0", str(len(self.plies)), ",".join(masks) or "-"]
        return ["fen", "/".join(ranks), *fields]


def _their_flag(report: Report) -> str | None:
    """The opponent's flag in a report; None for a square that is no headquarters."""
    return report.flag if report.flag in HEADQUARTERS_OF_OPPONENT else None
