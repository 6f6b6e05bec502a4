"""A view from a position alone, without the moves that led to it.

The removed pieces get the slots that no piece on the board has. Their masks follow from the counts, from the flag (a
seat that is not eliminated has it) and from the Field Marshal (the flag is revealed if and only if it was removed). A
snapshot of the start of a game counts as that start, so the moves after it are a whole record.
"""

from collections.abc import Mapping

import numpy as np

from junqi_engine.errors import BadPosition
from junqi_engine.information.deduction import KNOWN, deduce
from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import FIRST_BACK_ROW, LINEUP_INDICES, Board
from junqi_engine.rules.effects import settle_snapshot
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, piece_of, slice_of
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import ALL_MASK, COUNTS, FLAG, LETTERS, MARSHAL, MOVABLE_MASK, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import Placement, Snapshot, new_positions, place

_NO_RELATIONS = np.zeros((0, 3), np.uint8)


def default_mask(board: Board, seat: int, point: int) -> int:
    """The mask of a hidden piece on a point: it started there, or could have moved there."""
    if board.owner(point) != seat:
        return MOVABLE_MASK
    if board.is_headquarters(point):
        return ALL_MASK
    row = board.row(point)
    return ALL_MASK & ~(1 << FLAG) if row is not None and row >= FIRST_BACK_ROW else MOVABLE_MASK


def view_of_snapshot(
    board: Board,
    viewer: int,
    snapshot: Snapshot,
    masks: Mapping[int, int] | None = None,
    rules: Rules | None = None,
) -> SeatView:
    """The view of the seats in the set `viewer`; `masks` are by point.

    A known piece of a seat that is not in `viewer` is a revealed flag. `impossible-position` if the position cannot
    occur. A seat without its flag or its marshal is accepted as a study, although no game leads to it. A seat to move
    that has no legal move is eliminated at once, and so is an immobile seat.
    """
    rules = Rules.of(board, rules)
    placements = sorted(snapshot.placements, key=lambda placement: placement.point)
    _check(board, viewer, placements, snapshot.turn, snapshot.alive)
    positions = new_positions(board, rules, snapshot.alive, snapshot.turn, snapshot.quiet, snapshot.ply)
    knowns = np.zeros(1, KNOWN)
    knowns["hidden_seats"] = board.all_alive & ~viewer
    view = SeatView(board, rules, viewer, positions, knowns, [None] * len(board.seats))
    for seat in range(len(board.seats)):
        own = [placement for placement in placements if placement.seat == seat]
        for slot, placement in enumerate(own):
            place(board, view.position, piece_of(seat, slot), placement.point, placement.kind)
        if contains(viewer, seat):
            _fill_known_masks(view, seat, own)
        else:
            _fill_hidden_masks(view, seat, own, masks or {})
    view.is_followed = _is_start(view)
    view.refresh()
    settle_snapshot(board.tables, view.position)
    view.revealed_flags = [point if view.is_alive(seat) else None for seat, point in enumerate(view.revealed_flags)]
    return view


def hide(game: GameState, viewer: int) -> SeatView:
    """The view of the seats in the set `viewer` of a game that starts from a snapshot, before its first move."""
    placements = []
    for seat in range(len(game.board.seats)):
        points = game.points_of(seat)
        pieces = [game.piece_at(point) or 0 for point in points]
        kinds = [int(game.position["kind"][piece]) for piece in pieces]
        if not contains(viewer, seat):
            shown = FLAG if MARSHAL not in kinds else UNKNOWN  # the flag is revealed without its marshal
            kinds = [kind if kind == shown else UNKNOWN for kind in kinds]
        placements += [Placement(seat, point, kind) for point, kind in zip(points, kinds, strict=True)]
    snapshot = Snapshot(placements, game.turn, game.alive, game.quiet, game.ply)
    return view_of_snapshot(game.board, viewer, snapshot, rules=game.rules)


