"""The lines of the command `belief`."""

from collections.abc import Mapping

import numpy as np

from junqi_engine.errors import Refused, quoted
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import contains, seat_of, slot_of
from junqi_engine.rules.pieces import KINDS, LETTERS


def belief_lines(view: SeatView, found: Mapping[int, np.ndarray], point: str | None) -> list[str]:
    """The lines for the piece on a point, or for every hidden piece; each without its `info`."""
    chances = {seat: table for seat, table in found.items() if view.is_alive(seat)}
    if point is not None:
        place = view.board.point_named.get(point)
        if place is None or view.piece_at(place) is None:
            raise Refused("bad-argument", f"belief: no piece stands on {quoted(point)}")
        return [_line(view, place, chances)]
    hidden = [seat for seat in chances if not view.sees(seat)]
    owners = {place: view.piece_at(place) for place in view.board.points}
    places = [place for place, piece in owners.items() if piece is not None and seat_of(piece) in hidden]
    return [_counts(view, seat, chances[seat]) for seat in hidden] + [_line(view, place, chances) for place in places]


def _line(view: SeatView, point: int, chances: Mapping[int, np.ndarray]) -> str:
    piece = view.piece_at(point) or 0
    mask, row = int(view.masks[piece]), chances[seat_of(piece)][slot_of(piece)]
    entries = " ".join(f"{LETTERS[kind]}:{row[kind]:.2f}" for kind in range(KINDS) if contains(mask, kind))
    return f"belief {view.board.names[point]} {entries}"


def _counts(view: SeatView, seat: int, chances: np.ndarray) -> str:
    """The line of a seat: the number of its unidentified pieces on the board, and the expected number of each kind."""
    pieces = [view.piece_at(point) or 0 for point in view.points_of(seat)]
    open_slots = [slot_of(piece) for piece in pieces if int(view.masks[piece]).bit_count() > 1]
    expected = chances[open_slots].sum(axis=0)
    kinds = " ".join(f"{LETTERS[kind]}:{expected[kind]:.2f}" for kind in range(KINDS) if expected[kind] > 0)
    return f"string {view.board.seats[seat]} unidentified {len(open_slots)} expected {kinds}".rstrip()
