"""A view from a position alone, without the moves that led to it.

Pieces that have left are there as well, in the slots that nobody on the board has: what they may have been follows
from the counts, from the flag (a seat that lives has it) and from the marshal (its flag is shown if and only if it
has gone). A snapshot of the start of a game, whoever begins, is that start: what is followed from there on is known.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from junqi_engine.errors import ParseError
from junqi_engine.information.deduction import deduce
from junqi_engine.information.evidence import PARTNERS
from junqi_engine.information.knowledge import NO_RELATIONS, Knowledge
from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import BLOCK_POINTS, LINEUP_INDICES, Board
from junqi_engine.rules.effects import settle
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import ALL_MASK, COUNTS, FLAG, LETTERS, MARSHAL, MOVABLE_MASK, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.setup import Placement, new_position, place


def default_mask(board: Board, seat: int, point: int) -> int:
    """What a hidden piece may be for all that its point tells: one that has not moved, or any that could have come
    there.
    """
    if board.owner(point) != seat:
        return MOVABLE_MASK
    if board.is_headquarters(point):
        return ALL_MASK
    row = board.row(point)
    return ALL_MASK & ~(1 << FLAG) if row is not None and row >= 4 else MOVABLE_MASK


def view_of_snapshot(
    board: Board,
    viewer: int,
    placements: Iterable[Placement],
    turn: int,
    alive: int,
    quiet: int = 0,
    ply: int = 0,
    masks: Mapping[int, int] | None = None,
    rules: Rules | None = None,
) -> SeatView:
    """The view of the seats in `viewer` (a bit a seat); `masks` by point.

    A piece that is known although its seat is not in `viewer` is a shown flag. `impossible-position` for what can't
    be. A seat without its flag or its marshal is accepted as a study, though no game leads to it. A seat to move that
    has no legal move goes out at once.
    """
    rules = rules or Rules.of(board)
    placements = sorted(placements, key=lambda placement: placement.point)
    _check(board, viewer, placements, turn, alive)
    position = new_position(board, rules, alive, turn, quiet, ply)
    known = Knowledge(np.zeros(128, np.uint16), board.all_alive & ~viewer)
    view = SeatView(board, rules, viewer, position, known, [None] * len(board.seats))
    for seat in range(len(board.seats)):
        own = [placement for placement in placements if placement.seat == seat]
        for slot, placement in enumerate(own):
            place(board, position, 32 * seat + slot, placement.point, placement.kind)
        if viewer >> seat & 1:
            _know(view, seat, own)
        else:
            _suspect(view, seat, own, masks or {})
    view.is_followed = _is_start(view)
    view.refresh()
    settle(board.tables, position)
    view.shown_flags = [point if view.alive >> seat & 1 else None for seat, point in enumerate(view.shown_flags)]
    return view


def _is_start(view: SeatView) -> bool:
    """Whether it is the start of a game from line-ups, whoever begins; if so, the rules for them narrow the masks."""
    board, masks = view.board, view.masks.copy()
    if (
        view.ply
        or view.alive != board.all_alive
        or any(view.shown_flags[seat] is not None for seat in range(len(board.seats)) if not view.sees(seat))
    ):
        return False
    for seat in range(len(board.seats)):
        own = slice(32 * seat, 32 * seat + PIECES_PER_SEAT)
        home = [BLOCK_POINTS * seat + index for index in LINEUP_INDICES]
        if view.points_of(seat) != home:
            return False
        masks[own] &= np.array(MASK_AT, np.uint16)
    # A line-up that is known has to be legal as well, or the game is a study.
    if not masks[view.masks != 0].all() or not deduce(masks, np.uint8(board.all_alive), NO_RELATIONS, PARTNERS):
        return False
    view.masks[:] = masks
    return True


def _know(view: SeatView, seat: int, placements: list[Placement]) -> None:
    """The masks of a seat that the viewer sees; its flag is shown once its marshal has gone."""
    for slot, placement in enumerate(placements):
        view.masks[32 * seat + slot] = 1 << placement.kind
    if all(placement.kind != MARSHAL for placement in placements):
        view.shown_flags[seat] = view.flag_point(seat)


def _suspect(view: SeatView, seat: int, placements: list[Placement], masks: Mapping[int, int]) -> None:
    """The masks of a hidden seat, dead pieces included."""
    board, base = view.board, 32 * seat
    for slot, placement in enumerate(placements):
        mask = default_mask(board, seat, placement.point)
        if placement.kind == FLAG:
            mask = 1 << FLAG
            view.shown_flags[seat] = placement.point
        elif placement.point in masks:
            mask &= masks[placement.point]
            if not mask:
                point = board.names[placement.point]
                raise ParseError("impossible-position", f"field masks: nothing of it can stand on {point}")
        view.masks[base + slot] = mask
    live = slice(base, base + len(placements))
    dead = slice(base + len(placements), base + PIECES_PER_SEAT)
    strict = view.masks.copy()
    strict[dead] = ALL_MASK & ~(1 << FLAG)
    # The marshal is among the dead if and only if the flag is shown.
    (strict[dead] if view.shown_flags[seat] is None else strict[live])[...] &= ~np.uint16(1 << MARSHAL)
    if strict[live].all() and deduce(strict, np.uint8(1 << seat), NO_RELATIONS, PARTNERS):
        view.masks[:] = strict
        return
    view.masks[dead] = ALL_MASK
    if not deduce(view.masks, np.uint8(1 << seat), NO_RELATIONS, PARTNERS):
        raise ParseError("impossible-position", f"no 25 pieces fit what is known of {board.seats[seat]}'s")


def _check(board: Board, viewer: int, placements: list[Placement], turn: int, alive: int) -> None:
    """Refuse (`impossible-position`) pieces that can't stand where they do, or too many of them."""
    if not alive >> turn & 1:
        raise ParseError("impossible-position", f"field turn: {board.seats[turn]} is to move, but out")
    for placement in placements:
        seat, point, kind = placement.seat, board.names[placement.point], placement.kind
        letter = board.seats[seat]
        if not alive >> seat & 1:
            raise ParseError("impossible-position", f"field board: a piece on {point} of {letter}, who is out")
        if kind == UNKNOWN:
            if viewer >> seat & 1:
                raise ParseError(
                    "impossible-position", f"field board: {letter}? on {point}, but the viewer knows {letter}"
                )
            continue
        allowed = default_mask(board, seat, placement.point)
        if not allowed >> kind & 1:
            raise ParseError("impossible-position", f"field board: {letter}{LETTERS[kind]} can't stand on {point}")
        if not viewer >> seat & 1 and kind != FLAG:
            raise ParseError("leak", f"field board: {letter}{LETTERS[kind]} on {point}, which the viewer may not know")
    for seat, letter in enumerate(board.seats):
        kinds = [placement.kind for placement in placements if placement.seat == seat]
        if len(kinds) > PIECES_PER_SEAT:
            raise ParseError("impossible-position", f"field board: {letter} has {len(kinds)} pieces, 25 at most")
        for kind, most in enumerate(COUNTS):
            if kinds.count(kind) > most:
                text = f"field board: {letter} has {kinds.count(kind)} pieces '{LETTERS[kind]}', {most} at most"
                raise ParseError("impossible-position", text)
