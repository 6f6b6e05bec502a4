"""The line of play that the search expects after a move, read from the transposition table."""

import numpy as np

from junqi_engine.information.knowledge import Knowledge
from junqi_engine.information.view import SeatView
from junqi_engine.rules.effects import UNDO, make
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import NO_MOVE, from_point_of, to_point_of
from junqi_engine.rules.pieces import KINDS, UNKNOWN
from junqi_engine.rules.position import Result
from junqi_engine.search.keys import limits_key, position_key
from junqi_engine.search.root import Comparison, World
from junqi_engine.search.transposition import move_in, probe

LONGEST_LINE = 12


def replies(comparison: Comparison, move: int) -> list[SeenMove]:
    """The moves that may follow a root move in the first of the worlds."""
    world = comparison.first_world()
    view, undo = _open_view(comparison.view, world.position), np.zeros(1, UNDO)[0]
    line: list[SeenMove] = []
    while len(line) <= LONGEST_LINE:
        line.append(view.observe(SeenMove(from_point_of(move), to_point_of(move))))
        make(view.board.tables, world.position, np.uint16(move), undo)
        world.kernels.after_make(world.position, undo, world.evaluation)
        move = _best_move(world, comparison.depth - len(line))
        if view.result != Result.ONGOING or move not in view.legal_moves():
            break
    return line[1:]


def _best_move(world: World, depth: int) -> int:
    """The best move that is known in a position of a world, searched `depth` plies deep; or `NO_MOVE`."""
    position, search = world.position, world.search
    key = np.uint64(position_key(position, np.uint64(world.key))) ^ np.uint64(world.kernels.value_key(world.evaluation))
    of_limits = np.uint64(limits_key(position, depth, int(search["quiescence_plies"])))
    # As in the search: without a result near a limit of the rules, that of a search which did not reach the limit.
    moves = (
        int(move_in(probe(world.table, search["slots"], each, search["oldest_generation"])))
        for each in (key ^ of_limits, key)
    )
    return next((move for move in moves if move != NO_MOVE), NO_MOVE)


def _open_view(view: SeatView, position: np.void) -> SeatView:
    """A world as a view that sees everything."""
    kinds = position["kind"]
    masks = np.where(kinds == UNKNOWN, 0, 1 << np.minimum(kinds, KINDS).astype(np.uint16)).astype(np.uint16)
    known = Knowledge(masks, hidden_seats=0)
    return SeatView(view.board, view.rules, view.board.all_alive, position.copy(), known, list(view.shown_flags))
