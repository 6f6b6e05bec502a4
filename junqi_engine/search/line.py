"""The line of play that the search expects after a move, read from the transposition table."""

import numpy as np

from junqi_engine.information.knowledge import Knowledge
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import from_point_of, to_point_of
from junqi_engine.rules.pieces import KINDS, UNKNOWN
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.search.keys import position_key
from junqi_engine.search.root import Comparison
from junqi_engine.search.transposition import EMPTY, move_in, probe

LONGEST_LINE = 12


def replies(comparison: Comparison, move: int) -> list[SeenMove]:
    """The moves that may follow a root move in the first of the worlds."""
    position, of_world, table = comparison.first_world()
    view = _open_view(comparison.view, position)
    line: list[SeenMove] = []
    while len(line) <= LONGEST_LINE:
        line.append(view.observe(SeenMove(from_point_of(move), to_point_of(move))))
        known = probe(table, np.uint64(len(table)), position_key(view.position, np.uint64(of_world)))
        move = int(move_in(known))
        if known == EMPTY or view.result != Result.ONGOING or move not in view.legal_moves():
            break
    return line[1:]


def _open_view(view: SeatView, position: np.void) -> SeatView:
    """A world as a view that sees everything."""
    kinds = position["kind"]
    masks = np.where(kinds == UNKNOWN, 0, 1 << np.minimum(kinds, KINDS).astype(np.uint16)).astype(np.uint16)
    known = Knowledge(masks, hidden_seats=0)
    return SeatView(view.board, view.rules, view.board.all_alive, position.copy(), known, list(view.shown_flags))