def _is_start(view: SeatView) -> bool:
    """Whether the position is the start of a game; if so, the rules for line-ups narrow the masks."""
    board, masks = view.board, view.masks.copy()
    if (
        view.ply
        or view.alive != board.all_alive
        or any(view.revealed_flags[seat] is not None for seat in range(len(board.seats)) if not view.sees(seat))
    ):
        return False
    for seat in range(len(board.seats)):
        own = slice_of(seat, PIECES_PER_SEAT)
        home = [board.block(seat)[index] for index in LINEUP_INDICES]
        if view.points_of(seat) != home:
            return False
        masks[own] &= np.array(MASK_AT, np.uint16)
    # A known line-up must be legal as well; otherwise the position is a study.
    if not masks[view.masks != 0].all() or not deduce(masks, np.uint8(board.all_alive), _NO_RELATIONS):
        return False
    view.masks[:] = masks
    return True


def _fill_known_masks(view: SeatView, seat: int, placements: list[Placement]) -> None:
    """Fill the masks of a seat that the viewer sees. Its flag is revealed if it has no Field Marshal."""
    for slot, placement in enumerate(placements):
        view.masks[piece_of(seat, slot)] = 1 << placement.kind
    if all(placement.kind != MARSHAL for placement in placements):
        view.revealed_flags[seat] = view.flag_point(seat)


def _fill_hidden_masks(view: SeatView, seat: int, placements: list[Placement], masks: Mapping[int, int]) -> None:
    """Fill the masks of a hidden seat, including those of removed pieces."""
    board, base = view.board, piece_of(seat, 0)
    for slot, placement in enumerate(placements):
        mask = default_mask(board, seat, placement.point)
        if placement.kind == FLAG:
            mask = 1 << FLAG
            view.revealed_flags[seat] = placement.point
        elif placement.point in masks:
            mask &= masks[placement.point]
            if not mask:
                point = board.names[placement.point]
                raise BadPosition("impossible-position", f"field masks: no piece of the mask can stand on {point}")
        view.masks[base + slot] = mask
    live = slice(base, base + len(placements))
    removed = slice(base + len(placements), base + PIECES_PER_SEAT)
    strict = view.masks.copy()
    strict[removed] = ALL_MASK & ~(1 << FLAG)
    # The marshal was removed if and only if the flag is revealed.
    (strict[removed] if view.revealed_flags[seat] is None else strict[live])[...] &= ~np.uint16(1 << MARSHAL)
    if strict[live].all() and deduce(strict, np.uint8(1 << seat), _NO_RELATIONS):
        view.masks[:] = strict
        return
    view.masks[removed] = ALL_MASK
    if not deduce(view.masks, np.uint8(1 << seat), _NO_RELATIONS):
        raise BadPosition(
            "impossible-position", f"no 25 pieces of {board.seats[seat]} are consistent with the board and the masks"
        )


def _check(board: Board, viewer: int, placements: list[Placement], turn: int, alive: int) -> None:
    """Refuse (`impossible-position`) pieces on points that they cannot reach, and too many pieces of a kind."""
    if not contains(alive, turn):
        raise BadPosition("impossible-position", f"field turn: {board.seats[turn]} is not in field alive")
    for placement in placements:
        seat, point, kind = placement.seat, board.names[placement.point], placement.kind
        letter = board.seats[seat]
        if not contains(alive, seat):
            raise BadPosition(
                "impossible-position",
                f"field board: a piece of {letter} on {point}, but {letter} is not in field alive",
            )
        if kind == UNKNOWN:
            if contains(viewer, seat):
                raise BadPosition(
                    "impossible-position", f"field board: {letter}? on {point}, but the viewer knows {letter}"
                )
            continue
        allowed = default_mask(board, seat, placement.point)
        if not contains(allowed, kind):
            raise BadPosition("impossible-position", f"field board: {letter}{LETTERS[kind]} cannot stand on {point}")
        if not contains(viewer, seat) and kind != FLAG:
            raise BadPosition("leak", f"field board: {letter}{LETTERS[kind]} on {point} is hidden from the viewer")
    for seat, letter in enumerate(board.seats):
        kinds = [placement.kind for placement in placements if placement.seat == seat]
        if len(kinds) > PIECES_PER_SEAT:
            raise BadPosition(
                "impossible-position", f"field board: {letter} has {len(kinds)} pieces; the maximum is 25"
            )
        for kind, most in enumerate(COUNTS):
            if kinds.count(kind) > most:
                text = f"field board: {letter} has {kinds.count(kind)} pieces '{LETTERS[kind]}'; the maximum is {most}"
                raise BadPosition("impossible-position", text)
