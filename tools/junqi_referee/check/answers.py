"""Judges every move that an engine under test answers, whatever step has asked for it.

Follows the lines in both directions: each answer belongs to the first `go` that has none yet, in the position that was
set up before that `go`.
"""

import re
from collections import deque
from dataclasses import dataclass

from junqi_engine.client.engine_lines import NO_MOVE
from junqi_engine.errors import Refused, quoted
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen, start_view
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import Board
from junqi_engine.rules.standing import why_illegal

START = re.compile(r"startpos(?: lineup((?: \w:\w+)+))?(?: viewer (\S+))?")
MOST_BYTES = 1 << 20
"""A longer position is none that an engine accepts, and only its beginning is read."""
MAX_SHOWN = 60
"""Characters of an answer that a message quotes."""


@dataclass(frozen=True)
class _Question:
    view: SeatView
    position: str
    go: str


class Answers:
    """The questions to one process, and what is wrong with its answers."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._position, self._view = "position startpos", start_view(board)
        self._open: deque[_Question] = deque()

    def sent(self, line: bytes) -> None:
        """A line to the engine. It may be anything; a position that the rules refuse changes nothing."""
        words = line[:MOST_BYTES].decode("utf-8", "replace").split()
        text = " ".join(words)
        if words[:1] == ["position"]:
            try:
                self._position, self._view = text, self._read(words[1:])
            except Refused:
                return
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            self._position, self._view = "position startpos", start_view(self._board)
        elif words[:1] == ["go"]:
            self._open.append(_Question(self._view, self._position, text))

    def fault_in(self, line: bytes) -> str | None:
        """What is wrong with a line of the engine, if it is an answer with a move that is not legal."""
        words = line.decode("utf-8", "replace").split()
        if words[:1] != ["bestmove"] or not self._open:
            return None
        question, answer = self._open.popleft(), "".join(words[1:2])
        if answer == NO_MOVE or "setup" in question.go.split():
            return None  # whether a step expects a move or a line-up, it says itself
        reason = self._objection(question.view, answer)
        return reason and f"{answer[:MAX_SHOWN]!r} is not legal: {reason}; {question.position}; {question.go}"

    def _objection(self, view: SeatView, answer: str) -> str | None:
        """Why a move or a resignation is not legal in a position, as its viewer knows it; None if it is."""
        try:
            move = parse_move(self._board, answer)
            if move.resigned is not None:
                is_ours = view.sees(move.resigned) and view.is_alive(move.resigned)
                return None if is_ours else "it resigns a seat that is not the engine's"
            if not move.is_ply or not move.is_bare:
                return "an answer is two points, without a suffix"
            return None if move.move in view.legal_moves() else why_illegal(self._board, view, move.move)
        except Refused as error:
            return str(error).removeprefix(f"{quoted(answer)}: ")

    def _read(self, words: list[str]) -> SeatView:
        """The position that follows the word `position`."""
        end = words.index("moves") if "moves" in words else len(words)
        head = " ".join(words[:end])
        start = START.fullmatch(head)
        if start is not None:
            view = start_view(self._board, (start[1] or "").split(), start[2])
        else:
            view = parse_fen(self._board, head.removeprefix("fen "))
        for word in words[end + 1 :]:
            view.observe(parse_move(self._board, word))
        return view
